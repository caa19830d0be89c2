"""Answers that were paid for once are kept on disk, so that a repeated run is not paid twice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from porter.agent.protocols import Finish, Model, Reply, Request, ToolCall, Usage
from porter.core.atomic_file import write_atomically
from porter.core.cache import digest
from porter.core.file_lock import alone

FORMAT = "porter-answer-1"


@dataclass(frozen=True)
class CachedModel:
    """`directory` has one file an answer, named by the model and all of the request, its `sample` too. A kept
    answer costs nothing and counts no tokens. A file that cannot be read is as good as none.

    Of several that ask the same at once, in any process of this machine, one asks the model, and the others
    wait for its answer.
    """

    model: Model
    directory: Path

    @property
    def name(self) -> str:
        return self.model.name

    def most_cost_usd(self, request: Request, /) -> float | None:
        return 0.0 if self._kept(request) else self.model.most_cost_usd(request)

    def respond(self, request: Request) -> Reply:
        kept = self._kept(request)
        if kept is not None:
            return kept
        self.directory.mkdir(parents=True, exist_ok=True)
        path = self._path(request)
        with alone(path.with_suffix(".lock")):
            kept = self._kept(request)
            if kept is not None:
                return kept
            reply = self.model.respond(request)
            document = {"format": FORMAT, "model": self.name, "reply": asdict(reply)}
            write_atomically(path, json.dumps(document))
        return reply

    def _path(self, request: Request) -> Path:
        asked = json.dumps({"model": self.name, **asdict(request)}, sort_keys=True, default=dict)
        return self.directory / f"{digest(FORMAT, asked)}.json"

    def _kept(self, request: Request) -> Reply | None:
        try:
            document: Any = json.loads(self._path(request).read_text(encoding="utf-8"))
            reply = _reply(document["reply"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return replace(reply, usage=Usage(), cost_usd=0.0)


def _reply(data: Mapping[str, Any]) -> Reply:
    calls = tuple(ToolCall(**c) for c in data["calls"])
    return Reply(data["text"], calls=calls, finish=Finish(data["finish"]), opaque=data["opaque"])
