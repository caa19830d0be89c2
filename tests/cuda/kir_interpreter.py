"""Runs KIR one thread at a time, slowly and plainly.

Memory is Python lists: a variable is a list of one cell, an array a nested list, a pointer a list and a
position.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from porter.cuda.kir import (
    AddressOf,
    Array,
    Assign,
    Barrier,
    Binary,
    Bitcast,
    Break,
    Builtin,
    Call,
    CallFunction,
    Cast,
    Const,
    Continue,
    Declare,
    Evaluate,
    Expr,
    For,
    If,
    Index,
    Kernel,
    MakeVector,
    Member,
    Pointer,
    Return,
    Scalar,
    Select,
    Stmt,
    Struct,
    Type,
    Unary,
    Variable,
    VarRef,
    Vector,
    While,
)


@dataclass(frozen=True)
class Address:
    cells: Any
    position: Any


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


def run_kernel(kernel: Kernel, arguments: list[Any], *, threads: int = 1) -> None:
    """Runs the threads of one block after each other; lists are passed as pointers to their first cell."""
    for thread in range(threads):
        machine = _Machine(kernel, {"threadIdx": thread, "blockDim": threads, "gridDim": 1, "blockIdx": 0})
        passed = [Address(a, 0) if isinstance(a, list) else a for a in arguments]
        machine.call(kernel.parameters, kernel.body, passed)


def default_value(type_: Type) -> Any:
    if isinstance(type_, Array):
        inner = Array(type_.element, type_.shape[1:]) if len(type_.shape) > 1 else type_.element
        return [default_value(inner) for _ in range(type_.shape[0])]
    if isinstance(type_, Struct):
        return {name: default_value(t) for name, t in type_.fields}
    if isinstance(type_, Vector):
        return dict.fromkeys("xyzw"[: type_.lanes], 0)
    return 0


def shaped(elements: list[Any], shape: tuple[int, ...]) -> list[Any]:
    if len(shape) == 1:
        return list(elements)
    step = len(elements) // shape[0]
    return [shaped(elements[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]


def copied(value: Any) -> Any:
    return {k: copied(v) for k, v in value.items()} if isinstance(value, dict) else value


def to_type(value: Any, type_: Type) -> Any:
    """C's conversion of a number to a scalar type."""
    if not isinstance(type_, Scalar):
        return value
    if type_.kind == "bool":
        return bool(value) if not isinstance(value, Address) else True
    if type_.kind in ("int", "uint"):
        number = int(value) & ((1 << type_.bits) - 1)
        signed = type_.kind == "int" and number >> (type_.bits - 1)
        return number - (1 << type_.bits) if signed else number
    return struct.unpack("f", struct.pack("f", value))[0] if type_.bits == 32 else float(value)


def bits_of(value: Any, type_: Scalar) -> int:
    if type_.kind == "float":
        return int.from_bytes(struct.pack("<f" if type_.bits == 32 else "<d", value), "little")
    return int(value) & ((1 << type_.bits) - 1)


def from_bits(bits: int, type_: Scalar) -> Any:
    if type_.kind == "float":
        size = type_.bits // 8
        return struct.unpack("<f" if size == 4 else "<d", bits.to_bytes(size, "little"))[0]
    return to_type(bits, type_)


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "/": lambda a, b: truncated(a, b) if isinstance(a, int) else a / b,
    "%": lambda a, b: a - truncated(a, b) * b,
}
CALLS: dict[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "fmin": min,
    "fmax": max,
    "abs": abs,
    "fabs": abs,
    "sqrt": math.sqrt,
    "floor": math.floor,
    "fma": lambda a, b, c: a * b + c,
    "__popc": lambda a: bin(a & 0xFFFFFFFF).count("1"),
}


