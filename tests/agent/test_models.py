import http.server
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from porter.agent.models.choose import choose_model
from porter.agent.models.mailbox import MailboxModel
from porter.agent.protocols import Message, ModelUnavailable, Reply, Request, Role, Usage
from porter.agent.trajectory import TrajectoryFile
from porter.core.errors import PorterError

ASK = Request("rules", (Message(Role.USER, "port this"),))


class _Server(http.server.BaseHTTPRequestHandler):
    """Speaks just enough of both chat APIs, and keeps what it was asked."""

    asked: ClassVar[list[dict[str, object]]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(body)
        if self.path.endswith("/messages"):
            usage = {"input_tokens": 7, "output_tokens": 3}
            content = [{"type": "text", "text": "hello"}]
            answer = {
                "id": "m",
                "type": "message",
                "role": "assistant",
                "model": "m",
                "content": content,
                "usage": usage,
            }
            answer |= {"stop_reason": "end_turn", "stop_sequence": None}
        else:
            message = {"role": "assistant", "content": "hello"}
            choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
            usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
            answer = {
                "id": "c",
                "object": "chat.completion",
                "created": 0,
                "model": "m",
                "choices": choices,
                "usage": usage,
            }
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    _Server.asked = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Server) as http_server:
        threading.Thread(target=http_server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http_server.server_address[1]}"
        http_server.shutdown()


@pytest.mark.parametrize("choice", ["anthropic:some-model", "openai:some-model"])
def test_the_official_sdks_against_a_local_server(
    choice: str, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key")
    model = choose_model(choice, server)
    assert model is not None
    reply = model.respond(ASK)
    assert (reply.text, reply.usage) == ("hello", Usage(7, 3))
    sent = json.dumps(_Server.asked)
    assert "rules" in sent
    assert "port this" in sent
    assert "test-key" not in sent


@pytest.mark.parametrize("choice", ["anthropic", "openai:gpt"])
def test_no_key_is_said_clearly(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    model = choose_model(choice)
    assert model is not None
    with pytest.raises(ModelUnavailable, match="_API_KEY is not set"):
        model.respond(ASK)


@pytest.mark.parametrize("choice", ["gpt", "openai", "mailbox:", "replay:", "none:x"])
def test_unknown_agents_are_refused_with_the_list(choice: str) -> None:
    with pytest.raises(PorterError) as error:
        choose_model(choice)
    assert "mailbox:DIRECTORY" in error.value.hint


def test_none_is_no_model() -> None:
    assert choose_model("none") is None


def test_the_mailbox_writes_the_question_and_reads_the_answer(tmp_path: Path) -> None:
    (tmp_path / "001-answer.md").write_text("```cpp\nint x;\n```")
    reply = MailboxModel(tmp_path).respond(ASK)
    assert reply.text.startswith("```cpp")
    assert "port this" in (tmp_path / "001-request.md").read_text()


def test_the_mailbox_gives_up(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"001-request\.md"):
        MailboxModel(tmp_path, patience_seconds=0.01).respond(ASK)


def test_a_saved_trajectory_replays(tmp_path: Path) -> None:
    path = tmp_path / "60-agent.traj.json"
    trajectory = TrajectoryFile(path)
    conversation = trajectory.begun(ASK, "scripted").answered(Reply("first", Usage(1, 1)))
    trajectory.save(conversation)
    model = choose_model(f"replay:{path}")
    assert model is not None
    assert model.respond(ASK).text == "first"
    with pytest.raises(ModelUnavailable, match="only 1 answers"):
        model.respond(replace(ASK, messages=(*conversation.messages, Message(Role.USER, "again"))))


def test_a_file_that_is_no_trajectory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("[]")
    model = choose_model(f"replay:{path}")
    assert model is not None
    with pytest.raises(PorterError, match="not a porter-trajectory-2 file"):
        model.respond(ASK)
