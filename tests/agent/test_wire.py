"""Both SDKs against a server on loopback: what is sent, what comes back, and all that can go wrong."""

from __future__ import annotations

import itertools
import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from porter.agent.models.choose import choose_model
from porter.agent.models.remote import RemoteModel, TimeLimits
from porter.agent.models.retries import Patience
from porter.agent.prices import Price
from porter.agent.protocols import (
    AnswerLost,
    Finish,
    Message,
    ModelUnavailable,
    Request,
    Role,
    ToolCall,
    ToolResult,
    ToolSpec,
    Usage,
)
from tests.agent.model_server import Drop, Fail, Hang, ModelServer, Raw, Say, Step, model_server

KEY = "sk-test-0123456789abcdef"
SPEC = ToolSpec(
    "facts", "facts of a kernel", {"type": "object", "properties": {"kernel": {"type": "string"}}}
)
ASK = Request("the rules", (Message(Role.USER, "port this"),), (SPEC,))
PROVIDERS = pytest.mark.parametrize("provider", ["anthropic", "openai"])


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with model_server() as running:
        yield running


@dataclass
class Waits:
    """Takes the place of sleeping."""

    seconds: list[float] = field(default_factory=list)

    def patience(self, attempts: int = 6, waiting_seconds: float = 300.0) -> Patience:
        return Patience(attempts, waiting_seconds, sleep=self.seconds.append, random=lambda: 0.0)


def model_at(
    server: ModelServer, provider: str, *steps: Step, price: Price | None = None, waits: Waits | None = None
) -> RemoteModel:
    server.steps[:] = steps
    patience = (waits or Waits()).patience()
    url = server.base_url(provider)
    model = choose_model(f"{provider}:some-model", url, price=price, cached=False, patience=patience)
    assert isinstance(model, RemoteModel)
    return model


def sent_texts(body: dict[str, Any]) -> str:
    return json.dumps(body, sort_keys=True)


@PROVIDERS
def test_a_call_comes_in_pieces_and_its_result_goes_back(provider: str, server: ModelServer) -> None:
    call = ("id-1", "facts", '{"kernel": "saxpy", "lines": "a\\nb"}')
    model = model_at(server, provider, Say("Let me look.", (call,)), Say("done"))
    reply = model.respond(ASK)
    assert reply.text == "Let me look."
    assert reply.calls == (ToolCall("id-1", "facts", {"kernel": "saxpy", "lines": "a\nb"}),)
    assert (reply.finish, reply.usage) == (Finish.COMPLETE, Usage(100, 20))
    answer = Message(Role.ASSISTANT, reply.text, reply.calls, opaque=reply.opaque)
    told = Message(Role.USER, results=(ToolResult("id-1", "it is saxpy", is_error=True),))
    assert model.respond(replace(ASK, messages=(*ASK.messages, answer, told))).text == "done"
    first, second = server.asked
    assert first["stream"] is True
    assert "the rules" in sent_texts(first)
    if provider == "anthropic":
        assert first["tools"] == [
            {"name": "facts", "description": SPEC.description, "input_schema": dict(SPEC.parameters)}
        ]
        use, result = second["messages"][1]["content"][-1], second["messages"][2]["content"][0]
        assert use == {"type": "tool_use", "id": "id-1", "name": "facts", "input": reply.calls[0].arguments}
        assert result["tool_use_id"] == "id-1"
        assert (result["content"], result["is_error"]) == ("it is saxpy", True)
    else:
        function = {"name": "facts", "description": SPEC.description, "parameters": dict(SPEC.parameters)}
        assert first["tools"] == [{"type": "function", "function": function}]
        use = second["messages"][2]["tool_calls"][0]
        assert (use["id"], use["function"]["name"]) == ("id-1", "facts")
        assert json.loads(use["function"]["arguments"]) == reply.calls[0].arguments
        assert second["messages"][3] == {"role": "tool", "tool_call_id": "id-1", "content": "it is saxpy"}


@PROVIDERS
def test_several_calls_stay_apart(provider: str, server: ModelServer) -> None:
    calls = (("a", "facts", '{"kernel": "x"}'), ("b", "facts", ""), ("c", "facts", '{"kernel": "z"}'))
    reply = model_at(server, provider, Say("", calls)).respond(ASK)
    assert [(c.id, dict(c.arguments)) for c in reply.calls] == [
        ("a", {"kernel": "x"}),
        ("b", {}),
        ("c", {"kernel": "z"}),
    ]


