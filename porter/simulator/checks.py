"""Which checks a run makes of every access, and how the runtime is told."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from porter.core.errors import InputError


class Check(str, Enum):
    """A kind of error looked for; docs/simulator-checks.md says what each finds and misses."""

    MEMORY = "memory"
    RACE = "race"
    INIT = "init"
    ALIGNMENT = "alignment"
    SHIFT = "shift"
    API = "api"
    LEAKS = "leaks"

    def __str__(self) -> str:
        return self.value


ALL_CHECKS = frozenset(Check)


def parse_checks(text: str) -> frozenset[Check]:
    """`memory,race` or `all`. Raises InputError for an unknown name."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if "all" in names:
        return ALL_CHECKS
    known = {check.value: check for check in Check}
    for name in names:
        if name not in known:
            raise InputError(f"no check is called '{name}'", hint="one of all, " + ", ".join(known))
    return frozenset(known[name] for name in names)


def needs_instrumentation(checks: Iterable[Check]) -> bool:
    """Leaks are known to the allocator alone; every other check needs a build of its own."""
    return any(check is not Check.LEAKS for check in checks)


def checks_environment(checks: Iterable[Check]) -> dict[str, str]:
    """The variable the runtime reads; empty without checks."""
    names = ",".join(sorted(str(check) for check in checks))
    return {"PORTER_SIM_CHECKS": names} if names else {}
