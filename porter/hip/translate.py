"""CUDA to HIP by byte-exact edits: everything that is not edited stays as it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit, apply_edits
from porter.cuda.platform import Platform, cuda_names
from porter.cuda.structure import Function
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.annotations import drop_annotations
from porter.hip.calls import adapt_calls, choose_overloads
from porter.hip.device_library import is_ported_copy, port_device_library
from porter.hip.device_pointers import port_device_pointers
from porter.hip.dropped_cases import drop_absent_cases
from porter.hip.dual_header import COMPATIBILITY_HEADER
from porter.hip.dual_source import keep_cuda
from porter.hip.fp8 import port_fp8
from porter.hip.function_objects import port_function_objects
from porter.hip.group_shuffles import port_group_shuffles
from porter.hip.guards import rewrite_guards
from porter.hip.includes import implicit_headers, newline, rewrite_includes, runtime_header_edit, shim_offset
from porter.hip.launch_bounds import convert_launch_bounds
from porter.hip.legacy_syntax import modernise_syntax
from porter.hip.linkage import restore_cxx_linkage
from porter.hip.matrix_fragments import as_ported, port_matrix_fragments
from porter.hip.merged_overloads import merge_overloads
from porter.hip.mixed_extrema import rewrite_mixed_extrema
from porter.hip.named_rounding import port_named_rounding
from porter.hip.names import rename_api
from porter.hip.namespaces import rewrite_namespaces, tile_headers
from porter.hip.narrow_atomics import rewrite_narrow_atomics
from porter.hip.options import HipOptions, Style
from porter.hip.own_headers import headers_written
from porter.hip.pasted_names import port_pasted_names
from porter.hip.ptx import port_ptx
from porter.hip.rearranged_calls import rearrange_calls
from porter.hip.runtime_compilation import is_ported_option, port_runtime_compilation
from porter.hip.shim_text import shim_text
from porter.hip.step import Step, insert, join
from porter.hip.textures import (
    HEADER,
    SOFTWARE_TEXTURE,
    TEXTURE_FETCH,
    covered_fetches,
    port_textures,
    texture_headers,
)
from porter.hip.variable_arrays import clear_variable_arrays
from porter.hip.vector_operators import VECTOR_TYPE, hide_vector_operators
from porter.hip.versions import version_findings
from porter.hip.warp_preserve import preserve_warps
from porter.rules import diagnose

ALREADY_HIP = "BLD001"
SERVES_BOTH = "BLD002"
SHARED_MEMORY_LIMIT = "MEM002"


@dataclass(frozen=True)
class HipTranslation:
    """A port of one file. `edits` are sorted, do not overlap, and give `text` from the source.

    `headers` are files that `text` includes and that porter wrote, by name.
    `declined_kernels` names the kernels that cannot work as they stand in `text`, each with the first reason.
    """

    text: bytes
    edits: tuple[Edit, ...]
    findings: tuple[Diagnostic, ...]
    declined_kernels: Mapping[str, Diagnostic] = field(default_factory=dict)
    headers: Mapping[str, bytes] = field(default_factory=dict)


def translate_hip(
    unit: TranslationUnit, options: HipOptions | None = None, *, called: frozenset[str] = frozenset()
) -> HipTranslation:
    """Ports `unit`; never raises for what stands in it. What cannot be ported is an ERROR finding.

    `called` are snippets of `shims/` that the text calls already.
    """
    if any(i.target == COMPATIBILITY_HEADER for i in unit.includes):
        return HipTranslation(unit.source.data, (), (_left_whole(unit),))
    if unit.platform is not Platform.CUDA:
        leftovers = rename_api(unit).findings if unit.platform is Platform.HIP else ()
        return HipTranslation(unit.source.data, (), (_left_whole(unit), *leftovers))
    chosen = options or HipOptions()
    step = join((*_steps(unit, chosen), Step(shims=called)))
    headers: Mapping[str, bytes] = {}
    if chosen.style is Style.SHIM and (step.edits or _needs_runtime(unit, step)):
        dual = keep_cuda(unit, settle(step.edits), step.shims)
        edits, headers = dual.edits, {COMPATIBILITY_HEADER: dual.header}
    else:
        textures = texture_headers(step.edits)
        tiles = tile_headers(step.edits)
        headers = textures | headers_written(step.edits, tiles)
        edits = settle((*step.edits, *_prologue(unit, step, (*((HEADER,) if textures else ()), *tiles))))
    fetches = covered_fetches(unit) if HEADER in headers else frozenset()
    diagnosed = tuple(_for_gpu(_in_software(f, fetches), chosen) for f in _diagnosed(unit, chosen))
    absent = version_findings(unit, settle(step.edits), chosen.rocm) if chosen.rocm else ()
    findings = _sorted((*step.findings, *diagnosed, *absent, *unit.syntax_errors))
    return HipTranslation(
        apply_edits(unit.source.data, edits), edits, findings, _declined_kernels(unit, findings), headers
    )


def _diagnosed(unit: TranslationUnit, options: HipOptions) -> tuple[Diagnostic, ...]:
    """What the rules find; where porter's headers are an answer, what is left of it."""
    found = tuple(f for f in diagnose(unit) if not is_ported_option(unit, f))
    if options.style is Style.SHIM:
        return found
    return tuple(as_ported(f) for f in found if not is_ported_copy(f))