@PROVIDERS
@pytest.mark.parametrize("arguments", ['{"kernel": ', "[1]", "kernel=x", '"x"'])
def test_arguments_that_are_no_json_object_are_kept_as_they_came(
    provider: str, arguments: str, server: ModelServer
) -> None:
    model = model_at(server, provider, Say("", (("a", "facts", arguments),)), Say("sorry"))
    reply = model.respond(ASK)
    assert reply.calls == (ToolCall("a", "facts", malformed=arguments),)
    answer = Message(Role.ASSISTANT, reply.text, reply.calls)
    told = Message(Role.USER, results=(ToolResult("a", "no JSON", is_error=True),))
    assert model.respond(replace(ASK, messages=(*ASK.messages, answer, told))).text == "sorry"
    assert json.dumps(arguments)[1:-1] not in json.dumps(server.asked[1]["messages"])


@PROVIDERS
def test_half_a_surrogate_pair_reaches_no_file(provider: str, server: ModelServer) -> None:
    model = model_at(server, provider, Say("", (("a", "facts", '{"kernel": "\\ud83d"}'),)))
    assert model.respond(ASK).calls[0].arguments == {"kernel": "?"}
    server.steps.append(Say())
    model.respond(replace(ASK, messages=(Message(Role.USER, "caf\udce9"),)))
    assert "caf?" in sent_texts(server.asked[1])


@PROVIDERS
@pytest.mark.parametrize(
    ("anthropic", "openai", "finish"),
    [
        ("end_turn", "stop", Finish.COMPLETE),
        ("max_tokens", "length", Finish.LENGTH),
        ("refusal", "content_filter", Finish.REFUSED),
    ],
)
def test_why_the_model_stopped(
    provider: str, anthropic: str, openai: str, finish: Finish, server: ModelServer
) -> None:
    said = Say(finish=anthropic if provider == "anthropic" else openai)
    assert model_at(server, provider, said).respond(ASK).finish is finish


@PROVIDERS
def test_a_refusal_says_its_reason(provider: str, server: ModelServer) -> None:
    said = Say("", finish="refusal" if provider == "anthropic" else "stop", refusal="not this")
    reply = model_at(server, provider, said).respond(ASK)
    assert (reply.finish, reply.text) == (Finish.REFUSED, "not this")


PASSING = [
    Fail(429, {"error": {"message": "slow down"}}),
    Fail(500, {"error": {"message": "internal"}}),
    Fail(503, "<html>proxy</html>"),
    Fail(529, {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}),
    Fail(408, ""),
    Drop(),
]


@PROVIDERS
def test_what_passes_is_asked_again_with_growing_delays(provider: str, server: ModelServer) -> None:
    waits = Waits()
    model = model_at(server, provider, *PASSING[:5], Say("at last"), waits=waits)
    assert model.respond(ASK).text == "at last"
    assert waits.seconds == [1.0, 2.0, 4.0, 8.0, 16.0]
    assert len({sent_texts(a) for a in server.asked}) == 1


@PROVIDERS
@pytest.mark.parametrize("step", PASSING, ids=str)
def test_asking_again_has_an_end(provider: str, step: Step, server: ModelServer) -> None:
    waits = Waits()
    model = model_at(server, provider, *([step] * 9), waits=waits)
    with pytest.raises(ModelUnavailable, match="tried 6 times"):
        model.respond(ASK)
    assert len(server.asked) == 6


@PROVIDERS
@pytest.mark.parametrize(
    ("header", "seconds"), [(("Retry-After", "17"), 17.0), (("retry-after-ms", "250"), 0.25)]
)
def test_the_delay_that_a_server_names_is_kept(
    provider: str, header: tuple[str, str], seconds: float, server: ModelServer
) -> None:
    waits = Waits()
    model = model_at(server, provider, Fail(429, {}, (header,)), Say(), waits=waits)
    model.respond(ASK)
    assert waits.seconds == [seconds]


@PROVIDERS
def test_a_delay_beyond_patience_is_not_waited_for(provider: str, server: ModelServer) -> None:
    waits = Waits()
    model = model_at(server, provider, Fail(429, {}, (("Retry-After", "3600"),)), Say(), waits=waits)
    with pytest.raises(ModelUnavailable, match="next attempt would be in 3600 s"):
        model.respond(ASK)
    assert waits.seconds == []


