"""Kernels without a main(): launches for them, unless a porter.toml or a capture has some."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import shown_path
from porter.cuda.lower_kernel import LoweredKernel
from porter.cuda.structure import Function
from porter.cuda.translation_unit import TranslationUnit
from porter.harness.inferred_config import InferredConfig, infer_config, section_to_write
from porter.harness.launch_config import GivenConfig, checked_config
from porter.harness.synthesise import CONFIG_NAME, KernelCall, has_main
from porter.pipeline.original import verify_options
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import UnitDirectory

CONFIG_STAGE = f"01-{CONFIG_NAME}"


def with_launches(
    request: PortRequest, unit: TranslationUnit, lowered: tuple[LoweredKernel, ...], folder: UnitDirectory
) -> tuple[PortRequest, tuple[Diagnostic, ...]]:
    """The request with the file of launches that were inferred, and what to tell of them."""
    options = verify_options(request)
    if not request.check or request.capture is not None or has_main(request.source):
        return request, ()
    if options.config is not None:
        given = checked_config(request.source, options.config, options)
        return replace(request, config=given.path), tuple(_refused(given))
    wanted = tuple(k for k in unit.kernels if request.wants(k.name))
    found = infer_config(request.source, wanted, lowered, options)
    if found.text:
        folder.write(CONFIG_STAGE, found.text.encode())
    written = folder.path / CONFIG_STAGE
    findings = tuple(_finding(kernel, found, written) for kernel in wanted)
    return replace(request, config=found.path), findings


def _refused(given: GivenConfig) -> Iterator[Diagnostic]:
    for name, (place, complaint) in given.refused.items():
        message = f"the launches of {name} are left out: they {complaint}"
        hint = "docs/porter-toml.md has the keys and what they mean"
        yield Diagnostic("VER009", Severity.WARNING, message, place, hint)


def _finding(kernel: Function, found: InferredConfig, written: Path) -> Diagnostic:
    calls = found.calls.get(kernel.name_span)
    if calls:
        message = f"no main() launches {kernel.name}; it was launched as {'; '.join(map(_launch, calls))}"
        hint = (
            f"copy {shown_path(str(written))} to {CONFIG_NAME} beside the source and change it to have others"
        )
        return Diagnostic("VER007", Severity.NOTE, message, kernel.name_span, hint)
    reason = found.reasons.get(kernel.name_span, "it cannot be read")
    message = f"no main() launches {kernel.name}, and no launch could be inferred: {reason}"
    hint = f"write a {CONFIG_NAME} beside the source: {section_to_write(kernel)}"
    return Diagnostic("VER008", Severity.WARNING, message, kernel.name_span, hint)


def _launch(call: KernelCall) -> str:
    arguments = ", ".join(
        a if isinstance(a, str) else f"{a.passed_as or a.type}[{a.count}]" for a in call.arguments
    )
    grid, block = (" x ".join(map(str, sides)) for sides in (call.grid, call.block))
    return f"grid {grid}, block {block}, ({arguments})"
