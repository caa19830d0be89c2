"""Where every thread of a block reads and writes: the state of an execution that follows places.

`block_values.py` adds the expressions, `block_run.py` the statements.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from porter.analysis.expressions import key
from porter.analysis.linear_form import is_index
from porter.analysis.product_sums import plain
from porter.analysis.slot_types import (
    bits_of,
    element_of,
    field_offset,
    is_unsigned,
    size_bits,
    slot_type,
    slots_of,
)
from porter.analysis.stop import Stop
from porter.analysis.thread_integers import may_be_negative
from porter.analysis.thread_polynomials import (
    Polynomial,
    atom,
    number,
)
from porter.analysis.thread_terms import (
    Mask,
    Term,
    Value,
    integer,
    is_same,
)
from porter.analysis.tile_memory import TileMemory
from porter.core.span import Span
from porter.cuda.kir import (
    SHARED_STORAGE,
    Array,
    Binary,
    Const,
    Expr,
    Index,
    Member,
    Pointer,
    Scalar,
    Storage,
    Struct,
    Type,
    Variable,
    VarRef,
    Vector,
)

Slot = tuple[Variable, int]
_COMPONENTS = "xyzw"
_QUICK: Mapping[str, Callable[[int, int], int]] = {
    "^": operator.xor,
    "/": operator.floordiv,
    "%": operator.mod,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
_COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class Place:
    """`count` elements of `root` from `offset` on, read or written as one value of `type`."""

    root: Variable
    offset: Polynomial
    type: Type
    count: int


@dataclass
class BlockPlaces:
    """The state of the execution: local slots, shared arrays, the conditions in force."""

    block: tuple[int, int, int]
    slots: dict[Slot, Value] = field(default_factory=dict)
    valid: dict[Slot, Mask] = field(default_factory=dict)
    memory: dict[Variable, TileMemory] = field(default_factory=dict)
    epoch: int = 0
    atoms: list[Expr] = field(default_factory=list)
    guards: list[Term] = field(default_factory=list)
    _atom_numbers: dict[object, int] = field(default_factory=dict)
    _integers_made: dict[tuple[int, str], Term] = field(default_factory=dict)
    _counts: dict[tuple[Variable, Type], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        x, y, z = self.block
        self.threads = x * y * z
        thread = np.arange(self.threads, dtype=np.int64)
        self.position = {"x": thread % x, "y": thread // x % y, "z": thread // (x * y)}
        self.everyone = np.ones(self.threads, dtype=np.bool_)

    # --- uniform integers ----------------------------------------------------------------------------

    def atom_of(self, expr: Expr) -> int:
        found = self._atom_numbers.setdefault(key(expr), len(self.atoms))
        if found == len(self.atoms):
            self.atoms.append(expr)
        return found

    def uniform(self, expr: Expr) -> Term:
        """An expression that has one value for all threads of the block."""
        if is_index(expr.type):
            wide = isinstance(expr.type, Scalar) and expr.type.bits == 64
            return integer(atom(self.atom_of(expr), wide=wide), expr.type)
        return Term(("uniform", key(expr)), expr.type, expr=expr)

    def term(self, expr: Expr, active: Mask) -> Term:
        """The value of an expression in the active threads."""
        raise NotImplementedError

    # --- numbers for all threads -----------------------------------------------------------------------

    def _counted(self, expr: Expr) -> int | None:
        """A 32-bit integer that is one number for all threads, found without ado: most indices are."""
        if not isinstance(expr.type, Scalar) or expr.type.kind != "int" or expr.type.bits != 32:
            return None
        if isinstance(expr, Const):
            return int(expr.value)
        if isinstance(expr, VarRef):
            held = self.slots.get((expr.variable, 0))
            if not isinstance(held, Term) or held.kind != "int" or (expr.variable, 0) in self.valid:
                return None
            value = held.numbers[0].constant
            return value if isinstance(value, int) else None
        if isinstance(expr, Binary) and expr.op in _QUICK:
            left = self._counted(expr.left)
            right = self._counted(expr.right) if left is not None else None
            if left is None or right is None or (expr.op in ("/", "%") and (left < 0 or right <= 0)):
                return None
            return _QUICK[expr.op](left, right)
        return None

    def holds(self, condition: Expr) -> bool | None:
        """A comparison of two such numbers."""
        if isinstance(condition, Binary) and condition.op in _COMPARED:
            left, right = self._counted(condition.left), self._counted(condition.right)
            if left is not None and right is not None:
                return _COMPARED[condition.op](left, right)
        return None

    def _integer_of(self, value: int, type_: Scalar) -> Term:
        known = self._integers_made.get((value, type_.kind))
        if known is None:
            known = self._integers_made[value, type_.kind] = integer(number(value), type_)
        return known

    def in_force(self) -> tuple[Term, ...]:
        """The conditions that are not known and hold where control is."""
        return tuple(self.guards)

    def settled(self, value: Value) -> Value:
        """A choice that a condition in force decides, decided."""
        if isinstance(value, Term) and value.kind == "select" and self.guards:
            known = self.in_force()
            while value.kind == "select" and any(is_same(value.parts[0], g) for g in known):
                value = value.parts[1]
        return value

    # --- memory --------------------------------------------------------------------------------------

    def place(self, lvalue: Expr, active: Mask) -> Place:
        match lvalue:
            case VarRef(variable=variable):
                return self._place_at(variable, number(0), lvalue.type, lvalue.span)
            case Index(base=base, index=index):
                steps = self.term(index, active)
                if steps.kind != "int":
                    raise Stop("an index that depends on data", index.span)
                if isinstance(base.type, Pointer):
                    pointer = self.term(base, active)
                    if pointer.kind != "pointer":
                        raise Stop("a pointer whose target is not known", base.span)
                    root, before = pointer.head[1], pointer.numbers[0]
                    assert isinstance(root, Variable)
                else:
                    outer = self.place(base, active)
                    root, before = outer.root, outer.offset
                by = steps.numbers[0].scaled(self._count(root, lvalue.type, lvalue.span))
                if bits_of(index.type) == 32 and is_unsigned(index.type) and may_be_negative(by):
                    raise Stop("an unsigned index that may have wrapped", index.span)
                if before.constant is None and by.constant is None:
                    by, before = by.widened(), before.widened()
                return self._place_at(root, before + by, lvalue.type, lvalue.span)
            case Member(base=base, field=name) if isinstance(base.type, Vector):
                outer = self.place(base, active)
                if slot_type(outer.root) != base.type.element:
                    raise Stop("the parts of a vector of another type", lvalue.span)
                offset = outer.offset + number(_COMPONENTS.index(name))
                return self._place_at(outer.root, offset, lvalue.type, lvalue.span)
            case Member(base=base, field=name) if isinstance(base.type, Struct):
                outer = self.place(base, active)
                if element_of(base.type) != slot_type(outer.root):
                    raise Stop("a structure of several types", lvalue.span)
                offset = outer.offset + number(field_offset(base.type, name))
                return self._place_at(outer.root, offset, lvalue.type, lvalue.span)
            case _:
                raise Stop("an address that is not understood", lvalue.span)

    def _place_at(self, root: Variable, offset: Polynomial, type_: Type, span: Span) -> Place:
        return Place(root, offset, type_, self._count(root, type_, span))

    def _count(self, root: Variable, type_: Type, span: Span) -> int:
        """How many elements of `root` a value of `type_` is."""
        count = self._counts.get((root, type_))
        if count is None:
            count = self._counts[root, type_] = self._counted_elements(root, type_, span)
        return count

    def _counted_elements(self, root: Variable, type_: Type, span: Span) -> int:
        element = slot_type(root)
        if type_ == element:
            return 1
        if isinstance(type_, Array) and type_ == root.type and root.storage is Storage.DYNAMIC_SHARED:
            return 0  # as many as the launch gives
        bits, unit = size_bits(type_), size_bits(element)
        if not bits or not unit or bits % unit:
            raise Stop(f"`{root.name}` is accessed as another type", span)
        return bits // unit

    def direct_slot(self, lvalue: Expr) -> Slot | None:
        """The slot of a part of a local aggregate whose indices are one number for all threads."""
        if not isinstance(lvalue, Index | Member) or not isinstance(lvalue.type, Scalar):
            return None
        return self._direct(lvalue)

    def _direct(self, lvalue: Expr) -> Slot | None:
        if isinstance(lvalue, VarRef):
            is_local = lvalue.variable.storage is Storage.LOCAL and not isinstance(lvalue.type, Pointer)
            return (lvalue.variable, 0) if is_local else None
        if not isinstance(lvalue, Index | Member) or isinstance(lvalue.base.type, Pointer):
            return None
        outer = self._direct(lvalue.base)
        if outer is None:
            return None
        if isinstance(lvalue, Index):
            at = self._counted(lvalue.index)
            return None if at is None else (outer[0], outer[1] + at * self._slots(lvalue.type))
        if isinstance(lvalue.base.type, Struct):
            return outer[0], outer[1] + field_offset(lvalue.base.type, lvalue.field)
        return outer[0], outer[1] + _COMPONENTS.index(lvalue.field)

    def _slots(self, type_: Type) -> int:
        return 1 if isinstance(type_, Scalar) else slots_of(type_)

    def _read(self, expr: Expr, active: Mask) -> Value:
        if not isinstance(expr, VarRef):
            slot = self.direct_slot(expr)
            if slot is not None and slot in self.slots and slot not in self.valid:
                return self.settled(self.slots[slot])
        if isinstance(expr, Member) and not _is_lvalue(expr):
            bundle = self.term(expr.base, active)
            return self._component(bundle, expr)
        if isinstance(expr, VarRef):
            held = self.slots.get((expr.variable, 0))
            if held is not None and isinstance(expr.type, Scalar | Pointer):
                self._check_valid((expr.variable, 0), active, expr.span)
                return self.settled(held)
            if held is None and isinstance(expr.type, Pointer) and expr.variable.storage is Storage.PARAMETER:
                return Term(("pointer", expr.variable), expr.type, (), (number(0),))
        return self._fetch(self.place(expr, active), active, expr.span)

    def _component(self, bundle: Term, expr: Member) -> Term:
        lanes = expr.base.type.lanes if isinstance(expr.base.type, Vector) else 0
        if bundle.kind != "bundle" or len(bundle.parts) != lanes or not lanes:
            raise Stop("the parts of a vector of another type", expr.span)
        return bundle.parts[_COMPONENTS.index(expr.field)]

    def _fetch(self, place: Place, active: Mask, span: Span) -> Value:
        if place.count == 1:
            if place.type != slot_type(place.root):
                raise Stop(f"`{place.root.name}` is accessed as another type", span)
            return self._element(place, place.offset, active, span)
        offsets = [place.offset + number(i) for i in range(place.count)]
        parts = tuple(plain(self._element(place, o, active, span)) for o in offsets)
        return Term(("bundle",), place.type, parts)

    def _element(self, place: Place, offset: Polynomial, active: Mask, span: Span) -> Value:
        root = place.root
        if root.storage in SHARED_STORAGE:
            return self.shared(root).load(self._cells(root, offset, active, span), active, self.epoch, span)
        if root.storage is Storage.LOCAL or not isinstance(root.type, Pointer | Array):
            return self._slot(root, offset, active, span)
        element = slot_type(root)
        kept = self.kept_place(root, offset, span)
        if kept is not None:
            return self.settled(self.slots[kept])
        if isinstance(root.type, Array) and len(root.type.shape) > 1:
            raise Stop(f"`{root.name}` is no plain buffer", span)
        return Term(("load", root, element), element, (), (offset,))

    def kept_place(self, root: Variable, offset: Polynomial, span: Span) -> Slot | None:
        """The variable that stands for a place in global memory, where the execution keeps one."""
        del root, offset, span
        return None

    def _slot(self, root: Variable, offset: Polynomial, active: Mask, span: Span) -> Value:
        at = offset.constant
        if not isinstance(at, int):
            raise Stop(f"`{root.name}` is indexed by a value", span)
        slot = (root, at)
        if slot in self.slots:
            self._check_valid(slot, active, span)
            return self.settled(self.slots[slot])
        if root.storage is Storage.PARAMETER and isinstance(root.type, Scalar):
            return self.uniform(VarRef(root, root.type, span))
        raise Stop(f"`{root.name}` is read and has no value", span)

    def _check_valid(self, slot: Slot, active: Mask, span: Span) -> None:
        known = self.valid.get(slot)
        if known is not None and bool((active & ~known).any()):
            raise Stop(f"some threads read `{slot[0].name}` without a value", span)

    def shared(self, root: Variable) -> TileMemory:
        if root not in self.memory:
            size = 1
            type_: Type = root.type
            while isinstance(type_, Array):
                size *= int(np.prod(type_.shape))
                type_ = type_.element
            lanes = type_.lanes if isinstance(type_, Vector) else 1
            self.memory[root] = TileMemory(root.name, slot_type(root), max(1, size * lanes))
        return self.memory[root]

    def _cells(self, root: Variable, offset: Polynomial, active: Mask, span: Span) -> np.ndarray:
        known = offset.constant
        if known is None:
            raise Stop(f"the index into `{root.name}` depends on data", span)
        cells = np.broadcast_to(np.asarray(known, dtype=np.int64), (self.threads,))
        memory = self.shared(root)
        most = int(cells[active].max())
        if root.storage is Storage.DYNAMIC_SHARED and most >= memory.size:
            memory.grow(most + 1)
        if most >= memory.size or int(cells[active].min()) < 0:
            raise Stop(f"an index outside of `{root.name}`", span)
        return cells


def _is_lvalue(expr: Expr) -> bool:
    while isinstance(expr, Member):
        expr = expr.base
    return isinstance(expr, VarRef | Index)
