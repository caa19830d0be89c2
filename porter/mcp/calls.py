"""What the tools do: the functions of the command line, with documents for results.

They run in the server's folder, in a process of their own; paths are relative to the folder and checked.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from porter.core.check_report import FailOn
from porter.core.errors import InputError
from porter.core.outcome import Target
from porter.migrate.check.configuration import read_check_config
from porter.migrate.check.request import CheckRequest, Selection
from porter.migrate.check.run import run_check
from porter.migrate.discovery import find_tree
from porter.migrate.pages import meanings, pages
from porter.pipeline.code_pages import page_text
from porter.pipeline.inspect import InspectRequest
from porter.pipeline.inspect import inspect as inspect_file
from porter.pipeline.port import port
from porter.pipeline.port_kind import port_target
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory
from porter.pipeline.select_port import select_port
from porter.pipeline.verify_port import verify_port
from porter.report.check.json import format_json as format_check
from porter.report.inspect_json import format_inspection
from porter.report.json_report import finding_document, to_document

Document = dict[str, Any]


def _named(request: PortRequest) -> dict[str, str]:
    """What the record of a run says of it."""
    return {"subject": str(request.source), "target": str(request.target)}


def translate(request: PortRequest, output: Path | None, overwrite: bool) -> Document:
    """Ports a file; the text is in the answer, and in `output` where one is given and no kernel failed."""
    if output is not None and output.exists() and not overwrite:
        raise InputError(f"{output} exists", hint="overwrite=true writes over it")
    run = RunDirectory.create(Path(".porter"), "translate", os.fsencode(request.source), **_named(request))
    result = port(request, run)
    statuses = {unit.status for unit in result.report.units}
    write = output is not None and bool(result.draft.text) and "failed" not in statuses
    if output is not None and write:
        for name, data in {output.name: result.draft.text, **result.draft.headers}.items():
            path = output.parent / Path(name).name
            if path != output and path.exists() and not overwrite:
                raise InputError(f"{path} exists", hint="overwrite=true writes over it")
            path.write_bytes(data)
    return {
        **to_document(result.report),
        "exit_code": int(result.report.exit_code),
        "port": result.draft.text.decode("latin-1"),
        "headers": {name: data.decode("latin-1") for name, data in result.draft.headers.items()},
        "written": str(output) if write else None,
    }


def verify(request: PortRequest, port_file: Path) -> Document:
    """Compares a port with its original."""
    run = RunDirectory.create(Path(".porter"), "verify", os.fsencode(port_file), **_named(request))
    report = verify_port(request, port_file, run).report
    return {**to_document(report), "exit_code": int(report.exit_code)}


def explain(code: str) -> Document:
    """A finding's code, or all codes."""
    if not code:
        return {"codes": meanings()}
    page = pages().get(code.upper())
    if page is None:
        raise InputError(f"no finding has the code {code[:40]}", hint="without a code all are listed")
    return {"code": page.code, "name": page.name, "text": page_text(page), "fixable": page.fixable}


def inspect(request: InspectRequest) -> Document:
    """What each kernel of a file does to memory, lanes and registers."""
    found = inspect_file(request)
    return {**json.loads(format_inspection(found)), "exit_code": int(found.exit_code)}


def check(paths: tuple[Path, ...], target: Target, arch: str) -> Document:
    """What in files and folders will not carry over; nothing is built or run."""
    chosen = paths or (Path(),)
    tree = find_tree(chosen)
    config = read_check_config(tree.root)
    request = CheckRequest(
        paths=chosen,
        target=target,
        arch=arch,
        base="",
        fail_on=FailOn.WARNING,
        selection=Selection((), ()),
        baseline=None,
        jobs=1,
        verify=False,
        force_exclude=False,
    )
    report = run_check(request, tree, config)
    return {**json.loads(format_check(report)), "exit_code": int(report.exit_code)}


def select(request: PortRequest, ports: tuple[Path, ...]) -> Document:
    """The fastest of the ports that verify, by the predicted time, and why."""
    targets = {port_target(request.source, file) for file in ports}
    if len(targets) != 1:
        raise InputError("ports of one kind are expected: all HIP, or all Triton")
    run = RunDirectory.create(Path(".porter"), "select", os.fsencode(request.source), **_named(request))
    found = select_port(request, ports, run)
    return {
        "selected": str(found.selected) if found.selected else None,
        "why": found.why,
        "ports": [
            {
                "port": str(rated.port),
                "verified": rated.verified,
                "busy_us": rated.busy_us,
                "kernels": {o.kernel: rated.status(o) for o in rated.outcomes},
                "findings": [finding_document(f) for o in rated.outcomes for f in o.findings],
            }
            for rated in found.ports
        ],
    }
