"""Answers that fit into an assistant's context: long texts and lists are cut, and it is said where."""

from __future__ import annotations

import json
from typing import Any

MOST_CHARACTERS = 60_000
_MOST_ITEMS = (200, 40, 8)
_MOST_TEXT = (40_000, 8_000, 1_000)


def bounded(document: dict[str, Any]) -> dict[str, Any]:
    """The document, or one of the same fields with less in them; at most MOST_CHARACTERS as JSON, about."""
    for items, text in zip(_MOST_ITEMS, _MOST_TEXT, strict=True):
        if len(json.dumps(document)) <= MOST_CHARACTERS:
            return document
        document = {key: _cut(value, items, text) for key, value in document.items()}
    if len(json.dumps(document)) <= MOST_CHARACTERS:
        return document
    short = {k: v for k, v in document.items() if not isinstance(v, list | dict)}
    return {**short, "cut": "the answer is too long; the whole of it is in run_directory"}


def _cut(value: Any, items: int, text: int) -> Any:
    if isinstance(value, str) and len(value) > text:
        return f"{value[:text]}\n(cut: {len(value)} characters in all)"
    if isinstance(value, list):
        left_out = [f"(cut: {len(value)} in all)"] if len(value) > items else []
        return [*(_cut(v, items, text) for v in value[:items]), *left_out]
    if isinstance(value, dict):
        return {key: _cut(inner, items, text) for key, inner in value.items()}
    return value