class _Machine:
    def __init__(self, kernel: Kernel, builtins: dict[str, int]) -> None:
        self.kernel = kernel
        self.builtins = builtins
        self.cells: dict[Variable, list[Any]] = {}
        for variable in kernel.globals:
            self.declare(variable, None)

    def call(self, parameters: tuple[Variable, ...], body: tuple[Stmt, ...], arguments: list[Any]) -> Any:
        saved = self.cells
        self.cells = {v: c for v, c in saved.items() if v in self.kernel.globals}
        for parameter, argument in zip(parameters, arguments, strict=True):
            self.cells[parameter] = [copied(argument)]
        try:
            self.run(body)
        except _Return as returned:
            return returned.value
        finally:
            self.cells = saved
        return None

    # --- statements ---

    def run(self, body: tuple[Stmt, ...]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, statement: Stmt) -> None:
        if isinstance(statement, Declare):
            self.declare(statement.variable, statement.value)
        elif isinstance(statement, Assign):
            value = copied(self.value(statement.value))
            place = self.place(statement.target)
            place.cells[place.position] = value
        elif isinstance(statement, Evaluate):
            self.value(statement.call)
        elif isinstance(statement, If):
            self.run(statement.then if self.value(statement.condition) else statement.otherwise)
        elif isinstance(statement, For):
            self.run(statement.init)
            self.loop(statement.condition, statement.body, statement.step, tested_first=True)
        elif isinstance(statement, While):
            self.loop(statement.condition, statement.body, (), tested_first=not statement.do_while)
        elif isinstance(statement, Return):
            raise _Return(None if statement.value is None else copied(self.value(statement.value)))
        elif isinstance(statement, (Break, Continue)):
            raise _Break if isinstance(statement, Break) else _Continue
        else:
            assert isinstance(statement, Barrier)

    def declare(self, variable: Variable, value: Expr | None) -> None:
        if value is not None:
            self.cells[variable] = [copied(self.value(value))]
        elif variable.initial is None:
            self.cells[variable] = [default_value(variable.type)]
        elif isinstance(variable.type, Array):
            self.cells[variable] = [shaped(list(variable.initial), variable.type.shape)]
        else:
            self.cells[variable] = [variable.initial[0]]

    def loop(
        self, condition: Expr, body: tuple[Stmt, ...], step: tuple[Stmt, ...], *, tested_first: bool
    ) -> None:
        for turn in range(100_000):
            if (tested_first or turn) and not self.value(condition):
                return
            try:
                self.run(body)
            except _Break:
                return
            except _Continue:
                pass
            self.run(step)
        raise AssertionError("the loop does not end")

    # --- expressions ---

    def place(self, expr: Expr) -> Address:
        if isinstance(expr, VarRef):
            return Address(self.cells[expr.variable], 0)
        if isinstance(expr, Member):
            return Address(self.value(expr.base), expr.field)
        assert isinstance(expr, Index)
        base, index = self.value(expr.base), self.value(expr.index)
        if isinstance(base, Address):
            return Address(base.cells, base.position + index if index else base.position)
        return Address(base, index)

    def value(self, expr: Expr) -> Any:
        if isinstance(expr, (VarRef, Index, Member)):
            place = self.place(expr)
            assert not isinstance(place.position, int) or 0 <= place.position < len(place.cells), (
                "out of bounds"
            )
            return place.cells[place.position]
        if isinstance(expr, Const):
            return None if isinstance(expr.type, Pointer) else expr.value
        if isinstance(expr, Builtin):
            return self.builtins[expr.name] if expr.axis == "x" else (0 if expr.name.endswith("Idx") else 1)
        if isinstance(expr, AddressOf):
            return self.place(expr.lvalue)
        if isinstance(expr, Select):
            return self.value(expr.if_true if self.value(expr.condition) else expr.if_false)
        if isinstance(expr, MakeVector):
            return self.aggregate(expr)
        if isinstance(expr, (Call, CallFunction)):
            return self.called(expr)
        return self.operation(expr)

    def operation(self, expr: Expr) -> Any:
        if isinstance(expr, Binary):
            return self.binary(expr)
        if isinstance(expr, Unary):
            operand = self.value(expr.operand)
            return to_type(
                {"-": lambda: -operand, "~": lambda: ~operand, "!": lambda: not operand}[expr.op](), expr.type
            )
        assert isinstance(expr, (Cast, Bitcast))
        operand = self.value(expr.operand)
        if isinstance(expr, Cast) or isinstance(expr.type, Pointer):
            return to_type(operand, expr.type)
        assert isinstance(expr.operand.type, Scalar)
        assert isinstance(expr.type, Scalar)
        return from_bits(bits_of(operand, expr.operand.type), expr.type)

    def binary(self, expr: Binary) -> Any:
        if expr.op in ("&&", "||"):
            left = self.value(expr.left)
            return self.value(expr.right) if left == (expr.op == "&&") else left
        left, right = self.value(expr.left), self.value(expr.right)
        if left is None or right is None:
            return OPERATIONS[expr.op](left is None, right is None)
        if isinstance(left, Address) and isinstance(right, Address):
            return OPERATIONS[expr.op](left.position, right.position)
        if isinstance(left, Address):
            return Address(left.cells, left.position + right)
        return to_type(OPERATIONS[expr.op](left, right), expr.type)

    def aggregate(self, expr: MakeVector) -> dict[str, Any]:
        names = [n for n, _ in expr.type.fields] if isinstance(expr.type, Struct) else "xyzw"
        return {n: copied(self.value(e)) for n, e in zip(names, expr.elements, strict=False)}

    def called(self, expr: Call | CallFunction) -> Any:
        arguments = [self.value(a) for a in expr.arguments]
        if isinstance(expr, CallFunction):
            function = self.kernel.functions[expr.function]
            return self.call(function.parameters, function.body, arguments)
        if expr.name == "atomicAdd":
            address, amount = arguments
            old = address.cells[address.position]
            address.cells[address.position] = to_type(old + amount, expr.type)
            return old
        return to_type(CALLS[expr.name](*arguments), expr.type)
