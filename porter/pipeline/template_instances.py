"""Instances of kernel templates: as a launch of the program says, or else for usual arguments.

An instance is written in full, so that the file of the templates can instantiate it explicitly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from porter.cuda.launch import LaunchSite
from porter.cuda.structure import Function, TemplateParameter

_TYPE = re.compile(r"(typename|class)\b(?!.*\.\.\.)")
_LITERAL = re.compile(r"-?\d+|true|false|(unsigned )?(float|double|int|char|short|long|half|__half)")
_WHOLE_NUMBER = re.compile(r"(const )?(unsigned|int|size_t|u?int\d+_t|long|short|unsigned int|long long)")
_THREADS = re.compile(r"block|thread|size", re.IGNORECASE)
"""Names of parameters that count the threads of a block, or what they share out."""
_USUAL_THREADS, _USUAL_NUMBER = "256", "4"


@dataclass(frozen=True)
class Instance:
    """Of the kernel template `kernel`: `name` is `ns::k<float>`, `parameters` are `const float* x`."""

    kernel: str
    name: str
    parameters: str

    @property
    def declaration(self) -> str:
        return f"template __global__ void {self.name}({self.parameters});"


def template_instances(kernels: tuple[Function, ...], launches: tuple[LaunchSite, ...]) -> Iterator[Instance]:
    """One instance of each template of `kernels`, unless a parameter of it is no type and no number."""
    for kernel in kernels:
        # Nothing outside of an anonymous namespace can name what is in it.
        if not kernel.template_parameters or "(anonymous" in kernel.scope:
            continue
        given = next((x.template_arguments for x in launches if x.kernel == kernel.name), ())
        arguments = _arguments(kernel, given)
        if arguments is not None:
            yield _instance(kernel, arguments)


def _arguments(kernel: Function, given: tuple[str, ...]) -> tuple[str, ...] | None:
    """None where a parameter is no type and no number."""
    found: list[str] = []
    for position, parameter in enumerate(kernel.template_parameters):
        written = given[position] if position < len(given) else ""
        argument = written if _LITERAL.fullmatch(written) else _usual(parameter)
        if argument is None:
            return None
        found.append(argument)
    return tuple(found)


def _usual(parameter: TemplateParameter) -> str | None:
    if parameter.default and _LITERAL.fullmatch(parameter.default):
        return parameter.default
    if _TYPE.match(parameter.kind):
        return "float"
    if parameter.kind == "bool":
        return "true"
    if _WHOLE_NUMBER.fullmatch(parameter.kind):
        return _USUAL_THREADS if _THREADS.search(parameter.name) else _USUAL_NUMBER
    return None


def _instance(kernel: Function, arguments: tuple[str, ...]) -> Instance:
    written = kernel.instantiated(", ".join(p.text for p in kernel.parameters), arguments)
    name = f"{kernel.scope}::{kernel.name}" if kernel.scope else kernel.name
    return Instance(kernel.name, f"{name}<{', '.join(arguments)}>", " ".join(written.split()))
