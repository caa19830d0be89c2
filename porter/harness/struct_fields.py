"""Structs and vectors passed by value, taken apart, and the layout of structs in memory.

A Triton launcher takes one argument for each component.

The order is that of the fields, nested ones in place; a component's name is the parameter's name and the
path to it, joined by underscores.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeGuard

from porter.core.edit import Edit, apply_edits
from porter.core.span import SourceText
from porter.cuda import kir
from porter.cuda.lower_kernel import Lowered, NotLowered, lower_kernels
from porter.cuda.translation_unit import read_translation_unit
from porter.harness.capture import (
    Argument,
    Capture,
    Launch,
    PointerArgument,
    ScalarArgument,
    StructArgument,
)
from porter.harness.dtypes import BY_NAME, U8, ElementType, Layout
from porter.harness.launches import base_name
from porter.harness.verdict import VerifyOptions
from porter.harness.viewed_words import viewed_words

_MEMBERS = "xyzw"
_POINTER_BYTES = 8
_MAY_VIEW = re.compile(rb"half|bfloat16")
_PREFIX = {"float": "F", "bfloat": "BF", "int": "I", "uint": "U"}


@dataclass(frozen=True)
class Component:
    """A scalar, or a pointer to elements of `dtype`, at byte `offset` of the struct."""

    name: str
    offset: int
    dtype: ElementType
    is_pointer: bool


@dataclass(frozen=True)
class StructParameter:
    """A struct parameter of one instantiation of a kernel."""

    size_bytes: int
    components: tuple[Component, ...]


StructParameters = Mapping[tuple[str, int], tuple[StructParameter, ...]]


class _NoComponents(Exception):
    """A member that is neither a scalar, a vector, a pointer nor an array or a struct of these."""


def struct_parameters(original: Path, options: VerifyOptions) -> StructParameters:
    """(Kernel, position) → the layouts over all instantiations; structs that cannot be split are absent."""
    found: dict[tuple[str, int], list[StructParameter]] = {}
    for item in _lowered(original, options):
        for position, parameter in enumerate(item.kernel.parameters):
            if isinstance(split := _split(parameter), StructParameter):
                found.setdefault((item.kernel.name.split("::")[-1], position), []).append(split)
    return {key: tuple(splits) for key, splits in found.items()}


def with_layouts(capture: Capture, original: Path, options: VerifyOptions) -> Capture:
    """`capture` with what its memory holds where C types do not tell: structs, and words that are halves.

    The source that tells it is `original`.
    """
    has_structs = any(_is_untyped(a) for launch in capture.launches for a in launch.arguments)
    if not has_structs and not _MAY_VIEW.search(original.read_bytes()):
        return capture
    lowered = tuple(_lowered(original, options))
    layouts, words = _pointed_layouts(lowered), _viewed(lowered)
    launches = tuple(_with_arguments(launch, layouts, words) for launch in capture.launches)
    return replace(capture, launches=launches)


def _with_arguments(
    launch: Launch,
    layouts: Mapping[tuple[str, int], Layout],
    words: Mapping[tuple[str, int], ElementType],
) -> Launch:
    arguments = list(launch.arguments)
    for position, argument in enumerate(arguments):
        key = (base_name(launch.kernel), position)
        if isinstance(argument, PointerArgument) and _is_untyped(argument):
            arguments[position] = replace(argument, layout=layouts.get(key))
        elif isinstance(argument, PointerArgument) and argument.dtype is not None:
            arguments[position] = replace(argument, words=words.get(key))
    return replace(launch, arguments=tuple(arguments))


def _viewed(lowered: Iterable[Lowered]) -> dict[tuple[str, int], ElementType]:
    """(Kernel, position) → the numbers of 16 bits in its words; absent where instantiations differ."""
    found: dict[tuple[str, int], set[ElementType | None]] = {}
    for item in lowered:
        seen = viewed_words(item.kernel)
        for position in range(len(item.kernel.parameters)):
            found.setdefault((base_name(item.kernel.name), position), set()).add(seen.get(position))
    return {key: kind for key, kinds in found.items() if len(kinds) == 1 and (kind := next(iter(kinds)))}


def _is_untyped(argument: Argument) -> bool:
    return isinstance(argument, PointerArgument) and argument.dtype is None and "void" not in argument.type


def _pointed_layouts(lowered: Iterable[Lowered]) -> dict[tuple[str, int], Layout]:
    """(Kernel, position) → the struct that a parameter points to; absent where instantiations differ."""
    found: dict[tuple[str, int], set[Layout | None]] = {}
    for item in lowered:
        for position, parameter in enumerate(item.kernel.parameters):
            if isinstance(parameter.type, kir.Pointer) and isinstance(parameter.type.pointee, kir.Struct):
                key = (base_name(item.kernel.name), position)
                found.setdefault(key, set()).add(_layout(parameter.type.pointee))
    alone = {key: next(iter(several)) for key, several in found.items() if len(several) == 1}
    return {key: layout for key, layout in alone.items() if layout is not None}


def _layout(struct: kir.Struct) -> Layout | None:
    try:
        components = tuple(_components("", struct, 0))
    except _NoComponents:
        return None
    if any(c.is_pointer for c in components):
        return None  # addresses differ from run to run
    return Layout(struct.size_bytes, tuple((c.offset, c.dtype) for c in components))


def _lowered(original: Path, options: VerifyOptions) -> Iterator[Lowered]:
    """Every kernel; of one that the IR cannot say only its parameters, which the body does not change."""
    source = SourceText.read(original)
    unit = read_translation_unit(source)
    lower = partial(
        lower_kernels, launches=unit.launches, include_dirs=options.include_dirs, defines=options.defines
    )
    lowered = lower(source)
    yield from (item for item in lowered if isinstance(item, Lowered))
    refused = {base_name(item.name) for item in lowered if isinstance(item, NotLowered)}
    bodies = [k.body for k in unit.all_kernels if k.name in refused and k.body is not None]
    if bodies:
        emptied = apply_edits(source.data, [Edit(body.start, body.end, b"{}", "") for body in bodies])
        again = lower(SourceText(source.path, emptied))
        yield from (i for i in again if isinstance(i, Lowered) and base_name(i.name) in refused)


def _split(parameter: kir.Variable) -> StructParameter | None:
    match parameter.type:
        case kir.Struct():
            size = parameter.type.size_bytes
        case kir.Vector():
            size = parameter.type.lanes * parameter.type.element.bits // 8
        case _:
            return None
    try:
        return StructParameter(size, tuple(_components(parameter.name, parameter.type, 0)))
    except _NoComponents:
        return None


def is_aggregate(argument: Argument) -> TypeGuard[StructArgument | ScalarArgument]:
    """Whether an argument may be a struct or a vector by value (or an enum, which has no layout here)."""
    return isinstance(argument, StructArgument) or (
        isinstance(argument, ScalarArgument) and argument.dtype is None
    )


def _components(name: str, type_: kir.Type, offset: int) -> Iterator[Component]:
    match type_:
        case kir.Struct():
            for (field, inner), at in zip(type_.fields, type_.offsets_bytes, strict=True):
                yield from _components(f"{name}_{field}", inner, offset + at)
        case kir.Vector():
            for lane in range(type_.lanes):
                at = offset + lane * type_.element.bits // 8
                yield Component(f"{name}_{_MEMBERS[lane]}", at, _element(type_.element), False)
        case kir.Array() if isinstance(type_.element, kir.Scalar | kir.Vector | kir.Struct | kir.Pointer):
            for number, place in enumerate(itertools.product(*(range(n) for n in type_.shape))):
                at = offset + number * _size_bytes(type_.element)
                yield from _components("_".join((name, *map(str, place))), type_.element, at)
        case kir.Scalar():
            yield Component(name, offset, _element(type_), False)
        case kir.Pointer():
            yield Component(name, offset, _pointee(type_.pointee), True)
        case _:
            raise _NoComponents


def _size_bytes(type_: kir.Scalar | kir.Vector | kir.Struct | kir.Pointer) -> int:
    match type_:
        case kir.Scalar():
            return type_.bits // 8
        case kir.Vector():
            return type_.lanes * type_.element.bits // 8
        case kir.Struct():
            return type_.size_bytes
    return _POINTER_BYTES


def _element(scalar: kir.Scalar) -> ElementType:
    return BY_NAME["BOOL" if scalar.kind == "bool" else f"{_PREFIX[scalar.kind]}{scalar.bits}"]


def _pointee(type_: kir.Type) -> ElementType:
    match type_:
        case kir.Scalar():
            return _element(type_)
        case kir.Vector():
            return _element(type_.element)
    return U8
