"""What a repository says of its checks: `[tool.porter.check]` in pyproject.toml, `[check]` in porter.toml."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.core.check_report import FailOn
from porter.core.errors import InputError
from porter.migrate.pages import pages

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass(frozen=True)
class CheckConfig:
    """`exclude` and the keys of `per_file_ignores` are patterns on paths relative to the root."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    fail_on: FailOn | None = None
    baseline: str = ""


def read_check_config(root: Path) -> CheckConfig:
    """Of the repository at `root`; the defaults where it says nothing. Raises InputError, naming the key."""
    found = [
        (f"{path}: [{'.'.join(keys)}]", table)
        for path, keys in (
            (root / "porter.toml", ("check",)),
            (root / "pyproject.toml", ("tool", "porter", "check")),
        )
        if (table := _table(path, keys)) is not None
    ]
    if len(found) > 1:
        raise InputError(f"both {found[0][0]} and {found[1][0]} configure the check", hint="keep one of them")
    return _config(*found[0]) if found else CheckConfig()


def _table(path: Path, keys: tuple[str, ...]) -> Any:
    if not path.is_file():
        return None
    try:
        table: Any = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table


def _config(where: str, table: Any) -> CheckConfig:
    if not isinstance(table, dict):
        raise InputError(f"{where}: a table is expected")
    readers: dict[str, Callable[[str, Any], Any]] = {
        "select": _codes,
        "ignore": _codes,
        "exclude": _strings,
        "per-file-ignores": _per_file,
        "fail-on": _fail_on,
        "baseline": _string,
    }
    unknown = [key for key in table if key not in readers]
    if unknown:
        raise InputError(f"{where}: unknown key {unknown[0]}", hint=f"the keys are {', '.join(readers)}")
    values = {key.replace("-", "_"): readers[key](f"{where} {key}", value) for key, value in table.items()}
    return CheckConfig(**values)


def _string(where: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"{where}: a string is expected")
    return value


def _strings(where: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"{where}: a list of strings is expected")
    return tuple(value)


def _codes(where: str, value: Any) -> tuple[str, ...]:
    codes = _strings(where, value)
    for code in codes:
        if not code or not any(known.startswith(code) for known in pages()):
            raise InputError(f"{where}: porter has no finding {code}", hint="porter rules lists the codes")
    return codes


def _per_file(where: str, value: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise InputError(f"{where}: a table of patterns is expected")
    return tuple((pattern, _codes(f"{where} {pattern}", codes)) for pattern, codes in value.items())


def _fail_on(where: str, value: Any) -> FailOn:
    try:
        return FailOn(value)
    except ValueError:
        raise InputError(f"{where}: it is one of {', '.join(map(str, FailOn))}") from None
