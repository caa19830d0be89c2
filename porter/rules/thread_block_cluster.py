"""Thread block clusters.

What it finds: `__cluster_dims__` on a kernel.

Why it matters: CDNA has no clusters and no distributed shared memory.

What porter does: refuses the kernel.

Example: exchange through global memory between two launches.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.call_sites import calls
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule


@rule("LCH003", "thread-block-cluster")
def thread_block_cluster(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in calls(unit, frozenset(("__cluster_dims__",))):
        message = "clusters of thread blocks do not exist on CDNA"
        hint = "exchange through global memory, in two launches"
        yield Diagnostic("LCH003", Severity.ERROR, message, call.span(unit), hint)
