"""CUDA's device libraries that ROCm lacks, as headers of porter's that stand beside the port.

`<cuda/barrier>` becomes `"porter_barrier.h"`, which is written with the port, and so are the headers that it
includes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from porter.core.edit import Edit

_DIRECTORY = Path(__file__).parent / "headers"
_BY_CUDA_HEADER: Mapping[str, str] = {
    "cuda/atomic": "porter_atomic.h",
    "cuda/std/atomic": "porter_atomic.h",
    "cuda/barrier": "porter_barrier.h",
    "cuda/std/barrier": "porter_barrier.h",
    "cuda/pipeline": "porter_pipeline.h",
    "cuda_pipeline.h": "porter_copy.h",
    "cuda_pipeline_primitives.h": "porter_copy.h",
    "cooperative_groups/memcpy_async.h": "porter_copy.h",
    "mma.h": "porter_wmma.h",
    "crt/mma.h": "porter_wmma.h",
}
BY_REWRITING = "--style rewrite ports it, with a header of porter's beside the port"
_INCLUDED = re.compile(r'^#include "(porter_\w+\.h)"$', re.MULTILINE)


def own_header(target: str) -> str | None:
    """The header of porter's that stands for the CUDA header `target`."""
    return _BY_CUDA_HEADER.get(target)


@cache
def own_header_names() -> tuple[str, ...]:
    """Every header of porter's that a port may include."""
    return tuple(sorted(path.name for path in _DIRECTORY.glob("*.h")))


def included_headers(text: str) -> dict[str, bytes]:
    """The headers of porter's that a file includes, and those that they include, by name."""
    return headers_written((), set(_INCLUDED.findall(text)) & set(own_header_names()))


def headers_written(edits: Iterable[Edit], others: Iterable[str] = ()) -> dict[str, bytes]:
    """The headers that the edited text includes, `others`, and those that they include, by name."""
    names = set(others)
    names |= {
        e.replacement.decode("latin-1").strip('"') for e in edits if e.replacement.startswith(b'"porter_')
    }
    return {name: own_header_text(name) for name in sorted(_with_their_includes(names))}


@cache
def own_header_text(name: str) -> bytes:
    """The text of one of porter's headers."""
    return (_DIRECTORY / name).read_bytes()


def _with_their_includes(names: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    pending = sorted(names)
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            yield name
            pending.extend(_INCLUDED.findall(own_header_text(name).decode("ascii")))