@PROVIDERS
@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "does not take"),
        (401, "does not accept the key"),
        (403, "allow"),
        (404, "no model"),
        (402, "credit"),
    ],
)
def test_what_does_not_pass_is_said_at_once_and_without_the_key(
    provider: str, status: int, words: str, server: ModelServer
) -> None:
    error = {"error": {"message": f"wrong: Bearer {KEY} and again {KEY}"}}
    with pytest.raises(ModelUnavailable, match=words) as raised:
        model_at(server, provider, Fail(status, error)).respond(ASK)
    assert "wrong: " in raised.value.message
    assert KEY not in raised.value.message + raised.value.hint + repr(raised.value)
    assert len(server.asked) == 1


@PROVIDERS
def test_a_quota_that_is_used_up_is_no_rate_limit(provider: str, server: ModelServer) -> None:
    error = {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}
    with pytest.raises(ModelUnavailable, match="credit is used up"):
        model_at(server, provider, Fail(429, error), Say()).respond(ASK)
    assert len(server.asked) == 1


@PROVIDERS
def test_a_server_that_is_not_there(provider: str, server: ModelServer) -> None:
    with model_server() as gone:
        pass
    waits = Waits()
    with pytest.raises(ModelUnavailable, match=r"cannot be reached.*tried 4 times") as raised:
        model_at(gone, provider, waits=waits).respond(ASK)
    assert "--base-url" in raised.value.hint
    assert waits.seconds == [1.0, 2.0, 4.0]


@PROVIDERS
def test_an_answer_that_does_not_end_has_a_limit(provider: str, server: ModelServer) -> None:
    model = model_at(server, provider, Say("x" * 100))
    model.wire.limits = TimeLimits(answer_seconds=0.0)  # type: ignore[attr-defined]
    with pytest.raises(AnswerLost, match="took longer than 0 s"):
        model.respond(ASK)


@PROVIDERS
def test_silence_has_a_limit(provider: str, server: ModelServer) -> None:
    model = model_at(server, provider, Hang(1.0), Say("then"))
    model.wire.limits = TimeLimits(silence_seconds=0.2)  # type: ignore[attr-defined]
    assert model.respond(ASK).text == "then"
    server.steps[:] = [Say("much text", stall_after=2)]
    with pytest.raises(AnswerLost, match="stopped coming"):
        model.respond(ASK)


def cuts(provider: str) -> list[Say]:
    """The answer, cut after each of its events but the last ones, which end it."""
    text = "x" * 1000
    whole = 7 if provider == "anthropic" else 4
    return [Say(text, cut_after=i, chunked=c) for i in range(1, whole) for c in (True, False)]


@PROVIDERS
def test_an_answer_that_is_cut_is_lost_and_what_came_is_paid(provider: str, server: ModelServer) -> None:
    price = Price(3.0, 15.0, 0.3, 3.75)
    for cut in cuts(provider):
        with pytest.raises(AnswerLost) as lost:
            model_at(server, provider, cut, price=price).respond(ASK)
        usage, cost = lost.value.usage, lost.value.cost_usd
        assert usage.input_tokens >= 100
        assert cost is not None
        assert cost >= 100 * 3e-6
    assert usage.output_tokens >= 250  # of the thousand letters half had come at least


@PROVIDERS
def test_an_answer_that_is_whole_is_kept_whatever_becomes_of_the_connection(
    provider: str, server: ModelServer
) -> None:
    whole = 7 if provider == "anthropic" else 4
    reply = model_at(server, provider, Say("x" * 100, cut_after=whole)).respond(ASK)
    assert (reply.text, reply.finish) == ("x" * 100, Finish.COMPLETE)
    assert reply.usage.output_tokens >= 20


@PROVIDERS
def test_a_connection_cut_before_the_answer_costs_nothing(provider: str, server: ModelServer) -> None:
    model = model_at(server, provider, Say(cut_after=0), Say(cut_after=0, chunked=False), Say("whole"))
    assert model.respond(ASK).text == "whole"


@PROVIDERS
def test_garbage_in_a_stream_is_a_cut(provider: str, server: ModelServer) -> None:
    with pytest.raises(AnswerLost):
        model_at(server, provider, Say(garbage_after=2)).respond(ASK)


@PROVIDERS
def test_an_error_in_a_stream(provider: str, server: ModelServer) -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    with pytest.raises(AnswerLost, match="Overloaded"):
        model_at(server, provider, Say(fail_after=2, error=error)).respond(ASK)
    model = model_at(server, provider, Say(fail_after=0, error=error), Say("then"))
    assert model.respond(ASK).text == "then"


