"""Small constructors for kernel IR in tests: operators on `E` build expressions."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from porter.core.span import Span
from porter.cuda.kir import (
    BOOL,
    FLOAT32,
    INT32,
    UINT32,
    AddressOf,
    Array,
    Assign,
    Barrier,
    Binary,
    Builtin,
    Call,
    Cast,
    Const,
    Declare,
    Evaluate,
    Expr,
    For,
    If,
    Index,
    Kernel,
    Pointer,
    Return,
    Scalar,
    Select,
    Stmt,
    Storage,
    Type,
    Variable,
    VarRef,
)

_LINES = itertools.count(1)
FULL = 0xFFFFFFFF


def at() -> Span:
    """A new place for every node, so that nothing can depend on spans being equal."""
    line = next(_LINES)
    return Span("test.cu", line * 100, line * 100 + 1, line, 1)


@dataclass(frozen=True, eq=False)
class E:
    """An expression with operators; comparisons are methods, since `==` stays identity."""

    node: Expr

    def op(self, op: str, other: object, *, swap: bool = False) -> E:
        left, right = self.node, lift(other, self.node.type).node
        if swap:
            left, right = right, left
        type_ = BOOL if op in ("<", "<=", ">", ">=", "==", "!=", "&&", "||") else left.type
        return E(Binary(op, left, right, type_, at()))

    def __add__(self, other: object) -> E:
        return self.op("+", other)

    def __radd__(self, other: object) -> E:
        return self.op("+", other, swap=True)

    def __sub__(self, other: object) -> E:
        return self.op("-", other)

    def __mul__(self, other: object) -> E:
        return self.op("*", other)

    def __floordiv__(self, other: object) -> E:
        return self.op("/", other)

    def __mod__(self, other: object) -> E:
        return self.op("%", other)

    def __and__(self, other: object) -> E:
        return self.op("&", other)

    def __rshift__(self, other: object) -> E:
        return self.op(">>", other)

    def __lshift__(self, other: object) -> E:
        return self.op("<<", other)

    def __lt__(self, other: object) -> E:
        return self.op("<", other)

    def __gt__(self, other: object) -> E:
        return self.op(">", other)

    def __ge__(self, other: object) -> E:
        return self.op(">=", other)

    def eq(self, other: object) -> E:
        return self.op("==", other)

    def both(self, other: object) -> E:
        return self.op("&&", other)

    def __getitem__(self, index: object) -> E:
        node = self.node
        if isinstance(node.type, Array):
            rest = node.type.shape[1:]
            type_: Type = Array(node.type.element, rest) if rest else node.type.element
        else:
            assert isinstance(node.type, Pointer)
            type_ = node.type.pointee
        return E(Index(node, lift(index, INT32).node, type_, at()))

    def to(self, type_: Type) -> E:
        return E(Cast(self.node, type_, at()))


def lift(value: object, type_: Type) -> E:
    if isinstance(value, E):
        return value
    assert isinstance(value, int | float)
    return E(Const(value, type_, at()))


def const(value: int | float, type_: Scalar = INT32) -> E:
    return lift(value, type_)


def local(name: str, type_: Type = FLOAT32) -> E:
    return _variable(name, type_, Storage.LOCAL)


def parameter(name: str, type_: Type = INT32) -> E:
    return _variable(name, type_, Storage.PARAMETER)


def pointer(name: str, type_: Scalar = FLOAT32, *, is_const: bool = False) -> E:
    return parameter(name, Pointer(type_, is_const))


def shared(name: str, *shape: int, type_: Scalar = FLOAT32) -> E:
    return _variable(name, Array(type_, shape), Storage.SHARED)


def _variable(name: str, type_: Type, storage: Storage) -> E:
    return E(VarRef(Variable(name, type_, storage, at()), type_, at()))


def variable(ref: E) -> Variable:
    assert isinstance(ref.node, VarRef)
    return ref.node.variable


def thread(axis: str = "x") -> E:
    return E(Builtin("threadIdx", axis, INT32, at()))


def block_index(axis: str = "x") -> E:
    return E(Builtin("blockIdx", axis, INT32, at()))


def block_dim(axis: str = "x") -> E:
    return E(Builtin("blockDim", axis, INT32, at()))


def call(name: str, *arguments: E, type_: Type | None = None) -> E:
    return E(Call(name, tuple(a.node for a in arguments), type_ or arguments[0].node.type, at()))


def shuffle(kind: str, value: E, lane: object, width: int = 32) -> E:
    """`__shfl_<kind>sync(0xffffffff, value, lane, width)`; `kind` is "", "down_", "up_" or "xor_"."""
    arguments = (const(FULL, UINT32), value, lift(lane, INT32), const(width))
    return call(f"__shfl_{kind}sync", *arguments, type_=value.node.type)


def ballot(predicate: E) -> E:
    return call("__ballot_sync", const(FULL, UINT32), predicate, type_=UINT32)


def select(condition: E, if_true: E, if_false: object) -> E:
    other = lift(if_false, if_true.node.type)
    return E(Select(condition.node, if_true.node, other.node, if_true.node.type, at()))


def address(lvalue: E) -> E:
    node = lvalue.node
    assert isinstance(node, Index | VarRef)
    return E(AddressOf(node, Pointer(node.type), at()))


# --- statements --------------------------------------------------------------------------------------


def declare(target: E, value: object = None, *comments: str) -> Declare:
    given = None if value is None else lift(value, target.node.type).node
    return Declare(variable(target), given, at(), comments)


def assign(target: E, value: object) -> Assign:
    node = target.node
    assert isinstance(node, VarRef | Index)
    return Assign(node, lift(value, node.type).node, at())


def evaluate(call_: E) -> Evaluate:
    assert isinstance(call_.node, Call)
    return Evaluate(call_.node, at())


def when(condition: E, *then: Stmt, otherwise: tuple[Stmt, ...] = ()) -> If:
    return If(condition.node, then, otherwise, at())


def loop(counter: E, first: object, condition: E, step: E, *body: Stmt) -> For:
    """`for (counter = first; condition; counter = step) body`."""
    return For((declare(counter, first),), condition.node, (assign(counter, step),), body, at())


def barrier(scope: str = "block") -> Barrier:
    return Barrier(scope, at())


def leave() -> Return:
    return Return(None, at())


def kernel(parameters: tuple[E, ...], *body: Stmt) -> Kernel:
    return Kernel("k", (), tuple(variable(p) for p in parameters), body, at())
