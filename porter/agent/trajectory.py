"""Trajectories: everything said, saved after every step, replayable. They never contain a key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from porter.agent.budget import Spent
from porter.agent.conversation import Conversation
from porter.agent.protocols import Finish, Message, Request, Role, ToolCall, ToolResult, Usage
from porter.core.atomic_file import write_atomically
from porter.core.errors import InputError

FORMAT = "porter-trajectory-2"


class Trajectory(Protocol):
    @property
    def name(self) -> str:
        """Which no other conversation of a run has."""
        ...

    def begun(self, request: Request, model: str) -> Conversation:
        """The conversation where an earlier run left it, else one with the request's messages only."""
        ...

    def save(self, conversation: Conversation) -> None:
        """Called after every answer and after every reaction to one."""
        ...


@dataclass
class TrajectoryFile:
    """One conversation in one file, written anew and atomically after every step."""

    path: Path
    _head: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.name}"

    def begun(self, request: Request, model: str) -> Conversation:
        """Raises InputError for a file that is damaged, or of another task or model."""
        self._head = _head(request, model)
        if not self.path.exists():
            return Conversation(request.messages)
        document = _read(self.path)
        conversation = _conversation(document, self.path)
        if {k: document.get(k) for k in self._head} != self._head or (
            conversation.messages[: len(request.messages)] != request.messages
        ):
            raise InputError(
                f"{self.path}: the trajectory of another task", hint="delete it, or use its model"
            )
        return conversation

    def save(self, conversation: Conversation) -> None:
        if self._head is None:
            raise RuntimeError("a trajectory is saved that was never begun")
        document = {
            "format": FORMAT,
            **self._head,
            "finish": conversation.finish.value,
            "spent": asdict(conversation.spent),
            "messages": [asdict(m) for m in conversation.messages],
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self.path, json.dumps(document, indent=1))


def recorded_answers(path: Path) -> tuple[Message, ...]:
    """The assistant's messages of a saved trajectory, in order.

    Raises InputError when the file is not a trajectory.
    """
    messages = _conversation(_read(path), path).messages
    return tuple(m for m in messages if m.role is Role.ASSISTANT)


def _head(request: Request, model: str) -> dict[str, Any]:
    return {
        "model": model,
        "system": request.system,
        "temperature": request.temperature,
        "sample": request.sample,
    }


def _read(path: Path) -> dict[str, Any]:
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))
        if document["format"] != FORMAT:
            raise ValueError(f"format {document['format']!r}")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: not a {FORMAT} file ({error})") from error
    return dict(document)


def _conversation(document: Mapping[str, Any], path: Path) -> Conversation:
    try:
        spent = document["spent"]
        messages = tuple(_message(m) for m in document["messages"])
        return Conversation(
            messages,
            Spent(spent["requests"], Usage(**spent["usage"]), spent["cost_usd"]),
            Finish(document["finish"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: not a {FORMAT} file ({error!r})") from error


def _message(data: Mapping[str, Any]) -> Message:
    return Message(
        Role(data["role"]),
        data["text"],
        tuple(ToolCall(**c) for c in data["calls"]),
        tuple(ToolResult(**r) for r in data["results"]),
        data.get("opaque", ""),
    )
