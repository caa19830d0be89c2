"""What the model may call, besides submitting a candidate. None of it reaches the file system or the network:
the program was read before, and a candidate is a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from porter.agent.protocols import ToolCall, ToolResult, Tools, ToolSpec
from porter.agent.quoting import readable
from porter.core.span import SourceText
from porter.pipeline.agent.facts import facts
from porter.pipeline.agent.judge import CandidateJudge
from porter.pipeline.agent.mapping import mapping
from porter.pipeline.agent.tasks import Task, own_units
from porter.pipeline.code_pages import code_pages, page_text

MOST_CHARACTERS = 12_000
MOST_LINES = 200
_MOST_NAMES = 20
_MOST_SIZES = 16


class _Unusable(Exception):
    """The arguments of a call; the text says what is wrong with them."""


@dataclass(frozen=True)
class _Tool:
    spec: ToolSpec
    run: Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True)
class PortingTools:
    """The tools of one conversation."""

    task: Task
    judge: CandidateJudge

    @cached_property
    def _tools(self) -> dict[str, _Tool]:
        return {tool.spec.name: tool for tool in _tools(self.task, self.judge)}

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec for tool in self._tools.values())

    def call(self, call: ToolCall) -> ToolResult:
        """Never raises for what the model gives it, and never says more than MOST_CHARACTERS."""
        tool = self._tools.get(call.name)
        if tool is None:
            known = ", ".join(self._tools)
            return ToolResult(
                call.id, f"there is no tool {call.name[:80]!r}; there are: {known}", is_error=True
            )
        if call.malformed:
            return ToolResult(
                call.id, f"the arguments are no JSON object: {call.malformed[:200]}", is_error=True
            )
        try:
            return ToolResult(call.id, _bounded(tool.run(call.arguments)))
        except _Unusable as error:
            return ToolResult(call.id, str(error), is_error=True)


def tools_for(task: Task, judge: CandidateJudge) -> Tools:
    """The tools of one conversation."""
    return PortingTools(task, judge)


def _tools(task: Task, judge: CandidateJudge) -> tuple[_Tool, ...]:
    request = task.request
    text = {"text": {"type": "string", "description": "the whole text of the candidate"}}
    integer = {"type": "integer"}
    return (
        _tool(
            "read_source",
            "Lines of the CUDA program, or of one of its own headers.",
            {
                "file": {"type": "string", "description": "its name; without it the program itself"},
                "first": integer,
                "last": integer,
            },
            ("first", "last"),
            lambda a: _lines(_sources(task), a),
        ),
        _tool(
            "facts",
            "What was found out about the kernels: launches with their arguments, how threads access memory, "
            "shared memory, barriers, what counts on warps of 32 lanes.",
            {},
            (),
            lambda _: facts(request, task.unit, task.lowered, task.original),
        ),
        _tool(
            "mapping",
            f"What functions, types, constants, headers and PTX instructions become in {request.target}.",
            {"names": {"type": "array", "items": {"type": "string"}, "maxItems": _MOST_NAMES}},
            ("names",),
            lambda a: "\n".join(mapping(name, request.target) for name in _strings(a, "names")),
        ),
        _tool(
            "explain",
            "What the code of a finding means, such as PTX001.",
            {"code": {"type": "string"}},
            ("code",),
            lambda a: _explained(_string(a, "code")),
        ),
        _tool(
            "build",
            "Builds a candidate and runs nothing: the compiler's errors and warnings.",
            text,
            ("text",),
            lambda a: judge.build(_string(a, "text")),
        ),
        _tool(
            "verify",
            "Compares a candidate with the original on the cases that have one of these sizes among their "
            "integer arguments; without sizes on all.",
            {**text, "sizes": {"type": "array", "items": integer, "maxItems": _MOST_SIZES}},
            ("text",),
            lambda a: judge.verify(_string(a, "text"), _integers(a, "sizes")),
        ),
        _tool(
            "figures",
            f"Registers, LDS, spills, waves and memory instructions of a candidate built for {request.arch}.",
            text,
            ("text",),
            lambda a: judge.figures(_string(a, "text")),
        ),
    )


def _tool(
    name: str,
    description: str,
    properties: Mapping[str, Any],
    required: Sequence[str],
    run: Callable[[Mapping[str, Any]], str],
) -> _Tool:
    schema = {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }
    return _Tool(ToolSpec(name, description, schema), run)


def _sources(task: Task) -> dict[str, SourceText]:
    """By name, the program itself first. Nothing else is ever read."""
    return {_name(unit.source): unit.source for unit in reversed(own_units(task))}


def _name(source: SourceText) -> str:
    return source.path.rpartition("/")[2]


def _lines(sources: Mapping[str, SourceText], arguments: Mapping[str, Any]) -> str:
    name = arguments.get("file") or tuple(sources)[-1]
    source = sources.get(name) if isinstance(name, str) else None
    if source is None:
        raise _Unusable(f"there is no such file; there are: {', '.join(sources)}")
    lines = readable(source.data).split("\n")
    first, last = _integer(arguments, "first"), _integer(arguments, "last")
    first, last = max(1, first), min(len(lines), last, max(1, first) + MOST_LINES - 1)
    if first > last:
        raise _Unusable(f"{name} has the lines 1 to {len(lines)}")
    return "\n".join(f"{number:5} {lines[number - 1]}" for number in range(first, last + 1))


def _explained(code: str) -> str:
    page = code_pages().get(code.strip().upper())
    if page is None:
        raise _Unusable("no finding has this code")
    return page_text(page)


def _bounded(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}\n(cut off here)"


# --- arguments, which a model may get wrong in any way ---


def _string(arguments: Mapping[str, Any], name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str) or not value.strip():
        raise _Unusable(f"`{name}` has to be a text")
    return value


def _integer(arguments: Mapping[str, Any], name: str) -> int:
    value = arguments.get(name)
    if not isinstance(value, int):
        raise _Unusable(f"`{name}` has to be a whole number")
    return value


def _strings(arguments: Mapping[str, Any], name: str) -> list[str]:
    value = arguments.get(name)
    if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
        raise _Unusable(f"`{name}` has to be a list of texts")
    return [v[:200] for v in value[:_MOST_NAMES]]


def _integers(arguments: Mapping[str, Any], name: str) -> list[int]:
    value = arguments.get(name, [])
    if not isinstance(value, list) or not all(isinstance(v, int) for v in value):
        raise _Unusable(f"`{name}` has to be a list of whole numbers")
    return value[:_MOST_SIZES]
