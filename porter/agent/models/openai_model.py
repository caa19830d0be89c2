"""OpenAI's models, and any server that speaks its chat API: vLLM, llama.cpp, Ollama. Through the SDK."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import openai

from porter.agent.models.failures import Answered, Feature
from porter.agent.models.received import PartialCall, Received, count_of, part, sendable, text_of
from porter.agent.models.remote import (
    TimeLimits,
    connection_failure,
    events_until,
)
from porter.agent.models.text_tools import without_thoughts
from porter.agent.protocols import Finish, Message, Request, Role, ToolCall, ToolSpec, Usage

FEATURES = frozenset({Feature.TOOLS, Feature.TEMPERATURE, Feature.STREAM_OPTIONS, Feature.MAX_TOKENS})
"""What servers of others are asked for; OpenAI's own knows the newer spelling of the last."""

_NOTHING = "(nothing)"


@dataclass
class OpenAIWire:
    model: str
    base_url: str | None
    key: str = field(repr=False)
    limits: TimeLimits = field(default_factory=TimeLimits)

    @cached_property
    def _client(self) -> openai.OpenAI:
        # Retries are porter's own: the SDK's do not know of streams that are cut, nor of bounds in seconds.
        limits = self.limits
        timeout = openai.Timeout(limits.silence_seconds, connect=limits.connect_seconds)
        return openai.OpenAI(api_key=self.key, base_url=self.base_url, timeout=timeout, max_retries=0)

    def read(self, request: Request, sent: frozenset[Feature], most_tokens: int, received: Received) -> None:
        try:
            stream = self._client.chat.completions.create(
                model=self.model,
                messages=_messages(request),
                stream=True,
                extra_body=_extras(request, sent, most_tokens),
            )
            for chunk in events_until(stream, openai.OpenAIError, self.limits):
                _take(received, chunk)
        except openai.APIStatusError as error:
            raise Answered(error.status_code, error.body, error.response.headers) from None
        except openai.APIConnectionError as error:
            raise connection_failure(error, begun=received.begun) from None
        except openai.APIError as error:
            raise Answered(200, error.body or error.message, {}) from None
        received.text = without_thoughts(received.text)


def _take(received: Received, chunk: Any) -> None:
    """Servers differ in what they leave out of a chunk."""
    received.begun = True
    received.usage = _usage(part(chunk, "usage", object)) or received.usage
    for choice in part(chunk, "choices", list) or ():
        delta = part(choice, "delta", object)
        refusal = text_of(delta, "refusal")
        thoughts = text_of(delta, "reasoning_content") or text_of(delta, "reasoning")
        text = text_of(delta, "content") + refusal
        received.text += text
        received.written += len(text) + len(thoughts)
        for call in part(delta, "tool_calls", list) or ():
            received.written += _take_call(received.calls, call)
        if (finish := text_of(choice, "finish_reason")) and received.finish is not Finish.REFUSED:
            received.finish = _FINISH.get(finish, Finish.COMPLETE)
        if refusal:
            received.finish = Finish.REFUSED


_FINISH = {"length": Finish.LENGTH, "content_filter": Finish.REFUSED}


def _take_call(calls: list[PartialCall], delta: Any) -> int:
    """Begins a call, or goes on with one; the number of characters that the model wrote."""
    function = part(delta, "function", object)
    name, arguments, call_id = text_of(function, "name"), text_of(function, "arguments"), text_of(delta, "id")
    index = count_of(delta, "index")
    known = next((c for c in reversed(calls) if c.index == index), None)
    # Some servers give all calls the same number: a new id with a name begins a call all the same.
    if known is None or (name and call_id and known.id and known.id != call_id):
        calls.append(PartialCall(index, call_id, name, arguments))
    else:
        known.id = known.id or call_id
        known.name = known.name or name
        known.arguments += arguments
    return len(name) + len(arguments)


def _usage(counted: Any) -> Usage | None:
    """OpenAI counts the cached tokens among the prompt's. None where nothing was counted."""
    if part(counted, "prompt_tokens", int) is None:
        return None
    details = part(counted, "prompt_tokens_details", object)
    read, written = count_of(details, "cached_tokens"), count_of(details, "cache_write_tokens")
    fresh = max(count_of(counted, "prompt_tokens") - read - written, 0)
    return Usage(fresh, count_of(counted, "completion_tokens"), read, written)


def _extras(request: Request, sent: frozenset[Feature], most_tokens: int) -> dict[str, Any]:
    extras: dict[str, Any] = {}
    if request.tools:
        extras["tools"] = [_tool(t) for t in request.tools]
    if Feature.STREAM_OPTIONS in sent:
        extras["stream_options"] = {"include_usage": True}
    if request.temperature is not None and Feature.TEMPERATURE in sent:
        extras["temperature"] = request.temperature
    if Feature.MAX_COMPLETION_TOKENS in sent:
        extras["max_completion_tokens"] = most_tokens
    elif Feature.MAX_TOKENS in sent:
        extras["max_tokens"] = most_tokens
    return extras


def _tool(tool: ToolSpec) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}


def _messages(request: Request) -> Any:
    said: list[dict[str, Any]] = [{"role": "system", "content": sendable(request.system)}]
    for message in request.messages:
        said += _assistant(message) if message.role is Role.ASSISTANT else _user(message)
    return said


def _assistant(message: Message) -> list[dict[str, Any]]:
    said: dict[str, Any] = {"role": "assistant", "content": sendable(message.text) or None}
    if message.calls:
        said["tool_calls"] = [_call(c) for c in message.calls]
    elif not message.text:
        said["content"] = _NOTHING
    return [said]


def _call(call: ToolCall) -> dict[str, Any]:
    name = re.sub(r"[^A-Za-z0-9_-]", "_", call.name)[:64] or "unknown"
    function = {"name": name, "arguments": json.dumps(dict(call.arguments))}
    return {"id": call.id, "type": "function", "function": function}


def _user(message: Message) -> list[dict[str, Any]]:
    results = [
        {"role": "tool", "tool_call_id": r.call_id, "content": sendable(r.text) or _NOTHING}
        for r in message.results
    ]
    text = [{"role": "user", "content": sendable(message.text)}] if message.text or not results else []
    return [*results, *text]
