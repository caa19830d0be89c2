"""Expressions of a kernel as terms, for all threads of a block."""

from __future__ import annotations

from porter.analysis.aliasing import may_be_one
from porter.analysis.effects import arithmetic
from porter.analysis.effects.shared_cells import Unordered
from porter.analysis.effects.state import State
from porter.analysis.effects.terms import Term
from porter.analysis.effects.values import Active, Value, here, of_thread, restricted, threadwise
from porter.analysis.sizes import field_offset_bytes, size_bytes
from porter.analysis.stop import Stop
from porter.analysis.walk import children, root_variable
from porter.cuda.kir import (
    SHARED_STORAGE,
    AddressOf,
    Array,
    Binary,
    Bitcast,
    Builtin,
    Call,
    CallFunction,
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

EXTREMA = {"max": "max", "fmax": "max", "min": "min", "fmin": "min"}
_POPULATION = frozenset(("__popc", "__popcll", "popc"))
_IMPURE = (
    "atomic",
    "__shfl",
    "__match",
    "__syncthreads",
    "clock",
    "__clock",
    "printf",
    "assert",
    "__trap",
    "tex",
    "surf",
)


def evaluate(state: State, expr: Expr, active: Active) -> Value:
    """The value in the threads that are here; the others have anything. Raises Stop."""
    pool = state.pool
    match expr:
        case Const(value=value):
            return pool.number(value)
        case Builtin():
            return state.builtin(expr)
        case VarRef(variable=variable) if not in_memory(variable):
            return read_local(state, variable)
        case VarRef() | Index():
            return _load(state, expr, active)
        case Member(base=base, field=name):
            return _member(state, expr, base, name, active)
        case AddressOf(lvalue=lvalue):
            return address(state, lvalue, active)
        case Binary(op="&&" | "||"):
            return _logical(state, expr, active)
        case Select():
            return _select(state, expr, active)
        case CallFunction():
            return state.call(expr, active)
        case Call(name=name) if name.startswith(_IMPURE):
            raise Stop(f"a call of `{name}`", expr.span)
        case _:
            return _operator(state, expr, [evaluate(state, c, active) for c in children(expr)])


def _operator(state: State, expr: Expr, operands: list[Value]) -> Value:
    pool = state.pool
    state.count(
        max(1, *(1 if isinstance(o, int) else len(o) for o in operands)) if operands else 1, expr.span
    )
    match expr:
        case Binary(op=op) if isinstance(expr.type, Pointer) and op in ("+", "-"):
            size = size_bytes(expr.type.pointee) or 1
            sign = 1 if op == "+" else -1
            return threadwise(lambda p, i: pool.plus(p, pool.scaled(i, size), sign), operands)
        case Binary(op=op, left=left):
            return threadwise(lambda a, b: arithmetic.binary(pool, op, a, b, expr.type, left.type), operands)
        case Cast(operand=operand):
            return threadwise(lambda a: arithmetic.cast(pool, a, operand.type, expr.type), operands)
        case Unary(op=op):
            return threadwise(lambda a: _unary(state, expr, op, a), operands)
        case MakeVector():
            return threadwise(lambda *parts: pool.make("record", (str(expr.type),), parts), operands)
        case Bitcast(operand=operand):
            kinds = (str(operand.type), str(expr.type))
            return threadwise(lambda a: pool.make("bits", kinds, (a,)), operands)
        case Call(name=name):
            return threadwise(lambda *parts: _call(state, expr, name, parts), operands)
        case _:
            raise Stop("an expression that is not understood", expr.span)


def _unary(state: State, expr: Unary, op: str, operand: Term) -> Term:
    pool = state.pool
    if op == "!":
        return pool.negated(arithmetic.cast(pool, operand, expr.operand.type, Scalar("bool", 8)))
    value = pool.integer(operand)
    if value is not None:
        return pool.number(arithmetic.wrapped(-value if op == "-" else ~value, expr.type))
    if op == "-":
        is_integer = arithmetic.is_integer(expr.type)
        return pool.scaled(operand, -1) if is_integer else arithmetic.negative(pool, operand, str(expr.type))
    return pool.make("operator", (op, str(expr.type)), (operand,))


def _call(state: State, expr: Call, name: str, parts: tuple[Term, ...]) -> Term:
    pool, type_ = state.pool, str(expr.type)
    if name in EXTREMA and len(parts) == 2:
        return pool.fold(EXTREMA[name], type_, parts)
    if name == "fma" and len(parts) == 3:
        return pool.fold("+", type_, (pool.fold("*", type_, parts[:2]), parts[2]))
    if name in _POPULATION:
        counted = arithmetic.population(pool, parts[0])
        name = "popc"
        if counted is not None:
            return counted
    return pool.make("call", (name, type_), parts)


# --- choices -----------------------------------------------------------------------------------------


def _logical(state: State, expr: Binary, active: Active) -> Value:
    """`&&` and `||`: the right side only in the threads where the left does not decide."""
    pool = state.pool
    left = evaluate(state, expr.left, active)
    decides = 0 if expr.op == "&&" else 1
    rest = restricted(active, lambda t: pool.value(of_thread(left, t)) != decides)
    if not here(rest):
        return left
    right = evaluate(state, expr.right, rest)
    op = "&" if expr.op == "&&" else "|"

    def joined(a: Term, b: Term) -> Term:
        return a if pool.value(a) == decides else pool.fold(op, "bool", (a, b))

    return threadwise(joined, [left, right])


def _select(state: State, expr: Select, active: Active) -> Value:
    pool = state.pool
    condition = evaluate(state, expr.condition, active)
    yes = restricted(active, lambda t: pool.value(of_thread(condition, t)) != 0)
    no = restricted(active, lambda t: pool.value(of_thread(condition, t)) in (None, 0))
    undefined = pool.undefined_value()
    if_true = evaluate(state, expr.if_true, yes) if here(yes) else undefined
    if_false = evaluate(state, expr.if_false, no) if here(no) else undefined
    return threadwise(pool.choice, [condition, if_true, if_false])


# --- variables and memory ----------------------------------------------------------------------------


def in_memory(variable: Variable) -> bool:
    return variable.storage in (*SHARED_STORAGE, Storage.GLOBAL, Storage.CONSTANT)


def read_local(state: State, variable: Variable) -> Value:
    if variable not in state.locals:
        if variable.storage is not Storage.PARAMETER:
            return state.pool.undefined_value()
        state.locals[variable] = state.pool.symbol("parameter", variable.name)
    return state.locals[variable]


def local_element(state: State, lvalue: Index, active: Active) -> tuple[Variable, list[int]] | None:
    """The local array and, in each thread, the element that an lvalue is; None for other memory."""
    variable = root_variable(lvalue)
    if variable is None or in_memory(variable) or not isinstance(variable.type, Array):
        return None
    flat: Value = state.pool.number(0)
    base: Expr = lvalue
    while isinstance(base, Index):
        if isinstance(base.base.type, Pointer):
            return None
        index = state.pool.number(_elements(base))
        places = [flat, evaluate(state, base.index, active), index]
        flat = threadwise(lambda f, i, n: _at(state, f, i, n), places)
        base = base.base
    if not isinstance(base, VarRef):
        raise Stop("an array in a record", lvalue.span)
    numbers = [state.pool.integer(of_thread(flat, t)) for t in range(state.launch.threads)]
    if any(numbers[t] is None for t in here(active)):
        raise Stop(f"the index into `{variable.name}` depends on data", lvalue.span)
    return variable, [n or 0 for n in numbers]


def _at(state: State, flat: Term, index: Term, elements: Term) -> Term:
    return state.pool.plus(flat, state.pool.scaled(index, state.pool.integer(elements) or 1))


def _elements(lvalue: Index) -> int:
    element = lvalue.base.type.element if isinstance(lvalue.base.type, Array) else lvalue.type
    return max(1, size_bytes(lvalue.type) // max(1, size_bytes(_scalar(element))))


def _scalar(type_: Type) -> Type:
    while isinstance(type_, Array):
        type_ = type_.element
    return type_


def _member(state: State, expr: Member, base: Expr, name: str, active: Active) -> Value:
    variable = root_variable(expr)
    if variable is None or in_memory(variable) or _through_pointer(expr):
        return _load(state, expr, active)
    record = evaluate(state, base, active)
    return threadwise(lambda r: member_of(state, base.type, r, name), [record])


def member_of(state: State, type_: object, record: Term, name: str) -> Term:
    node = state.pool.nodes[record]
    names = field_names(type_)
    if node.kind == "record" and name in names:
        return node.children[names.index(name)]
    return state.pool.make("member", (name,), (record,))


def field_names(type_: object) -> tuple[str, ...]:
    if isinstance(type_, Vector):
        return tuple("xyzw"[: type_.lanes])
    return tuple(n for n, _ in type_.fields) if isinstance(type_, Struct) else ()


def _through_pointer(lvalue: Expr) -> bool:
    while isinstance(lvalue, Index | Member):
        if isinstance(lvalue.base.type, Pointer):
            return True
        lvalue = lvalue.base
    return False


def address(state: State, lvalue: Expr, active: Active) -> Value:
    """Where an lvalue stands: bytes behind a parameter, an array or what a pointer holds."""
    pool = state.pool
    match lvalue:
        case VarRef(variable=variable) if in_memory(variable):
            if variable.storage in SHARED_STORAGE:
                return pool.symbol("shared", state.array(variable))
            return pool.symbol("global", variable.name)
        case Index(base=base, index=index):
            start = (
                evaluate(state, base, active)
                if isinstance(base.type, Pointer)
                else address(state, base, active)
            )
            size = size_bytes(lvalue.type)
            place = evaluate(state, index, active)
            return threadwise(lambda s, i: pool.plus(s, pool.scaled(i, size)), [start, place])
        case Member(base=base, field=name) if isinstance(base.type, Struct | Vector):
            offset = pool.number(field_offset_bytes(base.type, name))
            return threadwise(pool.plus, [address(state, base, active), offset])
        case _:
            raise Stop("the address of something that is no memory", lvalue.span)


def shared_place(state: State, at: Term) -> tuple[str, int | None] | None:
    """The shared array that an address leads into, and the byte where that is known."""
    constant, coefficients = state.pool.parts(at)
    for term in coefficients:
        node = state.pool.nodes[term]
        if node.kind == "symbol" and node.payload[0] == "shared":
            return str(node.payload[1]), constant if len(coefficients) == 1 else None
    return None


def _load(state: State, expr: Expr, active: Active) -> Value:
    if isinstance(expr, Index):
        element = local_element(state, expr, active)
        if element is not None:
            return _read_element(state, *element, active)
    if isinstance(expr.type, Array):
        return address(state, expr, active)
    where = address(state, expr, active)
    threads = here(active)
    if threads and shared_place(state, of_thread(where, threads[0])) is not None:
        return _load_shared(state, expr, where, active)
    loaded = buffers_of(state, expr, where, active)
    if any(may_be_one(s, b) for s in state.stored for b in loaded):
        raise Stop("a load of what the kernel may have stored before", expr.span)
    if not all(b is not None and isinstance(b.type, Pointer) and b.type.is_const for b in loaded):
        state.touch("load", loaded, expr.type, where, where, active, expr.span)
    return threadwise(lambda a: state.pool.make("load", (str(expr.type),), (a,)), [where])


def buffers_of(state: State, lvalue: Expr, where: Value, active: Active) -> set[Variable | None]:
    """The parameters or globals that addresses start from; None for one that is not known."""
    root = root_variable(lvalue)
    if root is not None and root.storage in (Storage.GLOBAL, Storage.CONSTANT):
        return {root}
    return {buffer_of(state, at) for at in {of_thread(where, t) for t in here(active)}}


def buffer_of(state: State, at: Term) -> Variable | None:
    """The pointer parameter that an address starts from; None for one that is not known."""
    for term in state.pool.parts(at)[1]:
        node = state.pool.nodes[term]
        if node.kind == "symbol" and node.payload[0] == "parameter":
            parameter = state.parameters.get(str(node.payload[1]))
            if parameter is not None and isinstance(parameter.type, Pointer):
                return parameter
    return None


def _read_element(state: State, variable: Variable, numbers: list[int], active: Active) -> Value:
    undefined = state.pool.undefined_value()
    out = [undefined] * state.launch.threads
    for t in here(active):
        out[t] = of_thread(state.locals.get((variable, numbers[t]), undefined), t)
    return out


def _load_shared(state: State, expr: Expr, where: Value, active: Active) -> Value:
    pool, size = state.pool, size_bytes(expr.type)
    out = [pool.undefined_value()] * state.launch.threads
    state.count(len(out), expr.span)
    for t in here(active):
        guard = active[t]
        assert guard is not None
        array, at = known_place(state, of_thread(where, t), expr)
        try:
            found = state.shared.read((array, at), size, state.access(t), guard)
        except Unordered as reason:
            raise Stop(f"`{array.partition('#')[0]}`: {reason}", expr.span) from None
        out[t] = pool.undefined_value("shared memory that nobody wrote") if found is None else found
    return out


def known_place(state: State, at: Term, lvalue: Expr) -> tuple[str, int]:
    """Raises Stop where the place is not known, or not in the array."""
    found = shared_place(state, at)
    if found is None or found[1] is None:
        raise Stop("an index into shared memory that depends on data", lvalue.span)
    array, byte = found[0], found[1]
    extent = state.array_bytes.get(array, 0)
    if byte < 0 or (extent and byte + size_bytes(lvalue.type) > extent):
        raise Stop(f"an index outside `{array.partition('#')[0]}`", lvalue.span)
    return array, byte
