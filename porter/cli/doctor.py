"""`porter doctor`: what this machine has and adds, what confines programs, and whose keys it has."""

from __future__ import annotations

import json as json_module
from dataclasses import asdict, dataclass
from textwrap import wrap
from typing import Annotated

import typer
from rich.text import Text

from porter.agent.models.keys import KeySource, key_sources
from porter.cli.console import out
from porter.core.cache import cache_directory
from porter.core.cache_limit import LIMIT_VARIABLE, SAFE_SECONDS, TIDY_SECONDS, limit_bytes, size_bytes
from porter.core.confinement import Measure, measures
from porter.harness.toolchains.discover import Tool, discover

_VERSION_WIDTH = 18
WIDTH = 99
"""Columns, so that the page fits a terminal of a hundred."""
_WHEN_LIMITED = (
    f"tidied down to that when something is built, at most every {TIDY_SECONDS / 60:.0f} minutes; "
    f"what was used within {SAFE_SECONDS / 3600:.0f} hours stays, so that it can be larger for a while"
)


def doctor(
    json: Annotated[bool, typer.Option("--json", help="print a JSON document (porter-doctor-1)")] = False,
) -> int:
    """Show which tools were found on this machine and what evidence each adds. None is a precondition."""
    tools, confinement, keys = discover(), measures(), key_sources()
    cache = Cache(str(cache_directory(".").resolve()), size_bytes(), limit_bytes())
    if json:
        document = {
            "format": "porter-doctor-1",
            "tools": [asdict(t) for t in tools],
            "confinement": [asdict(m) for m in confinement],
            "keys": [asdict(k) for k in keys],
            "cache": asdict(cache),
        }
        print(json_module.dumps(document, indent=2))
    else:
        parts = (_tool_lines(tools), _confinement_lines(confinement), _key_lines(keys), _cache_lines(cache))
        out().print(*(line for part in parts for line in (*part, "")), sep="\n", end="")
    return 0


@dataclass(frozen=True)
class Cache:
    """What is kept of builds; a limit of 0 bytes is none."""

    folder: str
    size_bytes: int
    limit_bytes: int


def _cache_lines(cache: Cache) -> list[Text]:
    limit = f"{_gib(cache.limit_bytes)} at most ({LIMIT_VARIABLE})" if cache.limit_bytes else "no limit"
    lines = [Text(f"     cache: {_gib(cache.size_bytes)} in {cache.folder}, {limit}")]
    if cache.limit_bytes:
        lines += _wrapped(Text("     "), "  ", _WHEN_LIMITED)
    return lines


def _gib(count: int) -> str:
    return f"{count / (1 << 30):.1f} GiB"


def _tool_lines(tools: tuple[Tool, ...]) -> list[Text]:
    """A line a tool; what is missing has its way to install below it."""
    lines = [Text(f"     {'tool':<27} {'version':<18} adds", style="bold")]
    for tool in tools:
        head = f"{tool.name:<27} {tool.version:<18} "
        if len(tool.version) > _VERSION_WIDTH:  # in full, whatever it does to the columns
            lines += _wrapped(_mark(tool.found), f"{tool.name:<27} ", f"{tool.version}; adds {tool.adds}")
        else:
            lines += _wrapped(_mark(tool.found), head, tool.adds)
        if not tool.found:
            lines += _wrapped(Text("     "), "  needs: ", tool.how_to_install)
    return lines


def _confinement_lines(confinement: tuple[Measure, ...]) -> list[Text]:
    lines = [Text(f"     {'limits on programs':<19} {'on':<6} what holds", style="bold")]
    for measure in confinement:
        text = measure.figure if measure.in_force else f"not in force; needs {measure.needs}"
        lines += _wrapped(_mark(measure.in_force), f"{measure.name:<19} {measure.applies_to:<6} ", text)
    return lines


def _key_lines(keys: tuple[KeySource, ...]) -> list[Text]:
    """Where each key comes from; no part of one."""
    lines = [Text(f"     {'keys of models':<19} from", style="bold")]
    for key in keys:
        text = key.source if key.found else f"none; needs {key.source}"
        lines += _wrapped(_mark(key.found), f"{key.provider:<19} ", text)
    return lines


def _mark(good: bool) -> Text:
    return Text("yes  ", style="green") if good else Text("no   ", style="yellow")


def _wrapped(mark: Text, head: str, text: str) -> list[Text]:
    """`text` behind `head`, on further lines indented below its start."""
    width = WIDTH - len(mark) - len(head)
    parts = wrap(text, width, break_long_words=True) or [""]
    indent = " " * (len(mark) + len(head))
    return [mark + Text(head + parts[0]), *(Text(indent + part) for part in parts[1:])]
