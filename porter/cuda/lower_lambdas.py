"""Lambdas are inlined and read the captured variables themselves, so a copy must not be told from them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.cuda.clang_cursor import Cursor, Kind, children, declaration_key, variable_initialiser
from porter.cuda.kir import VarRef
from porter.cuda.lower_context import Lowering

_INTRODUCER = re.compile(r"\[([^\]]*)\]")


def check_captures(ctx: Lowering, variable: Cursor) -> None:
    """Declines a lambda that copies a variable which the kernel changes."""
    closure = variable_initialiser(variable)
    lambdas = [c for c in _descendants(closure) if c.kind == Kind.LAMBDA_EXPR] if closure is not None else []
    for expression in lambdas[:1]:
        copies = _copied_names(ctx, expression)
        for mention in _descendants(expression):
            if mention.kind == Kind.DECL_REF_EXPR and _is_changed(ctx, mention) and copies(mention.spelling):
                message = f"the lambda copies `{mention.spelling}`, which changes later"
                raise ctx.decline("TIL019", message, mention, "capture it by reference")


def _descendants(cursor: Cursor) -> Iterator[Cursor]:
    yield cursor
    for child in children(cursor):
        yield from _descendants(child)


def _is_changed(ctx: Lowering, mention: Cursor) -> bool:
    bound = ctx.bindings.get(declaration_key(mention.referenced)) if mention.referenced is not None else None
    return isinstance(bound, VarRef) and bound.variable in ctx.program.mutable


class _Copies:
    def __init__(self, introducer: str) -> None:
        parts = [p.strip() for p in introducer.split(",") if p.strip()]
        self.by_default = "=" in parts
        self.copied = {p for p in parts if p.isidentifier()}
        self.referenced = {p[1:].strip() for p in parts if p.startswith("&")}

    def __call__(self, name: str) -> bool:
        return name in self.copied or (self.by_default and name not in self.referenced)


def _copied_names(ctx: Lowering, expression: Cursor) -> _Copies:
    span = ctx.unit.span(expression)
    start = expression.extent.start
    text = ctx.unit.source_of(start.file.name).text if start.file else ""
    match = _INTRODUCER.match(text, span.start)
    return _Copies(match.group(1) if match else "=")