@PROVIDERS
def test_cached_tokens_are_counted_and_paid_as_such(provider: str, server: ModelServer) -> None:
    said = Say(usage=(100, 20, 4000, 700))
    reply = model_at(server, provider, said, price=Price(3.0, 15.0, 0.3, 3.75)).respond(ASK)
    assert reply.usage == Usage(100, 20, 4000, 700)
    dollars = (100 * 3.0 + 20 * 15.0 + 4000 * 0.3 + 700 * 3.75) / 1e6
    assert reply.cost_usd == pytest.approx(dollars)


def test_the_prompt_is_marked_for_the_cache(server: ModelServer) -> None:
    model_at(server, "anthropic", Say()).respond(ASK)
    body = server.asked[0]
    assert body["system"][-1]["cache_control"] == {"type": "ephemeral"}
    assert body["messages"][-1]["content"][-1]["cache_control"] == {"type": "ephemeral"}


@PROVIDERS
def test_thoughts_are_no_text(provider: str, server: ModelServer) -> None:
    call = ("a", "facts", "{}")
    model = model_at(server, provider, Say("Look.", (call,), thoughts="hm"), Say("done"))
    reply = model.respond(ASK)
    assert reply.text == "Look."
    answer = Message(Role.ASSISTANT, reply.text, reply.calls, opaque=reply.opaque)
    told = Message(Role.USER, results=(ToolResult("a", "fact"),))
    model.respond(replace(ASK, messages=(*ASK.messages, answer, told)))
    if provider == "anthropic":
        thought = {"type": "thinking", "thinking": "hm", "signature": "signed"}
        kinds = [b["type"] for b in server.asked[1]["messages"][1]["content"]]
        assert kinds == ["thinking", "text", "tool_use"]
        assert server.asked[1]["messages"][1]["content"][0] == thought
    else:
        assert "hm" not in sent_texts(server.asked[1])


def test_thoughts_in_the_text_of_an_open_model_are_left_out(server: ModelServer) -> None:
    said = Say("<think>\n```cpp\nwrong\n```\n</think>\n\nright")
    assert model_at(server, "openai", said).respond(ASK).text == "right"


@PROVIDERS
@pytest.mark.parametrize(
    ("message", "left_out"),
    [
        ("`temperature` is deprecated for this model", "temperature"),
        ("adaptive thinking is not supported on this model", "thinking"),
        ("Unrecognized request argument: stream_options", "stream_options"),
        ("max_tokens is too large: 16000", "max_tokens"),
    ],
)
def test_what_a_server_does_not_know_is_left_out_from_then_on(
    provider: str, message: str, left_out: str, server: ModelServer
) -> None:
    model = model_at(server, provider, Fail(400, {"error": {"message": message}}), Say(), Say())
    warm = replace(ASK, temperature=0.7)
    here = {
        "anthropic": ("temperature", "thinking"),
        "openai": ("temperature", "stream_options", "max_tokens"),
    }
    if left_out not in here[provider]:
        with pytest.raises(ModelUnavailable):
            model.respond(warm)
        return
    model.respond(warm)
    model.respond(warm)
    assert [left_out in a for a in server.asked] == [True, False, False]


def test_a_server_without_usage_is_charged_a_bound(server: ModelServer) -> None:
    reply = model_at(server, "openai", Say("x" * 900, usage=None)).respond(ASK)
    assert reply.usage.input_tokens > 0
    assert reply.usage.output_tokens >= 300


def chunks(*parts: Any) -> Raw:
    return Raw((*(("", p) for p in parts), ("", "[DONE]")))


