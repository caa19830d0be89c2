"""A Triton driver that names a GPU and has none: for the launch path up to the launch.

Imports nothing of porter: the children that compile load it by its path.
"""

from __future__ import annotations

import torch
from triton.backends.compiler import GPUTarget


class CompileOnlyDriver:
    """What Triton's launch path asks of a driver before the launch."""

    def __init__(self, arch: str, wavefront_size: int, device_properties: dict[str, int]) -> None:
        self._target = GPUTarget("hip", arch, wavefront_size)
        self._properties = device_properties

    @property
    def utils(self) -> CompileOnlyDriver:
        return self

    def get_device_properties(self, _device: int) -> dict[str, int]:
        return dict(self._properties)

    def get_current_target(self) -> GPUTarget:
        return self._target

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, _device: int) -> None:
        return None

    def get_current_stream(self, _device: int) -> int:
        return 0

    def get_active_torch_device(self) -> torch.device:
        return torch.device("cpu")
