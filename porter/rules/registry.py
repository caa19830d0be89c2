"""The registry: a rule is a generator of findings, registered by decorator in its own file."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from porter.core.diagnostic import Diagnostic
from porter.cuda.translation_unit import TranslationUnit

Check = Callable[[TranslationUnit], Iterator[Diagnostic]]


@dataclass(frozen=True)
class Rule:
    """`name` is the bad pattern; `doc` the page with the headings What it finds, Why it matters, …"""

    code: str
    name: str
    check: Check
    doc: str


_RULES: dict[str, Rule] = {}


def rule(code: str, name: str) -> Callable[[Check], Check]:
    """Registers a check under its code; its module's docstring is the rule's page."""

    def register(check: Check) -> Check:
        if code in _RULES:
            raise ValueError(f"rule {code} is registered twice")
        module = importlib.import_module(check.__module__)
        _RULES[code] = Rule(code, name, check, module.__doc__ or "")
        return check

    return register


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by code; a file in this package needs no entry elsewhere."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        importlib.import_module(f"porter.rules.{module.name}")
    return tuple(_RULES[code] for code in sorted(_RULES))


def diagnose(unit: TranslationUnit) -> tuple[Diagnostic, ...]:
    """What in `unit` will not carry over to an AMD GPU as it stands, in source order."""
    found = {finding for rule_ in all_rules() for finding in rule_.check(unit)}
    return tuple(sorted(found, key=lambda d: (d.span.start, d.span.end, d.code)))
