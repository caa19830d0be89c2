"""Executes statements for every thread of a block at once; stores to global memory are listed, not done.

A condition on thread numbers and constants picks threads. One that depends on the arguments (`row < m`) is
kept: what is written under it becomes a choice between the new and the old value. A loop whose end is not
known is left to the subclass.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from porter.analysis.block_places import Place
from porter.analysis.block_values import BlockValues
from porter.analysis.expressions import statements, written
from porter.analysis.product_sums import plain
from porter.analysis.slot_types import slot_type, slots_of
from porter.analysis.stop import Stop
from porter.analysis.thread_polynomials import Polynomial, number, same
from porter.analysis.thread_terms import (
    Mask,
    Product,
    Sum,
    Term,
    Value,
    blend,
    both,
    choice,
    constant_of,
    is_same,
    is_uniform,
    negation,
    truth,
    undefined,
)
from porter.core.span import Span
from porter.cuda.kir import (
    SHARED_STORAGE,
    AddressOf,
    Array,
    Assign,
    Barrier,
    Binary,
    Break,
    Call,
    CallFunction,
    Const,
    Continue,
    Declare,
    Evaluate,
    Expr,
    For,
    If,
    Pointer,
    Return,
    Stmt,
    Storage,
    Type,
    Variable,
    VarRef,
    While,
)

MAX_UNROLLED = 64
MAX_STATEMENTS = 200_000


@dataclass(frozen=True)
class GlobalStore:
    """One store, or with `atomic` one addition, of every thread for which all `guards` hold."""

    buffer: Variable
    offset: Polynomial
    value: Term
    guards: tuple[Term, ...]
    type: Type
    atomic: bool
    span: Span


@dataclass
class KeptPlace:
    """A place of a buffer that a loop adds to, and under which conditions it was first touched."""

    buffer: Variable
    offset: Polynomial
    guards: tuple[Term, ...]
    is_stored: bool = False


@dataclass
class _Exits:
    """Who left a loop (or the kernel), by threads where that is known and by condition where it is not."""

    broken: Mask
    continued: Mask
    touched: bool = False
    depth: int = 0  # of the conditions that were in force where it began
    break_guards: list[Term] = field(default_factory=list)
    continue_guards: list[Term] = field(default_factory=list)


@dataclass
class BlockRun(BlockValues):
    stores: list[GlobalStore] = field(default_factory=list)
    declared: dict[Variable, tuple[tuple[Term, ...], Mask]] = field(default_factory=dict)
    loops: list[_Exits] = field(default_factory=list)
    executed: int = 0
    added_to: frozenset[Variable] = frozenset()  # the buffers of which a loop adds to one place
    kept: dict[Variable, KeptPlace] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        nobody = np.zeros(self.threads, dtype=np.bool_)
        self.left = _Exits(nobody, nobody.copy())

    def run(self, block: Iterable[Stmt], active: Mask) -> None:
        for stmt in block:
            now = self._still(active)
            if not bool(now.any()):
                return
            self.execute(stmt, now)

    def _still(self, active: Mask) -> Mask:
        if not self.left.touched and not (self.loops and self.loops[-1].touched):
            return active
        now = active & ~self.left.broken
        if self.loops:
            now = now & ~(self.loops[-1].broken | self.loops[-1].continued)
        return now

    def in_force(self) -> tuple[Term, ...]:
        """The conditions that are not known and hold where control is."""
        exits = [e for e in (self.left, *self.loops) if e.break_guards or e.continue_guards]
        if not exits:
            return tuple(self.guards)
        return (*self.guards, *(g for e in exits for g in (*e.break_guards, *e.continue_guards)))

    def execute(self, stmt: Stmt, active: Mask) -> None:
        self.executed += 1
        if self.executed > MAX_STATEMENTS:
            raise Stop("too much to follow", stmt.span)
        match stmt:
            case Declare(variable=variable, value=value):
                self._declare(variable, value, active)
            case Assign():
                self._assign(stmt, active)
            case Barrier(scope=scope):
                self._barrier(stmt, scope, active)
            case If():
                self._branch(stmt, active)
            case For():
                self.run(stmt.init, active)
                self._loop(stmt, active)
            case While():
                self._loop(stmt, active)
            case Break() | Continue() | Return():
                self._leave(stmt, active)
            case Evaluate(call=Call(name="atomicAdd", arguments=(target, value), type=type_)):
                self._add(target, value, type_, active, stmt.span)
            case Evaluate(call=Call(name="__syncwarp")):
                return
            case _:
                raise Stop("a statement that is not followed", stmt.span)

    # --- variables -----------------------------------------------------------------------------------

    def _declare(self, variable: Variable, value: Expr | None, active: Mask) -> None:
        if variable.storage in SHARED_STORAGE:
            return
        self.declared[variable] = (self.in_force(), active)
        count = slots_of(variable.type)
        if value is None:
            for i in range(count):
                self.slots[variable, i] = undefined(f"`{variable.name}`", slot_type(variable))
                self.valid.pop((variable, i), None)
            return
        if isinstance(value, CallFunction):
            raise Stop("a call that was not inlined", value.span)
        held = self.evaluate(value, active)
        if count == 1:
            self.slots[variable, 0] = held
            self.valid.pop((variable, 0), None)
            return
        self._set_all(variable, 0, held, count, active, value.span)

    def _set_all(
        self, variable: Variable, first: int, held: Value, count: int, active: Mask, span: Span
    ) -> None:
        parts: tuple[Value, ...] = (held,)
        if count > 1:
            bundle = plain(held)
            if bundle.kind != "bundle" or len(bundle.parts) != count:
                raise Stop("an aggregate that is not followed", span)
            parts = bundle.parts
        for i, part in enumerate(parts):
            self._set((variable, first + i), part, active, span)

    def _set(self, slot: tuple[Variable, int], value: Value, active: Mask, span: Span) -> None:
        """Writes a local variable in the active threads, under the conditions newer than its declaration."""
        guards_then, mask_then = self.declared.get(slot[0], ((), self.everyone))
        now = self.in_force()
        newer = tuple(g for g in now if not any(g is old for old in guards_then)) if now else ()
        before = self.slots.get(slot)
        if newer and not isinstance(value, Sum):  # a thread that has returned reads nothing any more
            newer = tuple(g for g in newer if not any(g is gone for gone in self.left.break_guards))
        if newer:
            value = _guarded(value, before, newer, slot)
        if active is mask_then or bool((active | ~mask_then).all()):
            self.slots[slot] = value
            self.valid.pop(slot, None)
            return
        self._set_some(slot, value, before, active, span)

    def _set_some(
        self, slot: tuple[Variable, int], value: Value, before: Value | None, active: Mask, span: Span
    ) -> None:
        if isinstance(value, Sum) or isinstance(before, Sum):
            raise Stop(f"only some threads add to `{slot[0].name}`", span)
        known = self.valid.get(slot, self.everyone)
        if before is None or before.kind == "undefined":
            self.slots[slot], self.valid[slot] = value, active
            return
        mixed = blend(active, value, before)
        if mixed is None:
            raise Stop(f"the threads' values of `{slot[0].name}` differ in kind", span)
        self.slots[slot], self.valid[slot] = mixed, known | active

    def _assign(self, stmt: Assign, active: Mask) -> None:
        if isinstance(stmt.value, CallFunction):
            raise Stop("a call that was not inlined", stmt.span)
        if isinstance(stmt.value, Call) and stmt.value.name.startswith(("atomic", "__shfl")):
            raise Stop(f"a call of `{stmt.value.name}`", stmt.span)
        value = self.evaluate(stmt.value, active)
        slot = self.direct_slot(stmt.target)
        if slot is not None and slot in self.slots and slot not in self.valid:
            self._set(slot, value, active, stmt.span)
            return
        place = self.place(stmt.target, active) if not _is_pointer_variable(stmt.target) else None
        if place is None:
            variable = stmt.target.variable  # type: ignore[union-attr]
            self.declared.setdefault(variable, ((), self.everyone))
            self._set((variable, 0), value, active, stmt.span)
            return
        root = place.root
        if root.storage in SHARED_STORAGE:
            self._store_shared(place, plain(value), active, stmt.span)
        elif root.storage is Storage.LOCAL or not isinstance(root.type, Pointer | Array):
            at = place.offset.constant
            if not isinstance(at, int):
                raise Stop(f"`{root.name}` is indexed by a value", stmt.span)
            self._set_all(root, at, value, place.count, active, stmt.span)
        else:
            self._store_global(place, value, active, stmt.span)

    # --- memory --------------------------------------------------------------------------------------

    def _store_shared(self, place: Place, value: Term, active: Mask, span: Span) -> None:
        memory = self.shared(place.root)
        for i, part in enumerate(_parts(value, place, span)):
            cells = self._cells(place.root, place.offset + number(i), active, span)
            for guard in self.in_force():
                part = choice(guard, part, memory.peek(cells, active, span))
            memory.store(cells, part, active, self.epoch, span)

    def _store_global(self, place: Place, value: Value, active: Mask, span: Span) -> None:
        kept = self.kept_place(place.root, place.offset, span)
        if kept is not None:
            self.kept[kept[0]].is_stored = True
            self._set(kept, value, active, span)
            return
        value = plain(value)
        guards = self._all_guards(active)
        for i, part in enumerate(_parts(value, place, span)):
            offset = place.offset + number(i)
            self.stores.append(GlobalStore(place.root, offset, part, guards, part.type, False, span))

    def kept_place(self, root: Variable, offset: Polynomial, span: Span) -> tuple[Variable, int] | None:
        """The variable for a buffer that a loop adds to; each thread may touch one place of it."""
        if root not in self.added_to:
            return None
        now = self.in_force()
        for variable, place in self.kept.items():
            if place.buffer is root:
                if not same(place.offset, offset):
                    raise Stop(f"several places of `{root.name}`, which a loop stores to", span)
                if not all(any(is_same(g, other) for other in now) for g in place.guards):
                    raise Stop(f"`{root.name}` is stored to under other conditions than before", span)
                return variable, 0
        element = slot_type(root)
        variable = Variable("acc", element, Storage.LOCAL, span)
        self.kept[variable] = KeptPlace(root, offset, now)
        self.declared[variable] = (now, self.everyone)
        self.slots[variable, 0] = Term(("load", root, element), element, (), (offset,))
        return variable, 0

    def store_kept(self) -> None:
        """At the kernel's end: what the kept places hold is stored."""
        for variable, place in self.kept.items():
            if place.is_stored:
                value = plain(self.slots[variable, 0])
                type_, span = value.type, variable.span
                store = GlobalStore(place.buffer, place.offset, value, place.guards, type_, False, span)
                self.stores.append(store)

    def _add(self, target: Expr, value: Expr, type_: Type, active: Mask, span: Span) -> None:
        if not isinstance(target, AddressOf):
            raise Stop("an address that is not understood", span)
        place = self.place(target.lvalue, active)
        if place.root.storage in SHARED_STORAGE:
            raise Stop("an atomic addition in shared memory", span)
        added = self.term(value, active)
        self.stores.append(
            GlobalStore(place.root, place.offset, added, self._all_guards(active), type_, True, span)
        )

    def _all_guards(self, active: Mask) -> tuple[Term, ...]:
        if bool(active.all()):
            return self.in_force()
        known = Term(("int",), truth(True).type, (), (Polynomial({(): active.astype(np.int64)}),))
        return (known, *self.in_force())

    # --- control -------------------------------------------------------------------------------------

    def _barrier(self, stmt: Barrier, scope: str, active: Mask) -> None:
        if scope != "block":
            return
        if not bool(active.all()) or not all(is_uniform(g) for g in self.in_force()):
            raise Stop("a barrier that not all threads of the block reach", stmt.span)
        self.epoch += 1

    def _branch(self, stmt: If, active: Mask) -> None:
        condition = self.decided(self.truth(stmt.condition, active), id(stmt))
        known = constant_of(condition)
        if known is not None:
            taken = np.broadcast_to(np.asarray(known) != 0, active.shape) & active
            if bool(taken.any()):
                self.run(stmt.then, taken)
            if bool((active & ~taken).any()):
                self.run(stmt.otherwise, active & ~taken)
            return
        for guard, body in ((condition, stmt.then), (negation(condition), stmt.otherwise)):
            self.guards.append(guard)
            self.run(body, active)
            self.guards.pop()

    def decided(self, condition: Term, branch: int) -> Term:
        """The condition of a branch, which `branch` tells from others, or its truth where that is known."""
        del branch
        return condition

    def _leave(self, stmt: Break | Continue | Return, active: Mask) -> None:
        exits = self.left if isinstance(stmt, Return) else self.loops[-1]
        goes_on = isinstance(stmt, Continue)
        inner = self.guards[exits.depth :]
        if not inner:
            into = exits.continued if goes_on else exits.broken
            into |= active
            exits.touched = True
            return
        if not bool(active.all()):
            raise Stop("some threads leave under a condition that depends on data", stmt.span)
        condition = inner[0]
        for guard in inner[1:]:
            condition = both(condition, guard)
        (exits.continue_guards if goes_on else exits.break_guards).append(negation(condition))

    def _loop(self, stmt: For | While, active: Mask) -> None:
        if self._has_unknown_end(stmt, active):
            self.unknown_loop(stmt, active)
            return
        nobody = np.zeros(self.threads, dtype=np.bool_)
        exits = _Exits(nobody, nobody.copy(), depth=len(self.guards))
        self.loops.append(exits)
        live = active
        if not (isinstance(stmt, While) and stmt.do_while):
            live = self._known(stmt, live)
        rounds = 0
        while bool(live.any()):
            rounds += 1
            if rounds > MAX_UNROLLED:
                raise Stop(f"more than {MAX_UNROLLED} rounds of a loop", stmt.span)
            exits.continued[:] = False
            exits.continue_guards.clear()
            self.run(stmt.body, live)
            exits.continued[:] = False
            exits.continue_guards.clear()
            live = live & ~exits.broken if exits.touched else live
            if isinstance(stmt, For) and bool(live.any()):
                self._advance(stmt, exits, live)
            live = self._known(stmt, live) if bool(live.any()) else live
        self.loops.pop()

    def _advance(self, stmt: For, exits: _Exits, live: Mask) -> None:
        """The loop's step, done for all: a thread that left under a condition no longer looks."""
        own = {s.variable for s in stmt.init if isinstance(s, Declare)}
        if exits.break_guards and any(v not in own for s in stmt.step if (v := written(s)) is not None):
            raise Stop("a loop that is left under a condition, and whose counter lives on", stmt.span)
        kept, exits.break_guards = exits.break_guards, []
        self.run(stmt.step, live)
        exits.break_guards = kept

    def _known(self, stmt: For | While, live: Mask) -> Mask:
        holds = self.holds(stmt.condition)
        if holds is not None:
            return live if holds else np.zeros_like(live)
        value = constant_of(self.truth(stmt.condition, live))
        if value is None:
            raise Stop("a loop whose end depends on data", stmt.condition.span)
        going: Mask = live & (np.broadcast_to(np.asarray(value), live.shape) != 0)
        return going

    def _has_unknown_end(self, stmt: For | While, active: Mask) -> bool:
        if any(isinstance(s, Barrier) and s.scope == "block" for s in statements(stmt.body)):
            return True
        if isinstance(stmt, While) and stmt.do_while:
            return False
        return constant_of(self.truth(stmt.condition, active)) is None or _is_long(stmt)

    def unknown_loop(self, stmt: For | While, active: Mask) -> None:
        del active
        raise Stop("a loop whose end depends on data", stmt.span)


