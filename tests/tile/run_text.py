"""CUDA text in, results out: translates kernels and runs them in Triton's interpreter on NumPy arrays."""

from __future__ import annotations

import hashlib
import tempfile
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import torch

from porter.core.span import SourceText
from porter.tile.api import TileTranslation
from tests.tile.replay import import_text, translate_source

_DIRECTORY = Path(tempfile.mkdtemp(prefix="porter-tile-"))
Block = tuple[int, int, int]


@cache
def translated(source: str, block: Block = (64, 1, 1)) -> TileTranslation:
    """Every kernel of the text, for blocks of this shape where its launches do not say."""
    text = SourceText("kernel.cu", source.encode())
    return translate_source(text, _Everything(block))


class _Everything(dict):  # type: ignore[type-arg]
    """The same block whatever the kernel."""

    def __init__(self, block: Block) -> None:
        super().__init__()
        self.block = block

    def get(self, _key, _default=None):  # type: ignore[no-untyped-def]
        return [self.block]


@cache
def module_of(source: str, block: Block = (64, 1, 1)) -> ModuleType:
    translation = translated(source, block)
    assert not translation.declined, [str(d) for _, d in translation.declined]
    key = hashlib.sha1(f"{source}{block}".encode()).hexdigest()[:12]
    return import_text(translation.text, _DIRECTORY / f"generated_{key}.py")


def run(
    source: str,
    *arguments: object,
    grid: Block,
    block: Block = (64, 1, 1),
    name: str = "k",
    shared_bytes: int = 0,
) -> list[np.ndarray]:
    """Launches kernel `name`; the arrays among the arguments as they are afterwards, in order."""
    tensors = [torch.from_numpy(a.copy()) if isinstance(a, np.ndarray) else a for a in arguments]
    launcher = getattr(module_of(source, block), name)
    taken = launcher.__code__.co_varnames[
        : launcher.__code__.co_argcount + launcher.__code__.co_kwonlyargcount
    ]
    offered = {"block": block, "shared_bytes": shared_bytes}
    keywords = {name: value for name, value in offered.items() if name in taken}
    launcher(*tensors, grid=grid, **keywords)
    return [t.numpy() for t in tensors if isinstance(t, torch.Tensor)]


def declined(source: str, block: Block = (64, 1, 1)) -> list[str]:
    return [d.code for _, d in translated(source, block).declined]
