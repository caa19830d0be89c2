"""Reads and writes `safetensors` files with every element type, one tensor at a time.

A file is an 8-byte little-endian length, a JSON header of that length, then the bytes. Shapes are kept
flat: a captured allocation has no other.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.core.errors import InputError
from porter.harness.dtypes import BY_NAME, Array, ElementType


@dataclass(frozen=True)
class Tensor:
    """A flat array and what its elements are (bfloat16 values are held as `uint16`)."""

    dtype: ElementType
    values: Array

    def as_type(self, dtype: ElementType) -> Tensor:
        """The same bytes as another element type."""
        return self if dtype is self.dtype else Tensor(dtype, dtype.decode(self.values.tobytes()))


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    header: dict[str, Any] = {}
    offset = 0
    for name, tensor in tensors.items():
        size = tensor.values.nbytes
        header[name] = {
            "dtype": tensor.dtype.name,
            "shape": [len(tensor.values)],
            "data_offsets": [offset, offset + size],
        }
        offset += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little"))
        file.write(text)
        for tensor in tensors.values():
            file.write(tensor.values.tobytes())


class TensorFile(Mapping[str, Tensor]):
    """A mapping from name to tensor over a memory-mapped file. Raises InputError for a damaged file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._data = _map_file(path)
        self._entries = _read_header(path, self._data)

    def __getitem__(self, name: str) -> Tensor:
        dtype, start, end = self._entries[name]
        return Tensor(dtype, dtype.decode(memoryview(self._data)[start:end]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


_MAPPED_FROM_BYTES = 1 << 20


def _map_file(path: Path) -> mmap.mmap | bytes:
    """Small files are read at once: a map holds a file descriptor, and a run has hundreds of them."""
    try:
        with path.open("rb") as file:
            if path.stat().st_size < _MAPPED_FROM_BYTES:
                return file.read()
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise InputError(f"{path}: cannot read the tensor file: {error.strerror}") from error


def _read_header(path: Path, data: mmap.mmap | bytes) -> dict[str, tuple[ElementType, int, int]]:
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > len(data) - 8:
        raise InputError(f"{path}: truncated tensor file ({len(data)} bytes)")
    try:
        header = json.loads(data[8 : 8 + length])
        return {
            name: _entry(path, name, entry, 8 + length, len(data))
            for name, entry in header.items()
            if name != "__metadata__"
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: damaged header of a tensor file: {error}") from error


def _entry(path: Path, name: str, entry: Any, base: int, size: int) -> tuple[ElementType, int, int]:
    dtype = BY_NAME[entry["dtype"]]
    start, end = (base + int(offset) for offset in entry["data_offsets"])
    if not base <= start <= end <= size:
        raise InputError(f"{path}: tensor {name!r} lies outside the file (truncated?)")
    return dtype, start, end
