"""Cuts a failing kernel down: statement by statement, as long as it fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.tile.random_kernels.kernels import RandomKernel
from tests.tile.random_kernels.statements import Block, Node

Nodes = tuple[Node, ...]


def reduced(kernel: RandomKernel, fails: Callable[[RandomKernel], bool], tries: int = 400) -> RandomKernel:
    """A kernel from which nothing more can be taken. `fails` is False for a text that does not compile."""
    changed = True
    while changed and tries > 0:
        changed = False
        for candidate in _smaller(kernel):
            tries -= 1
            if tries < 0:
                break
            if fails(candidate):
                kernel, changed = candidate, True
                break
    return kernel


def _smaller(kernel: RandomKernel) -> Iterator[RandomKernel]:
    for body in _cuts(kernel.body):
        yield replace(kernel, body=body)
    if kernel.grid != (1, 1, 1):
        yield replace(kernel, grid=(1, 1, 1))


def _cuts(nodes: Nodes) -> Iterator[Nodes]:
    """The nodes with one taken out, or one block replaced by what is in it, or something cut inside of it."""
    for at in range(len(nodes) - 1, -1, -1):
        yield (*nodes[:at], *nodes[at + 1 :])
    for at, node in enumerate(nodes):
        if isinstance(node, Block):
            for smaller in _cut_block(node):
                yield (*nodes[:at], *smaller, *nodes[at + 1 :])


def _cut_block(block: Block) -> Iterator[Nodes]:
    if block.parts[0][0].startswith("if"):
        for _, body in block.parts:
            yield body
    for at in range(1, len(block.parts)):
        yield (replace(block, parts=(*block.parts[:at], *block.parts[at + 1 :])),)
    for at, (head, body) in enumerate(block.parts):
        for smaller in _cuts(body):
            yield (replace(block, parts=(*block.parts[:at], (head, smaller), *block.parts[at + 1 :])),)
