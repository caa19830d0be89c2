"""The thread block a kernel is launched with, as far as the source fixes it."""

from __future__ import annotations

from porter.tile.api import KernelLaunch
from porter.tile.launch_text import python_grid


def fixed_block(launch: KernelLaunch) -> tuple[int, int, int] | None:
    """The block of every launch of this instantiation, or None where it is a value of the running program.

    A block that is written in terms of the template's arguments is known once those are.
    """
    site = launch.launch
    if site is None:
        return None
    if site.block_dim is not None:
        return site.block_dim
    known = dict(site.resolved)
    pairs = zip(site.template_arguments, launch.kernel.template_arguments, strict=False)
    known.update({name: value for name, value in pairs if value.lstrip("-").isdigit()})
    parts = python_grid(site.block, {}, known)
    if parts is None or not all(part.isdigit() for part in parts):
        return None
    x, y, z = (int(part) for part in parts)
    return x, y, z
