"""The inspection as a page: a block for each kernel, plain text that reads well in a pipe."""

from __future__ import annotations

from collections.abc import Iterator

from porter.analysis.lane_values import Unknown
from porter.analysis.memory_access import BankConflicts, Coalescing, GlobalAccess, SharedAccess
from porter.core.diagnostic import Diagnostic
from porter.core.span import shown_path
from porter.report.inspection import InspectedKernel, Inspection, Roofline

_TEXT = 36
"""Columns of an access as it is written."""


def inspection_lines(inspection: Inspection) -> Iterator[str]:
    """The page, line by line."""
    yield (
        f"{inspection.source.path}: {_count(len(inspection.kernels))}, on {inspection.product} "
        f"({inspection.gpu}: wavefronts of {inspection.wavefront_size}, {inspection.lds_banks} LDS banks)"
    )
    if inspection.not_compiled:
        yield f"registers and LDS are not known: {inspection.not_compiled}"
    for kernel in inspection.kernels:
        yield ""
        yield from _kernel(kernel, inspection)
    if inspection.findings:
        yield ""
        yield "portability"
        yield from (f"  {_placed(f, inspection)}" for f in inspection.findings)


def _count(kernels: int) -> str:
    return f"{kernels} kernel{'' if kernels == 1 else 's'}"


def _placed(finding: Diagnostic, inspection: Inspection) -> str:
    return f"{inspection.place(finding.span)} {finding.severity}: {finding.message} [{finding.code}]"


def _kernel(kernel: InspectedKernel, inspection: Inspection) -> Iterator[str]:
    is_own = kernel.span.path == inspection.source.path
    line = f"line {kernel.span.line}" if is_own else f"{shown_path(kernel.span.path)} line {kernel.span.line}"
    yield f"{kernel.name}({', '.join(kernel.parameters)})  {line}"
    if kernel.instantiations:
        yield f"  instantiations   {'; '.join(kernel.instantiations) or 'none'}"
    yield from (f"  launch           {line}" for line in _launches(kernel))
    if kernel.unread is not None:
        yield f"  not read         {_placed(kernel.unread, inspection)}"
        return
    yield f"  resources        {_resources(kernel)}"
    if kernel.roofline is not None:
        yield f"  roofline         {_roofline(kernel.roofline)}"
        yield f"                   assumed: {'; '.join(kernel.roofline.assumptions)}"
    yield from _accesses(kernel, inspection)
    for assumption in kernel.warp_assumptions:
        place = inspection.place(assumption.span)
        yield f"  32 lanes         {place} {assumption.kind.value}: {_short(assumption.text)}"
    for waste in kernel.wastes:
        yield f"  waste            {inspection.place(waste.span)} {waste.message} [{waste.code}]"
        yield f"                   {waste.hint}"


def _launches(kernel: InspectedKernel) -> Iterator[str]:
    if not kernel.launches:
        yield "none in this file"
    for launch in kernel.launches:
        known = [
            f"{name} {' x '.join(map(str, extents))}"
            for name, extents in (("grid", launch.grid_dim), ("block", launch.block_dim))
            if extents is not None
        ]
        shared = f", {launch.shared} bytes of shared memory" if launch.shared not in ("", "0") else ""
        constants = f"  ({', '.join(known)})" if known else ""
        yield f"line {launch.span.line}: <<<{launch.grid}, {launch.block}>>>{shared}{constants}"


def _resources(kernel: InspectedKernel) -> str:
    bounds = f", launch bounds {', '.join(kernel.launch_bounds)}" if kernel.launch_bounds else ""
    shared = f"{kernel.static_shared_bytes or 0} bytes of static shared memory{bounds}"
    found = kernel.compiled
    if found is None:
        return shared
    spills = f", {found.spills} spilled" if found.spills else ""
    return (
        f"{found.vgprs} VGPRs, {found.sgprs} SGPRs{spills}, {found.lds_bytes} bytes of LDS, "
        f"{found.scratch_bytes} of scratch; {found.waves_per_simd} of {found.max_waves_per_simd} waves "
        f"a SIMD (limited by {found.limited_by}){bounds}"
    )


def _roofline(found: Roofline) -> str:
    flops = sum(found.flops_by_dtype.values())
    side = "below" if found.intensity < found.ridge else "above"
    return (
        f"{found.intensity:.3g} operations a byte, {side} the ridge at {found.ridge:.3g}: at least "
        f"{found.time_us:.3g} us, bound by {found.bound} "
        f"({found.bytes_moved:.4g} bytes, {flops:.4g} operations)"
    )


def _accesses(kernel: InspectedKernel, inspection: Inspection) -> Iterator[str]:
    found = kernel.accesses
    if found is None:
        return
    block = " x ".join(map(str, found.block))
    assumed = " (assumed)" if kernel.block_is_assumed else ""
    if found.global_accesses:
        yield f"  global memory    blocks of {block}{assumed}; %: bytes used of the lines moved"
        yield from (f"    {_global(a, inspection)}" for a in found.global_accesses)
    if found.shared_accesses:
        yield "  shared memory"
        yield from (f"    {_shared(a, inspection)}" for a in found.shared_accesses)
    yield from (f"                   assumed: {a}" for a in found.assumptions)


def _global(access: GlobalAccess, inspection: Inspection) -> str:
    where = inspection.place(access.span)
    written = _short(inspection.written(access.span))
    start = f"{where:<8} {access.operation:<6} {written:<{_TEXT}} {access.bytes_per_lane:>3} B/lane "
    end = f"  aligned to {access.alignment_bytes}"
    end += "  in a loop" if access.in_loop else ""
    match access.coalescing:
        case Unknown(reason):
            return f"{start} unknown: {reason}"
        case Coalescing(pattern, stride, _, _) as found:
            far = bool(access.pitch)
            apart = f"a pitch of {', '.join(access.pitch)}" if far else f"{stride} B" if stride else ""
            kind = f"{pattern.value}{f' ({apart})' if apart else ''}"
            return f"{start} {kind:<28} {100 * found.efficiency:>4.0f} %{end}"


def _shared(access: SharedAccess, inspection: Inspection) -> str:
    where = inspection.place(access.span)
    written = _short(inspection.written(access.span))
    start = f"{where:<8} {access.operation:<6} {written:<{_TEXT}} {access.bytes_per_lane:>3} B/lane "
    match access.conflicts:
        case Unknown(reason):
            return f"{start} unknown: {reason}"
        case BankConflicts(_, degree, _, _):
            return f"{start} {'no bank conflict' if degree == 1 else f'{degree}-way bank conflict'}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TEXT else f"{line[: _TEXT - 3]}..."
