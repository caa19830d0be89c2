"""A launch of a kernel in a code object: memory, arguments, initial registers, blocks.

Source: LLVM, User Guide for AMDGPU Backend, "Kernel Dispatch", "Initial Kernel Execution State", "Code Object
V5 Metadata"; HSA Platform System Architecture Specification, "Architected Queuing Language packet".
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from porter.harness.isa.errors import IsaError
from porter.harness.isa.execute import Executor
from porter.harness.isa.image import Image, Kernel, KernelArgument
from porter.harness.isa.memory import Memory
from porter.harness.isa.program import Program
from porter.harness.isa.registers import LoadedArguments, set_initial_registers
from porter.harness.isa.state import WAVEFRONT_SIZE, Waves

Triple = tuple[int, int, int]
_WAVES_TOGETHER = 256
_LDS_POISON = 0xA5
_DYNAMIC_STACK_BYTES = 8192
_LDS_GRANULE = 16
DEFAULT_BUDGET = 400_000


@dataclass(frozen=True)
class PointerAt:
    """At byte `at` of an argument stands the address of byte `offset` of a buffer."""

    at: int
    buffer: str
    offset: int


@dataclass(frozen=True)
class Argument:
    """An argument's bytes, and the pointers in them."""

    data: bytes
    pointers: tuple[PointerAt, ...] = ()

    @staticmethod
    def pointer(buffer: str, offset: int = 0) -> Argument:
        return Argument(bytes(8), (PointerAt(0, buffer, offset),))


@dataclass(frozen=True)
class IsaLaunch:
    """`arguments` in the kernel's order; `symbols` has the buffer of each device variable by its symbol."""

    kernel: str
    grid: Triple
    block: Triple
    arguments: tuple[Argument, ...]
    dynamic_lds_bytes: int = 0
    symbols: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Executed:
    """The buffers afterwards, and the instructions executed (one for many waves together counts once; of the
    `wavefront_instructions` it is one a wave)."""

    buffers: Mapping[str, bytes]
    instructions: int
    wavefront_instructions: int


def execute(
    image: Image, arch: str, launch: IsaLaunch, buffers: Mapping[str, bytes], budget: int = DEFAULT_BUDGET
) -> Executed:
    """Runs the launch on copies of `buffers`. Raises IsaError for what cannot be run or is wrong."""
    kernel = image.kernels.get(launch.kernel)
    if kernel is None:
        raise IsaError("ISA004", f"the code object has no kernel {launch.kernel!r}")
    _check(kernel, launch)
    loaded = _Loaded(image, kernel, launch, buffers)
    program = Program(image.data, loaded.image_address, arch)
    executed, of_waves = 0, 0
    for blocks in _batches(launch):
        waves = _waves(kernel, launch, loaded.memory, blocks)
        set_initial_registers(waves, kernel, launch.block, loaded.arguments)
        executor = Executor(program, waves, budget - executed, launch.kernel)
        executor.run()
        executed += executor.instructions
        of_waves += executor.wavefront_instructions
    return Executed(loaded.contents(), executed, of_waves)


def _check(kernel: Kernel, launch: IsaLaunch) -> None:
    threads = int(np.prod(launch.block))
    if not 0 < threads <= kernel.max_threads:
        raise IsaError("ISA004", f"{threads} threads a block; the kernel allows {kernel.max_threads}")
    if kernel.flushes_denormals or not kernel.rounds_to_nearest:
        raise IsaError("ISA004", "a kernel that flushes denormals or does not round to nearest")


