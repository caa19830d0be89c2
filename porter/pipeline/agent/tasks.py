"""What the model is asked: one function a task, each the first message of a conversation."""

from __future__ import annotations

from dataclasses import dataclass

from porter.agent.prompts import render_prompt
from porter.agent.protocols import Message, Request, Role
from porter.agent.quoting import readable
from porter.core.outcome import Target
from porter.core.span import SourceText
from porter.cuda.lower_kernel import LoweredKernel
from porter.cuda.translation_unit import TranslationUnit, read_translation_unit
from porter.hardware.gpu import load_gpu
from porter.hip.own_headers import own_header_names
from porter.pipeline.agent.cheat_sheets import cheat_sheets, sheet_text
from porter.pipeline.agent.excerpt import Excerpt, excerpt
from porter.pipeline.agent.facts import seen_launches
from porter.pipeline.headers import reachable_headers
from porter.pipeline.original import Original
from porter.pipeline.request import PortRequest

_WHOLE_PROGRAM = 60_000
"""Characters of a program that is given whole where the whole of it has to be written."""
_WHOLE_FILE = 2_000
"""Characters of a file from which no parts are picked."""
_MOST_SOURCE = 40_000


@dataclass(frozen=True)
class Task:
    """A unit of work: the HIP port of a file, or one kernel in Triton.

    `kernels` are to be ported. `reasons` are why the deterministic port did not do, and `draft` is its text;
    both are empty where the model is to begin from the source alone.
    """

    request: PortRequest
    unit: TranslationUnit
    lowered: tuple[LoweredKernel, ...]
    original: Original
    kernels: tuple[str, ...]
    reasons: tuple[str, ...] = ()
    draft: str = ""


def port(task: Task) -> Request:
    """Write the port of the kernels: the whole HIP file, or a Triton module of one kernel."""
    return _request(f"port_to_{task.request.target}", task, reasons=task.reasons, draft=task.draft)


def repair_build(task: Task) -> Request:
    """`draft` does not build: `reasons` are the compiler's errors."""
    return _request("repair_build", task, reasons=task.reasons, draft=task.draft)


def repair_numbers(task: Task) -> Request:
    """`draft` builds and gives wrong numbers: `reasons` have the first of them."""
    return _request("repair_numbers", task, reasons=task.reasons, draft=task.draft)


def raise_kernel(task: Task, candidate: str, figures: str) -> Request:
    """A verified literal Triton kernel is to be written in the idioms of tiles."""
    return _request("raise_kernel", task, candidate=candidate, figures=figures)


def tune(task: Task, candidate: str, figures: str) -> Request:
    """A verified candidate is to be made faster; `figures` are its resources, traffic and predicted time."""
    return _request("tune", task, candidate=candidate, figures=figures)


def own_units(task: Task) -> tuple[TranslationUnit, ...]:
    """The file, then the CUDA headers of the user's that it includes."""
    found = reachable_headers(task.unit, task.request.search_path)
    headers = {path: read_translation_unit(SourceText.read(path)) for _, path in found}
    return (task.unit, *headers.values())


def _request(
    template: str, task: Task, *, reasons: tuple[str, ...] = (), draft: str = "", **variables: object
) -> Request:
    request = task.request
    shown = _shown(task, beside_draft=bool(draft))
    text = render_prompt(
        template,
        target=str(request.target),
        language="python" if request.target is Target.TRITON else "cpp",
        arch=request.arch,
        wavefront_size=load_gpu(request.arch).compute.wavefront_size,
        kernels=task.kernels,
        reasons="\n".join(reasons),
        draft=readable(draft.encode()),
        source=shown.text,
        source_is_whole=shown.is_whole,
        launches=seen_launches(task.unit, task.original, task.kernels),
        headers=own_header_names(),
        sheets=tuple(map(sheet_text, cheat_sheets(request.target, request.arch, shown, reasons))),
        **variables,
    )
    return Request(render_prompt("system"), (Message(Role.USER, text),))


def _shown(task: Task, *, beside_draft: bool) -> Excerpt:
    """A HIP draft is the whole program already, and a Triton module needs the kernels only."""
    needed_whole = task.request.target is Target.HIP and not beside_draft
    whole_up_to = _WHOLE_PROGRAM if needed_whole else _WHOLE_FILE
    return excerpt(own_units(task), task.kernels, whole_up_to=whole_up_to, most=_MOST_SOURCE)
