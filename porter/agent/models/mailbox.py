"""A person or another program as the model: each request is a Markdown file, the answer is read from a file.

For air-gapped sites, a chat window, or a colleague. Every conversation has a folder of its own; in it
`001-request.md` is answered by `001-answer.md`. Nothing that is there is written over: a run that is gone on
with finds its requests and answers again.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from porter.agent.models.text_tools import as_text, explained, out_of_text
from porter.agent.protocols import ModelUnavailable, Reply, Request, Role
from porter.core.atomic_file import write_atomically
from porter.core.cache import digest

_POLL_SECONDS = 0.2


def on_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _silent(_line: str) -> None:
    """For callers that show nothing."""


@dataclass(frozen=True)
class MailboxModel:
    """Waits up to `patience_seconds` for the answer to each request; `tell` says what is waited for."""

    directory: Path
    patience_seconds: float = 3600.0
    poll_seconds: float = _POLL_SECONDS
    tell: Callable[[str], None] = field(default=_silent, repr=False)

    @property
    def name(self) -> str:
        return f"mailbox:{self.directory}"

    def most_cost_usd(self, _request: Request, /) -> float | None:
        return 0.0

    def respond(self, request: Request) -> Reply:
        """The request's tools are explained in text, and called there with ```tool blocks."""
        question, answer = self._posted(request)
        text = self._answer_in(answer)
        if text is None:
            self.tell(f"waiting for an answer: read {question}, write {answer}")
            text = self._awaited(question, answer)
        text, calls = out_of_text(text, request)
        return Reply(text, calls=calls, cost_usd=0.0)

    def _posted(self, request: Request) -> tuple[Path, Path]:
        """The files of the request and its answer. A turn that is now asked something else than before gets
        another letter."""
        folder = self.directory / conversation_folder(request)
        folder.mkdir(parents=True, exist_ok=True)
        for stem in _stems(sum(m.role is Role.ASSISTANT for m in request.messages) + 1):
            question, answer = folder / f"{stem}-request.md", folder / f"{stem}-answer.md"
            text = _letter(request, answer)
            if not question.exists():
                write_atomically(question, text)
                return question, answer
            if _same(question.read_text(encoding="utf-8"), text):
                return question, answer
        raise ModelUnavailable(f"{folder} is full of other requests", hint="name another directory")

    def _awaited(self, question: Path, answer: Path) -> str:
        deadline = time.monotonic() + self.patience_seconds
        while (text := self._answer_in(answer)) is None:
            if time.monotonic() >= deadline:
                raise ModelUnavailable(
                    f"nobody answered {question}",
                    hint=f"write the answer to {answer}, then start the same command again",
                )
            time.sleep(self.poll_seconds)
        return text

    def _answer_in(self, path: Path) -> str | None:
        """The whole answer: a file that is still being written changes while it is looked at."""
        try:
            before = path.stat()
            if time.time() - before.st_mtime < 2 * self.poll_seconds:
                time.sleep(self.poll_seconds)
            after = path.stat()
            text = path.read_text(encoding="utf-8-sig", errors="replace")
        except OSError:
            return None
        settled = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
        return text if settled and text.strip() else None


def conversation_folder(request: Request) -> str:
    """The first words of the task, and a digest of all that tells this conversation from others."""
    first = request.messages[0].text
    told = (request.system, first, str(request.temperature), str(request.sample), repr(request.tools))
    line = next((line for line in first.splitlines() if line.strip()), "")
    words = re.sub(r"[^a-z0-9]+", "-", line.lower()).strip("-")[:40].strip("-")
    return f"{words or 'task'}-{digest(*told)[:10]}"


def _stems(turn: int) -> Iterator[str]:
    yield f"{turn:03d}"
    for letter in "bcdefghijklmnopqrstuvwxyz":
        yield f"{turn:03d}{letter}"


_WHERE = "\n\n---\n\nWrite the answer to this file, and nothing else into it:\n"


def _same(letter: str, other: str) -> bool:
    """Whether they ask the same; where the answer goes may have changed with the folder's place."""
    return letter.rpartition(_WHERE)[0] == other.rpartition(_WHERE)[0]


def _letter(request: Request, answer: Path) -> str:
    """All of a first request; of a later one what is new, as in a chat window."""
    names = {call.id: call.name for message in request.messages for call in message.calls}
    last = as_text(request.messages[-1], names)
    if len(request.messages) == 1:
        text = f"{request.system.rstrip()}\n\n{last.rstrip()}\n\n{explained(request.tools).rstrip()}"
    else:
        text = f"(This goes on from the requests and answers before it in this folder.)\n\n{last.rstrip()}"
    return f"{text}{_WHERE}{answer.resolve()}\n"