def _steps(unit: TranslationUnit, options: HipOptions) -> tuple[Step, ...]:
    # Headers beside the port belong to the port: under `--style shim` the text stays CUDA's.
    with_headers = options.style is Style.REWRITE
    return (
        rewrite_includes(unit, with_headers=with_headers),
        restore_cxx_linkage(unit),
        rewrite_guards(unit),
        port_textures(unit) if with_headers else Step(),
        # Inside an asm statement or a dropped mask, the outer edit wins; see `settle`.
        port_ptx(unit),
        preserve_warps(unit),
        choose_overloads(unit),
        adapt_calls(unit),
        rearrange_calls(unit),
        convert_launch_bounds(unit),
        rewrite_namespaces(unit, with_headers=with_headers),
        port_device_library(unit, with_headers=with_headers),
        port_matrix_fragments(unit, with_headers=with_headers),
        port_function_objects(unit),
        port_group_shuffles(unit),
        port_device_pointers(unit),
        port_fp8(unit, options),
        hide_vector_operators(unit),
        merge_overloads(unit),
        modernise_syntax(unit),
        clear_variable_arrays(unit),
        rewrite_mixed_extrema(unit),
        rewrite_narrow_atomics(unit),
        port_named_rounding(unit),
        port_pasted_names(unit),
        drop_absent_cases(unit),
        drop_annotations(unit),
        port_runtime_compilation(unit, options),
        rename_api(unit),
    )


def _prologue(unit: TranslationUnit, step: Step, own_headers: tuple[str, ...]) -> tuple[Edit, ...]:
    """The runtime header where none was included, and the definitions that the edits call."""
    header = runtime_header_edit(unit) if own_headers or _needs_runtime(unit, step) else None
    lines = "".join(f'#include "{name}"{newline(unit)}' for name in own_headers)
    shims = implicit_headers(unit) + lines + shim_text(step.shims, newline(unit))
    if not shims:
        return (header,) if header is not None else ()
    if header is not None:
        text = header.replacement.decode("latin-1") + shims
        return (insert(header.start, text, "the runtime header and what the edits call"),)
    return (insert(shim_offset(unit), shims, "what the edits call"),)


def _needs_runtime(unit: TranslationUnit, step: Step) -> bool:
    """Whether the port uses HIP at all, beyond library headers that include the runtime themselves."""
    includes = {i.span.start for i in unit.includes}
    renamed = any(e.start not in includes and e.replacement.startswith(b"hip") for e in step.edits)
    code = unit.kernels or unit.device_functions or unit.launches
    return bool(step.shims or renamed or code or _names_vectors(unit))