def choice(delta: Any, finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def called(name: str, arguments: Any, **more: Any) -> dict[str, Any]:
    return choice({"tool_calls": [{"function": {"name": name, "arguments": arguments}, **more}]})


ODD_CHUNKS = {
    "no index, no id": [called("a", "{}"), choice({}, "tool_calls")],
    "counted from one": [called("a", "{", index=1, id="x"), called("", "}", index=1), choice({}, "stop")],
    "one number for all": [
        called("a", "{}", index=0, id="x"),
        called("b", "{}", index=0, id="y"),
        choice({}, "tool_calls"),
    ],
    "no delta, no choices": [
        {"choices": None},
        {},
        called("a", "{}"),
        {"choices": [{"finish_reason": "stop"}]},
    ],
    "usage without counts": [called("a", "{}"), choice({}, "stop") | {"usage": {}}],
    "usage of other types": [called("a", "{}"), choice({}, "stop") | {"usage": {"prompt_tokens": "many"}}],
    "text of another type": [choice({"content": [1]}), called("a", "{}"), choice({}, "stop")],
    "numbers and lists": [called("a", "{}"), 7, [], choice({}, "stop")],
}


@pytest.mark.parametrize("odd", ODD_CHUNKS.values(), ids=ODD_CHUNKS)
def test_chunks_of_other_servers(odd: list[Any], server: ModelServer) -> None:
    reply = model_at(server, "openai", chunks(*odd)).respond(ASK)
    assert [c.name for c in reply.calls] == ["a", "b"][: len(reply.calls)]
    assert reply.calls
    assert all(c.id and not c.malformed and c.arguments == {} for c in reply.calls)
    assert len({c.id for c in reply.calls}) == len(reply.calls)
    assert reply.usage.input_tokens > 0


def event(kind: str, **data: Any) -> tuple[str, Any]:
    return kind, {"type": kind, **data}


def test_events_that_nobody_documented_are_passed_over(server: ModelServer) -> None:
    stream = Raw(
        (
            event("message_start", message={}),
            event("content_block_delta", index=5, delta={"type": "text_delta", "text": "lost"}),
            event("content_block_start", index=0, content_block={"type": "of_tomorrow", "text": "x"}),
            event("content_block_delta", index=0, delta={"type": "text_delta", "text": "y"}),
            event("content_block_start", index=1, content_block={"type": "text"}),
            event("content_block_delta", index=1, delta={"type": "text_delta", "text": "hello"}),
            event("content_block_delta", index=1, delta={"type": "delta_of_tomorrow", "text": "no"}),
            event("content_block_delta", index=1),
            event("event_of_tomorrow"),
            event("message_delta", delta={}, usage={}),
            event("message_delta", delta={"stop_reason": "reason_of_tomorrow"}, usage={"output_tokens": 3}),
        )
    )
    reply = model_at(server, "anthropic", stream).respond(ASK)
    assert (reply.text, reply.calls, reply.finish) == ("hello", (), Finish.COMPLETE)
    assert reply.usage.output_tokens == 3


NO_TOOLS = [
    Fail(400, {"error": {"message": "registry/model:7b does not support tools", "type": "api_error"}}),
    Fail(400, {"message": '"auto" tool choice requires --enable-auto-tool-choice to be set'}),
    Fail(500, {"error": {"code": 500, "message": "tools param requires --jinja flag"}}),
]


@pytest.mark.parametrize("refusal", NO_TOOLS, ids=["ollama", "vllm", "llama.cpp"])
def test_a_server_without_tools_gets_them_in_text(refusal: Fail, server: ModelServer) -> None:
    called = 'I look.\n\n```tool\n{"name": "facts", "arguments": {"kernel": "k"}}\n```\n'
    model = model_at(server, "openai", refusal, Say(called), Say("done"))
    reply = model.respond(ASK)
    assert reply.text == "I look."
    assert [(c.name, dict(c.arguments)) for c in reply.calls] == [("facts", {"kernel": "k"})]
    answer = Message(Role.ASSISTANT, reply.text, reply.calls)
    told = Message(Role.USER, results=(ToolResult(reply.calls[0].id, "it is k"),))
    model.respond(replace(ASK, messages=(*ASK.messages, answer, told)))
    assert ["tools" in a for a in server.asked] == [True, False, False]
    system, _, said, result = (m["content"] for m in server.asked[2]["messages"])
    assert "facts of a kernel" in system
    assert '"name": "facts"' in said
    assert "it is k" in result


@PROVIDERS
def test_the_key_is_sent_and_is_nowhere_else(
    provider: str, server: ModelServer, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    model = model_at(server, provider, Fail(500, {}), Say())
    reply = model.respond(ASK)
    assert all(KEY in k for k in server.keys)
    assert KEY not in repr(model) + repr(reply) + sent_texts({"all": server.asked}) + caplog.text


def test_threads_may_share_a_model(server: ModelServer) -> None:
    from concurrent.futures import ThreadPoolExecutor

    model = model_at(server, "openai", *(Say(f"answer {i}") for i in range(8)))
    with ThreadPoolExecutor(4) as pool:
        texts = [r.text for r in pool.map(model.respond, itertools.repeat(ASK, 8))]
    assert sorted(texts) == [f"answer {i}" for i in range(8)]
