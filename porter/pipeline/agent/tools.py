"""What the model may call, besides submitting a candidate."""

from __future__ import annotations

from dataclasses import dataclass

from porter.agent.protocols import ToolCall, ToolResult, Tools, ToolSpec
from porter.pipeline.agent.judge import CandidateJudge
from porter.pipeline.agent.tasks import Task


@dataclass(frozen=True)
class NoTools:
    """The model can only submit."""

    specs: tuple[ToolSpec, ...] = ()

    def call(self, call: ToolCall) -> ToolResult:
        return ToolResult(call.id, f"there is no tool {call.name!r}", is_error=True)


def tools_for(_task: Task, _judge: CandidateJudge) -> Tools:
    """The tools of one conversation; none of them reaches the file system or the network."""
    return NoTools()
