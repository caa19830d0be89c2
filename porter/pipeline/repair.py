"""Step 6 of the ladder: what was declined or failed goes to the agent, with the reasons and the numbers.

The agent's answer is checked exactly like a deterministic draft; nothing it says counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from porter.agent.budget import Budget, Ledger
from porter.agent.loop import Accepted, solve
from porter.agent.prompts import render_prompt
from porter.agent.protocols import Feedback, Message, Model, Request, Role, ToolCall, ToolResult, ToolSpec
from porter.agent.trajectory import TrajectoryFile
from porter.core.outcome import Declined, Failed, Outcome, Partial, Producer
from porter.core.result import Report
from porter.cuda.translation_unit import TranslationUnit
from porter.hardware.gpu import load_gpu
from porter.pipeline.decide import Checked, decide
from porter.pipeline.draft import Draft
from porter.pipeline.original import Original
from porter.pipeline.read import kernel_names
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import UnitDirectory


class Repairer(Protocol):
    def repair(
        self,
        request: PortRequest,
        unit: TranslationUnit,
        report: Report,
        checked: Checked,
        original: Original,
        folder: UnitDirectory,
    ) -> Checked | None:
        """A candidate that passed every check, or None."""
        ...


class CheckDraft(Protocol):
    def __call__(
        self,
        request: PortRequest,
        unit: TranslationUnit,
        draft: Draft,
        original: Original,
        folder: UnitDirectory,
    ) -> Checked: ...


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
        report: Report,
        checked: Checked,
        original: Original,
        folder: UnitDirectory,
    ) -> Checked | None:
        judge = _Judge(request, unit, original, folder, self.check)
        prompt = render_prompt(
            f"port_to_{request.target}",
            arch=request.arch,
            wavefront_size=load_gpu(request.arch).compute.wavefront_size,
            reasons=[_reason(u.outcome) for u in report.units if u.status != "ported"],
            source=unit.source.text,
            draft=checked.draft.text.decode("latin-1"),
        )
        asked = Request(render_prompt("system"), (Message(Role.USER, prompt),))
        trajectory = TrajectoryFile(folder.path / "60-agent.traj.json")
        attempt = solve(asked, self.model, NoTools(), judge, trajectory, Ledger(self.budget))
        return judge.last if isinstance(attempt, Accepted) else None


@dataclass(frozen=True)
class NoTools:
    """The model can only submit."""

    specs: tuple[ToolSpec, ...] = ()

    def call(self, call: ToolCall) -> ToolResult:
        return ToolResult(call.id, f"there is no tool {call.name!r}", is_error=True)


@dataclass
class _Judge:
    """The Verifier of the loop: builds and verifies a candidate like any other draft."""

    request: PortRequest
    unit: TranslationUnit
    original: Original
    folder: UnitDirectory
    check_draft: CheckDraft
    last: Checked | None = None

    def check(self, candidate: str) -> Feedback:
        draft = Draft(self.request.target, Producer.AGENT, candidate.encode())
        self.last = self.check_draft(self.request, self.unit, draft, self.original, self.folder)
        outcomes = [decide(k, self.last, ()) for k in kernel_names(self.request, self.unit)]
        reasons = [_reason(o) for o in outcomes if isinstance(o, Partial | Declined | Failed)]
        return Feedback(not reasons, "The candidate was rejected:\n\n" + "\n".join(f"- {r}" for r in reasons))


def _reason(outcome: Outcome) -> str:
    """One outcome as the model sees it: the reason, the first mismatches, the compiler's errors."""
    if not isinstance(outcome, Partial | Declined | Failed):
        return f"{outcome.kernel}: fine"
    lines = [f"{outcome.kernel}: {outcome.reason}"]
    if isinstance(outcome, Failed) and outcome.comparison:
        lines += [f"  {m}" for m in outcome.comparison.first_mismatches]
    lines += [f"  {f}" for f in outcome.findings]
    return "\n".join(lines)
