"""A person or another program as the model: each request is a Markdown file, the answer is read from a file.

For air-gapped sites, a chat window, or a colleague. Request `003-request.md` is answered by `003-answer.md`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from porter.agent.protocols import ModelUnavailable, Reply, Request

_POLL_SECONDS = 0.2


@dataclass(frozen=True)
class MailboxModel:
    """Waits up to `patience_seconds` for the answer to each request."""

    directory: Path
    patience_seconds: float = 3600.0

    @property
    def name(self) -> str:
        return f"mailbox:{self.directory}"

    def most_cost_usd(self, _request: Request, /) -> float | None:
        return 0.0

    def respond(self, request: Request) -> Reply:
        self.directory.mkdir(parents=True, exist_ok=True)
        number = (len(request.messages) + 1) // 2
        question = self.directory / f"{number:03d}-request.md"
        answer = self.directory / f"{number:03d}-answer.md"
        said = (("system", request.system), *((m.role.value, m.text) for m in request.messages))
        question.write_text("\n\n".join(f"# {role}\n\n{text}" for role, text in said) + "\n")
        deadline = time.monotonic() + self.patience_seconds
        while not answer.exists():
            if time.monotonic() >= deadline:
                raise ModelUnavailable(f"nobody answered {question}", hint=f"write the answer to {answer}")
            time.sleep(_POLL_SECONDS)
        return Reply(answer.read_text(), cost_usd=0.0)
