"""Step 6 of the ladder: what was declined or failed goes to the agent, with the reasons and the numbers.

The agent's answer is checked exactly like a deterministic draft; nothing it says counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from porter.agent.budget import Budget, Ledger
from porter.agent.loop import Accepted, solve
from porter.agent.protocols import Model
from porter.agent.trajectory import TrajectoryFile
from porter.core.result import Report
from porter.cuda.lower_kernel import LoweredKernel
from porter.cuda.translation_unit import TranslationUnit
from porter.pipeline.agent.judge import CandidateJudge
from porter.pipeline.agent.tasks import Task
from porter.pipeline.agent.tasks import port as ask_for_port
from porter.pipeline.agent.tools import tools_for
from porter.pipeline.check import CheckDraft
from porter.pipeline.decide import Checked
from porter.pipeline.original import Original
from porter.pipeline.read import kernel_names
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import UnitDirectory


class Repairer(Protocol):
    def repair(
        self,
        request: PortRequest,
        unit: TranslationUnit,
        lowered: tuple[LoweredKernel, ...],
        report: Report,
        checked: Checked,
        original: Original,
        folder: UnitDirectory,
    ) -> Checked | None:
        """A candidate that passed every check, or None."""
        ...


@dataclass(frozen=True)
class AgentRepairer:
    """Asks `model`; `check` is the ladder's own build-and-verify step."""

    model: Model
    check: CheckDraft
    budget: Budget

    def repair(
        self,
        request: PortRequest,
        unit: TranslationUnit,
        lowered: tuple[LoweredKernel, ...],
        report: Report,
        checked: Checked,
        original: Original,
        folder: UnitDirectory,
    ) -> Checked | None:
        kernels = kernel_names(request, unit)
        judge = CandidateJudge(request, unit, original, folder, self.check, kernels, checked.draft)
        open_ = tuple(u.outcome for u in report.units if u.status != "ported")
        reasons = tuple(judge.reason(outcome) for outcome in open_)
        draft = checked.draft.text.decode("latin-1")
        task = Task(request, unit, lowered, original, kernels, reasons, draft)
        trajectory = TrajectoryFile(folder.path / "60-agent.traj.json")
        tools = tools_for(task, judge)
        attempt = solve(ask_for_port(task), self.model, tools, judge, trajectory, Ledger(self.budget))
        return judge.checked(attempt.candidate) if isinstance(attempt, Accepted) else None
