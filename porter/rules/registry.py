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
    """`name` is the bad pattern; `doc` the page with the headings What it finds, Why it matters, …

    A rule that is `answered` is about code that a port by porter is right for: it matters to those who keep
    the source, and a port's report does not repeat it. `fixable`: some of its findings have a fix.
    """

    code: str
    name: str
    check: Check
    doc: str
    answered: bool = False
    fixable: bool = False


_RULES: dict[str, Rule] = {}


def rule(code: str, name: str, *, answered: bool = False, fixable: bool = False) -> Callable[[Check], Check]:
    """Registers a check under its code; its module's docstring is the rule's page."""

    def register(check: Check) -> Check:
        if code in _RULES:
            raise ValueError(f"rule {code} is registered twice")
        module = importlib.import_module(check.__module__)
        _RULES[code] = Rule(code, name, check, module.__doc__ or "", answered, fixable)
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
    return _found(unit, answered=False)


def diagnose_source(unit: TranslationUnit) -> tuple[Diagnostic, ...]:
    """What a port by porter answers by itself, and other ways of porting may not; in source order."""
    return _found(unit, answered=True)


def _found(unit: TranslationUnit, *, answered: bool) -> tuple[Diagnostic, ...]:
    chosen = (rule_ for rule_ in all_rules() if rule_.answered is answered)
    found = {finding for rule_ in chosen for finding in rule_.check(unit)}
    return tuple(sorted(found, key=lambda d: (d.span.start, d.span.end, d.code)))
