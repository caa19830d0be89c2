"""A person or another program as the model: each request is a Markdown file, the answer is read from a file.

For air-gapped sites, a chat window, or a colleague. Request `003-request.md` is answered by `003-answer.md`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from porter.agent.protocols import Message, ModelUnavailable, Reply, Usage

_POLL_SECONDS = 0.2


@dataclass(frozen=True)
class MailboxModel:
    """Waits up to `patience_seconds` for the answer to each request."""

    directory: Path
    patience_seconds: float = 3600.0

    @property
    def name(self) -> str:
        return f"mailbox:{self.directory}"

    def respond(self, messages: tuple[Message, ...]) -> Reply:
        self.directory.mkdir(parents=True, exist_ok=True)
        number = len(messages) // 2
        request = self.directory / f"{number:03d}-request.md"
        answer = self.directory / f"{number:03d}-answer.md"
        request.write_text("\n\n".join(f"# {m.role.value}\n\n{m.text}" for m in messages) + "\n")
        deadline = time.monotonic() + self.patience_seconds
        while not answer.exists():
            if time.monotonic() >= deadline:
                raise ModelUnavailable(f"nobody answered {request}", hint=f"write the answer to {answer}")
            time.sleep(_POLL_SECONDS)
        return Reply(answer.read_text(), Usage())
