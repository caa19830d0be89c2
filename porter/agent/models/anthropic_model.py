"""Claude models, and servers that speak Anthropic's messages API, through the official SDK."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import anthropic

from porter.agent.models.failures import Answered, Feature
from porter.agent.models.received import PartialCall, Received, count_of, part, sendable, text_of
from porter.agent.models.remote import (
    TimeLimits,
    connection_failure,
    events_until,
)
from porter.agent.protocols import Finish, Message, Request, Role, ToolCall, ToolResult, ToolSpec, Usage

FEATURES = frozenset({Feature.TOOLS, Feature.THOUGHTS, Feature.TEMPERATURE})

_CACHED = {"type": "ephemeral"}
_NOTHING = "(nothing)"
"""The API takes no message without content."""


@dataclass
class AnthropicWire:
    """Asks for thoughts where the model can have them, and for a cache of all but the last answer."""

    model: str
    base_url: str | None
    key: str = field(repr=False)
    limits: TimeLimits = field(default_factory=TimeLimits)

    @cached_property
    def _client(self) -> anthropic.Anthropic:
        # Retries are porter's own: the SDK's do not know of streams that are cut, nor of bounds in seconds.
        limits = self.limits
        timeout = anthropic.Timeout(limits.silence_seconds, connect=limits.connect_seconds)
        return anthropic.Anthropic(api_key=self.key, base_url=self.base_url, timeout=timeout, max_retries=0)

    def read(self, request: Request, sent: frozenset[Feature], most_tokens: int, received: Received) -> None:
        try:
            stream = self._client.messages.create(
                model=self.model,
                max_tokens=most_tokens,
                system=_system(request.system),
                messages=_messages(request.messages, thoughts=Feature.THOUGHTS in sent),
                stream=True,
                # The SDK's versions differ in what they have a parameter for.
                extra_body=_extras(request, sent),
            )
            _fill(received, events_until(stream, anthropic.APIError, self.limits))
        except anthropic.APIStatusError as error:
            # An error in the middle of a stream comes with the status of the stream.
            raise Answered(error.status_code, error.body, error.response.headers) from None
        except anthropic.APIConnectionError as error:
            raise connection_failure(error, begun=received.begun) from None
        except anthropic.APIError as error:
            raise Answered(200, error.body or error.message, {}) from None


def _fill(received: Received, events: Any) -> None:
    """What the API's documentation does not know is passed over."""
    blocks: dict[int, dict[str, str]] = {}
    refusal = ""
    try:
        for event in events:
            match text_of(event, "type"):
                case "message_start":
                    received.begun = True
                    received.usage = _usage(part(event, "message", object), Usage())
                case "content_block_start":
                    blocks[count_of(event, "index")] = _begun_block(part(event, "content_block", object))
                case "content_block_delta":
                    block = blocks.get(count_of(event, "index"), {})
                    received.written += _extend(block, part(event, "delta", object))
                case "message_delta":
                    delta = part(event, "delta", object)
                    received.usage = _usage(event, received.usage or Usage())
                    if reason := text_of(delta, "stop_reason"):
                        received.finish = _FINISH.get(reason, Finish.COMPLETE)
                    refusal = _refusal(delta)
    finally:
        _take(received, [blocks[i] for i in sorted(blocks)], refusal)


def _take(received: Received, blocks: Sequence[Mapping[str, str]], refusal: str) -> None:
    received.text = "".join(b["text"] for b in blocks if b["type"] == "text") or refusal
    calls = (b for b in blocks if b["type"] == "tool_use")
    received.calls = [PartialCall(i, b["id"], b["name"], b["json"]) for i, b in enumerate(calls)]
    received.opaque = _opaque(blocks)


_FINISH = {
    "max_tokens": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    "refusal": Finish.REFUSED,
}


def _refusal(delta: Any) -> str:
    details = part(delta, "stop_details", object)
    return text_of(details, "explanation") or text_of(details, "category")


def _usage(event: Any, before: Usage) -> Usage:
    """What a later event leaves out is as it was."""
    counted = part(event, "usage", object)
    return Usage(
        count_of(counted, "input_tokens", before.input_tokens),
        count_of(counted, "output_tokens", before.output_tokens),
        count_of(counted, "cache_read_input_tokens", before.cache_read_tokens),
        count_of(counted, "cache_creation_input_tokens", before.cache_write_tokens),
    )


