"""What a run of the original program told: its judgement, and the shapes and data of its launches."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from porter.harness.capture import Launch
from porter.harness.captured_judge import judge_capture
from porter.harness.judge import Judged, Unfit, judge_original
from porter.harness.launches import base_name
from porter.harness.synthesise import CONFIG_NAME, is_launch_config
from porter.harness.verdict import VerifyOptions
from porter.pipeline.request import PortRequest

_CASES = 16
_INTERPRETER_SECONDS = 30.0
"""What a person waits for. A case that the time does not reach is counted as skipped, never as passed."""


@dataclass(frozen=True)
class NotRun:
    """The user asked for a translation without checks."""

    reason: str = "not checked, as asked"


@dataclass(frozen=True)
class Original:
    """The original program: judged fit, unfit, or not run at all."""

    judgement: Judged | Unfit | NotRun

    def launches(self, kernel: str) -> tuple[Launch, ...]:
        """The captured launches of every instantiation of `kernel`, in order."""
        if not isinstance(self.judgement, Judged):
            return ()
        return tuple(x for x in self.judgement.capture.launches if base_name(x.kernel) == kernel)

    def blocks_of(self, kernel: str) -> tuple[tuple[int, int, int], ...]:
        """The thread blocks the program launched `kernel` with, each once, in order."""
        return tuple(dict.fromkeys(launch.block for launch in self.launches(kernel)))

    @property
    def says_nothing(self) -> str:
        """Why its own run tells nothing of its kernels, where other launches of them may; else empty."""
        match self.judgement:
            case Unfit(reason=reason, says_nothing=True):
                return reason
            case Judged(kernels=kernels) if not any(kernel.cases for kernel in kernels):
                return next((kernel.reason for kernel in kernels if kernel.reason), "its run gives no cases")
        return ""

    @property
    def reason(self) -> str:
        """Why nothing is known of the program's run; empty where it was judged fit."""
        return "" if isinstance(self.judgement, Judged) else self.judgement.reason

    def allocation_bytes(self, identifier: int) -> int:
        assert isinstance(self.judgement, Judged)
        return self.judgement.capture.allocations[identifier].bytes


def judge(request: PortRequest) -> Original:
    """Runs and judges the original, once for any number of ports."""
    if not request.check:
        return Original(NotRun())
    options = verify_options(request)
    if request.capture is None:
        return Original(judge_original(request.source, options))
    found = judge_capture(request.capture, request.source, options)
    return Original(found if isinstance(found, Unfit) else found.judged)


def config_beside(source: Path) -> Path | None:
    """The porter.toml beside the source, else the one in the current folder."""
    places = (source.parent / CONFIG_NAME, Path(CONFIG_NAME))
    return next((path for path in places if is_launch_config(path)), None)


def verify_options(request: PortRequest) -> VerifyOptions:
    return VerifyOptions(
        arguments=request.arguments,
        include_dirs=request.search_path,
        defines=request.defines,
        kernels=request.kernels,
        seed=request.seed,
        mapping=dict(request.mapping),
        case=request.case,
        config=request.config or config_beside(request.source),
        ignores_main=request.ignores_main,
        max_launches_per_kernel=2,
        max_cases=_CASES,
        budget_seconds=_INTERPRETER_SECONDS,
        hidden=() if request.capture is None else (request.capture,),
    )
