"""The codes of the simulator: why a program does not build, and what went wrong while it ran."""

from __future__ import annotations

from collections.abc import Mapping

CODES: Mapping[str, str] = {
    "SIM001": "an access outside of any allocation",
    "SIM002": "a deadlock: a barrier or a warp function waits for threads that never arrive",
    "SIM003": "threads of one block wait at different barriers",
    "SIM004": "the mask of a warp function does not equal the active lanes",
    "SIM005": "a lane calls a warp function whose mask does not name it",
    "SIM006": "the block needs more shared memory than the GPU has",
    "SIM007": "an assertion failed in a kernel",
    "SIM008": "the kernel trapped, or ran an illegal instruction",
    "SIM009": "bytes beside an allocation were overwritten",
    "SIM010": "a launch was refused: its grid, block or shared memory is out of range",
    "SIM011": "the stack of a thread overflowed",
    "SIM013": "the block has more threads than the launch bounds of the kernel allow",
    "SIM014": "a shuffle whose width is no power of two, or too large",
    "SIM015": "an integer division by zero",
    "SIM031": "a surface access outside of the surface",
    "SIM032": "a launch by an address that is no known kernel's",
    "SIM033": "a call that loads or compiles kernels while the program runs",
    "SIM041": "a grid barrier, or a cluster of blocks, that this launch does not have",
    "SIM042": "a group, tile or fragment is used in a way that its documentation rules out",
    "SIM050": "a race: threads access the same bytes of shared memory with no synchronisation between them",
    "SIM051": "a read of shared or device memory that nothing was written to",
    "SIM052": "a misaligned access: the address is no multiple of the type's alignment",
    "SIM053": "memory is freed a second time, or was never allocated",
    "SIM054": "a runtime call failed and the program never asked for its status",
    "SIM055": "device memory is never freed",
    "SIM056": "host code accesses device memory",
    "SIM057": "a kernel accesses the host's memory",
    "SIM058": "a shift by the width of the value or more: NVIDIA's hardware and AMD's differ",
    "SIM100": "the program does not compile",
    "SIM101": "the program does not link",
}
