"""The calls that a Triton module is compiled for: one for each way in which the program launches a kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.core.diagnostic import Diagnostic
from porter.core.span import SourceText
from porter.harness.capture import (
    Argument,
    Launch,
    PointerArgument,
    ScalarArgument,
    StructArgument,
)
from porter.harness.dtypes import BOOL, U8, ElementType, element_type
from porter.harness.struct_fields import Component, StructParameters, is_aggregate, struct_parameters
from porter.harness.toolchains.triton_aot import Argument as CallArgument
from porter.harness.toolchains.triton_aot import LauncherCall, TensorSpec
from porter.harness.triton_child import torch_dtype
from porter.harness.triton_module import ModuleShape, read_module
from porter.harness.triton_verify import launcher_of
from porter.pipeline.draft import Draft
from porter.pipeline.original import Original, verify_options
from porter.pipeline.request import PortRequest


class _NotRepresentable(Exception):
    """An argument has no counterpart in a launcher's signature."""


def launcher_calls(
    request: PortRequest, draft: Draft, original: Original, kernels: Sequence[str]
) -> tuple[LauncherCall, ...]:
    """One call for each kernel, block shape and instantiation; none for what no launcher can be given."""
    structs = struct_parameters(request.source, verify_options(request))
    shape = read_module(SourceText("port.py", draft.text))
    mapping = dict(request.mapping)
    return tuple(call for name in kernels for call in _Kernel(name, mapping, original, structs).calls(shape))


def _launcher(name: str, shape: ModuleShape | Diagnostic, mapping: Mapping[str, str], launch: Launch) -> str:
    """The harness's choice; where it finds none, the name itself, so that the build says what is missing."""
    found = launcher_of(name, shape, mapping, launch) if isinstance(shape, ModuleShape) else None
    return found or mapping.get(name, name)


def _positional_parameters(shape: ModuleShape | Diagnostic, launcher: str) -> tuple[str, ...]:
    function = shape.functions.get(launcher) if isinstance(shape, ModuleShape) else None
    return tuple(a.arg for a in function.args.args) if function else ()


_SHARED = "shared_bytes"


def _takes(shape: ModuleShape | Diagnostic, launcher: str, keyword: str) -> bool:
    return isinstance(shape, ModuleShape) and keyword in shape.parameters(launcher)


@dataclass(frozen=True)
class _Kernel:
    name: str
    mapping: Mapping[str, str]
    original: Original
    structs: StructParameters

    def calls(self, shape: ModuleShape | Diagnostic) -> Iterator[LauncherCall]:
        seen: set[object] = set()
        for launch in self.original.launches(self.name):
            launcher = _launcher(self.name, shape, self.mapping, launch)
            key = (launch.kernel, launcher, launch.block)
            if key in seen:
                continue
            positional = _positional_parameters(shape, launcher)
            try:
                arguments = tuple(self._arguments(launch))
                symbols = self._symbols(launch, positional[len(arguments) :])
            except _NotRepresentable:
                continue
            seen.add(key)
            keywords = {_SHARED: launch.shared_bytes} if _takes(shape, launcher, _SHARED) else {}
            values = (*arguments, *symbols)
            yield LauncherCall(launcher, values, launch.grid, launch.block, keywords)

    def _arguments(self, launch: Launch) -> Iterator[CallArgument]:
        for position, argument in enumerate(launch.arguments):
            layouts = self.structs.get((self.name, position))
            if layouts and is_aggregate(argument):
                for component in layouts[0].components:
                    yield self._component(argument, component)
            else:
                yield self._argument(argument)

    def _argument(self, argument: Argument) -> CallArgument:
        if isinstance(argument, ScalarArgument) and (value := argument.value()) is not None:
            return value
        if isinstance(argument, PointerArgument) and argument.allocation is not None:
            return self._tensor(argument.allocation, argument.offset_bytes, argument.dtype or U8)
        raise _NotRepresentable

    def _component(self, argument: StructArgument | ScalarArgument, component: Component) -> CallArgument:
        if not component.is_pointer:
            end = component.offset + component.dtype.size_bytes
            value = component.dtype.decode(argument.data[component.offset : end])[0]
            return bool(value) if component.dtype is BOOL else value.item()
        for pointer in argument.pointers if isinstance(argument, StructArgument) else ():
            if pointer.at == component.offset:
                return self._tensor(pointer.allocation, pointer.offset_bytes, component.dtype)
        raise _NotRepresentable

    def _symbols(self, launch: Launch, names: tuple[str, ...]) -> tuple[CallArgument, ...]:
        """`__constant__` and `__device__` variables: the launcher's further parameters, by name."""
        by_name = {symbol.name: symbol for symbol in launch.globals}
        found: list[CallArgument] = []
        for name in names:
            symbol = by_name.get(name)
            dtype = element_type(symbol.type) if symbol else None
            if symbol is None:
                raise _NotRepresentable
            found.append(self._tensor(symbol.allocation, 0, dtype or U8))
        return tuple(found)

    def _tensor(self, allocation: int, offset_bytes: int, dtype: ElementType) -> TensorSpec:
        elements = (self.original.allocation_bytes(allocation) - offset_bytes) // dtype.size_bytes
        return TensorSpec(torch_dtype(dtype), max(1, elements))
