"""Builds capture directories by hand, as the format's documentation describes them."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from porter.harness.capture import (
    Allocation,
    Argument,
    Launch,
    PointerArgument,
    ScalarArgument,
    StructArgument,
)
from porter.harness.dtypes import U8
from porter.harness.tensors import Tensor, write_tensors

PROGRAM = {"event": "program", "format": "porter-capture-1", "face": "cuda", "lanes": 32, "wide": False}


def write_events(directory: Path, *events: dict[str, Any]) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "events.jsonl").write_text("".join(json.dumps(e) + "\n" for e in events))
    return directory


def write_bytes(path: Path, **arrays: np.ndarray[Any, Any]) -> None:
    """Tensors named `id__before` become `id/before`."""
    write_tensors(
        path,
        {
            name.lstrip("_").replace("__", "/"): Tensor(U8, np.frombuffer(values.tobytes(), dtype=np.uint8))
            for name, values in arrays.items()
        },
    )


def pointer(
    type_: str, allocation: int | None = 1, offset: int = 0, *, const: bool = False
) -> PointerArgument:
    return PointerArgument(type_, const, allocation, offset)


def integer(value: int) -> ScalarArgument:
    return ScalarArgument("int", value.to_bytes(4, "little", signed=True))


def single(value: float) -> ScalarArgument:
    return ScalarArgument("float", np.float32(value).tobytes())


def launch_of(
    *arguments: Argument,
    kernel: str = "k",
    grid: tuple[int, int, int] = (4, 1, 1),
    block: tuple[int, int, int] = (64, 1, 1),
    index: int = 0,
    tensors: Path | None = None,
) -> Launch:
    return Launch(index, kernel, 1, grid, block, 0, False, False, arguments, (), tensors)


def allocation(identifier: int, size: int) -> dict[int, Allocation]:
    return {identifier: Allocation(identifier, size, "device", "")}


__all__ = ["PROGRAM", "StructArgument", "allocation", "integer", "launch_of", "pointer", "single"]