def _batches(launch: IsaLaunch) -> Iterator[npt.NDArray[np.int64]]:
    """The blocks' coordinates, x fastest, as many together as have a few hundred waves."""
    x, y, z = launch.grid
    numbers = np.arange(x * y * z, dtype=np.int64)
    coordinates = np.stack([numbers % x, numbers // x % y, numbers // (x * y)], axis=1)
    waves_a_block = -(-int(np.prod(launch.block)) // WAVEFRONT_SIZE)
    step = max(1, _WAVES_TOGETHER // waves_a_block)
    for start in range(0, len(numbers), step):
        yield coordinates[start : start + step]


def _waves(kernel: Kernel, launch: IsaLaunch, memory: Memory, blocks: npt.NDArray[np.int64]) -> Waves:
    waves_a_block = -(-int(np.prod(launch.block)) // WAVEFRONT_SIZE)
    count = len(blocks) * waves_a_block
    lds = -(-(kernel.lds_bytes + launch.dynamic_lds_bytes) // _LDS_GRANULE) * _LDS_GRANULE
    stack = kernel.scratch_bytes + (_DYNAMIC_STACK_BYTES if kernel.dynamic_stack else 0)
    scratch = -(-stack // _LDS_GRANULE) * _LDS_GRANULE
    vgprs, agprs = kernel.vector_registers
    return Waves(
        memory=memory,
        block=np.repeat(np.arange(len(blocks)), waves_a_block),
        blocks=blocks,
        lds=np.full(lds * len(blocks), _LDS_POISON, np.uint8),
        scratch=np.full(scratch * count * WAVEFRONT_SIZE, _LDS_POISON, np.uint8),
        ieee_mode=kernel.ieee_mode,
        vgprs=vgprs,
        agprs=agprs,
    )


class _Loaded:
    """The image, the buffers, the arguments and the dispatch packet in memory."""

    def __init__(self, image: Image, kernel: Kernel, launch: IsaLaunch, buffers: Mapping[str, bytes]) -> None:
        self.memory = Memory()
        self._sizes = {name: len(data) for name, data in buffers.items()}
        self.image_address = self.memory.reserve(len(image.data))
        code = bytearray(image.relocated(self.image_address))
        self._addresses = self._place_symbols(image, launch, buffers, code)
        for name, data in buffers.items():
            if name not in self._addresses:
                self._addresses[name] = self.memory.allocate(name, data)
        self.memory.fill("the code object", self.image_address, bytes(code), writable=bool(launch.symbols))
        data = _kernel_arguments(kernel, launch, self._addresses)
        address = self.memory.allocate("the kernel's arguments", data, writable=False)
        packet = self.memory.allocate("the dispatch packet", _packet(kernel, launch, address), writable=False)
        self.arguments = LoadedArguments(data, address, packet)
        self.memory.close()

    def _place_symbols(
        self, image: Image, launch: IsaLaunch, buffers: Mapping[str, bytes], code: bytearray
    ) -> dict[str, int]:
        """Device variables lie in the image."""
        addresses = {}
        for symbol, name in launch.symbols.items():
            place = image.symbols[symbol]
            data = buffers[name]
            code[place.address : place.address + len(data)] = data
            addresses[name] = self.image_address + place.address
        return addresses

    def contents(self) -> dict[str, bytes]:
        return {
            name: self.memory.contents(address, self._sizes[name])
            for name, address in self._addresses.items()
        }


def _kernel_arguments(kernel: Kernel, launch: IsaLaunch, addresses: Mapping[str, int]) -> bytes:
    data = bytearray(kernel.kernarg_bytes)
    given = iter(launch.arguments)
    for argument in kernel.arguments:
        if argument.kind.startswith("hidden_"):
            value = _hidden(argument, launch)
        else:
            value = _explicit(argument, next(given, None), addresses)
        data[argument.offset : argument.offset + argument.size] = value
    if next(given, None) is not None:
        raise IsaError("ISA004", "more arguments than the kernel has")
    return bytes(data)


def _explicit(argument: KernelArgument, given: Argument | None, addresses: Mapping[str, int]) -> bytes:
    if argument.kind not in ("by_value", "global_buffer"):
        raise IsaError("ISA004", f"an argument of kind {argument.kind}")
    if given is None:
        raise IsaError("ISA004", "fewer arguments than the kernel has")
    if len(given.data) != argument.size:
        raise IsaError("ISA004", f"an argument of {len(given.data)} bytes; the kernel has {argument.size}")
    data = bytearray(given.data)
    for pointer in given.pointers:
        struct.pack_into("<Q", data, pointer.at, addresses[pointer.buffer] + pointer.offset)
    return bytes(data)


def _hidden(argument: KernelArgument, launch: IsaLaunch) -> bytes:
    """What the runtime passes behind the explicit arguments; pointers to its services are null."""
    axis = "xyz".find(argument.kind[-1])
    value = 0
    match argument.kind.removeprefix("hidden_"):
        case "block_count_x" | "block_count_y" | "block_count_z":
            value = launch.grid[axis]
        case "group_size_x" | "group_size_y" | "group_size_z":
            value = launch.block[axis]
        case "grid_dims":
            value = _dimensions(launch)
        case "dynamic_lds_size":
            value = launch.dynamic_lds_bytes
    return value.to_bytes(argument.size, "little")


def _dimensions(launch: IsaLaunch) -> int:
    used = [k + 1 for k in range(3) if launch.grid[k] * launch.block[k] > 1]
    return max(used, default=1)


def _packet(kernel: Kernel, launch: IsaLaunch, kernarg: int) -> bytes:
    """The 64 bytes of a kernel dispatch packet."""
    sizes = [g * b for g, b in zip(launch.grid, launch.block, strict=True)]
    return struct.pack(
        "<HHHHHHIIIIIQQQQ",
        2, 3, *launch.block, 0, *sizes, kernel.scratch_bytes,
        kernel.lds_bytes + launch.dynamic_lds_bytes, 0, kernarg, 0, 0,
    )  # fmt: skip
