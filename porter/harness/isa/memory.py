"""Global memory: one arena of allocations with gaps between them, every access checked.

Addresses are 64-bit and far above 2^32, so that an address cut to 32 bits does not hit by chance. Accesses
are vectors of addresses; of those that are not allowed the first is reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from porter.harness.isa.bits import Lanes
from porter.harness.isa.errors import AccessError

BASE = 0x7F12_3400_0000
GAP_BYTES = 4096
_ALIGNMENT = 256
Addresses = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Allocation:
    """A stretch of global memory. `name` is what messages call it."""

    name: str
    address: int
    size: int
    writable: bool

    @property
    def end(self) -> int:
        return self.address + self.size


class Memory:
    """Allocations are made first; the first access closes the list."""

    def __init__(self) -> None:
        self._allocations: list[Allocation] = []
        self._contents: list[bytes] = []
        self._next = BASE
        self._bytes: npt.NDArray[np.uint8] = np.zeros(0, np.uint8)
        self._starts: npt.NDArray[np.uint64] = np.zeros(0, np.uint64)
        self._ends: npt.NDArray[np.uint64] = np.zeros(0, np.uint64)
        self._writable: npt.NDArray[np.bool_] = np.zeros(0, np.bool_)

    def allocate(self, name: str, data: bytes, *, writable: bool = True, alignment: int = _ALIGNMENT) -> int:
        """The address of a new allocation that holds `data`."""
        address = self.reserve(len(data), alignment)
        self.fill(name, address, data, writable=writable)
        return address

    def reserve(self, size: int, alignment: int = GAP_BYTES) -> int:
        """The address of a stretch that `fill` will describe."""
        address = -(-self._next // alignment) * alignment
        self._next = address + size + GAP_BYTES
        return address

    def fill(self, name: str, address: int, data: bytes, *, writable: bool) -> None:
        """Makes a reserved stretch an allocation."""
        self._allocations.append(Allocation(name, address, len(data), writable))
        self._contents.append(data)

    def close(self) -> None:
        """No more allocations; builds the arena."""
        order = sorted(range(len(self._allocations)), key=lambda k: self._allocations[k].address)
        self._allocations = [self._allocations[k] for k in order]
        self._contents = [self._contents[k] for k in order]
        self._bytes = np.zeros(-(-(self._next - BASE) // 8) * 8, np.uint8)
        for allocation, data in zip(self._allocations, self._contents, strict=True):
            start = allocation.address - BASE
            self._bytes[start : start + len(data)] = np.frombuffer(data, np.uint8)
        self._contents = []
        self._starts = np.array([a.address for a in self._allocations], np.uint64)
        self._ends = np.array([a.end for a in self._allocations], np.uint64)
        self._writable = np.array([a.writable for a in self._allocations], np.bool_)

    def contents(self, address: int, size: int) -> bytes:
        start = address - BASE
        return self._bytes[start : start + size].tobytes()

    def load(self, addresses: Addresses, size: int, active: Lanes) -> npt.NDArray[Any]:
        """`size` bytes at each active address as 32-bit words [wave, lane, word]; 0 in other lanes."""
        places = self._places(addresses, size, active, write=False)
        return gather(self._bytes, places, size, active)

    def store(self, addresses: Addresses, words: npt.NDArray[Any], size: int, active: Lanes) -> None:
        """Words as `load` gives them; of lanes that store to one address the last wins."""
        places = self._places(addresses, size, active, write=True)
        scatter(self._bytes, places, words, size, active)

    def view(self, addresses: Addresses, size: int, active: Lanes) -> tuple[npt.NDArray[np.uint8], Lanes]:
        """The arena and the places in it, for read-modify-write."""
        return self._bytes, self._places(addresses, size, active, write=True)

    def _places(
        self, addresses: Addresses, size: int, active: Lanes, *, write: bool
    ) -> npt.NDArray[np.int64]:
        owner = np.searchsorted(self._starts, addresses, side="right") - 1
        inside = (owner >= 0) & (addresses + np.uint64(size) <= self._ends[np.maximum(owner, 0)])
        bad = active & ~inside
        if bad.any():
            self._refuse("ISA010", addresses, bad, size)
        if write:
            bad = active & ~self._writable[np.maximum(owner, 0)]
            if bad.any():
                self._refuse("ISA012", addresses, bad, size)
        return np.where(active, addresses - np.uint64(BASE), np.uint64(0)).astype(np.int64)

    def _refuse(self, code: str, addresses: Addresses, bad: Lanes, size: int) -> None:
        lane = int(np.flatnonzero(bad)[0])
        address = int(addresses.reshape(-1)[lane])
        raise AccessError(code, f"{size} bytes at 0x{address:x}, {self._near(address, size)}", lane)

    def _near(self, address: int, size: int) -> str:
        """Where an address lies relative to the nearest allocation."""

        def distance(allocation: Allocation) -> int:
            return max(allocation.address - address, address + size - allocation.end, 0)

        nearest = min(self._allocations, key=distance)
        if distance(nearest) > 1 << 40:
            return "far from every allocation"
        return f"at byte {address - nearest.address} of {nearest.name} ({nearest.size} bytes)"


def gather(
    store: npt.NDArray[np.uint8], places: npt.NDArray[np.int64], size: int, active: Lanes
) -> npt.NDArray[Any]:
    """Words at byte positions that are already checked; 0 for lanes that are not active."""
    if size < 4:
        narrow = sum(
            (store[places + k].astype(np.uint32) << np.uint32(8 * k) for k in range(size)),
            start=np.zeros(places.shape, np.uint32),
        )
        return np.where(active, narrow, np.uint32(0))[..., None]
    count = size // 4
    if not (places & 3).any():
        words = store.view(np.uint32)
        first = places >> 2
        loaded = np.stack([words[first + k] for k in range(count)], axis=-1)
    else:
        single = store[places[..., None] + np.arange(size)]
        loaded = np.ascontiguousarray(single).view(np.uint32)
    return np.where(active[..., None], loaded, np.uint32(0))


def scatter(
    store: npt.NDArray[np.uint8],
    places: npt.NDArray[np.int64],
    words: npt.NDArray[Any],
    size: int,
    active: Lanes,
) -> None:
    """Writes the active lanes' words to byte positions that are already checked."""
    chosen = np.broadcast_to(active, places.shape)
    at, values = places[chosen], words[chosen]
    if size < 4:
        for k in range(size):
            store[at + k] = (values[:, 0] >> np.uint32(8 * k)).astype(np.uint8)
    elif not (at & 3).any():
        whole = store.view(np.uint32)
        for k in range(size // 4):
            whole[(at >> 2) + k] = values[:, k]
    else:
        store[at[:, None] + np.arange(size)] = np.ascontiguousarray(values).view(np.uint8)[:, :size]
