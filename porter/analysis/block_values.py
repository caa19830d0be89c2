"""Evaluates expressions for every thread of a block at once, with addresses as polynomials and data symbolic.

Where `block_evaluation.py` follows which threads' values are combined, this follows *where a value was
loaded from*: what a staged tile holds, as a function of the element.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from porter.analysis.expressions import key
from porter.analysis.linear_form import is_index
from porter.analysis.stop import Stop
from porter.analysis.thread_polynomials import (
    Numbers,
    Polynomial,
    atom,
    number,
)
from porter.analysis.thread_terms import (
    Mask,
    Product,
    Sum,
    Term,
    Value,
    both,
    choice,
    either,
    integer,
    is_nothing,
    is_same,
    mentions,
    negation,
    positive,
    undefined,
    zero,
)
from porter.analysis.tile_memory import TileMemory
from porter.core.span import Span
from porter.cuda.kir import (
    BOOL,
    SHARED_STORAGE,
    AddressOf,
    Array,
    Binary,
    Builtin,
    Call,
    Cast,
    Const,
    Expr,
    Index,
    MakeVector,
    Member,
    Pointer,
    Scalar,
    Select,
    Storage,
    Struct,
    Type,
    Unary,
    Variable,
    VarRef,
    Vector,
)

Slot = tuple[Variable, int]
_COMPONENTS = "xyzw"
_QUICK: Mapping[str, Callable[[int, int], int]] = {
    "^": operator.xor,
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
_FUSED = frozenset({"fma", "fmaf", "__fmaf_rn", "__fma_rn"})


@dataclass(frozen=True)
class Place:
    """`count` elements of `root` from `offset` on, read or written as one value of `type`."""

    root: Variable
    offset: Polynomial
    type: Type
    count: int


@dataclass
class BlockValues:
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

    # --- expressions ---------------------------------------------------------------------------------

    def term(self, expr: Expr, active: Mask) -> Term:
        return plain(self.evaluate(expr, active))

    def evaluate(self, expr: Expr, active: Mask) -> Value:
        """The value in the active threads; the others hold anything. Raises Stop."""
        if isinstance(expr.type, Scalar) and expr.type.bits == 32:
            counted = self._counted(expr)
            if counted is not None:
                return self._integer_of(counted, expr.type)
        match expr:
            case VarRef() | Index() | Member():
                return self._read(expr, active)
            case Binary():
                return self._binary(expr, active)
            case Const(value=value, type=type_):
                if is_whole(type_):
                    return integer(number(int(value)), type_)
                return Term(("const", repr(value), type_), type_, expr=expr)
            case Builtin():
                return self._builtin(expr)
            case Cast():
                return self._cast(self.term(expr.operand, active), expr)
            case Unary():
                return self._unary(expr, self.term(expr.operand, active))
            case Select(condition=condition, if_true=a, if_false=b):
                return choice(self.truth(condition, active), self.term(a, active), self.term(b, active))
            case AddressOf(lvalue=lvalue):
                place = self.place(lvalue, active)
                return Term(("pointer", place.root), expr.type, (), (place.offset,))
            case MakeVector(elements=elements):
                parts = tuple(part for e in elements for part in self._parts(e, active))
                return Term(("bundle",), expr.type, parts)
            case Call():
                return self._call(expr, active)
            case _:
                raise Stop("an expression that is not followed", expr.span)

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
            return _QUICK[expr.op](left, right) if left is not None and right is not None else None
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

    def truth(self, expr: Expr, active: Mask) -> Term:
        """A condition; an integer is true where it is not zero."""
        value = self.term(expr, active)
        if value.type == BOOL or value.kind in ("positive", "zero", "and", "or", "not"):
            return value
        if value.kind == "int":
            return negation(zero(value.numbers[0]))
        raise Stop("a condition on data", expr.span)

    def _parts(self, expr: Expr, active: Mask) -> tuple[Term, ...]:
        """A part of an aggregate, which may be one itself: a zero stands for all of its elements."""
        if isinstance(expr, Const) and isinstance(expr.type, Array | Struct | Vector):
            element = element_of(expr.type)
            zero = Const(0 if is_whole(element) else 0.0, element, expr.span)
            return (self.term(zero, active),) * slots_of(expr.type)
        value = self.term(expr, active)
        return value.parts if value.kind == "bundle" else (value,)

    def _builtin(self, expr: Builtin) -> Term:
        if expr.name == "threadIdx":
            return integer(_number(self.position[expr.axis]), expr.type)
        if expr.name == "blockDim":
            return integer(number(self.block["xyz".index(expr.axis)]), expr.type)
        if expr.name == "warpSize":
            return integer(number(32), expr.type)
        return self.uniform(expr)

    def _unary(self, expr: Unary, value: Term) -> Term:
        if expr.op == "!":
            return negation(value)
        if value.kind == "int":
            if expr.op == "-":
                return integer(number(0) - value.numbers[0], expr.type)
            if value.numbers[0].constant is not None:
                return integer(_number(~np.asarray(value.numbers[0].constant)), expr.type)
        return Term(("op", expr.op, expr.type), expr.type, (value,))

    def _binary(self, expr: Binary, active: Mask) -> Value:
        if expr.op in ("&&", "||"):
            left, right = self.truth(expr.left, active), self.truth(expr.right, active)
            return both(left, right) if expr.op == "&&" else either(left, right)
        first, second = self.evaluate(expr.left, active), self.evaluate(expr.right, active)
        if expr.op == "+" and not isinstance(expr.type, Pointer):
            accumulated = added(first, second, expr.type)
            if accumulated is not None:
                return accumulated
        left, right = plain(first), plain(second)
        if isinstance(expr.type, Pointer):
            return self._moved(expr, left, right)
        if left.kind == "int" and right.kind == "int":
            return self._integers(expr, left, right)
        if left.kind == "pointer" or right.kind == "pointer":
            if expr.op in ("==", "!=") and is_null(expr):
                return Term(("uniform", key(expr)), BOOL, expr=expr)
            raise Stop("arithmetic of two pointers", expr.span)
        return Term(("op", expr.op, expr.type), expr.type, (left, right))

    def _moved(self, expr: Binary, left: Term, right: Term) -> Term:
        pointer, steps = (left, right) if left.kind == "pointer" else (right, left)
        if pointer.kind != "pointer" or steps.kind != "int" or expr.op not in "+-":
            raise Stop("a pointer whose target is not known", expr.span)
        assert isinstance(expr.type, Pointer)
        root = pointer.head[1]
        assert isinstance(root, Variable)
        by = steps.numbers[0].scaled(self._count(root, expr.type.pointee, expr.span))
        before = pointer.numbers[0]
        if before.constant is None and by.constant is None:
            by, before = by.widened(), before.widened()  # the original adds them in 64 bits
        offset = before + by if expr.op == "+" else before - by
        return Term(pointer.head, expr.type, (), (offset,))

    def _cast(self, value: Term, expr: Cast) -> Term:
        if isinstance(expr.type, Pointer):
            if is_nothing(value):
                return value
            if value.kind == "pointer":
                return Term(value.head, expr.type, value.parts, value.numbers)
            raise Stop("a pointer made of something else", expr.span)
        if value.kind == "int" and is_whole(expr.type):
            return self._resized(value, expr)
        if value.kind in ("positive", "zero", "and", "or", "not") and is_whole(expr.type):
            if expr.type == BOOL:
                return value
            one, none = integer(number(1), expr.type), integer(number(0), expr.type)
            return Term(("select",), expr.type, (value, one, none))
        if value.type == expr.type:
            return value
        if isinstance(value.expr, Const) and isinstance(expr.type, Scalar) and _fits(value.expr, expr.type):
            constant = Const(value.expr.value, expr.type, value.expr.span)
            return Term(("const", repr(constant.value), expr.type), expr.type, expr=constant)
        return Term(("cast", value.type, expr.type), expr.type, (value,))

    def _resized(self, value: Term, expr: Cast) -> Term:
        assert isinstance(expr.type, Scalar)
        polynomial, given = value.numbers[0], value.type
        assert isinstance(given, Scalar)
        if expr.type == BOOL:
            return negation(zero(polynomial))
        if given == BOOL:
            return integer(polynomial, expr.type)
        if polynomial.constant is not None:
            return integer(_wrapped(polynomial, expr.type), expr.type)
        if expr.type.bits > given.bits:
            if given.kind == "uint" and _may_be_negative(polynomial):
                raise Stop("an unsigned number that may have wrapped is widened", expr.span)
            return integer(polynomial.widened() if expr.type.bits == 64 else polynomial, expr.type)
        if expr.type.bits < given.bits and any(len(m) > 1 for m in polynomial.terms):
            raise Stop("a 64-bit product is cut to 32 bits", expr.span)
        narrow = polynomial if expr.type.bits == 64 else Polynomial(polynomial.terms)
        return integer(narrow, expr.type)

    def _call(self, expr: Call, active: Mask) -> Value:
        values = [self.evaluate(a, active) for a in expr.arguments]
        if expr.name in _FUSED:
            left, right = plain(values[0]), plain(values[1])
            return (
                Sum(plain(values[2]), (Product(left, right, ()),), expr.type)
                if not isinstance(values[2], Sum)
                else Sum(values[2].base, (*values[2].products, Product(left, right, ())), expr.type)
            )
        terms = tuple(plain(v) for v in values)
        if expr.name in ("min", "max") and all(t.kind == "int" for t in terms):
            return self._extremum(expr, *terms)
        if expr.name.startswith(("__shfl", "__ballot", "__any", "__all", "atomic", "__match", "__reduce")):
            raise Stop(f"a call of `{expr.name}`", expr.span)
        if expr.name == "__ldg" and len(terms) == 1 and terms[0].kind == "pointer":
            pointer = terms[0]
            root = pointer.head[1]
            assert isinstance(root, Variable)
            return self._fetch(
                self._place_at(root, pointer.numbers[0], expr.type, expr.span), active, expr.span
            )
        return Term(("call", expr.name, expr.type), expr.type, terms)

    def _extremum(self, expr: Call, left: Term, right: Term) -> Term:
        a, b = left.numbers[0], right.numbers[0]
        if a.constant is not None and b.constant is not None:
            pick = np.minimum if expr.name == "min" else np.maximum
            return integer(_number(pick(a.constant, b.constant)), expr.type)
        return self._uniform_of(expr, left, right)

    def _uniform_of(self, expr: Binary | Call, left: Term, right: Term) -> Term:
        """An operation on integers of the block that is no polynomial, as one more atom."""
        a, b = (self.rebuilt(t, expr.span) for t in (left, right))
        if a is None or b is None:
            raise Stop("an index that is no sum of products", expr.span)
        if isinstance(expr, Binary):
            return self.uniform(Binary(expr.op, a, b, expr.type, expr.span))
        return self.uniform(Call(expr.name, (a, b), expr.type, expr.span))

    def rebuilt(self, value: Term, span: Span) -> Expr | None:
        """A uniform integer as an expression of its type."""
        if not value.numbers[0].is_uniform:
            return None
        total: Expr | None = None
        for monomial, coefficient in value.numbers[0].terms.items():
            part: Expr | None = None
            factors: list[Expr] = [self.atoms[n] for n in monomial]
            if coefficient != 1 or not factors:
                assert isinstance(coefficient, int)
                factors.append(Const(coefficient, value.type, span))
            for factor in factors:
                typed = factor if factor.type == value.type else Cast(factor, value.type, span)
                part = typed if part is None else Binary("*", part, typed, value.type, span)
            assert part is not None
            total = part if total is None else Binary("+", total, part, value.type, span)
        return total if total is not None else Const(0, value.type, span)

    def _integers(self, expr: Binary, left: Term, right: Term) -> Term:
        a, b = left.numbers[0], right.numbers[0]
        match expr.op:
            case "+":
                return integer(a + b, expr.type)
            case "-":
                return integer(a - b, expr.type)
            case "*":
                product = a * b
                return integer(product.widened() if _bits(expr.type) == 64 else product, expr.type)
            case "<" | ">" | "<=" | ">=" | "==" | "!=":
                return self._compared(expr, a, b, left.type)
        x, y = a.constant, b.constant
        if x is not None and y is not None:
            if _is_unsigned(expr.type) and (np.any(np.asarray(x) < 0) or np.any(np.asarray(y) < 0)):
                raise Stop("unsigned numbers that may have wrapped", expr.span)
            return integer(_number(_computed(expr, np.asarray(x), np.asarray(y))), expr.type)
        if expr.op == "<<" and isinstance(y, int):
            return integer(a.scaled(1 << y), expr.type)
        if expr.op in ("/", "%", ">>", "&") and isinstance(y, int) and y > 0:
            divisor = {"/": y, "%": y, ">>": 1 << y, "&": y + 1}[expr.op]
            parts = self._divided(a, divisor) if not divisor & (divisor - 1) or expr.op in "/%" else None
            if parts is not None:
                return integer(parts[0] if expr.op in ("/", ">>") else parts[1], expr.type)
        return self._uniform_of(expr, left, right)

    def _divided(self, a: Polynomial, divisor: int) -> tuple[Polynomial, Polynomial] | None:
        """Quotient and remainder of block numbers and thread numbers, which are never negative."""
        multiples, rest = {}, number(0)
        for monomial, coefficient in a.terms.items():
            exact = not np.any(np.asarray(coefficient) % divisor)
            grown = np.all(np.asarray(coefficient) >= 0) and all(self._is_count(n) for n in monomial)
            if exact and grown:
                multiples[monomial] = coefficient // divisor
            else:
                rest = rest + Polynomial({monomial: coefficient})
        left = rest.constant
        if left is None or np.any(np.asarray(left) < 0):
            return None
        quotient = Polynomial(multiples, a.wide & multiples.keys()) + _number(np.asarray(left) // divisor)
        return quotient, _number(np.asarray(left) % divisor)

    def _is_count(self, index: int) -> bool:
        expr = self.atoms[index]
        while isinstance(expr, Cast):
            expr = expr.operand
        return isinstance(expr, Builtin)

    def _compared(self, expr: Binary, a: Polynomial, b: Polynomial, type_: Type) -> Term:
        unsigned = isinstance(type_, Scalar) and type_.kind == "uint"
        if unsigned and (_may_be_negative(a) or _may_be_negative(b)):
            raise Stop("a comparison of unsigned numbers that may have wrapped", expr.span)
        match expr.op:
            case "<":
                return positive(b - a)
            case ">":
                return positive(a - b)
            case "<=":
                return positive(b - a + number(1))
            case ">=":
                return positive(a - b + number(1))
            case "==":
                return zero(a - b)
            case _:
                return negation(zero(a - b))

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
                if _bits(index.type) == 32 and _is_unsigned(index.type) and _may_be_negative(by):
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
        bits, unit = _size_bits(type_), _size_bits(element)
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
        if isinstance(root.type, Array) and len(root.type.shape) > 1:
            raise Stop(f"`{root.name}` is no plain buffer", span)
        return Term(("load", root, element), element, (), (offset,))

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


# --- sums --------------------------------------------------------------------------------------------


def added(first: Value, second: Value, type_: Type) -> Sum | None:
    """`first + second` as one more product of a sum; None for any other addition."""
    for base, more in ((first, second), (second, first)):
        if isinstance(more, Term) and more.head[:2] == ("op", "*") and _is_data(more):
            product = Product(more.parts[0], more.parts[1], ())
            if isinstance(base, Sum):
                return Sum(base.base, (*base.products, product), type_)
            return Sum(base, (product,), type_)
        if isinstance(more, Sum) and is_nothing(more.base):
            if isinstance(base, Sum):
                return Sum(base.base, (*base.products, *more.products), type_)
            return Sum(base, more.products, type_)
    return None


def _is_data(product: Term) -> bool:
    return len(product.parts) == 2 and not any(mentions(p, "accumulator") for p in product.parts)


def plain(value: Value) -> Term:
    """A sum as the operations that it is."""
    if isinstance(value, Term):
        return value
    total = value.base
    for product in value.products:
        part = Term(("op", "*", value.type), value.type, (product.left, product.right))
        for guard in product.guards:
            part = choice(guard, part, undefined("a product under a condition", value.type))
        total = Term(("op", "+", value.type), value.type, (total, part))
    return total


# --- numbers -----------------------------------------------------------------------------------------


def slot_type(root: Variable) -> Type:
    """What an element of the variable is: of a pointer parameter what it points to, of a vector its parts."""
    type_: Type = root.type
    while isinstance(type_, Array):
        type_ = type_.element
    if isinstance(type_, Pointer) and root.storage not in (Storage.LOCAL, *SHARED_STORAGE):
        type_ = type_.pointee
    return element_of(type_)


def element_of(type_: Type) -> Type:
    """What an aggregate is made of, where all its parts are alike; else the type itself."""
    if isinstance(type_, Array):
        return element_of(type_.element)
    if isinstance(type_, Vector):
        return type_.element
    if isinstance(type_, Struct):
        parts = {element_of(part) for _, part in type_.fields}
        return parts.pop() if len(parts) == 1 else type_
    return type_


def slots_of(type_: Type) -> int:
    """How many elements of one kind a variable of this type is."""
    if isinstance(type_, Array):
        return int(np.prod(type_.shape)) * slots_of(type_.element)
    if isinstance(type_, Struct) and element_of(type_) is not type_:
        return sum(slots_of(part) for _, part in type_.fields)
    return type_.lanes if isinstance(type_, Vector) else 1


def field_offset(type_: Struct, name: str) -> int:
    """The first element of a field."""
    names = [field for field, _ in type_.fields]
    return sum(slots_of(part) for _, part in type_.fields[: names.index(name)])


def is_null(test: Binary) -> bool:
    """`p == nullptr` for a parameter."""
    sides = [test.left, test.right]
    for i, side in enumerate(sides):
        while isinstance(side, Cast):
            side = side.operand
        sides[i] = side
    parameters = [s for s in sides if isinstance(s, VarRef) and s.variable.storage is Storage.PARAMETER]
    return len(parameters) == 1 and any(isinstance(s, Const) and s.value == 0 for s in sides)


def is_whole(type_: Type) -> bool:
    return isinstance(type_, Scalar) and type_.kind in ("int", "uint", "bool")


def _is_lvalue(expr: Expr) -> bool:
    while isinstance(expr, Member):
        expr = expr.base
    return isinstance(expr, VarRef | Index)


def _is_unsigned(type_: Type) -> bool:
    return isinstance(type_, Scalar) and type_.kind == "uint"


def _bits(type_: Type) -> int:
    return type_.bits if isinstance(type_, Scalar) else 0


def _size_bits(type_: Type) -> int:
    match type_:
        case Scalar(bits=bits):
            return bits
        case Vector(element=element, lanes=lanes):
            return element.bits * lanes
        case Array(element=element, shape=shape):
            return _size_bits(element) * int(np.prod(shape))
        case Struct(fields=fields) if element_of(type_) is not type_:
            return sum(_size_bits(part) for _, part in fields)
        case Pointer():
            return 64
        case _:
            return 0


def _fits(constant: Const, type_: Scalar) -> bool:
    """Whether a conversion keeps the number."""
    value = float(constant.value)
    return type_.kind == "float" and type_.bits >= 32 and float(np.float32(value)) == value


def _number(values: np.ndarray) -> Polynomial:
    flat = np.asarray(values, dtype=np.int64)
    return number(int(flat) if flat.ndim == 0 else flat)


def _may_be_negative(polynomial: Polynomial) -> bool:
    return any(bool(np.any(np.asarray(c) < 0)) for c in polynomial.terms.values())


def _wrapped(polynomial: Polynomial, type_: Scalar) -> Polynomial:
    """A known number in another integer type, as C converts it."""
    value = np.asarray(polynomial.constant, dtype=np.int64)
    if type_.bits >= 64:
        return _number(value)
    low = value & ((1 << type_.bits) - 1)
    if type_.kind == "int":
        low = np.where(low >> (type_.bits - 1) != 0, low - (1 << type_.bits), low)
    return _number(low)


def _computed(expr: Binary, x: Numbers, y: Numbers) -> Numbers:
    if expr.op in ("/", "%"):
        if bool(np.any(y == 0)):
            raise Stop("a division by zero", expr.span)
        quotient: Numbers = np.sign(x) * np.sign(y) * (np.abs(x) // np.abs(y))
        return quotient if expr.op == "/" else x - quotient * y
    if expr.op not in _BITWISE:
        raise Stop(f"`{expr.op}` of two integers", expr.span)
    result: Numbers = _BITWISE[expr.op](x, y)
    return result


_BITWISE: Mapping[str, Callable[[Numbers, Numbers], Numbers]] = {
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
    "<<": np.left_shift,
    ">>": np.right_shift,
}
