"""Row kernels: threads go over the elements of a row, and how many they are does not matter.

The threads of such a row (`threadIdx.x`; `threadIdx.y` is another row's number) do nothing but share out
elements: loops from `threadIdx.x` in steps of the threads, sums and extrema that start from a neutral value
and are reduced over all of them, stores that an element has for itself, stores of the row's values by
thread 0. Then a program may have any number of lanes for a row, and is best off with one for each element.
Sums are associated otherwise, as with any other block.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from porter.analysis.expressions import key, without_index_casts
from porter.analysis.terms import neutral
from porter.analysis.walk import assigned_variables, children, walk
from porter.cuda import kir
from porter.cuda.kir_effects import is_effect_call
from porter.tile.idioms import GroupBroadcast, GroupReduce


class Kind(Enum):
    """What a value may depend on: nothing of the thread, its index, the element, all elements so far."""

    UNIFORM = 0
    THREAD = 1
    ELEMENT = 2
    PARTIAL = 3


@dataclass(frozen=True)
class Value:
    """`start` is the constant that a variable holds; `op` is what combines the elements of a PARTIAL one."""

    kind: Kind
    start: int | float | bool | None = None
    op: str = ""


_OTHER_ROWS = (("threadIdx", "y"), ("blockDim", "y"))
UNIFORM, ELEMENT = Value(Kind.UNIFORM), Value(Kind.ELEMENT)


class _Depends(Exception):
    """The kernel may depend on the number of threads."""


def row_loops(body: tuple[kir.Stmt, ...], threads: int) -> tuple[kir.For, ...]:
    """The loops over rows of `threads` threads; none where their number may matter.

    Operations over a group are taken for ones over the threads of a row.
    """
    walker = _Walker(threads)
    try:
        walker.block(body)
    except _Depends:
        return ()
    return tuple(walker.loops)


@dataclass
class _Walker:
    threads: int
    values: dict[kir.Variable, Value] = field(default_factory=dict)
    loops: list[kir.For] = field(default_factory=list)

    # --- statements that all threads of the row go through ------------------------------------------------

    def block(self, body: Iterable[kir.Stmt]) -> None:
        for stmt in body:
            self._together(stmt)

    def _together(self, stmt: kir.Stmt) -> None:
        match stmt:
            case kir.Declare(variable=variable, value=value):
                if variable.storage is kir.Storage.SHARED or isinstance(variable.type, kir.Array):
                    raise _Depends
                self.values[variable] = UNIFORM if value is None else self._value(value)
            case kir.Assign(target=kir.VarRef(variable=variable), value=value):
                self.values[variable] = self._value(value)
            case kir.Assign(target=target, value=value):
                self._all(Kind.UNIFORM, target, value)
            case kir.If():
                self._branch(stmt)
            case kir.For():
                self._loop(stmt)
            case GroupReduce(target=target, value=kir.VarRef(variable=partial), op=op, valid=None):
                found = self.values.get(partial, UNIFORM)
                if found.kind is not Kind.PARTIAL or found.op != op.value:
                    raise _Depends
                self.values[target] = UNIFORM
            case GroupBroadcast(target=target, value=value):
                self._all(Kind.UNIFORM, value)
                self.values[target] = UNIFORM
            case kir.Barrier() | kir.Return():
                pass
            case _:
                raise _Depends

    def _branch(self, stmt: kir.If) -> None:
        if self._is_first_thread(stmt.condition) and not stmt.otherwise:
            self._first_thread(stmt.then)
            return
        if self._is_some_threads(stmt.condition) and not stmt.otherwise:
            for inner in stmt.then:
                if not isinstance(inner, kir.If) or not self._is_first_thread(inner.condition):
                    raise _Depends
                self._branch(inner)
            return
        self._all(Kind.UNIFORM, stmt.condition)
        before = dict(self.values)
        self.block(stmt.then)
        after, self.values = self.values, before
        self.block(stmt.otherwise)
        for variable in before.keys() & after.keys():
            if self.values[variable] != after[variable]:
                raise _Depends

    def _first_thread(self, body: tuple[kir.Stmt, ...]) -> None:
        """What thread 0 does for the row."""
        for stmt in body:
            match stmt:
                case kir.Assign(target=kir.Index() | kir.Member() as target, value=value):
                    self._all(Kind.UNIFORM, target, value)
                case kir.Evaluate(call=kir.Call(name=name, arguments=arguments)) if name.startswith("atomic"):
                    self._all(Kind.UNIFORM, *arguments)
                case _:
                    raise _Depends

    def _is_some_threads(self, condition: kir.Expr) -> bool:
        """`threadIdx.x < constant`: thread 0 is one of them."""
        match condition:
            case kir.Binary(op="<", left=left, right=kir.Const(value=value)) if value > 0:
                return self._value(left).kind is Kind.THREAD
        return False

    def _is_first_thread(self, condition: kir.Expr) -> bool:
        if not isinstance(condition, kir.Binary) or condition.op != "==":
            return False
        sides = (condition.left, condition.right)
        zero = any(isinstance(side, kir.Const) and side.value == 0 for side in sides)
        return zero and any(self._value(side).kind is Kind.THREAD for side in sides)

    def _loop(self, stmt: kir.For) -> None:
        index = self._row_index(stmt)
        if index is None:
            self._loop_of_rows(stmt)
            return
        self.loops.append(stmt)
        for variable in assigned_variables(stmt.body) & self.values.keys():
            before = self.values[variable]  # from here on nobody but its own sum may read it
            self.values[variable] = Value(Kind.PARTIAL, before.start, before.op)
        self.values[index] = ELEMENT
        elements = _Elements(self, index, {index})
        elements.run(stmt.body)
        elements.check_memory(stmt.body)
        del self.values[index]

    def _loop_of_rows(self, stmt: kir.For) -> None:
        """A loop that all threads of a row go through alike, over rows or anything else."""
        self.block(stmt.init)
        for variable in assigned_variables((*stmt.body, *stmt.step)) & self.values.keys():
            if self.values[variable].kind is not Kind.UNIFORM:
                raise _Depends
            self.values[variable] = UNIFORM
        before = dict(self.values)
        self._all(Kind.UNIFORM, stmt.condition)
        self.block(stmt.body)
        self.block(stmt.step)
        if any(self.values[variable].kind is not value.kind for variable, value in before.items()):
            raise _Depends
        self.values = before

    def _row_index(self, stmt: kir.For) -> kir.Variable | None:
        """The index of `for (c = threadIdx.x; c < end; c += blockDim.x)`."""
        match stmt:
            case kir.For(
                init=(kir.Declare(variable=index, value=start),),
                condition=kir.Binary(op="<", left=kir.VarRef(variable=tested), right=end),
                step=(kir.Assign(target=kir.VarRef(variable=moved), value=following),),
            ) if index == tested == moved and start is not None:
                self._all(Kind.UNIFORM, end)
                if not _stays(end, stmt.body):
                    raise _Depends
                if self._value(start).kind is Kind.THREAD and self._is_block_further(following, index):
                    return index
        return None

    def _is_block_further(self, following: kir.Expr, index: kir.Variable) -> bool:
        total = without_index_casts(following)
        if not isinstance(total, kir.Binary) or total.op != "+":
            return False
        sides = (without_index_casts(total.left), without_index_casts(total.right))
        steps = [side for side in sides if not _is(side, index)]
        match steps:
            case [kir.Const(value=value)]:
                return value == self.threads
            case [kir.Builtin(name="blockDim", axis="x")]:
                return True
        return False

    # --- values ------------------------------------------------------------------------------------------

    def _value(self, expr: kir.Expr) -> Value:
        match expr:
            case kir.Const(value=value):
                return Value(Kind.UNIFORM, start=value)
            case kir.VarRef(variable=variable):
                return self.values.get(variable, UNIFORM)
            case kir.Builtin(name="threadIdx", axis="x"):
                return Value(Kind.THREAD)
            case kir.Builtin(name=name, axis=axis):
                if name not in ("blockIdx", "gridDim") and (name, axis) not in _OTHER_ROWS:
                    raise _Depends
                return UNIFORM
            case kir.Cast(operand=operand, type=kir.Scalar(bits=bits)) if bits >= 32:
                inner = self._value(operand)
                return inner if inner.kind is Kind.THREAD else Value(inner.kind)
            case kir.Call(name=name) if is_effect_call(name):
                raise _Depends
        parts = [self._value(child) for child in children(expr)]
        if any(part.kind in (Kind.THREAD, Kind.PARTIAL) for part in parts):
            raise _Depends
        return ELEMENT if any(part.kind is Kind.ELEMENT for part in parts) else UNIFORM

    def _all(self, most: Kind, *exprs: kir.Expr) -> None:
        allowed = {Kind.UNIFORM, most}
        if any(self._value(expr).kind not in allowed for expr in exprs):
            raise _Depends


@dataclass
class _Elements:
    """The body of a loop over elements; `own` are the variables that each element has for itself."""

    walker: _Walker
    index: kir.Variable
    own: set[kir.Variable]

    def run(self, body: Iterable[kir.Stmt]) -> None:
        for stmt in body:
            self._visit(stmt)

    def _visit(self, stmt: kir.Stmt) -> None:
        walker = self.walker
        match stmt:
            case kir.Declare(variable=variable, value=value):
                if variable.storage is kir.Storage.SHARED or isinstance(variable.type, kir.Array):
                    raise _Depends
                if value is not None:
                    walker._all(Kind.ELEMENT, value)
                self.own.add(variable)
                walker.values[variable] = ELEMENT
            case kir.Assign(target=kir.VarRef(variable=variable), value=value) if variable in self.own:
                walker._all(Kind.ELEMENT, value)
            case kir.Assign(target=kir.VarRef(variable=variable), value=value):
                self._accumulate(variable, value)
            case kir.Assign(target=target, value=value):
                walker._all(Kind.ELEMENT, target, value)
                if not self._is_own_place(target):
                    raise _Depends
            case kir.If(condition=condition, then=then, otherwise=otherwise):
                walker._all(Kind.ELEMENT, condition)
                self.run(then)
                self.run(otherwise)
            case kir.Continue():
                pass
            case _:
                raise _Depends

    def _accumulate(self, variable: kir.Variable, value: kir.Expr) -> None:
        op, added = _combined(variable, value)
        self.walker._all(Kind.ELEMENT, *added)
        before = self.walker.values.get(variable, UNIFORM)
        starts = before.start is not None and _is_neutral(op, before.start, variable)
        if before.op != op and (before.op or not starts):
            raise _Depends
        self.walker.values[variable] = Value(Kind.PARTIAL, op=op)

    def _is_own_place(self, target: kir.Lvalue) -> bool:
        """Whether no other element is stored here: one pointer for all, and an index that moves along."""
        if not isinstance(target, kir.Index) or not isinstance(target.base, kir.VarRef):
            return False
        return self._moves(target.index)

    def _moves(self, index: kir.Expr) -> bool:
        match index:
            case kir.VarRef(variable=variable):
                return variable == self.index
            case kir.Cast(operand=operand, type=kir.Scalar(bits=bits)) if bits >= 32:
                return self._moves(operand)
            case kir.Binary(op="*", left=left, right=kir.Const(value=value)) if value:
                return self._moves(left)  # the components of vectors
            case kir.Binary(op="+", left=left, right=right):
                uniform = [self.walker._value(side).kind is Kind.UNIFORM for side in (left, right)]
                return (uniform[0] and self._moves(right)) or (uniform[1] and self._moves(left))
        return False

    def check_memory(self, body: tuple[kir.Stmt, ...]) -> None:
        """What the loop stores it reads at the same element only, whatever else its pointers may share.

        A pointer to const may be another name for what is stored, where it is read some elements away.
        """
        stores = [
            n.target for n in walk(body) if isinstance(n, kir.Assign) and isinstance(n.target, kir.Index)
        ]
        targets = {id(target) for target in stores}
        loads = [n for n in walk(body) if isinstance(n, kir.Index) and id(n) not in targets]
        for k, store in enumerate(stores):
            if any(_may_meet(other.index, store.index) for other in stores[:k] if _is_near(other, store)):
                raise _Depends
            for load in loads:
                const = isinstance(load.base.type, kir.Pointer) and load.base.type.is_const
                elsewhere = const and self._moves_or_stays(load.index) and not _is_near(load, store)
                if not elsewhere and _may_meet(load.index, store.index):
                    raise _Depends

    def _moves_or_stays(self, index: kir.Expr) -> bool:
        return self._moves(index) or self.walker._value(index).kind is Kind.UNIFORM


def _is_near(one: kir.Index, other: kir.Index) -> bool:
    """Whether the places are at a fixed distance, whatever the element, if their pointers are equal."""
    return _moving_terms(one.index) == _moving_terms(other.index)


def _may_meet(one: kir.Expr, other: kir.Expr) -> bool:
    """Whether one element's place may be another element's; components of vectors lie within a stride."""
    if key(one) == key(other):
        return False
    if _moving_terms(one) != _moving_terms(other):
        return True
    distance = abs(_constant_part(one) - _constant_part(other))
    return distance >= min(_stride(one), _stride(other))


def _constant_part(index: kir.Expr) -> int:
    match index:
        case kir.Const(value=value):
            return int(value)
        case kir.Cast(operand=operand):
            return _constant_part(operand)
        case kir.Binary(op="+", left=left, right=right):
            return _constant_part(left) + _constant_part(right)
        case kir.Binary(op="-", left=left, right=kir.Const(value=value)):
            return _constant_part(left) - int(value)
    return 0


def _stride(index: kir.Expr) -> int:
    """The distance of neighbouring elements: 4 for `c * 4 + k`."""
    match index:
        case kir.Cast(operand=operand):
            return _stride(operand)
        case kir.Binary(op="+" | "-", left=left, right=right):
            return max(_stride(left), _stride(right))
        case kir.Binary(op="*", right=kir.Const(value=value)):
            return abs(int(value))
    return 1


def _stays(end: kir.Expr, body: tuple[kir.Stmt, ...]) -> bool:
    """Whether the loop's end has one value for all its rounds."""
    read = {n.variable for n in walk(end) if isinstance(n, kir.VarRef)}
    loads = any(isinstance(n, kir.Index) for n in walk(end))
    writes = any(isinstance(n, kir.Assign) and not isinstance(n.target, kir.VarRef) for n in walk(body))
    return not read & assigned_variables(body) and not (loads and writes)


