from __future__ import annotations

import os
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from porter.agent.loop import SUBMIT
from porter.agent.models.mailbox import MailboxModel, conversation_folder
from porter.agent.protocols import Message, ModelUnavailable, Reply, Request, Role, ToolResult, ToolSpec

SPEC = ToolSpec(
    "facts", "facts of a kernel", {"type": "object", "properties": {"kernel": {"type": "string"}}}
)
ASK = Request("The rules.", (Message(Role.USER, "# Port saxpy to Triton!\n\nIt is here."),), (SPEC, SUBMIT))


def box(folder: Path, patience_seconds: float = 0.0) -> MailboxModel:
    return MailboxModel(folder, patience_seconds, poll_seconds=0.02)


def answer(folder: Path, request: Request, stem: str, text: str) -> None:
    path = folder / conversation_folder(request) / f"{stem}-answer.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (time.time() - 60, time.time() - 60))


def test_a_request_has_the_whole_prompt_and_says_where_the_answer_goes(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"001-request\.md") as error:
        box(tmp_path).respond(ASK)
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith("port-saxpy-to-triton-")
    letter = (folder / "001-request.md").read_text()
    for part in (
        "The rules.",
        "It is here.",
        "`facts`: facts of a kernel",
        "one fenced code block",
        "```tool",
    ):
        assert part in letter
    assert letter.splitlines()[-1] == str(folder / "001-answer.md")
    assert "001-answer.md" in error.value.hint


def test_answers_and_calls_are_read_and_the_next_request_has_only_what_is_new(tmp_path: Path) -> None:
    said = 'I look.\n\n```tool\n{"name": "facts", "arguments": {"kernel": "k"}}\n```\n'
    answer(tmp_path, ASK, "001", said)
    reply = box(tmp_path).respond(ASK)
    assert (reply.text, reply.cost_usd) == ("I look.", 0.0)
    (call,) = reply.calls
    assert (call.name, call.arguments) == ("facts", {"kernel": "k"})
    result = Message(Role.USER, results=(ToolResult(call.id, "a fact"),))
    second = replace(ASK, messages=(*ASK.messages, _said(reply), result))
    answer(tmp_path, ASK, "002", "```python\nx = 1\n```\n")
    assert box(tmp_path).respond(second).text == "```python\nx = 1\n```\n"
    letter = (tmp_path / conversation_folder(ASK) / "002-request.md").read_text()
    assert "Result of `facts`" in letter
    assert "a fact" in letter
    assert "It is here." not in letter


def _said(reply: Reply) -> Message:
    return Message(Role.ASSISTANT, reply.text, reply.calls)


def test_nothing_is_written_over(tmp_path: Path) -> None:
    answer(tmp_path, ASK, "001", "first")
    model = box(tmp_path)
    said = _said(model.respond(ASK))
    folder = tmp_path / conversation_folder(ASK)
    before = {p.name: p.stat().st_mtime_ns for p in folder.iterdir()}
    assert model.respond(ASK).text == "first"
    assert {p.name: p.stat().st_mtime_ns for p in folder.iterdir()} == before
    for text in ("it took 3 s", "it took 4 s"):
        with pytest.raises(ModelUnavailable):
            model.respond(replace(ASK, messages=(*ASK.messages, said, Message(Role.USER, text))))
    assert "3 s" in (folder / "002-request.md").read_text()
    assert "4 s" in (folder / "002b-request.md").read_text()
    assert (folder / "002b-request.md").read_text().splitlines()[-1] == str(folder / "002b-answer.md")


def test_a_folder_that_was_moved_goes_on(tmp_path: Path) -> None:
    answer(tmp_path / "here", ASK, "001", "first")
    box(tmp_path / "here").respond(ASK)
    (tmp_path / "here").rename(tmp_path / "there")
    assert box(tmp_path / "there").respond(ASK).text == "first"
    assert len(list((tmp_path / "there").rglob("*-request.md"))) == 1


def test_conversations_have_folders_of_their_own(tmp_path: Path) -> None:
    others = [
        ASK,
        replace(ASK, sample=1),
        replace(ASK, system="Other rules."),
        replace(ASK, messages=(Message(Role.USER, "# Port saxpy to Triton!\n\nIt is there."),)),
    ]
    assert len({conversation_folder(r) for r in others}) == 4
    # Later turns stay in the folder of the first.
    later = replace(ASK, messages=(*ASK.messages, Message(Role.ASSISTANT, "a"), Message(Role.USER, "b")))
    assert conversation_folder(later) == conversation_folder(ASK)


def test_an_answer_is_waited_for_until_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / conversation_folder(ASK) / "001-answer.md"
    told: list[str] = []

    def write() -> None:
        while not told:
            time.sleep(0.01)
        path.write_text("")
        with path.open("a") as out:
            for piece in ("one ", "two ", "three"):
                out.write(piece)
                out.flush()
                time.sleep(0.03)

    writer = threading.Thread(target=write)
    writer.start()
    model = MailboxModel(tmp_path, 30.0, poll_seconds=0.1, tell=told.append)
    assert model.respond(ASK).text == "one two three"
    writer.join()
    assert str(path) in told[0]


def test_bytes_of_other_editors_are_read(tmp_path: Path) -> None:
    answer(tmp_path, ASK, "001", "")
    path = tmp_path / conversation_folder(ASK) / "001-answer.md"
    path.write_bytes(b"\xef\xbb\xbfcaf\xe9\r\n```\r\nx\r\n```\r\n")
    assert box(tmp_path, 5.0).respond(ASK).text.splitlines() == ["caf\ufffd", "```", "x", "```"]
