"""Loops as the hardware likes them: short ones of a known length whole, others several rounds at a time.

CUDA's compiler unrolls by itself, Triton's does not. Without it a round waits for its loads before the next
one begins. On an H200 (Triton 3.6) a nine-point stencil is 2.7 times as fast with its loop unrolled, sums
over long rows 1.1 to 1.8 times; a loop with a `tl.dot`, which is unrolled inside, gets slower.
"""

from __future__ import annotations

import dataclasses

from porter.tile import ir

MOST_ROUNDS = 16
"""Of a loop that is unrolled whole; of nested ones together four times as many."""
_SMALL, _MEDIUM = 12, 40
"""Statements of a loop of which eight rounds, or four, are written as one."""
_LOADS = ("tl.load", "_load2", "_load4", "_load2_rows", "_load4_rows")


def unroll_loops(kernel: ir.TileKernel) -> ir.TileKernel:
    """The same kernel with `unroll` set where it pays."""
    return dataclasses.replace(kernel, body=_block(kernel.body))


def _block(body: tuple[ir.Stmt, ...], outer: int = 1) -> tuple[ir.Stmt, ...]:
    return tuple(_statement(statement, outer) for statement in body)


def _statement(statement: ir.Stmt, outer: int) -> ir.Stmt:
    match statement:
        case ir.ForRange():
            rounds = _rounds(statement)
            whole = rounds is not None and _is_short(statement, rounds, outer)
            body = _block(statement.body, outer * rounds if whole and rounds else outer)
            unroll = ir.WHOLE if whole else _factor(statement)
            return dataclasses.replace(statement, body=body, unroll=unroll)
        case ir.WhileLoop(body=body):
            return dataclasses.replace(statement, body=_block(body, outer))
        case ir.IfElse(then=then, otherwise=otherwise):
            return dataclasses.replace(
                statement, then=_block(then, outer), otherwise=_block(otherwise, outer)
            )
    return statement


def _rounds(loop: ir.ForRange) -> int | None:
    match loop:
        case ir.ForRange(start=ir.Literal(first), stop=ir.Literal(end), step=ir.Literal(step)) if step:
            return len(range(int(first), int(end), int(step)))
    return None


def _is_short(loop: ir.ForRange, rounds: int, outer: int) -> bool:
    """Whether all its rounds may stand in the program."""
    few = 0 < rounds <= MOST_ROUNDS and rounds * outer <= 4 * MOST_ROUNDS
    return few and _size(loop.body) * rounds * outer <= 16 * _MEDIUM and not _has(loop.body, "tl.dot")


def _factor(loop: ir.ForRange) -> int:
    """How many rounds of an innermost loop that loads are written as one."""
    nested = any(isinstance(s, (ir.ForRange, ir.WhileLoop)) for s in ir.all_statements(loop.body))
    if nested or not _has(loop.body, *_LOADS) or _has(loop.body, "tl.dot", "tl.sum"):
        return 1
    size = _size(loop.body)
    return 8 if size <= _SMALL else 4 if size <= _MEDIUM else 1


def _size(body: tuple[ir.Stmt, ...]) -> int:
    return sum(not isinstance(s, ir.Comment) for s in ir.all_statements(body))


def _has(body: tuple[ir.Stmt, ...], *functions: str) -> bool:
    own = (expr for statement in ir.all_statements(body) for expr in ir.own_expressions(statement))
    return any(isinstance(node, ir.Invoke) and node.function in functions for e in own for node in ir.walk(e))
