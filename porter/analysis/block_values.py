"""Evaluates expressions for every thread of a block at once, with addresses as polynomials and data symbolic.

Where `block_evaluation.py` follows which threads' values are combined, this follows *where a value was
loaded from*: what a staged tile holds, as a function of the element.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from porter.analysis.block_places import BlockPlaces
from porter.analysis.expressions import key
from porter.analysis.linear_form import Normaliser
from porter.analysis.linear_form import Polynomial as ScalarPolynomial
from porter.analysis.product_sums import added, plain
from porter.analysis.slot_types import (
    bits_of,
    element_of,
    is_unsigned,
    is_whole,
    slots_of,
)
from porter.analysis.stop import Stop
from porter.analysis.thread_integers import computed, fits, may_be_negative, polynomial_of, wrapped
from porter.analysis.thread_polynomials import (
    Polynomial,
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
    negation,
    positive,
    zero,
)
from porter.core.span import Span
from porter.cuda.kir import (
    BOOL,
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

FUSED = frozenset({"fma", "fmaf", "__fmaf_rn", "__fma_rn"})


@dataclass
class BlockValues(BlockPlaces):
    """Expressions over the state."""

    def term(self, expr: Expr, active: Mask) -> Term:
        return self.single(self.evaluate(expr, active))

    def single(self, value: Value) -> Term:
        """A value as one term; a sum of products as the operations that it is."""
        return plain(value)

    def chosen(self, condition: Term, if_true: Term, if_false: Term, span: Span) -> Term:
        """`condition ? if_true : if_false`."""
        del span
        return choice(condition, if_true, if_false)

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
                return self.chosen(
                    self.truth(condition, active), self.term(a, active), self.term(b, active), expr.span
                )
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
            return integer(polynomial_of(self.position[expr.axis]), expr.type)
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
                return integer(polynomial_of(~np.asarray(value.numbers[0].constant)), expr.type)
        return Term(("op", expr.op, expr.type), expr.type, (value,))

    def _binary(self, expr: Binary, active: Mask) -> Value:
        if expr.op in ("&&", "||"):
            left, right = self.truth(expr.left, active), self.truth(expr.right, active)
            return both(left, right) if expr.op == "&&" else either(left, right)
        return self.operated(expr, self.evaluate(expr.left, active), self.evaluate(expr.right, active))

    def operated(self, expr: Binary, first: Value, second: Value) -> Value:
        """`first op second`, of the operator and type of `expr`."""
        if expr.op == "+" and not isinstance(expr.type, Pointer):
            accumulated = added(first, second, expr.type)
            if accumulated is not None:
                return accumulated
        left, right = self.single(first), self.single(second)
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
        if isinstance(value.expr, Const) and isinstance(expr.type, Scalar) and fits(value.expr, expr.type):
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
            return integer(wrapped(polynomial, expr.type), expr.type)
        if expr.type.bits > given.bits:
            if given.kind == "uint" and may_be_negative(polynomial):
                raise Stop("an unsigned number that may have wrapped is widened", expr.span)
            return integer(polynomial.widened() if expr.type.bits == 64 else polynomial, expr.type)
        if expr.type.bits < given.bits and any(len(m) > 1 for m in polynomial.terms):
            raise Stop("a 64-bit product is cut to 32 bits", expr.span)
        narrow = polynomial if expr.type.bits == 64 else Polynomial(polynomial.terms)
        return integer(narrow, expr.type)

    def _call(self, expr: Call, active: Mask) -> Value:
        values = [self.evaluate(a, active) for a in expr.arguments]
        return self.called(expr, values, active)

    def called(self, expr: Call, values: list[Value], active: Mask) -> Value:
        """A pure call, of the values of its arguments."""
        if expr.name in FUSED:
            left, right = self.single(values[0]), self.single(values[1])
            return (
                Sum(self.single(values[2]), (Product(left, right, ()),), expr.type)
                if not isinstance(values[2], Sum)
                else Sum(values[2].base, (*values[2].products, Product(left, right, ())), expr.type)
            )
        terms = tuple(self.single(v) for v in values)
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
            return integer(polynomial_of(pick(a.constant, b.constant)), expr.type)
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
        normaliser = Normaliser((1, 1, 1))
        numbers = [normaliser.number(atom) for atom in self.atoms]
        terms = {
            tuple(sorted(numbers[n] for n in monomial)): int(coefficient)
            for monomial, coefficient in value.numbers[0].terms.items()
        }
        return normaliser.rebuild(ScalarPolynomial(tuple(sorted(terms.items()))), value.type, span)

    def _integers(self, expr: Binary, left: Term, right: Term) -> Term:
        a, b = left.numbers[0], right.numbers[0]
        match expr.op:
            case "+":
                return integer(a + b, expr.type)
            case "-":
                return integer(a - b, expr.type)
            case "*":
                product = a * b
                return integer(product.widened() if bits_of(expr.type) == 64 else product, expr.type)
            case "<" | ">" | "<=" | ">=" | "==" | "!=":
                return self._compared(expr, a, b, left.type)
        x, y = a.constant, b.constant
        if x is not None and y is not None:
            if is_unsigned(expr.type) and (np.any(np.asarray(x) < 0) or np.any(np.asarray(y) < 0)):
                raise Stop("unsigned numbers that may have wrapped", expr.span)
            return integer(polynomial_of(computed(expr, np.asarray(x), np.asarray(y))), expr.type)
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
        quotient = Polynomial(multiples, a.wide & multiples.keys()) + polynomial_of(
            np.asarray(left) // divisor
        )
        return quotient, polynomial_of(np.asarray(left) % divisor)

    def _is_count(self, index: int) -> bool:
        expr = self.atoms[index]
        while isinstance(expr, Cast):
            expr = expr.operand
        return isinstance(expr, Builtin)

    def _compared(self, expr: Binary, a: Polynomial, b: Polynomial, type_: Type) -> Term:
        unsigned = isinstance(type_, Scalar) and type_.kind == "uint"
        if unsigned and (may_be_negative(a) or may_be_negative(b)):
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


def is_null(test: Binary) -> bool:
    """`p == nullptr` for a parameter."""
    sides = [test.left, test.right]
    for i, side in enumerate(sides):
        while isinstance(side, Cast):
            side = side.operand
        sides[i] = side
    parameters = [s for s in sides if isinstance(s, VarRef) and s.variable.storage is Storage.PARAMETER]
    return len(parameters) == 1 and any(isinstance(s, Const) and s.value == 0 for s in sides)
