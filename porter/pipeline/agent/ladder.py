"""What the deterministic steps have found out about a file, before the model is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from porter.core.outcome import Outcome, Ported, Target
from porter.cuda.lower_kernel import LoweredKernel
from porter.cuda.translation_unit import TranslationUnit
from porter.harness.judge import Judged
from porter.harness.launches import base_name
from porter.pipeline.decide import Checked, decide_rows
from porter.pipeline.original import Original
from porter.pipeline.read import reported_kernels
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import UnitDirectory

_HANDLE = re.compile(r"\bcuda(?:Texture|Surface)Object_t\b")


@dataclass(frozen=True)
class Ladder:
    """A file with its deterministic port, as it was checked. `folder` gets what the model's part makes."""

    request: PortRequest
    unit: TranslationUnit
    lowered: tuple[LoweredKernel, ...]
    original: Original
    checked: Checked
    folder: UnitDirectory

    @property
    def kernels(self) -> tuple[str, ...]:
        """Those of which a port can be verified: the original launches them and is fit to judge by, and a
        launcher can be given what they take."""
        judged = self.original.judgement
        if not isinstance(judged, Judged):
            return ()
        with_cases = {base_name(k.name) for k in judged.kernels if k.cases}
        names = reported_kernels(self.request, self.unit, self.lowered)
        return tuple(name for name in names if name in with_cases and not self.handles(name))

    def handles(self, kernel: str) -> tuple[str, ...]:
        """Parameters that are textures or surfaces, for Triton: a launcher gets memory and numbers, and a
        handle of the host is neither."""
        if self.request.target is not Target.TRITON:
            return ()
        written = (k for k in self.unit.all_kernels if k.name == kernel)
        return tuple(p.name for k in written for p in k.parameters if _HANDLE.search(p.type_text))

    def outcomes(self, kernels: tuple[str, ...]) -> tuple[Outcome, ...]:
        """Of the deterministic port."""
        return tuple(o for kernel in kernels for o in decide_rows(kernel, self.checked, ()))

    def is_ported(self, kernels: tuple[str, ...]) -> bool:
        return all(isinstance(o, Ported) for o in self.outcomes(kernels))

    def only(self, kernel: str) -> Ladder:
        """The same file with one kernel asked for and judged."""
        judged = self.original.judgement
        if isinstance(judged, Judged):
            of_kernel = tuple(k for k in judged.kernels if base_name(k.name) == kernel)
            judged = replace(judged, kernels=of_kernel)
        request = replace(self.request, kernels=(kernel,))
        return replace(self, request=request, original=Original(judged))
