from __future__ import annotations

import json

import pytest

from porter.agent.loop import SUBMIT, fenced_code
from porter.agent.models.text_tools import in_text, out_of_text
from porter.agent.protocols import Message, Request, Role, ToolCall, ToolResult, ToolSpec

SPEC = ToolSpec("facts", "facts of a kernel", {"type": "object"})
ASK = Request("rules", (Message(Role.USER, "port this"),), (SPEC, SUBMIT))


def block(text: str, ticks: str = "```") -> str:
    return f"{ticks}tool\n{text}\n{ticks}\n"


@pytest.mark.parametrize(
    "text",
    [
        block('{"name": "facts", "arguments": {"kernel": "k"}}'),
        block('{"name": "facts", "arguments": {"kernel": "k"}}', "````"),
        "I look.\n\n" + block('{\n  "name": "facts",\n  "arguments": {"kernel": "k"}\n}') + "\nand wait\n",
        '``` tool \n{"name": "facts", "arguments": {"kernel": "k"}}\n```  \n',
    ],
)
def test_a_call_is_read(text: str) -> None:
    said, (call,) = out_of_text(text, ASK)
    assert (call.name, call.arguments, call.malformed) == ("facts", {"kernel": "k"}, "")
    assert "```" not in said


@pytest.mark.parametrize(
    "text",
    [
        block('{"name": "a"}') + "then\n" + block('{"name": "b"}'),
        block('{"name": "a", "arguments": {}}\n{"name": "b", "arguments": {}}'),
    ],
)
def test_calls_come_in_their_order_with_ids_of_their_own(text: str) -> None:
    _, calls = out_of_text(text, ASK)
    assert [c.name for c in calls] == ["a", "b"]
    assert calls[0].id != calls[1].id
    later = Request(
        "", (*ASK.messages, Message(Role.ASSISTANT, "", calls), Message(Role.USER, "")), ASK.tools
    )
    _, more = out_of_text(text, later)
    assert not {c.id for c in more} & {c.id for c in calls}


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ('{"name": "facts", "arguments":', "facts"),
        ('{"name": "facts", "arguments": 7}', "facts"),
        ('["facts"]', ""),
        ("facts(k)", ""),
    ],
)
def test_what_is_no_call_is_a_malformed_one(body: str, name: str) -> None:
    _, (call,) = out_of_text(block(body), ASK)
    assert (call.name, call.malformed, dict(call.arguments)) == (name, body, {})


@pytest.mark.parametrize("text", ["no block", "```cpp\nint x;\n```\n", "```toolbox\n{}\n```\n", "`tool`"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert out_of_text(text, ASK) == (text, ())


def test_the_request_says_all_that_the_tools_would() -> None:
    call = ToolCall("i", "facts", {"kernel": "k"})
    quoted = "```\nfence in a result\n```"
    messages = (
        *ASK.messages,
        Message(Role.ASSISTANT, "look", (call,)),
        Message(Role.USER, "and?", results=(ToolResult("i", quoted, is_error=True),)),
    )
    told = in_text(Request("rules", messages, ASK.tools))
    assert told.tools == ()
    assert all(not m.calls and not m.results for m in told.messages)
    assert told.system.startswith("rules\n")
    assert "`facts`: facts of a kernel" in told.system
    assert "`submit`" not in told.system
    assert "To submit, answer with the whole file" in told.system
    _, (again,) = out_of_text(told.messages[1].text, ASK)
    assert (again.name, again.arguments) == ("facts", {"kernel": "k"})
    assert told.messages[2].text.startswith("Result of `facts` (an error):\n\n````\n```\nfence")
    assert told.messages[2].text.endswith("and?")


def test_a_request_without_tools_is_told_nothing() -> None:
    plain = Request("rules", ASK.messages)
    assert in_text(plain) == plain


def test_a_submission_is_a_code_block() -> None:
    text = "Here:\n\n```python\nx = 1\n```\n"
    said, calls = out_of_text(text, ASK)
    assert calls == ()
    assert fenced_code(said) == "x = 1\n"


def test_a_call_survives_its_way_through_text() -> None:
    arguments = {"text": "a\n```\nb\u00e9\n", "n": [1, 2]}
    told = in_text(
        Request("", (*ASK.messages, Message(Role.ASSISTANT, "", (ToolCall("i", "t", arguments),))), ASK.tools)
    )
    _, (again,) = out_of_text(told.messages[1].text, ASK)
    assert json.dumps(again.arguments, sort_keys=True) == json.dumps(arguments, sort_keys=True)