def _moving_terms(index: kir.Expr) -> list[str]:
    """The terms of a sum that are no constants: equal ones make places at a fixed distance."""
    match index:
        case kir.Const():
            return []
        case kir.Cast(operand=operand):
            return _moving_terms(operand)
        case kir.Binary(op="+", left=left, right=right):
            return sorted([*_moving_terms(left), *_moving_terms(right)])
        case kir.Binary(op="-", left=left, right=kir.Const()):
            return _moving_terms(left)
    return [str(key(index))]


def _combined(variable: kir.Variable, value: kir.Expr) -> tuple[str, tuple[kir.Expr, ...]]:
    """`op` and what it adds in `variable op value` and its like."""
    match value:
        case kir.Binary(op="+" | "*" | "&" | "|" | "^" as op, left=left, right=right):
            rest = [side for side in (left, right) if not _is(side, variable)]
            if len(rest) == 1:
                return op, (rest[0],)
        case kir.Call(name="fma" | "fmaf", arguments=(a, b, c)) if _is(c, variable):
            return "+", (a, b)
        case kir.Call(name=name, arguments=(left, right)) if name in _EXTREMA:
            rest = [side for side in (left, right) if not _is(side, variable)]
            if len(rest) == 1:
                return _EXTREMA[name], (rest[0],)
    raise _Depends


_EXTREMA = {"fmax": "max", "fmaxf": "max", "max": "max", "fmin": "min", "fminf": "min", "min": "min"}


def _is(expr: kir.Expr, variable: kir.Variable) -> bool:
    return isinstance(expr, kir.VarRef) and expr.variable == variable


def _is_neutral(op: str, start: int | float | bool, variable: kir.Variable) -> bool:
    """Whether any number of threads may start from it. An extremum takes the same start once or often."""
    if op in ("max", "min"):
        return True
    return isinstance(variable.type, kir.Scalar) and start == neutral(op, variable.type)
