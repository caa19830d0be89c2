"""The original is run: as its main() has it, or with launches of porter's where that tells nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import shown_path
from porter.cuda.lower_kernel import LoweredKernel
from porter.cuda.structure import Function
from porter.cuda.translation_unit import TranslationUnit
from porter.harness.inferred_config import InferredConfig, infer_config, section_to_write
from porter.harness.judge import Judged, Unfit
from porter.harness.launch_config import GivenConfig, checked_config
from porter.harness.synthesise import CONFIG_NAME, KernelCall, has_main
from porter.pipeline.header_kernels import only_launched
from porter.pipeline.original import Original, judge, verify_options
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import UnitDirectory

INFERRED = "VER007"
STOPPED = "VER023"
CONFIG_STAGE = f"01-{CONFIG_NAME}"


Lower: TypeAlias = Callable[[], tuple[LoweredKernel, ...]]
"""The kernels in the IR, asked for where something has to be told from them."""


@dataclass(frozen=True)
class Program:
    """What is judged: the request with the launches that count, the kernels that are the program's own, and
    what to tell of its launches."""

    request: PortRequest
    unit: TranslationUnit
    original: Original
    told: tuple[Diagnostic, ...] = ()

    @property
    def cannot_be_built(self) -> bool:
        """Neither the program nor, where it has no main(), one that launches a kernel of it."""
        match self.original.judgement:
            case Unfit(is_built=is_built):
                return not is_built or (self.request.config is None and not has_main(self.request.source))
        return False


def judged_program(
    request: PortRequest,
    unit: TranslationUnit,
    lower: Lower,
    folder: UnitDirectory,
    known: Original | None = None,
) -> Program:
    """Runs and judges the original, once for any number of ports; `known` is what that gave before.

    Where it has no main(), or one that does not end in time or stops before its first launch, its kernels are
    launched as a porter.toml says, or else as was inferred from them.
    """

    def judged(request: PortRequest, told: tuple[Diagnostic, ...] = ()) -> Program:
        original = known or judge(request)
        return Program(request, only_launched(unit, original), original, told)

    if not request.check or request.capture is not None:
        return judged(request)
    if not has_main(request.source):
        return judged(*_with_launches(request, unit, lower, folder, "there is no main()"))
    program = judged(request)
    why = program.original.says_nothing
    if not why:
        return replace(program, told=tuple(_stopped(program)))
    alone = replace(request, ignores_main=True)
    launched, told = _with_launches(alone, unit, lower, folder, why)
    again = judged(launched, told) if launched.config is not None else program
    return program if again.original.reason else again


def _stopped(program: Program) -> Iterator[Diagnostic]:
    """What is to be told of each kernel of a program that was not run to its end."""
    judgement = program.original.judgement
    if not isinstance(judgement, Judged) or not judgement.stopped:
        return
    for kernel in program.unit.all_kernels:
        if count := len(program.original.launches(kernel.name)):
            message = f"{judgement.stopped}; {kernel.name} was checked at what {count} of them are"
            hint = "to have all of it compared, let it end: with other arguments, or shorter loops"
            yield Diagnostic(STOPPED, Severity.NOTE, message, kernel.name_span, hint)


def _with_launches(
    request: PortRequest,
    unit: TranslationUnit,
    lower: Lower,
    folder: UnitDirectory,
    why: str,
) -> tuple[PortRequest, tuple[Diagnostic, ...]]:
    """The request with the file of launches, the user's or the inferred one, and what to tell of them."""
    options = verify_options(request)
    if options.config is not None:
        given = checked_config(request.source, options.config, options)
        return replace(request, config=given.path), tuple(_refused(given))
    wanted = tuple(k for k in unit.all_kernels if request.wants(k.name))
    found = infer_config(request.source, wanted, lower(), options)
    if found.text:
        folder.write(CONFIG_STAGE, found.text.encode())
    written = folder.path / CONFIG_STAGE
    findings = tuple(_finding(kernel, found, written, why) for kernel in wanted)
    return replace(request, config=found.path), findings


def _refused(given: GivenConfig) -> Iterator[Diagnostic]:
    for name, (place, complaint) in given.refused.items():
        message = f"the launches of {name} are left out: they {complaint}"
        hint = "docs/porter-toml.md has the keys and what they mean"
        yield Diagnostic("VER009", Severity.WARNING, message, place, hint)


def _finding(kernel: Function, found: InferredConfig, written: Path, why: str) -> Diagnostic:
    calls = found.calls.get(kernel.name_span)
    if calls:
        message = f"{why}; {kernel.name} was launched as {'; '.join(map(_launch, calls))}"
        hint = (
            f"copy {shown_path(str(written))} to {CONFIG_NAME} beside the source and change it to have others"
        )
        return Diagnostic(INFERRED, Severity.NOTE, message, kernel.name_span, hint)
    reason = found.reasons.get(kernel.name_span, "it cannot be read")
    message = f"{why}, and no launch of {kernel.name} could be inferred: {reason}"
    hint = f"write a {CONFIG_NAME} beside the source: {section_to_write(kernel)}"
    return Diagnostic("VER008", Severity.WARNING, message, kernel.name_span, hint)


def _launch(call: KernelCall) -> str:
    arguments = ", ".join(
        a if isinstance(a, str) else f"{a.passed_as or a.type}[{a.count}]" for a in call.arguments
    )
    grid, block = (" x ".join(map(str, sides)) for sides in (call.grid, call.block))
    return f"grid {grid}, block {block}, ({arguments})"