def _is_long(stmt: For | While) -> bool:
    """`for (k = 0; k < 256; ++k)`: more rounds than are worth to be followed one by one."""
    match stmt:
        case For(
            init=(Declare(value=Const(value=first)) | Assign(value=Const(value=first)),),
            condition=Binary(op="<" | "<=", right=Const(value=last)),
            step=(Assign(value=Binary(op="+", right=Const(value=step))),),
        ) if int(step) > 0:
            return (int(last) - int(first)) // int(step) > MAX_UNROLLED // 2
        case _:
            return False


def _guarded(
    value: Value, before: Value | None, guards: tuple[Term, ...], slot: tuple[Variable, int]
) -> Value:
    """`value` where all guards hold, else what was there."""
    if isinstance(value, Sum):
        old = before.products if isinstance(before, Sum) else ()
        base = before.base if isinstance(before, Sum) else before
        if base is None or not is_same(value.base, base) or value.products[: len(old)] != old:
            return _guarded(plain(value), before, guards, slot)
        more = tuple(Product(p.left, p.right, (*p.guards, *guards)) for p in value.products[len(old) :])
        return Sum(value.base, (*old, *more), value.type)
    held = plain(before) if before is not None else undefined(f"`{slot[0].name}`", value.type)
    for guard in reversed(guards):
        value = choice(guard, value, held)
    return value


def _parts(value: Term, place: Place, span: Span) -> tuple[Term, ...]:
    if place.count == 1:
        return (value,)
    if value.kind != "bundle" or len(value.parts) != place.count:
        raise Stop("a vector that is stored as another type", span)
    return value.parts


def _is_pointer_variable(target: Expr) -> bool:
    return isinstance(target, VarRef) and isinstance(target.variable.type, Pointer)
