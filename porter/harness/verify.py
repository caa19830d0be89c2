"""Is this port right? The entry of the judge.

`verify_hip` and `verify_triton` judge the original first (or take a judgement made before, since one serves
any number of ports), then the port. They raise only for files that cannot be read; whatever original and
port do when they run is in the result.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from porter.core.errors import InputError
from porter.core.outcome import Target
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.harness.hip_verify import verify_program
from porter.harness.judge import Judged, Unfit, judge_original
from porter.harness.launches import base_name, is_wanted
from porter.harness.struct_fields import is_aggregate, struct_parameters
from porter.harness.synthesise import has_main
from porter.harness.triton_verify import verify_module
from porter.harness.verdict import (
    KernelVerdict,
    NoVerdict,
    ProgramNotRun,
    Verification,
    VerifyOptions,
)


@dataclass(frozen=True)
class _Signature:
    """A kernel of the original's source; `scope` are its namespaces."""

    name: str
    parameters: tuple[str, ...]
    scope: str = ""

    @property
    def qualified_name(self) -> str:
        return f"{self.scope}::{self.name}" if self.scope else self.name


def target_of(port: Path) -> Target:
    """Python is Triton; everything else is HIP."""
    return Target.TRITON if port.suffix == ".py" else Target.HIP


def verify(
    original: Path, port: Path, options: VerifyOptions, judged: Judged | Unfit | None = None
) -> Verification:
    """Verifies `port`, whichever of the two it is."""
    if target_of(port) is Target.TRITON:
        return verify_triton(original, port, options, judged)
    return verify_hip(original, port, options, judged)


def verify_kernel(
    original: Path, port: Path, kernel: str, options: VerifyOptions, judged: Judged | Unfit | None = None
) -> KernelVerdict:
    """The verdict of one kernel."""
    return verify(original, port, replace(options, kernels=(kernel,)), judged).of(kernel)


def verify_hip(
    original: Path, port: Path, options: VerifyOptions, judged: Judged | Unfit | None = None
) -> Verification:
    """Runs the original at 32 lanes and the port at 64: the whole program, and every kernel by replay."""
    signatures = _signatures(original, options)
    _must_be_readable(port)
    judged = judged if judged is not None else judge_original(original, options)
    if isinstance(judged, Unfit):
        return _no_verdict(signatures, judged)
    options = replace(options, hidden=(*options.hidden, original))
    verdicts, program = verify_program(_restricted(judged, options), port, options)
    return Verification((*verdicts, *_never_launched(original, signatures, judged, options)), program)


def verify_triton(
    original: Path, port: Path, options: VerifyOptions, judged: Judged | Unfit | None = None
) -> Verification:
    """Calls the port's launchers with the original's captured arguments, in the Triton interpreter.

    A launcher is a function of the kernel's name (or as `options.mapping` says). It is called with the
    kernel's arguments in order, pointers as flat tensors, and with `grid=` and `block=` (three integers
    each) where it has parameters of these names. A bare `@triton.jit` kernel is launched on the grid, its
    one `BLOCK…` constant the number of threads.
    """
    signatures = _signatures(original, options)
    _must_be_readable(port)
    judged = judged if judged is not None else judge_original(original, options)
    if isinstance(judged, Unfit):
        return _no_verdict(signatures, judged)
    parameters = {s.name: s.parameters for s in signatures}
    parameters |= {s.qualified_name: s.parameters for s in signatures}
    chosen = _restricted(judged, options)
    structs = struct_parameters(original, options) if _takes_structs(chosen) else {}
    verdicts = verify_module(chosen, port, options, parameters, structs)
    program = ProgramNotRun("a Triton module has kernels only; the host program stays the original's")
    return Verification((*verdicts, *_never_launched(original, signatures, judged, options)), program)


def _takes_structs(judged: Judged) -> bool:
    launches = (case.planned.launch for kernel in judged.kernels for case in kernel.cases)
    return any(is_aggregate(a) for launch in launches for a in launch.arguments)


def _must_be_readable(port: Path) -> None:
    try:
        port.read_bytes()
    except OSError as error:
        raise InputError(f"{port}: cannot read the port: {error.strerror}") from error


def _signatures(original: Path, options: VerifyOptions) -> tuple[_Signature, ...]:
    try:
        unit = read_translation_unit(SourceText.read(original))
    except OSError as error:
        raise InputError(f"{original}: cannot read the original: {error.strerror}") from error
    return tuple(
        _Signature(k.name, tuple(p.name for p in k.parameters), k.scope)
        for k in unit.kernels
        if is_wanted(f"{k.scope}::{k.name}" if k.scope else k.name, options.kernels)
    )


def _restricted(judged: Judged, options: VerifyOptions) -> Judged:
    """A judgement made for all kernels serves a question about some."""
    if not options.kernels:
        return judged
    chosen = tuple(k for k in judged.kernels if is_wanted(k.name, options.kernels))
    return replace(judged, kernels=chosen)


def _no_verdict(signatures: tuple[_Signature, ...], unfit: Unfit) -> Verification:
    verdicts = tuple(NoVerdict(s.name, unfit.reason) for s in signatures)
    return Verification(verdicts, ProgramNotRun(unfit.reason), unfit.reason)


def _never_launched(
    original: Path, signatures: tuple[_Signature, ...], judged: Judged, options: VerifyOptions
) -> tuple[NoVerdict, ...]:
    """Kernels of one name are told apart by their namespaces, where the captured launches say them."""
    launches = judged.capture.launches
    launched = {base_name(launch.kernel) for launch in launches}
    qualified = {launch.qualified_name for launch in launches}
    several = Counter(name for name, _ in {(s.name, s.scope) for s in signatures})
    verdicts: list[NoVerdict] = []
    reason = "no launch of it is known"
    if judged.stopped:
        reason = f"{judged.stopped}, none of them of this kernel"
    elif has_main(original) and not options.ignores_main:
        reason = "the original's main() never launches it"
    for s in signatures:
        shared = several[s.name] > 1 and any(q.endswith(f"::{s.name}") for q in qualified)
        if (s.qualified_name not in qualified) if shared else (s.name not in launched):
            name = s.qualified_name if shared else s.name
            verdicts.append(NoVerdict(name, reason))
    return tuple(dict.fromkeys(verdicts))
