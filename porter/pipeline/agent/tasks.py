"""What the model is asked: one function a task, each the first message of a conversation."""

from __future__ import annotations

from dataclasses import dataclass

from porter.agent.prompts import render_prompt
from porter.agent.protocols import Message, Request, Role
from porter.core.outcome import Target
from porter.cuda.lower_kernel import LoweredKernel
from porter.cuda.translation_unit import TranslationUnit
from porter.hardware.gpu import load_gpu
from porter.pipeline.original import Original
from porter.pipeline.request import PortRequest


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


def _request(template: str, task: Task, **variables: object) -> Request:
    text = render_prompt(
        template,
        target=str(task.request.target),
        language="python" if task.request.target is Target.TRITON else "cpp",
        arch=task.request.arch,
        wavefront_size=load_gpu(task.request.arch).compute.wavefront_size,
        kernels=task.kernels,
        source=task.unit.source.text,
        **variables,
    )
    return Request(render_prompt("system"), (Message(Role.USER, text),))
