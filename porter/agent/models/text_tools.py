"""Tools in plain text, for servers that know none, and for people: a ```tool block has a call as JSON."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from porter.agent.loop import SUBMIT
from porter.agent.models.received import json_object
from porter.agent.protocols import Message, Request, Role, ToolCall, ToolResult, ToolSpec
from porter.agent.quoting import fence


def in_text(request: Request) -> Request:
    """The same request without tools: they are explained, and the calls so far and their results quoted."""
    if not request.tools:
        return request
    names = {call.id: call.name for message in request.messages for call in message.calls}
    messages = tuple(Message(m.role, as_text(m, names)) for m in request.messages)
    system = f"{request.system.rstrip()}\n\n{explained(request.tools)}"
    return replace(request, system=system, messages=messages, tools=())


def as_text(message: Message, names: dict[str, str]) -> str:
    """A message with its calls or results in its text; `names` has the tools' names by the calls' ids."""
    if message.role is Role.ASSISTANT:
        parts = [message.text, *(_call_block(c) for c in message.calls)]
    else:
        parts = [*(_result_block(r, names) for r in message.results), message.text]
    return "\n\n".join(p.strip("\n") for p in parts if p.strip())


def explained(tools: tuple[ToolSpec, ...]) -> str:
    """How to call the tools, and how to submit."""
    others = [t for t in tools if t.name != SUBMIT.name]
    submission = (
        "To submit, answer with the whole file in one fenced code block and no tool block. "
        "It is then built and compared with the original; the verdict is told."
    )
    if not others:
        return f"## How to answer\n\n{submission}\n"
    example = fence(json.dumps({"name": others[0].name, "arguments": {}}), "tool")
    listed = "\n".join(_spec(t) for t in others)
    return (
        "## How to answer\n\n"
        "You have tools. To call one, write a fenced block of the language `tool` with a JSON object: the "
        "tool's name and its arguments. Several blocks are several calls, made in their order. Then stop: "
        f"the results come in the next message.\n\n{example}\n\n{submission}\n\n"
        f"Each tool with the JSON Schema of its arguments:\n\n{listed}\n"
    )


def _spec(tool: ToolSpec) -> str:
    return f"- `{tool.name}`: {tool.description} Arguments: `{json.dumps(dict(tool.parameters))}`"


def out_of_text(text: str, request: Request) -> tuple[str, tuple[ToolCall, ...]]:
    """The text without its tool blocks, and their calls, with ids that `request` does not have yet."""
    before = sum(len(m.calls) for m in request.messages) + sum(
        m.role is Role.ASSISTANT for m in request.messages
    )
    calls: list[ToolCall] = []
    for block in _TOOL_BLOCK.finditer(text):
        calls += _calls(block["body"], f"text-{before}", len(calls))
    return _TOOL_BLOCK.sub("", text).strip("\n") if calls else text, tuple(calls)


def without_thoughts(text: str) -> str:
    """Without the thoughts in front that servers leave in the text of some open models."""
    return _THOUGHTS.sub("", text, count=1)


_TOOL_BLOCK = re.compile(
    r"^(?P<ticks>`{3,})[ \t]*tool[ \t]*\n(?P<body>.*?)^(?P=ticks)`*[ \t]*$\n?", re.DOTALL | re.MULTILINE
)
_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)
_NAME = re.compile(r'"name"\s*:\s*"([^"\\]*)"')


def _calls(body: str, prefix: str, before: int) -> list[ToolCall]:
    """Of one block: one JSON object, or one a line."""
    whole = _call(body, f"{prefix}-{before + 1}")
    lines = [line for line in body.splitlines() if line.strip()]
    if whole.malformed and len(lines) > 1:
        each = [_call(line, f"{prefix}-{before + i}") for i, line in enumerate(lines, 1)]
        if not any(c.malformed for c in each):
            return each
    return [whole]


def _call(body: str, call_id: str) -> ToolCall:
    value = json_object(body)
    name = value.get("name") if value else None
    arguments = value.get("arguments", {}) if value else None
    if isinstance(name, str) and isinstance(arguments, dict):
        return ToolCall(call_id, name, arguments)
    named = _NAME.search(body)
    return ToolCall(call_id, named[1] if named else "", malformed=body.strip() or "(empty)")


def _call_block(call: ToolCall) -> str:
    if call.malformed:
        return fence(call.malformed, "tool")
    return fence(
        json.dumps({"name": call.name, "arguments": dict(call.arguments)}, ensure_ascii=False), "tool"
    )


def _result_block(result: ToolResult, names: dict[str, str]) -> str:
    failed = " (an error)" if result.is_error else ""
    return f"Result of `{names.get(result.call_id, '')}`{failed}:\n\n{fence(result.text)}"
