"""What porter knows of the kernels without a model: their launches, memory accesses, lanes and barriers."""

from __future__ import annotations

from collections.abc import Iterator

from porter.analysis.walk import walk
from porter.core.errors import PorterError
from porter.cuda import kir
from porter.cuda.lower_kernel import Lowered, LoweredKernel
from porter.cuda.structure import Parameter
from porter.cuda.translation_unit import TranslationUnit
from porter.harness.capture import Argument, Launch, PointerArgument, ScalarArgument
from porter.harness.launches import base_name
from porter.pipeline.inspect import InspectRequest, inspect
from porter.pipeline.original import Original
from porter.pipeline.request import PortRequest
from porter.report.inspect_text import inspection_lines

_MOST_LAUNCHES = 4


def seen_launches(unit: TranslationUnit, original: Original, kernels: tuple[str, ...]) -> tuple[str, ...]:
    """A line for each of the first launches of each kernel that differ: `k<<<(3, 1, 1), (64, 1, 1)>>>(…)`."""
    lines: dict[str, None] = {}
    for name in kernels:
        found = dict.fromkeys(_launch_line(unit, original, x) for x in original.launches(name))
        lines.update(dict.fromkeys(list(found)[:_MOST_LAUNCHES]))
    return tuple(lines)


def facts(
    request: PortRequest, unit: TranslationUnit, lowered: tuple[LoweredKernel, ...], original: Original
) -> str:
    """What `porter inspect` says without a compiler, the launches of the run, and the barriers."""
    names = request.kernels or tuple(k.name for k in unit.all_kernels)
    return "\n".join(
        (
            *_inspected(request),
            *(f"barrier: {line}" for line in _barriers(lowered)),
            *(f"launched: {line}" for line in seen_launches(unit, original, names)),
        )
    ).strip("\n")


def _inspected(request: PortRequest) -> Iterator[str]:
    asked = InspectRequest(
        source=request.source,
        gpu=request.arch,
        kernels=request.kernels,
        include_dirs=request.include_dirs,
        defines=request.defines,
        compile=False,
    )
    try:
        lines = tuple(inspection_lines(inspect(asked)))
    except PorterError as error:
        yield f"the source could not be inspected: {error}"
        return
    yield from (line for line in lines[1:] if not line.startswith("registers and LDS"))


def _barriers(lowered: tuple[LoweredKernel, ...]) -> Iterator[str]:
    for item in lowered:
        if isinstance(item, Lowered):
            for statement in walk(item.kernel.body):
                if isinstance(statement, kir.Barrier):
                    yield f"{item.kernel.name}, line {statement.span.line}"


def _launch_line(unit: TranslationUnit, original: Original, launch: Launch) -> str:
    kernel = next((k for k in unit.all_kernels if k.name == base_name(launch.kernel)), None)
    parameters = kernel.parameters if kernel else ()
    shown = ", ".join(
        _argument_text(parameters[i], argument, original)
        for i, argument in enumerate(launch.arguments)
        if i < len(parameters)
    )
    shared = f", {launch.shared_bytes} bytes shared" if launch.shared_bytes else ""
    return f"{launch.kernel}<<<{launch.grid}, {launch.block}{shared}>>>({shown})"


def _argument_text(parameter: Parameter, argument: Argument, original: Original) -> str:
    name = parameter.name
    if "Object_t" in parameter.type_text:
        return f"{name}: an object of the host"  # its number is another one in each run
    if isinstance(argument, ScalarArgument):
        return f"{name} = {argument.value()}"
    if not isinstance(argument, PointerArgument):
        return f"{name}: a struct"
    if argument.allocation is None:
        return f"{name} = null"
    left = original.allocation_bytes(argument.allocation) - argument.offset_bytes
    element = argument.dtype
    if element is None:
        return f"{name}: {left} bytes of {argument.type}"
    return f"{name}: {left // element.size_bytes} elements of {_element_name(argument.type)}"


def _element_name(pointer: str) -> str:
    """`float` for `const float *`."""
    return " ".join(
        word for word in pointer.replace("*", " ").split() if word not in ("const", "__restrict__")
    )
