"""CUDA headers become HIP's; a file that relied on nvcc's implicit header gets an explicit one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic
from porter.core.edit import Edit
from porter.cuda.call_sites import calls
from porter.cuda.directives import Include
from porter.cuda.structure import conditional_branches
from porter.cuda.tokens import Kind, matching
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.name_table import load_tables
from porter.hip.own_headers import BY_REWRITING, own_header
from porter.hip.step import Step, error, insert

RUNTIME_HEADER = "hip/hip_runtime.h"
HEADER_WITHOUT_EQUIVALENT = "LIB001"
_REFUSED = {
    "cudnn_frontend": "cuDNN's graphs have no counterpart in MIOpen: use its classic functions, or hipDNN",
    "nvml": "use AMD SMI (amd_smi/amdsmi.h), whose calls differ",
    "mma.h": "use rocWMMA: the fragments have another layout and 64 lanes",
    "cuda/": "libcu++ is not part of ROCm: use HIP atomics and barriers",
    "cutlass/": "use Composable Kernel or hipBLASLt",
    "cute/": "use Composable Kernel",
    "cuda_pipeline": "copy through registers and synchronise the block",
    "cupti": "use rocprofiler-sdk",
    "cublasXt": "hipBLAS has no multi-GPU interface",
    "nppi": "use RPP or MIVisionX",
    "npp": "use RPP or MIVisionX",
    "nvjpeg": "use rocJPEG",
    "cuda_d3d": "Direct3D interoperation does not exist in HIP on Linux",
    "cudaGL.h": "use hip/hip_gl_interop.h",
    "cudaEGL.h": "EGL interoperation does not exist in HIP",
}


def rewrite_includes(unit: TranslationUnit, *, with_headers: bool) -> Step:
    """Edits of the include lines, and findings at headers that have no counterpart.

    `with_headers` says that headers of porter's may stand for those that ROCm lacks.
    """
    edits: list[Edit] = []
    findings: list[Diagnostic] = []
    written: dict[str, int] = {}
    for include in unit.includes:
        own = own_header(include.target) if with_headers else None
        target = own or hip_header(include.target)
        if target is None:
            findings.extend(_refused(include))
        elif target == "" or _is_repeated(unit, written, target, include):
            edits.append(_drop_line(unit, include))
        else:
            written.setdefault(target, include.span.start)
            if target != include.target:
                text = (f'"{own}"' if own else f"<{target}>").encode("latin-1")
                edits.append(Edit(include.span.start, include.span.end, text, f"{include.target} in HIP"))
    return Step(tuple(edits), tuple(findings))


def hip_header(target: str) -> str | None:
    """The HIP header for an include's target, "" for none needed, None when the include stays as it is."""
    headers = load_tables().headers
    if target in headers:
        return headers[target]
    if re.match(r"cub/\w[\w/]*\.cuh$", target):
        return "hipcub/hipcub.hpp"
    if target.startswith("thrust/system/cuda/"):
        return target.replace("thrust/system/cuda/", "thrust/system/hip/")
    return None


def _refused(include: Include) -> Iterator[Diagnostic]:
    for prefix, way_out in _REFUSED.items():
        if include.target.startswith(prefix):
            message = f"{include.target} has no drop-in counterpart in ROCm"
            hint = BY_REWRITING if own_header(include.target) else way_out
            yield error(HEADER_WITHOUT_EQUIVALENT, message, include.span, hint)
            return


def _is_repeated(unit: TranslationUnit, written: dict[str, int], target: str, include: Include) -> bool:
    """Whether the same HIP header was included before, in the same branch of the conditionals."""
    before = written.get(target)
    if before is None or target == include.target:
        return False
    branches = [b for group in conditional_branches(unit.tokenized.directives) for b in group]
    return all(not start <= before < end or start <= include.span.start < end for start, end in branches)


def _drop_line(unit: TranslationUnit, include: Include) -> Edit:
    text = unit.source.text
    start = text.rfind("\n", 0, include.span.start) + 1
    end = text.find("\n", include.span.end)
    rest = text[include.span.end : end if end >= 0 else len(text)].strip()
    if rest:  # a comment stands behind it: keep the line, without the directive
        return Edit(start, include.span.end, b"", f"HIP needs no {include.target}")
    return Edit(start, end + 1 if end >= 0 else len(text), b"", f"HIP needs no {include.target}")


def runtime_header_edit(unit: TranslationUnit) -> Edit | None:
    """Inserts the runtime header when no include of the file becomes it, or only one behind its own headers.

    nvcc includes CUDA's before the first line, and what a header of the user's may build on that.
    """
    runtime = next((i for i in unit.includes if RUNTIME_HEADER in (hip_header(i.target), i.target)), None)
    if runtime is not None and not _follows_own_header(unit, runtime):
        return None
    return insert(
        prologue_end(unit), f"#include <{RUNTIME_HEADER}>{newline(unit)}", "nvcc includes it implicitly"
    )


def _follows_own_header(unit: TranslationUnit, runtime: Include) -> bool:
    """Whether a CUDA source includes a header of its own between its first line and `runtime`."""
    start = prologue_end(unit)
    return unit.source.path.endswith(".cu") and any(
        not i.is_system and start <= i.span.start < runtime.span.start and hip_header(i.target) is None
        for i in unit.includes
    )


