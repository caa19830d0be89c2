"""The thread block a kernel is launched with, as far as the source fixes it."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from porter.tile.api import KernelLaunch
from porter.tile.launch_text import python_grid


def fixed_block(launch: KernelLaunch) -> tuple[int, int, int] | None:
    """The block of every launch of this instantiation, or None where it is a value of the running program.

    A block that is written in terms of the template's arguments is known once those are.
    """
    site = launch.launch
    if site is None or site.other_blocks:
        return None
    if site.block_dim is not None:
        return site.block_dim
    known = dict(site.resolved)
    pairs = zip(site.template_arguments, launch.kernel.template_arguments, strict=False)
    known.update({name: value for name, value in pairs if value.lstrip("-").isdigit()})
    parts = python_grid(site.block, {}, known)
    sizes = [_number(ast.parse(part, mode="eval").body) for part in parts or ()]
    if len(sizes) != 3 or any(size is None for size in sizes):
        return None
    x, y, z = (size or 0 for size in sizes)
    return x, y, z


_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


def _number(node: ast.expr) -> int | None:
    """The value of arithmetic on literals."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _number(node.left), _number(node.right)
        if (
            left is not None
            and right is not None
            and (right or not isinstance(node.op, ast.FloorDiv | ast.Mod))
        ):
            return _OPERATORS[type(node.op)](left, right)
    return None
