"""Rewrites `threadIdx.x / 32` and `threadIdx.x % 32` as the two axes of a `[warps, 32]` layout.

After it the builtins `warpIdx` and `laneIdx` stand for them, so that a value per warp is known to be one.
Only for one-dimensional blocks; `group` is the layout's inner length, a power of two.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from porter.analysis.ranges import is_integer
from porter.analysis.walk import Node, definitions, rewrite
from porter.cuda import kir


def split_warps(kernel: kir.Kernel, group: int, threads: int) -> kir.Kernel:
    """`group` lanes an inner axis, `threads` in the block; `warpDim` becomes the number of groups."""
    splitter = _Splitter(group, threads, definitions(kernel.body))
    return dataclasses.replace(kernel, body=rewrite(kernel.body, splitter.change))


@dataclass(frozen=True)
class _Splitter:
    group: int
    threads: int
    definitions: dict[kir.Variable, kir.Expr]

    def change(self, node: Node) -> Node:
        if not isinstance(node, kir.Binary) or not is_integer(node.type):
            return node
        divisor = self._divisor(node)
        if divisor is None:
            return node
        wants_warp = node.op in ("/", ">>")
        if self._is_thread(node.left):
            return self._builtin("warpIdx" if wants_warp else "laneIdx", node)
        if wants_warp and self._is_block_size(node.left):
            return self._builtin("warpDim", node)
        blocks = self._blocks_before(node.left)
        if blocks is None:
            return node
        if not wants_warp:
            return self._builtin("laneIdx", node)
        return kir.Binary("+", blocks, self._builtin("warpIdx", node), node.type, node.span)

    def _divisor(self, node: kir.Binary) -> int | None:
        """The group size, if the operation divides by it or takes the rest."""
        right = self._constant(node.right)
        expected = {
            "/": self.group,
            "%": self.group,
            "&": self.group - 1,
            ">>": self.group.bit_length() - 1,
        }.get(node.op)
        return self.group if right is not None and right == expected else None

    def _constant(self, expr: kir.Expr) -> int | None:
        expr = self._resolved(expr)
        if isinstance(expr, kir.Const):
            return int(expr.value) if is_integer(expr.type) else None
        return 32 if isinstance(expr, kir.Builtin) and expr.name == "warpSize" else None

    def _resolved(self, expr: kir.Expr) -> kir.Expr:
        while True:
            if isinstance(expr, kir.Cast) and is_integer(expr.type):
                expr = expr.operand
            elif isinstance(expr, kir.VarRef) and expr.variable in self.definitions:
                expr = self.definitions[expr.variable]
            else:
                return expr

    def _is_thread(self, expr: kir.Expr) -> bool:
        inner = self._resolved(expr)
        return isinstance(inner, kir.Builtin) and inner.name == "threadIdx" and inner.axis == "x"

    def _blocks_before(self, expr: kir.Expr) -> kir.Expr | None:
        """For `blockIdx.x * size + threadIdx.x` with `size` whole groups: `blockIdx.x * (size / group)`."""
        inner = self._resolved(expr)
        if not isinstance(inner, kir.Binary) or inner.op != "+":
            return None
        left, right = inner.left, inner.right
        if self._is_thread(left):
            left, right = right, left
        start = self._resolved(left)
        if not self._is_thread(right) or not isinstance(start, kir.Binary) or start.op != "*":
            return None
        for size, other in ((start.right, start.left), (start.left, start.right)):
            if self._is_block(size):
                warps = kir.Builtin("warpDim", "", kir.UINT32, size.span)
                factor: kir.Expr = (
                    warps if start.type == kir.UINT32 else kir.Cast(warps, start.type, size.span)
                )
                return self._product(other, factor, start, expr)
            constant = self._constant(size)
            if constant is not None and constant % self.group == 0:
                factor = kir.Const(constant // self.group, start.type, size.span)
                return self._product(other, factor, start, expr)
        return None

    def _product(self, other: kir.Expr, factor: kir.Expr, start: kir.Binary, expr: kir.Expr) -> kir.Expr:
        product = kir.Binary("*", other, factor, start.type, start.span)
        return product if start.type == expr.type else kir.Cast(product, expr.type, expr.span)

    def _is_block_size(self, expr: kir.Expr) -> bool:
        inner = self._resolved(expr)
        is_size = isinstance(inner, kir.Builtin) and (inner.name, inner.axis) == ("blockDim", "x")
        return is_size and self.threads % self.group == 0

    def _is_block(self, expr: kir.Expr) -> bool:
        """`blockDim.x`, or the number of threads a block has, which is whole groups."""
        inner = self._resolved(expr)
        if self.threads % self.group:
            return False
        if isinstance(inner, kir.Const):
            return inner.value == self.threads
        return self._is_block_size(expr)

    def _builtin(self, name: str, node: kir.Binary) -> kir.Expr:
        builtin = kir.Builtin(name, "", kir.UINT32, node.span)
        return builtin if node.type == kir.UINT32 else kir.Cast(builtin, node.type, node.span)
