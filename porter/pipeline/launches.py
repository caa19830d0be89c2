"""Kernels without a main(): launches for them, unless a porter.toml or a capture has some."""

from __future__ import annotations

from dataclasses import replace

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.lower_kernel import LoweredKernel
from porter.cuda.structure import Function
from porter.cuda.translation_unit import TranslationUnit
from porter.harness.inferred_config import InferredConfig, infer_config, section_to_write
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
    needed = request.check and request.capture is None and options.config is None
    if not needed or has_main(request.source):
        return request, ()
    wanted = tuple(k for k in unit.kernels if request.wants(k.name))
    found = infer_config(request.source, wanted, lowered, options)
    if found.text:
        folder.write(CONFIG_STAGE, found.text.encode())
    findings = tuple(_finding(kernel, found) for kernel in wanted)
    return replace(request, config=found.path), findings


def _finding(kernel: Function, found: InferredConfig) -> Diagnostic:
    calls = found.calls.get(kernel.name_span)
    if calls:
        message = f"no main() launches {kernel.name}; it was launched as {'; '.join(map(_launch, calls))}"
        hint = (
            f"the launches are in {CONFIG_STAGE} of the run; a {CONFIG_NAME} beside the source replaces them"
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
