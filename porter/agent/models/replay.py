"""A recorded trajectory as the model: the answers come back in their order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from porter.agent.protocols import ModelUnavailable, Reply, Request, Role
from porter.agent.trajectory import recorded_answers


@dataclass(frozen=True)
class ReplayModel:
    path: Path

    @property
    def name(self) -> str:
        return f"replay:{self.path}"

    def most_cost_usd(self, _request: Request, /) -> float | None:
        return 0.0

    def respond(self, request: Request) -> Reply:
        answers = recorded_answers(self.path)
        turn = sum(m.role is Role.ASSISTANT for m in request.messages)
        if turn >= len(answers):
            raise ModelUnavailable(f"{self.path} has only {len(answers)} answers")
        return Reply(answers[turn].text, calls=answers[turn].calls, cost_usd=0.0)
