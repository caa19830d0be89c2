"""The inspection as one JSON document, format `porter-inspect-1`; its schema is docs/inspect.schema.json."""

from __future__ import annotations

import json
import math
from typing import Any

from porter import __version__
from porter.analysis.lane_values import Unknown
from porter.analysis.memory_access import (
    BankConflicts,
    Coalescing,
    GlobalAccess,
    KernelAccesses,
    SharedAccess,
)
from porter.core.span import Span
from porter.report.inspection import CompiledFor, InspectedKernel, Inspection, LaunchText, Roofline
from porter.report.json_report import finding_document

FORMAT = "porter-inspect-1"


def format_inspection(inspection: Inspection) -> str:
    return json.dumps(_document(inspection), indent=2, allow_nan=False)


def _document(inspection: Inspection) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "porter": __version__,
        "source": inspection.source.path,
        "gpu": {
            "name": inspection.gpu,
            "product": inspection.product,
            "wavefront_size": inspection.wavefront_size,
            "lds_banks": inspection.lds_banks,
        },
        "not_compiled": inspection.not_compiled,
        "kernels": [_kernel(k, inspection) for k in inspection.kernels],
        "findings": [finding_document(f) for f in inspection.findings],
    }


def _kernel(kernel: InspectedKernel, inspection: Inspection) -> dict[str, Any]:
    return {
        "name": kernel.name,
        **_place(kernel.span),
        "parameters": list(kernel.parameters),
        "instantiations": list(kernel.instantiations),
        "launch_bounds": list(kernel.launch_bounds),
        "static_shared_bytes": kernel.static_shared_bytes,
        "launches": [_launch(x) for x in kernel.launches],
        "compiled": _compiled(kernel.compiled) if kernel.compiled else None,
        "roofline": _roofline(kernel.roofline) if kernel.roofline else None,
        "accesses": _accesses(kernel.accesses, kernel, inspection) if kernel.accesses else None,
        "warp_assumptions": [
            {"kind": a.kind.value, "text": a.text, **_place(a.span)} for a in kernel.warp_assumptions
        ],
        "wastes": [finding_document(f) for f in kernel.wastes],
        "unread": finding_document(kernel.unread) if kernel.unread else None,
    }


def _place(span: Span) -> dict[str, Any]:
    return {"path": span.path, "line": span.line, "column": span.column}


def _launch(launch: LaunchText) -> dict[str, Any]:
    return {
        **_place(launch.span),
        "grid": launch.grid,
        "block": launch.block,
        "shared": launch.shared,
        "grid_dim": list(launch.grid_dim) if launch.grid_dim else None,
        "block_dim": list(launch.block_dim) if launch.block_dim else None,
    }


def _compiled(found: CompiledFor) -> dict[str, Any]:
    return {
        "vgprs": found.vgprs,
        "sgprs": found.sgprs,
        "lds_bytes": found.lds_bytes,
        "scratch_bytes": found.scratch_bytes,
        "spills": found.spills,
        "waves_per_simd": found.waves_per_simd,
        "max_waves_per_simd": found.max_waves_per_simd,
        "limited_by": found.limited_by,
    }


def _roofline(found: Roofline) -> dict[str, Any]:
    return {
        "bytes_moved": found.bytes_moved,
        "flops_by_dtype": dict(found.flops_by_dtype),
        "intensity": found.intensity if math.isfinite(found.intensity) else None,
        "ridge": found.ridge,
        "time_us": found.time_us,
        "bound": found.bound,
        "assumptions": list(found.assumptions),
    }


def _accesses(found: KernelAccesses, kernel: InspectedKernel, inspection: Inspection) -> dict[str, Any]:
    return {
        "block": list(found.block),
        "block_is_assumed": kernel.block_is_assumed,
        "global": [_global(a, inspection) for a in found.global_accesses],
        "shared": [_shared(a, inspection) for a in found.shared_accesses],
        "assumptions": list(found.assumptions),
    }


def _global(access: GlobalAccess, inspection: Inspection) -> dict[str, Any]:
    document: dict[str, Any] = {
        **_place(access.span),
        "operation": access.operation,
        "buffer": access.buffer,
        "text": inspection.written(access.span),
        "bytes_per_lane": access.bytes_per_lane,
        "alignment_bytes": access.alignment_bytes,
        "in_loop": access.in_loop,
        "conditional": access.conditional,
        "pitch": list(access.pitch),
    }
    match access.coalescing:
        case Unknown(reason):
            return document | {"unknown": reason}
        case Coalescing(pattern, stride, useful, moved) as found:
            return document | {
                "pattern": pattern.value,
                "stride_bytes": None if access.pitch else stride,
                "useful_bytes": useful,
                "moved_bytes": moved,
                "efficiency": found.efficiency,
            }


def _shared(access: SharedAccess, inspection: Inspection) -> dict[str, Any]:
    document: dict[str, Any] = {
        **_place(access.span),
        "operation": access.operation,
        "array": access.array,
        "text": inspection.written(access.span),
        "bytes_per_lane": access.bytes_per_lane,
        "in_loop": access.in_loop,
    }
    match access.conflicts:
        case Unknown(reason):
            return document | {"unknown": reason}
        case BankConflicts(banks, degree, passes, least):
            return document | {
                "banks": banks,
                "conflict_degree": degree,
                "passes": passes,
                "least_passes": least,
            }