def _names_vectors(unit: TranslationUnit) -> bool:
    """Whether a CUDA source uses a vector type, which nvcc declares before the first line."""
    if not unit.source.path.endswith((".cu", ".cuh")):
        return False
    return any(VECTOR_TYPE.match(t.text) or t.text == "dim3" for t in unit.tokenized.code)


def settle(edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """Drops the edits that lie within a larger one, and the second of two for the same token."""
    kept: list[Edit] = []
    # The sort is stable: of two edits of one token the earlier pass wins.
    for edit in sorted(dict.fromkeys(edits), key=lambda e: (e.start, -(e.end - e.start))):
        if kept and _covered(kept[-1], edit):
            continue
        kept.append(edit)
    return tuple(sorted(kept))


def _covered(outer: Edit, edit: Edit) -> bool:
    if outer.start == outer.end:
        return False
    return edit.start < outer.end if edit.start < edit.end else outer.start < edit.start < outer.end


def _left_whole(unit: TranslationUnit) -> Diagnostic:
    first = unit.tokenized.tokens[0]
    span = unit.source.span(first.start, first.end)
    if unit.platform is Platform.HIP:
        left = next(cuda_names(unit.tokenized), None)
        if left is None:
            return Diagnostic(ALREADY_HIP, Severity.NOTE, "is HIP already; left as it is", span)
        what = f"is HIP already; left as it is, with {left.text} in it"
        return Diagnostic(ALREADY_HIP, Severity.WARNING, what, unit.source.span(left.start, left.end))
    return Diagnostic(
        SERVES_BOTH,
        Severity.WARNING,
        "chooses between CUDA and HIP itself; left as it is",
        span,
        "build it with hipcc and the macro that selects its HIP branch",
    )


def _in_software(finding: Diagnostic, fetches: frozenset[int]) -> Diagnostic:
    if finding.code != TEXTURE_FETCH or finding.span.start not in fetches:
        return finding
    name = finding.message.split()[0] if finding.message.startswith(("tex", "surf")) else "the reference"
    message = f"{name} is {SOFTWARE_TEXTURE}"
    hint = "where it is hot, stage the neighbourhood in LDS"
    return replace(finding, severity=Severity.WARNING, message=message, hint=hint)


def _for_gpu(finding: Diagnostic, options: HipOptions) -> Diagnostic:
    """Shared memory above 64 KiB is a warning in general, and an error where the chosen GPU has no more."""
    if finding.code == SHARED_MEMORY_LIMIT and not options.has_large_lds:
        return replace(finding, severity=Severity.ERROR)
    return finding


def _sorted(findings: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(dict.fromkeys(findings), key=lambda d: (d.span.start, d.span.end, d.code)))


def _declined_kernels(unit: TranslationUnit, findings: tuple[Diagnostic, ...]) -> Mapping[str, Diagnostic]:
    """Kernels with an error in their body, or in a device function that they can reach."""
    errors = [f for f in findings if f.severity is Severity.ERROR]
    declined: dict[str, Diagnostic] = {}
    for kernel in unit.kernels:
        for function in _reached(unit, kernel):
            inside = (e for e in errors if function.span.start <= e.span.start < function.span.end)
            first = next(inside, None)
            if first is not None:
                declined.setdefault(kernel.name, first)
    return declined


def _reached(unit: TranslationUnit, kernel: Function) -> tuple[Function, ...]:
    """`kernel` and the device functions whose names its body mentions, transitively."""
    by_name: dict[str, list[Function]] = {}
    for function in unit.device_functions:
        by_name.setdefault(function.name, []).append(function)
    reached: list[Function] = [kernel]
    for function in reached:
        if function.body is None:
            continue
        start = unit.tokenized.code_index(function.body.start)
        end = unit.tokenized.code_index(function.body.end)
        for token in unit.tokenized.code[start:end]:
            reached.extend(f for f in by_name.get(token.text, ()) if f not in reached)
    return tuple(reached)
