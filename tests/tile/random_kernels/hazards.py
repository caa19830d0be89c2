"""Finds the barriers that a Triton program lacks, and accesses outside of memory, while it is interpreted.

On a GPU the threads that carry out a store and a later load of the same elements may differ, each operation
having a layout of its own: between the two there has to be a `tl.debug_barrier()`. The same holds for a store
behind a load or a store of another element's thread. The interpreter has one thread and shows nothing of it.
Nor does it show a load from outside of the buffers, unless nothing at all is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import numpy as np
import torch

Place = tuple[tuple[int, ...], int]
"""The shape of an access and the number of the element in it: equal for what one thread does to a place."""


@dataclass
class Memory:
    """The tensors that a program may touch, by their first bytes and those behind their last."""

    extents: dict[int, int] = field(default_factory=dict)

    def add(self, tensor: torch.Tensor) -> None:
        self.extents[tensor.data_ptr()] = tensor.data_ptr() + tensor.nbytes

    def holds(self, addresses: np.ndarray) -> bool:
        starts = np.array(sorted(self.extents), np.int64)
        stops = np.array([self.extents[start] for start in starts.tolist()], np.int64)
        at = np.searchsorted(starts, addresses, side="right") - 1
        return bool(((at >= 0) & (addresses < stops[at])).all())


@dataclass
class Hazards:
    """Addresses touched since the last barrier of the running program; `found` is the first conflict."""

    stored: dict[int, Place] = field(default_factory=dict)
    loaded: dict[int, Place] = field(default_factory=dict)
    counted: set[int] = field(default_factory=set)
    found: str = ""
    memory: Memory | None = None

    def barrier(self) -> None:
        self.stored.clear()
        self.loaded.clear()
        self.counted.clear()

    def load(self, pointers: np.ndarray, mask: np.ndarray) -> None:
        self._check_inside(pointers, mask, "loads")
        for address, place in _places(pointers, mask):
            if address in self.stored or address in self.counted:
                self._note("a load behind a store")
            before = self.loaded.setdefault(address, place)
            if before != place:
                self.loaded[address] = ((), -1)

    def store(self, pointers: np.ndarray, mask: np.ndarray) -> None:
        self._check_inside(pointers, mask, "stores")
        for address, place in _places(pointers, mask):
            if address in self.counted or self.stored.setdefault(address, place) != place:
                self._note("two stores")
            if self.loaded.get(address, place) != place:
                self._note("a store behind a load of another thread")

    def count(self, pointers: np.ndarray, mask: np.ndarray) -> None:
        self._check_inside(pointers, mask, "counts")
        for address, _ in _places(pointers, mask):
            if address in self.stored or address in self.loaded:
                self._note("an atomic operation behind a load or store")
            self.counted.add(address)

    def _check_inside(self, pointers: np.ndarray, mask: np.ndarray, what: str) -> None:
        active = pointers.ravel()[np.broadcast_to(mask, pointers.shape).ravel().astype(bool)]
        if self.memory is not None and not self.memory.holds(active.astype(np.int64)):
            self.found = self.found or f"{what} outside of its buffers"

    def _note(self, what: str) -> None:
        self.found = self.found or f"no barrier in front of {what}"


def _places(pointers: np.ndarray, mask: np.ndarray) -> Iterator[tuple[int, Place]]:
    active = np.broadcast_to(mask, pointers.shape).ravel()
    flat = pointers.ravel()
    for at in np.flatnonzero(active).tolist():
        yield int(flat[at]), (pointers.shape, at)


@contextmanager
def watched(buffers: Sequence[torch.Tensor]) -> Iterator[Hazards]:
    """Every access of programs interpreted meanwhile, to `buffers` and to what launchers allocate."""
    from triton.runtime.interpreter import interpreter_builder as builder

    memory = Memory()
    for buffer in buffers:
        memory.add(buffer)
    hazards, plain_empty, plain_zeros = Hazards(memory=memory), torch.empty, torch.zeros
    plain_load, plain_store = builder.create_masked_load, builder.create_masked_store
    plain_atomic, plain_place = builder.create_atomic_rmw, builder.set_grid_idx

    def load(pointers: Any, mask: Any, *rest: Any) -> Any:
        hazards.load(pointers.data, mask.data)
        return plain_load(pointers, mask, *rest)

    def store(pointers: Any, value: Any, mask: Any, *rest: Any) -> Any:
        hazards.store(pointers.data, mask.data)
        return plain_store(pointers, value, mask, *rest)

    def atomic(operation: Any, pointers: Any, value: Any, mask: Any, *rest: Any) -> Any:
        hazards.count(pointers.data, mask.data)
        return plain_atomic(operation, pointers, value, mask, *rest)

    def allocating(plain: Any) -> Any:
        def allocate(*arguments: Any, **keywords: Any) -> torch.Tensor:
            memory.add(made := plain(*arguments, **keywords))
            return made

        return allocate

    def place(x: int, y: int, z: int) -> None:
        hazards.barrier()
        plain_place(x, y, z)

    with (
        mock.patch.object(builder, "create_masked_load", load),
        mock.patch.object(builder, "create_masked_store", store),
        mock.patch.object(builder, "create_atomic_rmw", atomic),
        mock.patch.object(builder, "set_grid_idx", place),
        mock.patch.object(builder, "create_barrier", hazards.barrier),
        mock.patch.object(torch, "empty", allocating(plain_empty)),
        mock.patch.object(torch, "zeros", allocating(plain_zeros)),
    ):
        yield hazards
