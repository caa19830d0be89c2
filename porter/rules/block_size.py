"""Block sizes that a GPU of AMD cannot run, or wastes lanes on.

What it finds: launches with a constant block of more than 1024 threads, or of a size that is no multiple of
64.

Why it matters: the first do not launch. The second leave part of the last wavefront idle.

What porter does: keeps the launch and reports it.

Example: `k<<<n, 96>>>` runs two wavefronts, the second half empty; 128 threads cost the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

WAVEFRONT_SIZE = 64
MAX_THREADS_PER_BLOCK = 1024


@rule("LCH002", "block-size")
def block_size(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for launch in unit.launches:
        if launch.block_dim is None:
            continue
        x, y, z = launch.block_dim
        threads = x * y * z
        if threads > MAX_THREADS_PER_BLOCK:
            message = f"blocks of {threads} threads are above the limit of {MAX_THREADS_PER_BLOCK}"
            yield Diagnostic("LCH002", Severity.ERROR, message, launch.span, "use smaller blocks")
        elif threads > WAVEFRONT_SIZE and threads % WAVEFRONT_SIZE:
            idle = -threads % WAVEFRONT_SIZE
            message = f"blocks of {threads} threads leave {idle} lanes of the last wavefront idle"
            yield Diagnostic(
                "LCH002", Severity.NOTE, message, launch.span, "use a multiple of 64 where the kernel allows"
            )
