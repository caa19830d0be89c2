"""The inline definitions that ported code calls, from `shims/*.h`: only what is used, each guarded."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_DIRECTORY = Path(__file__).parent / "shims"
_TITLE = "// Warp operations of 32 lanes and other CUDA functions that HIP lacks; added by porter.\n"


def shim_text(names: frozenset[str], newline: str = "\n") -> str:
    """The text to insert for `names` and what they need, in dependency order; "" for none."""
    if not names:
        return ""
    ordered: list[str] = []
    for name in sorted(names):
        _visit(name, ordered)
    text = _TITLE + "".join(_body(name) for name in ordered)
    return text.replace("\n", newline)


def _visit(name: str, ordered: list[str]) -> None:
    if name in ordered:
        return
    for needed in _needs(name):
        _visit(needed, ordered)
    ordered.append(name)


@cache
def _source(name: str) -> str:
    return (_DIRECTORY / f"{name}.h").read_text(encoding="ascii")


def _needs(name: str) -> tuple[str, ...]:
    first = _source(name).partition("\n")[0]
    return tuple(first.removeprefix("// needs:").split())


def _body(name: str) -> str:
    return _source(name).partition("\n")[2]


def shim_names() -> tuple[str, ...]:
    """Every definition there is."""
    return tuple(sorted(path.stem for path in _DIRECTORY.glob("*.h")))
