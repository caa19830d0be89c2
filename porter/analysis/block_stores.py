"""What the threads of a block write: variables, shared arrays, and the stores to global memory as a list."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from porter.analysis.block_places import Place
from porter.analysis.block_values import BlockValues
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
    is_same,
    truth,
    undefined,
)
from porter.core.span import Span
from porter.cuda.kir import (
    SHARED_STORAGE,
    AddressOf,
    Array,
    Assign,
    Call,
    CallFunction,
    Expr,
    Pointer,
    Storage,
    Type,
    Variable,
    VarRef,
)


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
class BlockStores(BlockValues):
    """Assignments over the state."""

    stores: list[GlobalStore] = field(default_factory=list)
    declared: dict[Variable, tuple[tuple[Term, ...], Mask]] = field(default_factory=dict)
    added_to: frozenset[Variable] = frozenset()  # the buffers of which a loop adds to one place
    kept: dict[Variable, KeptPlace] = field(default_factory=dict)

    def returned(self) -> list[Term]:
        """The conditions that hold since a thread may have returned."""
        return []

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
            newer = tuple(g for g in newer if not any(g is gone for gone in self.returned()))
        if newer:
            value = self._guarded(value, before, newer, slot)
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
        if isinstance(stmt.value, Call) and stmt.value.name.startswith("atomic"):
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
            self._store_shared(place, self.single(value), active, stmt.span)
        elif root.storage is Storage.LOCAL or not isinstance(root.type, Pointer | Array):
            at = place.offset.constant
            if not isinstance(at, int):
                raise Stop(f"`{root.name}` is indexed by a value", stmt.span)
            self._set_all(root, at, value, place.count, active, stmt.span)
        else:
            self._store_global(place, value, active, stmt.span)

    def _guarded(
        self, value: Value, before: Value | None, guards: tuple[Term, ...], slot: tuple[Variable, int]
    ) -> Value:
        """`value` where all guards hold, else what was there."""
        if isinstance(value, Sum):
            old = before.products if isinstance(before, Sum) else ()
            base = before.base if isinstance(before, Sum) else before
            if base is None or not is_same(value.base, base) or value.products[: len(old)] != old:
                return self._guarded(self.single(value), before, guards, slot)
            more = tuple(Product(p.left, p.right, (*p.guards, *guards)) for p in value.products[len(old) :])
            return Sum(value.base, (*old, *more), value.type)
        held = self.single(before) if before is not None else undefined(f"`{slot[0].name}`", value.type)
        for guard in reversed(guards):
            value = self.chosen(guard, value, held, slot[0].span)
        return value

    # --- memory --------------------------------------------------------------------------------------

    def _store_shared(self, place: Place, value: Term, active: Mask, span: Span) -> None:
        memory = self.shared(place.root)
        for i, part in enumerate(_parts(value, place, span)):
            cells = self._cells(place.root, place.offset + number(i), active, span)
            for guard in self.in_force():
                part = self.chosen(guard, part, memory.peek(cells, active, span), span)
            memory.store(cells, part, active, self.epoch, span)

    def _store_global(self, place: Place, value: Value, active: Mask, span: Span) -> None:
        kept = self.kept_place(place.root, place.offset, span)
        if kept is not None:
            self.kept[kept[0]].is_stored = True
            self._set(kept, value, active, span)
            return
        value = self.single(value)
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


def _parts(value: Term, place: Place, span: Span) -> tuple[Term, ...]:
    if place.count == 1:
        return (value,)
    if value.kind != "bundle" or len(value.parts) != place.count:
        raise Stop("a vector that is stored as another type", span)
    return value.parts


def _is_pointer_variable(target: Expr) -> bool:
    return isinstance(target, VarRef) and isinstance(target.variable.type, Pointer)
