"""The verifier of the agent's loop: a candidate is built and compared like any other draft.

What it says depends on the candidate alone, not on the run: no paths of a run and no times are in it, so that
a run that is gone on with tells the model the same again.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from porter.agent.protocols import Feedback
from porter.core.diagnostic import Diagnostic
from porter.core.outcome import Failed, Outcome, Partial, Ported, Producer, Target
from porter.cuda.lower_kernel import LoweredKernel
from porter.cuda.translation_unit import TranslationUnit
from porter.hardware.gpu import load_gpu
from porter.harness.judge import Judged, JudgedKernel
from porter.harness.toolchains.records import KernelResources
from porter.harness.truths import origin_of
from porter.hip.own_headers import included_headers
from porter.pipeline.agent.rank import BusyTime, busy_time
from porter.pipeline.agent.screen import screen
from porter.pipeline.agent.unseen import compare_unseen, with_unseen
from porter.pipeline.build import NOTHING_BUILT, Builds
from porter.pipeline.check import CheckDraft, build_file, write_draft
from porter.pipeline.decide import Checked, decide_rows
from porter.pipeline.draft import Draft
from porter.pipeline.original import Original
from porter.pipeline.parameter_names import with_parameter_names
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import UnitDirectory

BUILD_LOG = "61-build-agent.log"
_MOST_CHARACTERS = 12_000


@dataclass
class CandidateJudge:
    """Judges candidates for `kernels` of one file; threads may share it, and one at a time is served.

    `base` is the deterministic draft: a candidate stands beside the headers that it brings, and beside those
    of porter's that the candidate includes. `folder` gets the candidates' files. `gate` is shared by all
    judges of a run. A candidate's text is read before it is built; what passes every check is then run
    `on_unseen` cases, which nobody is told of.
    """

    request: PortRequest
    unit: TranslationUnit
    lowered: tuple[LoweredKernel, ...]
    original: Original
    folder: UnitDirectory
    check_draft: CheckDraft
    kernels: tuple[str, ...]
    base: Draft
    gate: threading.RLock = field(default_factory=threading.RLock)
    on_unseen: bool = True
    _checked: dict[str, Checked] = field(default_factory=dict)
    _built: dict[str, Builds] = field(default_factory=dict)

    def check(self, candidate: str) -> Feedback:
        """The verdict: accepted where every kernel passed every check."""
        outcomes = self.outcomes(candidate)
        reasons = [self.reason(o) for o in outcomes if not isinstance(o, Ported)]
        if reasons:
            return Feedback(False, "The candidate was rejected:\n\n" + "\n".join(f"- {r}" for r in reasons))
        time = self.busy_time(candidate)
        return Feedback(True, "The candidate was accepted.", time.busy_us if time else None)

    def busy_time(self, candidate: str) -> BusyTime | None:
        """What ranks verified candidates."""
        outcomes, builds = self.outcomes(candidate), self.checked(candidate).builds
        return busy_time(outcomes, self.lowered, self.original, builds, self.request.arch)

    def know(self, candidate: str, checked: Checked) -> None:
        """Spares the check of a text that was checked elsewhere."""
        self._checked[candidate] = checked

    def outcomes(self, candidate: str) -> tuple[Outcome, ...]:
        """Of each kernel, with the parameters' own names in it."""
        checked = self.checked(candidate)
        return tuple(
            with_parameter_names(outcome, self.unit)
            for kernel in self.kernels
            for outcome in decide_rows(kernel, checked, ())
        )

    def checked(self, candidate: str) -> Checked:
        """Builds and verifies the text, once."""
        with self.gate:
            if candidate not in self._checked:
                self._checked[candidate] = self._judged(self.draft(candidate))
            return self._checked[candidate]

    def _judged(self, draft: Draft) -> Checked:
        """The text, then the build and the known cases, then those that nobody is told of."""
        if against := screen(draft, self.base, self.unit):
            path = str(write_draft(draft, self.folder))
            return Checked(draft, path, NOTHING_BUILT, None, f"it does not count as a port: {against}")
        checked = self.check_draft(self.request, self.unit, draft, self.original, self.folder, log=BUILD_LOG)
        passed = all(isinstance(o, Ported) for k in self.kernels for o in decide_rows(k, checked, ()))
        if not passed or not self.on_unseen:
            return checked
        return with_unseen(checked, compare_unseen(self.request, checked, self.original))

    def draft(self, candidate: str) -> Draft:
        is_hip = self.request.target is Target.HIP
        headers = {**included_headers(candidate), **self.base.headers} if is_hip else {}
        return Draft(
            self.request.target,
            Producer.AGENT,
            candidate.encode("utf-8", "surrogateescape"),
            headers=headers,
            translated=self.kernels,
        )

    def builds(self, candidate: str) -> Builds:
        """Builds the text, once, and runs nothing."""
        with self.gate:
            if candidate in self._checked:
                return self._checked[candidate].builds
            if candidate not in self._built:
                draft = self.draft(candidate)
                path = write_draft(draft, self.folder)
                self._built[candidate] = build_file(self.request, self.unit, draft, path, self.original)
            return self._built[candidate]

    def build(self, candidate: str) -> str:
        """What the compiler says."""
        builds = self.builds(candidate)
        if builds.failure is not None:
            return self._lines("It does not build.", builds.failure.diagnostics)
        if builds.unavailable:
            return f"It cannot be built here: {builds.unavailable}"
        built = ", ".join(e.subject for e in builds.evidence)
        return self._lines(f"It builds for {built}.", builds.warnings)

    def verify(self, candidate: str, sizes: Sequence[int] = ()) -> str:
        """Compares on the cases that have one of `sizes` among their integer arguments; on all without."""
        judged = self.original.judgement
        if not isinstance(judged, Judged) or not sizes:
            return self.check(candidate).message
        kernels = tuple(_with_sizes(k, frozenset(sizes)) for k in judged.kernels)
        if not any(k.cases for k in kernels):
            return f"No case has one of these sizes. There are: {', '.join(map(str, _sizes(judged)))}."
        some = replace(
            self, original=Original(replace(judged, kernels=kernels)), _checked={}, _built={}, on_unseen=False
        )
        verdict = some.check(candidate)
        return (
            f"On the cases with these sizes: {'every check passed.' if verdict.accepted else verdict.message}"
        )

    def figures(self, candidate: str) -> str:
        """Registers, LDS, spills and occupancy of the built kernels."""
        builds = self.builds(candidate)
        if builds.failure is not None or builds.unavailable:
            return self.build(candidate)
        return "\n".join(self._figures_of(k) for k in builds.kernels)

    def _figures_of(self, kernel: KernelResources) -> str:
        gpu = load_gpu(self.request.arch)
        mix = kernel.instructions
        return (
            f"{kernel.name} on {gpu.name}: {kernel.vgprs} VGPRs (of them {kernel.agprs} AGPRs), "
            f"{kernel.sgprs} SGPRs, {kernel.lds_bytes} bytes of LDS, {kernel.vgpr_spills} VGPRs and "
            f"{kernel.sgpr_spills} SGPRs spilled, {kernel.scratch_bytes} bytes of scratch, "
            f"{kernel.waves_per_simd} waves a SIMD (limited by {kernel.occupancy_limited_by}); machine code: "
            f"{mix.total} instructions, {mix.vector_memory} of memory ({mix.wide} with 16 bytes a lane), "
            f"{mix.lds} of LDS, {mix.matrix} of the matrix unit, {mix.atomics} atomic, "
            f"{mix.barriers} barriers"
        )

    def reason(self, outcome: Outcome) -> str:
        """One outcome as the model sees it: the reason, the first mismatches, the compiler's errors."""
        if isinstance(outcome, Ported):
            return f"{outcome.kernel}: every check passed"
        lines = [f"{outcome.kernel}: {outcome.reason}"]
        if isinstance(outcome, Failed | Partial) and outcome.comparison:
            lines += [f"  {m}" for m in outcome.comparison.first_mismatches]
            lines.append(f"  seed {outcome.comparison.seed}")
        for finding in outcome.findings:
            lines += [f"  {finding}", *([f"    hint: {finding.hint}"] if finding.hint else [])]
        return self.cleaned("\n".join(lines))

    def cleaned(self, text: str) -> str:
        """Without the places of this run."""
        text = re.sub(rf"[^\s:'\"]*{_CANDIDATE}\.(hip|py)", r"candidate.\1", text)
        text = re.sub(r"/tmp/[^\s:'\"]*/", "", text)
        return text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + "\n(cut off here)"

    def _lines(self, first: str, diagnostics: Sequence[Diagnostic]) -> str:
        return self.cleaned("\n".join([first, *map(str, diagnostics)]))


_CANDIDATE = "50-candidate"


def _with_sizes(kernel: JudgedKernel, sizes: frozenset[int]) -> JudgedKernel:
    cases = tuple(c for c in kernel.cases if sizes & set(origin_of(c.planned).arguments))
    return replace(kernel, cases=cases)


def _sizes(judged: Judged) -> list[int]:
    return sorted({n for k in judged.kernels for c in k.cases for n in origin_of(c.planned).arguments})
