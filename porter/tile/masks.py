"""Which threads are active: a stack of conditions, and the mask they make together.

A `Term` is one divergent condition, already held by a name that never changes. Masks are built where they
are first needed and placed at the point where their innermost condition was entered, so that every later
use sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from porter.cuda.kir import BOOL, INT32
from porter.tile import ir
from porter.tile.arithmetic import logical
from porter.tile.layout import Layout

TRUE = ir.Literal(True, ir.TileType(BOOL))


@dataclass(frozen=True)
class Term:
    """`single` are the axes along which exactly one thread satisfies the condition (`tid == 0`).

    `nonempty`: some thread of the block satisfies it whatever the data (so "any thread" is true).
    `padding`: switches off the threads that the power-of-two shape has too many.
    `first`: the condition for the first thread along its axes, without which no other satisfies it.
    """

    condition: ir.Expr
    single: ir.Axes = ir.UNIFORM
    nonempty: bool = False
    padding: bool = False
    first: ir.Expr | None = None


@dataclass
class Scope:
    """Conditions entered together. Combined masks are inserted at `block[slot]`.

    `leaves`: the threads that fail the condition never come back, so nobody sees their variables again.
    """

    terms: tuple[Term, ...]
    block: list[ir.Stmt]
    slot: int
    leaves: bool
    masks: dict[ir.Expr, ir.Expr] = field(default_factory=dict)


@dataclass
class MaskStack:
    """`fresh` hands out names for masks."""

    layout: Layout
    fresh: Callable[[str], str]
    scopes: list[Scope] = field(default_factory=list)

    @property
    def depth(self) -> int:
        return len(self.scopes)

    def push(self, terms: tuple[Term, ...], block: list[ir.Stmt], *, leaves: bool = False) -> None:
        self.scopes.append(Scope(terms, block, len(block), leaves))

    def pop(self) -> None:
        self.scopes.pop()

    def terms(self) -> tuple[Term, ...]:
        return tuple(term for scope in self.scopes for term in scope.terms)

    def full(self) -> ir.Expr | None:
        """The mask of the active threads; None when all are."""
        return self._combine(tuple(term.condition for term in self.terms()))

    def since(self, depth: int) -> ir.Expr | None:
        """The mask of the conditions entered since `depth` that threads come back from."""
        scopes = [scope for scope in self.scopes[depth:] if not scope.leaves]
        return self._combine(tuple(term.condition for scope in scopes for term in scope.terms))

    def projected(self, axes: ir.Axes, extra: tuple[Term, ...] = ()) -> ir.Expr | None:
        """For values over `axes`: where any thread along the other axes is active; None for everywhere."""
        return self._projected((*self.terms(), *extra), axes)

    def padding(self, axes: ir.Axes) -> ir.Expr | None:
        """For values over `axes`: where there are threads at all, active or not; None for everywhere."""
        return self._projected(tuple(term for term in self.terms() if term.padding), axes)

    def _projected(self, terms: tuple[Term, ...], axes: ir.Axes) -> ir.Expr | None:
        kept = tuple(term.condition for term in terms if term.condition.type.axes <= axes)
        beyond = tuple(term for term in terms if not term.condition.type.axes <= axes)
        firsts = _firsts_of(beyond, axes)
        if firsts is not None:
            kept = (*kept, *(self._placed(first, "any_active") for first in firsts if first != TRUE))
        elif not _always_some(beyond, axes):
            some = self._combine(tuple(term.condition for term in beyond))
            assert some is not None
            kept = (*kept, self._placed(any_thread(self.layout, some, axes), "any_active"))
        return self._combine(kept)

    @contextmanager
    def restricted(self, axes: ir.Axes) -> Iterator[None]:
        """Only the conditions over `axes`: for values in which another axis stands for something else."""
        saved = [(scope, scope.terms, scope.masks) for scope in self.scopes]
        for scope in self.scopes:
            scope.terms = tuple(term for term in scope.terms if term.condition.type.axes <= axes)
            scope.masks = {}
        yield
        for scope, terms, masks in saved:
            scope.terms, scope.masks = terms, masks

    def _combine(self, conditions: tuple[ir.Expr, ...]) -> ir.Expr | None:
        if not conditions:
            return None
        unique = tuple(dict.fromkeys(conditions))
        return unique[0] if len(unique) == 1 else self._placed(conjunction(unique), "mask")

    def _placed(self, value: ir.Expr, wanted: str) -> ir.Expr:
        """Names `value` at the entry of the innermost scope that one of its conditions comes from."""
        if not self.scopes:
            return value
        scope = self._home(value)
        if value not in scope.masks:
            later = self._assigned_after(scope)
            name = next(name for name in iter(lambda: self.fresh(wanted), None) if name not in later)
            self._insert(scope, ir.Let(name, value))
            scope.masks[value] = ir.Name(name, value.type)
        return scope.masks[value]

    def _assigned_after(self, scope: Scope) -> set[str]:
        """Names that statements behind the slot give; those of loops that have ended count as free again."""
        blocks = {id(scope.block): scope.block[scope.slot :]}
        for inner in reversed(self.scopes):
            if inner is scope:
                break
            blocks.setdefault(id(inner.block), inner.block)
        return {
            statement.variable if isinstance(statement, ir.ForRange) else statement.target
            for block in blocks.values()
            for statement in ir.all_statements(tuple(block))
            if isinstance(statement, (ir.Let, ir.ForRange))
        }

    def _home(self, value: ir.Expr) -> Scope:
        names = set(ir.names_in(value))
        for scope in reversed(self.scopes):
            made = {n for mask in scope.masks.values() for n in ir.names_in(mask)}
            own = {n for term in scope.terms for n in ir.names_in(term.condition)}
            if names & (own | made):
                return scope
        return self.scopes[-1]

    def _insert(self, scope: Scope, statement: ir.Stmt) -> None:
        position = scope.slot
        scope.block.insert(position, statement)
        for other in self.scopes:
            if other.block is scope.block and other.slot >= position:
                other.slot += 1


def _always_some(terms: tuple[Term, ...], axes: ir.Axes) -> bool:
    """Whether at every place along `axes` some thread satisfies all of `terms`.

    A term over one of these axes may leave a place out: a warp that only padding has, say. Of the others
    padding leaves threads everywhere, and one condition that is never empty does.
    """
    if any(term.condition.type.axes & axes for term in terms):
        return False
    real = [term for term in terms if not term.padding]
    return not real or (len(real) == 1 and real[0].nonempty)


def _firsts_of(terms: tuple[Term, ...], axes: ir.Axes) -> tuple[ir.Expr, ...] | None:
    """What says whether any thread satisfies all `terms`, where the first is enough to look at.

    It is the same one for all, and none of the padding: that must not leave a place along `axes` out.
    """
    if any(term.padding and term.condition.type.axes & axes for term in terms):
        return None
    real = [term for term in terms if not term.padding]
    firsts = tuple(term.first for term in real if term.first and not term.condition.type.axes & axes)
    return firsts if len(firsts) == len(real) else None


def conjunction(conditions: tuple[ir.Expr, ...]) -> ir.Expr:
    """`a & b & c`; at least one condition."""
    result = conditions[0]
    for condition in conditions[1:]:
        result = logical("&", result, condition)
    return result


def any_thread(layout: Layout, condition: ir.Expr, axes: ir.Axes) -> ir.Expr:
    """Whether the condition holds for any thread along the axes that are not in `axes`."""
    left = condition.type.axes & axes
    if not condition.type.axes:
        return condition
    as_int = ir.Convert(condition, ir.TileType(INT32, condition.type.axes))
    reduced: ir.Expr = ir.Invoke("tl.max", (as_int,), ir.TileType(INT32, left))
    if axes:
        # The mask of a tensor has to be a tensor, if of one element.
        reduced = as_int
        for name in sorted(condition.type.axes - axes, key=layout.position):
            keywords = (("axis", ir.Text(str(layout.position(name)))), ("keep_dims", ir.Text("True")))
            kept = reduced.type.axes - {name}
            reduced = ir.Invoke("tl.max", (reduced,), ir.TileType(INT32, kept), keywords)
    elif len(layout.axes) == 1:
        reduced = ir.Invoke("tl.max", (as_int,), ir.TileType(INT32), (("axis", ir.Text("0")),))
    return ir.Infix(">", reduced, ir.Literal(0, ir.TileType(INT32)), ir.TileType(BOOL, left))
