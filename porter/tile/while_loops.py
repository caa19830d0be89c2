"""Loops without a known trip count: `while` a uniform condition holds, or while any thread is live."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.context import Context
from porter.tile.expressions import condition
from porter.tile.masks import Term, any_thread
from porter.tile.memory import spread

LowerBody: TypeAlias = Callable[[Context, tuple[kir.Stmt, ...]], None]


def general_for(ctx: Context, loop: kir.For, lower_body: LowerBody) -> None:
    divergent = bool(ctx.axes(loop.condition))
    live = _Live(ctx)
    outer = ctx.masks.depth
    lower_body(ctx, loop.init)
    if divergent:
        # Variables of the loop belong to its live threads: nobody else sees them.
        for node in loop.init:
            if isinstance(node, kir.Declare):
                ctx.depth[node.variable] = outer + 1
    _while(ctx, loop.condition, (*loop.body, *loop.step), live, divergent, loop.comments, lower_body)


def lower_while(ctx: Context, loop: kir.While, lower_body: LowerBody) -> None:
    divergent = bool(ctx.axes(loop.condition))
    if loop.do_while:
        _do_while(ctx, loop, divergent, lower_body)
        return
    _while(ctx, loop.condition, loop.body, _Live(ctx), divergent, loop.comments, lower_body)


@dataclass
class _Live:
    """The name of the mask of live threads."""

    ctx: Context
    name: str = ""

    def start(self, value: ir.Expr) -> ir.Name:
        self.name = self.ctx.names.fresh("live")
        return self.put(value)

    def put(self, value: ir.Expr) -> ir.Name:
        axes = self.ctx.layout.all_axes
        shape = self.ctx.shape(axes)
        if not value.type.axes:
            value = spread(self.ctx, value, axes)
        elif not axes <= value.type.axes:
            value = ir.Invoke("tl.broadcast_to", (value, shape), ir.TileType(kir.BOOL, axes))
        self.ctx.emit(ir.Let(self.name, value))
        return ir.Name(self.name, ir.TileType(kir.BOOL, axes))


def _while(
    ctx: Context,
    test: kir.Expr,
    body: tuple[kir.Stmt, ...],
    live: _Live,
    divergent: bool,
    comments: tuple[str, ...],
    lower_body: LowerBody,
) -> None:
    if not divergent:
        _uniform_while(ctx, test, body, comments, lower_body)
        return
    first = condition(ctx, test)
    outer = ctx.masks.full()
    mask = live.start(first if outer is None else c.logical("&", outer, first))
    with ctx.nested() as block:
        ctx.masks.push((Term(mask),), ctx.block)
        lower_body(ctx, body)
        ctx.loads.clear()
        live.put(c.logical("&", mask, condition(ctx, test)))
        ctx.masks.pop()
    ctx.release(block)
    ctx.emit(ir.WhileLoop(any_thread(ctx.layout, mask, ir.UNIFORM), tuple(block), comments))


def _uniform_while(
    ctx: Context,
    test: kir.Expr,
    body: tuple[kir.Stmt, ...],
    comments: tuple[str, ...],
    lower_body: LowerBody,
) -> None:
    ctx.inline_loads = True
    lowered = condition(ctx, test)
    ctx.inline_loads = False
    with ctx.nested() as block, loop_depth(ctx):
        lower_body(ctx, body)
    ctx.release(block)
    ctx.emit(ir.WhileLoop(lowered, tuple(block), comments))


def _do_while(ctx: Context, loop: kir.While, divergent: bool, lower_body: LowerBody) -> None:
    """The body runs once for everyone, so the live mask starts as the mask at the entry."""
    name = ctx.names.fresh("again")
    if not divergent:
        ctx.emit(ir.Let(name, c.literal(True, kir.BOOL)))
        again = ir.Name(name, ir.TileType(kir.BOOL), weak=True)
        with ctx.nested() as block, loop_depth(ctx):
            lower_body(ctx, loop.body)
            ctx.loads.clear()
            ctx.emit(ir.Let(name, condition(ctx, loop.condition)))
        ctx.release(block)
        ctx.emit(ir.WhileLoop(again, tuple(block), loop.comments))
        return
    live = _Live(ctx)
    outer = ctx.masks.full()
    shape = ctx.shape(ctx.layout.all_axes)
    everyone = ir.Invoke(
        "tl.full", (shape, ir.Text("True"), ir.Text("tl.int1")), ir.TileType(kir.BOOL, ctx.layout.all_axes)
    )
    mask = live.start(everyone if outer is None else outer)
    with ctx.nested() as block:
        ctx.masks.push((Term(mask),), ctx.block)
        lower_body(ctx, loop.body)
        ctx.loads.clear()
        live.put(c.logical("&", mask, condition(ctx, loop.condition)))
        ctx.masks.pop()
    ctx.release(block)
    ctx.emit(ir.WhileLoop(any_thread(ctx.layout, mask, ir.UNIFORM), tuple(block), loop.comments))


@contextmanager
def loop_depth(ctx: Context) -> Iterator[None]:
    """Masks made inside the loop are placed inside it."""
    ctx.masks.push((), ctx.block)
    yield
    ctx.masks.pop()
