"""A candidate before it is checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from porter.core.diagnostic import Diagnostic
from porter.core.outcome import Producer, Target


@dataclass(frozen=True)
class Draft:
    """The text of a port and what its producer could not do.

    `headers` are ported user headers by the name that `text` includes them under. `declined` says why a
    kernel of the source is not in `text`; `translated` are those that are, whatever defines them (a macro, a
    header). `notes` are a kernel's findings, wherever they stand. `grid_scale` says how many blocks along x a
    kernel has for one of the original's. `by_agent` are kernels that a model wrote in the text of another
    producer. An empty `text` means that nothing could be translated.
    """

    target: Target
    producer: Producer
    text: bytes
    declined: Mapping[str, Diagnostic] = field(default_factory=dict)
    findings: tuple[Diagnostic, ...] = ()
    headers: Mapping[str, bytes] = field(default_factory=dict)
    idioms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: Mapping[str, tuple[Diagnostic, ...]] = field(default_factory=dict)
    grid_scale: Mapping[str, int] = field(default_factory=dict)
    translated: tuple[str, ...] = ()
    by_agent: frozenset[str] = frozenset()

    def producer_of(self, kernel: str) -> Producer:
        """`kernel` may have its namespace before it."""
        return Producer.AGENT if kernel.rpartition("::")[2] in self.by_agent else self.producer
