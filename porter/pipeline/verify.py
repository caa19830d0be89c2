"""Step 5 of the ladder: the harness compares the port's numbers with the original's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from porter.core.outcome import Target
from porter.harness.isa_cases import IsaRequest
from porter.harness.isa_verify import execute_isa
from porter.harness.judge import Judged
from porter.harness.verdict import Verification
from porter.harness.verify import verify_hip, verify_triton
from porter.pipeline.draft import Draft
from porter.pipeline.original import NotRun, Original, verify_options
from porter.pipeline.request import PortRequest


def verify(request: PortRequest, draft: Draft, port: Path, original: Original) -> Verification | NotRun:
    """Never raises for what the port does."""
    judgement = original.judgement
    if isinstance(judgement, NotRun):
        return judgement
    target = draft.target
    verify_target = verify_hip if target is Target.HIP else verify_triton
    options = replace(verify_options(request), grid_scale=draft.grid_scale)
    verification = verify_target(request.source, port, options, judgement)
    if not request.on_isa or not isinstance(judgement, Judged):
        return verification
    return execute_isa(
        verification, judgement, IsaRequest(request.source, port, target, request.arch), options
    )
