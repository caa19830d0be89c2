"""A server on loopback that speaks both providers' formats on the wire, as a script tells it."""

from __future__ import annotations

import http.server
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Say:
    """A whole answer, streamed. `calls` are id, name and the arguments as text, which comes in two pieces.

    `usage` has input, output, cache read and cache write; None sends none. `cut_after` closes the connection
    after so many events, `fail_after` sends `error` instead of the next one. `chunked` tells the client where
    the stream ends; without it a cut cannot be told from an end.
    """

    text: str = "hello"
    calls: tuple[tuple[str, str, str], ...] = ()
    finish: str = ""
    usage: tuple[int, int, int, int] | None = (100, 20, 0, 0)
    thoughts: str = ""
    refusal: str = ""
    cut_after: int | None = None
    fail_after: int | None = None
    error: Any = None
    chunked: bool = True
    stall_after: int | None = None
    garbage_after: int | None = None


@dataclass(frozen=True)
class Raw:
    """A stream of exactly these data, each with the name of its event."""

    events: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Fail:
    status: int
    body: Any = None
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Hang:
    """Takes the request and is silent."""

    seconds: float


@dataclass(frozen=True)
class Drop:
    """Closes the connection without an answer."""


Step = Say | Raw | Fail | Hang | Drop


@dataclass
class ModelServer:
    """`steps` are taken one a request, unless `answer` says what to do with each. `asked` has the bodies,
    `keys` what the requests were sent with."""

    url: str
    steps: list[Step] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    answer: Callable[[dict[str, Any]], Step] | None = None

    def base_url(self, provider: str) -> str:
        return self.url if provider == "anthropic" else f"{self.url}/v1"


@contextmanager
def model_server() -> Iterator[ModelServer]:
    class Handler(_Handler):
        script = ModelServer("")

    with _Listening(("127.0.0.1", 0), Handler) as listening:
        Handler.script.url = f"http://127.0.0.1:{listening.server_address[1]}"
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield Handler.script
        finally:
            listening.shutdown()
            thread.join()


class _Listening(http.server.ThreadingHTTPServer):
    def handle_error(self, *args: object) -> None:
        """Clients that close the connection are part of the script."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: ModelServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.script.asked.append(body)
        self.script.keys.append(self.headers.get("x-api-key") or self.headers.get("Authorization") or "")
        if self.script.answer is not None:
            step = self.script.answer(body)
        else:
            step = self.script.steps.pop(0) if self.script.steps else Fail(400, "the script is over")
        match step:
            case Say():
                events = _anthropic if self.path.endswith("/v1/messages") else _openai
                self._stream(list(events(step)), step)
            case Raw(events):
                self._stream(list(events), Say())
            case Fail(status, error, headers):
                self._fail(status, error, headers)
            case Hang(seconds):
                time.sleep(seconds)
                self._close()
            case Drop():
                self._close()

    def _fail(self, status: int, body: Any, headers: tuple[tuple[str, str], ...]) -> None:
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Type", "text/plain" if isinstance(body, str) else "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, events: list[tuple[str, Any]], step: Say) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked") if step.chunked else self.send_header(
            "Connection", "close"
        )
        self.end_headers()
        for i, (name, data) in enumerate(events):
            if i == step.cut_after:
                return self._close()
            if i == step.stall_after:
                time.sleep(1.5)
                return self._close()
            if i == step.garbage_after:
                self._send('event: message_delta\ndata: {"type": "mess\n\n', step)
                return self._close()
            if i == step.fail_after:
                name, data = "error", step.error
            text = data if isinstance(data, str) else json.dumps(data)
            self._send((f"event: {name}\n" if name else "") + f"data: {text}\n\n", step)
            if name == "error":
                break
        if step.chunked:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self._close()
        return None

    def _send(self, text: str, step: Say) -> None:
        data = text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data) if step.chunked else data)
        self.wfile.flush()

    def _close(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *args: object) -> None:
        pass


def _anthropic(say: Say) -> Iterator[tuple[str, Any]]:
    def event(kind: str, **data: Any) -> tuple[str, Any]:
        return kind, {"type": kind, **data}

    read, written, cached, kept = say.usage or (0, 0, 0, 0)
    usage = {"input_tokens": read, "output_tokens": 1}
    usage |= {"cache_read_input_tokens": cached, "cache_creation_input_tokens": kept}
    message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": []}
    message |= {"stop_reason": None, "stop_sequence": None, "usage": usage}
    yield event("message_start", message=message)
    yield event("ping")
    index = 0

    def block(start: dict[str, Any], *deltas: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        yield event("content_block_start", index=index, content_block=start)
        for delta in deltas:
            yield event("content_block_delta", index=index, delta=delta)
        yield event("content_block_stop", index=index)

    if say.thoughts:
        start = {"type": "thinking", "thinking": "", "signature": ""}
        thought = {"type": "thinking_delta", "thinking": say.thoughts}
        yield from block(start, thought, {"type": "signature_delta", "signature": "signed"})
        index += 1
    if say.text:
        half = len(say.text) // 2
        pieces = ({"type": "text_delta", "text": t} for t in (say.text[:half], say.text[half:]))
        yield from block({"type": "text", "text": ""}, *pieces)
        index += 1
    for call_id, name, arguments in say.calls:
        half = len(arguments) // 2
        texts = (arguments[:half], arguments[half:])
        pieces = ({"type": "input_json_delta", "partial_json": t} for t in texts)
        yield from block({"type": "tool_use", "id": call_id, "name": name, "input": {}}, *pieces)
        index += 1
    finish = say.finish or ("tool_use" if say.calls else "end_turn")
    delta: dict[str, Any] = {"stop_reason": finish, "stop_sequence": None}
    if say.refusal:
        delta |= {"stop_details": {"type": "refusal", "category": None, "explanation": say.refusal}}
    yield event("message_delta", delta=delta, usage={"output_tokens": written})
    yield event("message_stop")


def _openai(say: Say) -> Iterator[tuple[str, Any]]:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> tuple[str, Any]:
        choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
        return "", {
            "id": "c",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": "m",
            "choices": choices,
        }

    yield chunk({"role": "assistant", "content": ""})
    if say.thoughts:
        yield chunk({"reasoning_content": say.thoughts})
    if say.text:
        half = len(say.text) // 2
        yield chunk({"content": say.text[:half]})
        yield chunk({"content": say.text[half:]})
    if say.refusal:
        yield chunk({"refusal": say.refusal})
    for index, (call_id, name, arguments) in enumerate(say.calls):
        half = len(arguments) // 2
        begun = {"index": index, "id": call_id, "type": "function"}
        yield chunk({"tool_calls": [{**begun, "function": {"name": name, "arguments": arguments[:half]}}]})
        rest = {"index": index, "function": {"arguments": arguments[half:]}}
        yield chunk({"tool_calls": [rest]})
    yield chunk({}, say.finish or ("tool_calls" if say.calls else "stop"))
    if say.usage:
        read, written, cached, kept = say.usage
        details = {"cached_tokens": cached, "cache_write_tokens": kept}
        prompt = read + cached + kept
        usage = {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written}
        last = chunk({})[1] | {"choices": [], "usage": {**usage, "prompt_tokens_details": details}}
        yield "", last
    yield "", "[DONE]"
