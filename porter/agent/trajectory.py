"""Trajectories: everything said, saved after every step, replayable. They never contain a key."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.agent.protocols import Message, Role, Usage
from porter.core.errors import InputError

FORMAT = "porter-trajectory-1"


@dataclass(frozen=True)
class TrajectoryFile:
    """Writes the whole trajectory anew after every step, atomically."""

    path: Path
    model: str

    def record(self, messages: tuple[Message, ...], usage: Usage) -> None:
        document = {
            "format": FORMAT,
            "model": self.model,
            "usage": {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens},
            "messages": [{"role": m.role.value, "text": m.text} for m in messages],
        }
        scratch = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        scratch.write_text(json.dumps(document, indent=1))
        scratch.replace(self.path)


def recorded_answers(path: Path) -> tuple[str, ...]:
    """The assistant's messages of a saved trajectory, in order.

    Raises InputError when the file is not a trajectory.
    """
    try:
        document: Any = json.loads(path.read_text())
        if document["format"] != FORMAT:
            raise ValueError(f"format {document['format']!r}")
        return tuple(m["text"] for m in document["messages"] if m["role"] == Role.ASSISTANT.value)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: not a {FORMAT} file ({error})") from error
