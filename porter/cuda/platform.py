"""Which platforms a file was written for: CUDA only, HIP already, or both through its own guards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from porter.cuda.directives import Macro, find_includes
from porter.cuda.tokens import Kind, Token, TokenizedSource


class Platform(Enum):
    CUDA = "cuda"
    HIP = "hip"
    DUAL = "dual"


_GUARDS = re.compile(r"^(USE_ROCM|USE_HIP|ENABLE_HIP|ENABLE_ROCM|WITH_HIP|WITH_ROCM|GGML_USE_HIP|GPU_AMD)$")
_HIP_GUARDS = re.compile(
    r"^(__HIP__|__HIPCC__|__HIP_PLATFORM_\w+__|__HIP_DEVICE_COMPILE__|__HCC__|__HIP_ARCH_\w+)$"
)
_HIP_NAME = re.compile(r"^hip[A-Z]\w*$")
_CUDA_NAME = re.compile(r"^(cuda|cublas|cufft|curand|cusparse|cusolver|cudnn|nccl)[A-Z]\w*$")


def platform_of(tokenized: TokenizedSource, macros: tuple[Macro, ...]) -> Platform:
    """DUAL: chooses between CUDA and HIP by guards, or renames one to the other; HIP: uses no CUDA."""
    guarded = _has_platform_guard(tokenized)
    renames = any(_renames(macro) for macro in macros)
    uses_hip = _uses_hip(tokenized)
    uses_cuda = _uses_cuda(tokenized)
    targets = [i.target for i in find_includes(tokenized)]
    if (guarded and uses_hip) or renames or (guarded and uses_cuda and _has_rocm_guard(tokenized)):
        return Platform.DUAL
    includes_hip = any(t.startswith("hip/") for t in targets)
    includes_cuda = any(t in ("cuda_runtime.h", "cuda.h", "cuda_runtime_api.h") for t in targets)
    # A port that still holds unported names is HIP: translating it again must not touch it.
    if (includes_hip and not includes_cuda) or (uses_hip and not uses_cuda):
        return Platform.HIP
    return Platform.CUDA


def _condition_words(tokenized: TokenizedSource) -> set[str]:
    conditions = (d for d in tokenized.directives if d.name in ("if", "ifdef", "ifndef", "elif"))
    return {t.text for d in conditions for t in d.tokens[2:]}


def _has_platform_guard(tokenized: TokenizedSource) -> bool:
    return any(_GUARDS.match(w) or _HIP_GUARDS.match(w) for w in _condition_words(tokenized))


def _has_rocm_guard(tokenized: TokenizedSource) -> bool:
    return any(_GUARDS.match(w) or w.startswith("__HIP_PLATFORM") for w in _condition_words(tokenized))


def _renames(macro: Macro) -> bool:
    """`#define cudaMalloc hipMalloc`, in either direction."""
    if len(macro.tokens) == 0:
        return False
    body = macro.tokens[0].text
    forwards = _CUDA_NAME.match(macro.name) and _HIP_NAME.match(body)
    return bool(forwards or (_HIP_NAME.match(macro.name) and _CUDA_NAME.match(body)))


def _uses_hip(tokenized: TokenizedSource) -> bool:
    includes = any(i.target.startswith(("hip/", "hipcub/", "rocprim/")) for i in find_includes(tokenized))
    return includes or any(_HIP_NAME.match(word) for word in tokenized.names)


def cuda_names(tokenized: TokenizedSource) -> Iterator[Token]:
    """The names of CUDA's libraries in the text, one after the other."""
    return (t for t in tokenized.tokens if t.kind is Kind.IDENTIFIER and _CUDA_NAME.match(t.text))


def _uses_cuda(tokenized: TokenizedSource) -> bool:
    includes = any(
        re.match(r"cuda|cublas|cub/|cooperative_groups\.h", i.target) for i in find_includes(tokenized)
    )
    return includes or any(_CUDA_NAME.match(word) for word in tokenized.names)