_BF16_HEADER, _FP16_HEADER = "hip/hip_bf16.h", "hip/hip_fp16.h"
_BF16_TYPES = frozenset(("__nv_bfloat16", "nv_bfloat16", "__nv_bfloat162"))
_FP16_TYPES = frozenset(("__half", "half", "__half2", "half2"))


def implicit_headers(unit: TranslationUnit) -> str:
    """Lines for headers that CUDA's headers bring along and HIP's do not: the bfloat16 types, the half types
    that cuda_bf16.h has too, `assert`."""
    has_bf16, has_fp16 = (any(kind in i.target for i in unit.includes) for kind in ("bf16", "fp16"))
    wanted = [_BF16_HEADER] if _names_any(unit, _BF16_TYPES) and not has_bf16 else []
    if has_bf16 and not has_fp16 and _names_any(unit, _FP16_TYPES):
        wanted.append(_FP16_HEADER)
    if _asserts(unit) and not any(i.target in ("assert.h", "cassert") for i in unit.includes):
        wanted.append("assert.h")
    return "".join(f"#include <{header}>{newline(unit)}" for header in wanted)


def _names_any(unit: TranslationUnit, names: frozenset[str]) -> bool:
    return any(token.text in names for token in unit.references)


def _asserts(unit: TranslationUnit) -> bool:
    """Whether device code of a CUDA source asserts: nvcc's own headers declare that."""
    return unit.source.path.endswith((".cu", ".cuh")) and any(
        function is not None and function.kind.on_device
        for function in (unit.function_at(call.name.start) for call in calls(unit, frozenset(("assert",))))
    )


def shim_offset(unit: TranslationUnit) -> int:
    """Where inline definitions go: behind the line that includes the runtime header."""
    for include in unit.includes:
        if hip_header(include.target) == RUNTIME_HEADER or include.target == RUNTIME_HEADER:
            end = unit.source.text.find("\n", include.span.end)
            return end + 1 if end >= 0 else len(unit.source.data)
    return prologue_end(unit)


def prologue_end(unit: TranslationUnit) -> int:
    """Before the first include outside conditionals, else behind the leading comments and guards."""
    branches = [b for group in conditional_branches(unit.tokenized.directives) for b in group]
    guarded = _include_guard(unit)
    for include in unit.includes:
        at = _outside_linkage(unit, include.span.start)
        inside = [b for b in branches if b[0] <= at < b[1] and b != guarded]
        if not inside:
            return unit.source.text.rfind("\n", 0, at) + 1
    return _behind_leading_comments(unit, guarded)


def c_linkage(unit: TranslationUnit) -> Iterator[tuple[int, int]]:
    """Where each `extern "C" { … }` starts and ends."""
    if '"C"' not in unit.words:
        return
    tokens = unit.tokenized.code
    for i in range(len(tokens) - 2):
        if [t.text for t in tokens[i : i + 3]] == ["extern", '"C"', "{"]:
            close = matching(tokens, i + 2)
            yield tokens[i].start, tokens[close].start if close is not None else len(unit.source.data)


def _outside_linkage(unit: TranslationUnit, offset: int) -> int:
    """`offset`, or what stands before the `extern "C" {` around it and the `#ifdef` around that."""
    region = next((r for r in c_linkage(unit) if r[0] < offset < r[1]), None)
    if region is None:
        return offset
    before = [d for d in unit.tokenized.directives if d.start < region[0]]
    return before[-1].start if before and before[-1].name in ("if", "ifdef") else region[0]


def _include_guard(unit: TranslationUnit) -> tuple[int, int] | None:
    """The range of `#ifndef X / #define X … #endif` around a whole header."""
    directives = unit.tokenized.directives
    if len(directives) < 3 or directives[0].name != "ifndef" or directives[1].name != "define":
        return None
    groups = conditional_branches(directives)
    outer = [g for g in groups if g[0][0] == directives[0].end and len(g) == 1]
    return outer[0][0] if outer else None


def _behind_leading_comments(unit: TranslationUnit, guarded: tuple[int, int] | None) -> int:
    text = unit.source.text
    if guarded is not None:
        start = unit.tokenized.directives[1].end
    else:
        pragma = next((d for d in unit.tokenized.directives if d.name == "pragma"), None)
        once = pragma is not None and pragma.tokens[-1].text == "once"
        first = unit.tokenized.code[0].start if unit.tokenized.code else len(text)
        start = pragma.end if once and pragma is not None and pragma.start < first else 0
    if start == 0:
        bom = 3 if text.startswith("\xef\xbb\xbf") else 0
        leading = next((t for t in unit.tokenized.tokens if t.kind is not Kind.COMMENT), None)
        return max(bom, text.rfind("\n", 0, leading.start) + 1) if leading is not None else bom
    end = text.find("\n", start)
    return end + 1 if end >= 0 else len(text)


def newline(unit: TranslationUnit) -> str:
    """The file's own line ending."""
    return "\r\n" if b"\r\n" in unit.source.data else "\n"
