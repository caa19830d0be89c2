"""Runs captured launches of a fixture on its generated Triton module, in Triton's interpreter."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

os.environ["TRITON_INTERPRET"] = "1"

import numpy as np
import torch

from porter.core.span import SourceText
from porter.cuda.launches import find_launches
from porter.cuda.lower_kernel import Lowered, lower_kernels
from porter.tile.api import KernelLaunch, TileOptions, TileTranslation
from porter.tile.lower import translate_triton
from tests.fixtures.captured_launches import Buffer, Launch, Struct
from tests.fixtures.references import Reference

MAX_PROGRAMS = 40


@dataclass(frozen=True)
class Port:
    translation: TileTranslation
    module: ModuleType


def translate_source(source: SourceText, blocks: dict[str, list[tuple[int, int, int]]]) -> TileTranslation:
    """`blocks` has the blocks of kernels whose launches do not say it."""
    lowered = lower_kernels(source, find_launches(source))
    kernels = [
        KernelLaunch(k.kernel, k.launch, *_blocks_of(k, blocks)) for k in lowered if isinstance(k, Lowered)
    ]
    return translate_triton(tuple(kernels), TileOptions(), source_name=Path(source.path).name)


def _blocks_of(lowered: Lowered, blocks: dict[str, list[tuple[int, int, int]]]):
    known = blocks.get(lowered.kernel.name, [(256, 1, 1)])
    return known[0], tuple(known[1:])


def port_of(folder: Path, launches: list[Launch], directory: Path) -> Port:
    """Translates the fixture for the blocks it is launched with, and imports the module."""
    blocks: dict[str, list[tuple[int, int, int]]] = {}
    for launch in launches:
        if launch.block not in blocks.setdefault(launch.kernel, []):
            blocks[launch.kernel].append(launch.block)
    translation = translate_source(SourceText.read(folder / "kernel.cu"), blocks)
    return Port(translation, import_text(translation.text, directory / f"port_{folder.name}.py"))


def import_text(text: str, path: Path) -> ModuleType:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def replayed(launch: Launch, port: Port, reference: Reference, instance: str = "") -> Launch:
    """The launch with the outputs that the port gives on its inputs."""
    launcher = getattr(port.module, launcher_name(port, launch.kernel, instance))
    tensors = {id(b): as_tensor(b.before) for b in _buffers(launch)}
    arguments = [value for a in launch.arguments for value in _values(a, tensors, reference)]
    symbols = {
        name: tensors[id(buffer)].view(_symbol_dtype(reference, name))
        for name, buffer in launch.symbols.items()
    }
    taken = launcher.__code__.co_varnames[
        : launcher.__code__.co_argcount + launcher.__code__.co_kwonlyargcount
    ]
    extents = {"block": launch.block, "shared_bytes": launch.shared_bytes}
    keywords = {name: value for name, value in {**extents, **symbols}.items() if name in taken}
    launcher(*arguments, grid=launch.grid, **keywords)

    def after(item: object) -> object:
        if not isinstance(item, Buffer):
            return item
        return Buffer(item.before, tensors[id(item)].numpy().view(item.before.dtype))

    return replace(
        launch,
        arguments=tuple(after(a) for a in launch.arguments),  # type: ignore[arg-type]
        symbols={name: after(b) for name, b in launch.symbols.items()},  # type: ignore[misc]
    )


def launcher_name(port: Port, kernel: str, instance: str) -> str:
    """The launcher of an instantiation: `add_float` for `add<float>`."""
    words = re.findall(r"\w+", instance)
    wanted = "_".join([kernel, *words])
    names = [k.launcher_name for k in port.translation.kernels]
    return wanted if wanted in names else kernel


def as_tensor(array: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(array.copy())


def _symbol_dtype(reference: Reference, name: str) -> torch.dtype:
    return torch.from_numpy(np.empty(1, reference.symbols[name])).dtype


def _buffers(launch: Launch) -> list[Buffer]:
    return [b for b in (*launch.arguments, *launch.symbols.values()) if isinstance(b, Buffer)]


def _values(argument: object, tensors: dict[int, torch.Tensor], reference: Reference) -> list[object]:
    if isinstance(argument, Buffer):
        return [tensors[id(argument)] if argument.before.size else None]
    if isinstance(argument, Struct):
        return [value.item() for value in np.frombuffer(argument.data, reference.structs[argument.type])]
    return [argument]
