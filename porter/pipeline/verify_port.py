"""The ladder without a producer: a port that exists is built, verified and reported like any other."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from porter.core.outcome import Producer
from porter.core.result import Report, UnitResult
from porter.cuda.input import check_input
from porter.pipeline.check import check_file
from porter.pipeline.decide import decide_rows
from porter.pipeline.draft import Draft
from porter.pipeline.launches import judged_program
from porter.pipeline.parameter_names import case_by_position, with_parameter_names
from porter.pipeline.port import PortResult
from porter.pipeline.read import kernel_names, lower, read
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory
from porter.report.json_report import format_json


def verify_port(request: PortRequest, port: Path, run: RunDirectory) -> PortResult:
    """Raises PorterError for an original or a port that cannot be read."""
    unit = read(request)
    if request.case:
        case = case_by_position(request.case, request.kernels, unit)
        request = replace(request, case=case)
    text = check_input(port)
    folder = run.unit(str(port))
    folder.write("00-source.cu", unit.source.data)
    program = judged_program(request, unit, partial(lower, request, unit), folder)
    request, unit, original = program.request, program.unit, program.original
    draft = Draft(request.target, Producer.HAND, text.data)
    checked = check_file(request, unit, draft, port, original, folder)
    units = tuple(
        UnitResult(str(request.source), with_parameter_names(outcome, unit))
        for name in kernel_names(request, unit)
        for outcome in decide_rows(name, checked, ())
    )
    report = Report(request.target, request.arch, units, program.told, run_directory=str(run.path))
    folder.finish(format_json(report))
    return PortResult(report, draft, {unit.source.path: unit.source, text.path: text})