def _begun_block(block: Any) -> dict[str, str]:
    kind = text_of(block, "type")
    match kind:
        case "text":
            return {"type": kind, "text": text_of(block, "text")}
        case "tool_use":
            given = part(block, "input", dict)
            arguments = json.dumps(given) if given else ""
            return {
                "type": kind,
                "id": text_of(block, "id"),
                "name": text_of(block, "name"),
                "json": arguments,
            }
        case "thinking":
            return {
                "type": kind,
                "thinking": text_of(block, "thinking"),
                "signature": text_of(block, "signature"),
            }
        case "redacted_thinking":
            return {"type": kind, "data": text_of(block, "data")}
    return {"type": "other"}


_DELTAS = {
    "text_delta": ("text", "text"),
    "input_json_delta": ("partial_json", "json"),
    "thinking_delta": ("thinking", "thinking"),
    "signature_delta": ("signature", "signature"),
}


def _extend(block: dict[str, str], delta: Any) -> int:
    """The number of characters that the model wrote."""
    source, target = _DELTAS.get(text_of(delta, "type"), ("", ""))
    piece = text_of(delta, source) if target in block else ""
    if piece:
        block[target] += piece
    return 0 if target == "signature" else len(piece)


def _opaque(blocks: Sequence[Mapping[str, str]]) -> str:
    """The order of the blocks, with the thoughts as they are; empty without any."""
    if not any("thinking" in b["type"] for b in blocks):
        return ""
    order: list[Any] = []
    for block in blocks:
        match block["type"]:
            case "text":
                order.append({"type": "text", "length": len(sendable(block["text"]))})
            case "tool_use":
                order.append({"type": "tool_use"})
            case "thinking" | "redacted_thinking":
                order.append(dict(block))
    return json.dumps(order)


def _system(text: str) -> Any:
    """The tools stand before it: they are in the cache with it."""
    return [{"type": "text", "text": sendable(text) or _NOTHING, "cache_control": _CACHED}]


def _extras(request: Request, sent: frozenset[Feature]) -> dict[str, Any]:
    extras: dict[str, Any] = {}
    if request.tools:
        extras["tools"] = [_tool(t) for t in request.tools]
    if Feature.THOUGHTS in sent:
        extras["thinking"] = {"type": "adaptive"}
    if request.temperature is not None and Feature.TEMPERATURE in sent:
        extras["temperature"] = request.temperature
    return extras


def _tool(tool: ToolSpec) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters)}


def _messages(messages: tuple[Message, ...], *, thoughts: bool) -> Any:
    said = [{"role": m.role.value, "content": _content(m, thoughts=thoughts)} for m in messages]
    if said:
        last = said[-1]["content"][-1]
        if isinstance(last, dict):
            last["cache_control"] = _CACHED
    return said


def _content(message: Message, *, thoughts: bool) -> list[dict[str, Any]]:
    if message.role is Role.USER:
        blocks = [_result(r) for r in message.results]
        return [*blocks, *_text(message.text)] or _text(_NOTHING)
    content = _in_order(message) if thoughts and message.opaque else None
    if content is None:
        content = [*_text(message.text), *(_call(c) for c in message.calls)]
    return content or _text(_NOTHING)


def _in_order(message: Message) -> list[dict[str, Any]] | None:
    """The blocks as they came; None where the order is not that of this message."""
    content: list[dict[str, Any]] = []
    text, calls = message.text, list(message.calls)
    for block in json.loads(message.opaque):
        match block["type"]:
            case "text":
                content += _text(text[: block["length"]])
                text = text[block["length"] :]
            case "tool_use" if calls:
                content.append(_call(calls.pop(0)))
            case _:
                content.append(block)
    return None if text or calls else content


def _text(text: str) -> list[dict[str, Any]]:
    """No block for blank text: the API takes none."""
    return [{"type": "text", "text": sendable(text)}] if text.strip() else []


def _call(call: ToolCall) -> dict[str, Any]:
    name = re.sub(r"[^A-Za-z0-9_-]", "_", call.name)[:64] or "unknown"
    return {"type": "tool_use", "id": call.id, "name": name, "input": dict(call.arguments)}


def _result(result: ToolResult) -> dict[str, Any]:
    return {
        "type": "tool_result",
        "tool_use_id": result.call_id,
        "content": sendable(result.text) or _NOTHING,
        "is_error": result.is_error,
    }
