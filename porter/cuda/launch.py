"""A launch of a kernel as the host code writes it."""

from __future__ import annotations

from dataclasses import dataclass

from porter.core.span import Span


@dataclass(frozen=True)
class LaunchSite:
    """`kernel<template_arguments><<<grid, block, shared, stream>>>(arguments)`, every part as source text.

    `block_dim` and `grid_dim` are set where they are constant expressions. `resolved` maps an identifier
    of the grid, block, shared or argument expressions to the initialiser of the local constant it names
    (`const int blocks = (n + 255) / 256;` gives `{"blocks": "(n + 255) / 256"}`). `shared_varies`: other
    launches of the kernel ask for another size of dynamic shared memory. `other_blocks`: the blocks of its
    other launches, where they are not this one's; None for one that is no constant.
    """

    kernel: str
    template_arguments: tuple[str, ...]
    grid: str
    block: str
    shared: str
    stream: str
    arguments: tuple[str, ...]
    span: Span
    enclosing_function: str
    block_dim: tuple[int, int, int] | None = None
    grid_dim: tuple[int, int, int] | None = None
    resolved: tuple[tuple[str, str], ...] = ()
    shared_varies: bool = False
    other_blocks: tuple[tuple[int, int, int] | None, ...] = ()
