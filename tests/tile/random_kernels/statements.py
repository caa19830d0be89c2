"""Statements: variables, branches, loops that end, effects inside of expressions; a tree of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.tile.random_kernels.expressions import (
    argument_for,
    binary,
    condition,
    fit,
    index,
    integer,
)
from tests.tile.random_kernels.maker import Array, Maker
from tests.tile.random_kernels.values import (
    FLOAT,
    FLOATS,
    INT,
    INTEGERS,
    LONG,
    UINT,
    CType,
    Value,
    Variable,
    converted,
    promoted,
    real,
)

FLOAT_UNITS = 1 << 12
_COUNTERS = (INT, INT, INT, UINT, LONG)


@dataclass(frozen=True)
class Block:
    """`if (…) {` with its statements, further parts (`} else {`), and what ends them."""

    parts: tuple[tuple[str, tuple[Node, ...]], ...]
    end: str = "}"


Node = str | Block


def text_of(nodes: tuple[Node, ...], indent: str = "  ") -> str:
    return "".join(_text(node, indent) for node in nodes)


def _text(node: Node, indent: str) -> str:
    if isinstance(node, str):
        return "".join(f"{indent}{line}\n" for line in node.splitlines())
    parts = "".join(f"{indent}{head}\n{text_of(body, indent + '  ')}" for head, body in node.parts)
    return f"{parts}{indent}{node.end}\n"


def statements(m: Maker, least: int, most: int) -> tuple[Node, ...]:
    return tuple(node for _ in range(m.integer(least, most)) for node in statement(m))


def inner(m: Maker, least: int = 1, most: int = 3) -> tuple[Node, ...]:
    """The statements of a block of their own."""
    with m.nested():
        return statements(m, least, most)


def statement(m: Maker) -> Iterator[Node]:
    """One statement, or a few that belong together."""
    m.free -= 1
    if m.free < 0:
        yield from assignment(m)
        return
    match m.pick(
        ("declare", "declare", "assign", "assign", "assign", "compound", "effect", "if", "if", "loop",
         "switch", "array", "pointer", "exit", "struct", "atomic")
    ):  # fmt: skip
        case "declare":
            yield declaration(m)
        case "assign":
            yield from assignment(m)
        case "compound":
            yield from compound(m)
        case "effect":
            yield from effect(m)
        case "if":
            yield branch(m)
        case "loop" if m.loops < 2:
            yield from loop(m)
        case "switch":
            yield switch(m)
        case "array":
            yield from local_array(m)
        case "pointer":
            yield from pointer(m)
        case "struct":
            yield from structure(m)
        case "exit":
            yield from leave(m)
        case "atomic" if m.counters:
            yield atomic(m)
        case _:
            yield declaration(m)


def any_range(m: Maker, type_: CType) -> tuple[int, int]:
    if type_.bits < 32 or type_.kind == "uint" or m.chance(25):
        return type_.low, type_.high
    most = m.pick((100, 1000, (1 << 20) - 1))
    return (-most, most) if m.chance(60) else (0, most)


def new_variable(m: Maker, stem: str, type_: CType) -> Variable:
    if type_.is_float:
        return Variable(m.fresh(stem), type_, -FLOAT_UNITS, FLOAT_UNITS, 4)
    return Variable(m.fresh(stem), type_, *any_range(m, type_))


def declaration(m: Maker) -> Node:
    type_ = m.pick((*INTEGERS, INT, INT, UINT, FLOAT, *FLOATS))
    variable = new_variable(m, "v", type_)
    value = argument_for(m, variable, 2)
    m.declare(variable)
    return f"{type_.name} {variable.name} = {value.text};"


def assignment(m: Maker) -> Iterator[Node]:
    known = m.variables(lambda v: v.assignable)
    if known:
        variable = m.pick(known)
        yield f"{variable.name} = {argument_for(m, variable, 2).text};"


def _wraps(variable: Variable) -> bool:
    """Whatever is stored in it, it is in its range; and `x + 1` before it is stored does not overflow."""
    full = (variable.low, variable.high) == (variable.type.low, variable.type.high)
    return full and (variable.type.kind == "uint" or variable.type.bits < 32) and variable.assignable


def compound(m: Maker) -> Iterator[Node]:
    """`v op= e` and `v++`, where any result may be stored."""
    known = m.variables(lambda v: not v.type.is_float and _wraps(v))
    if not known:
        yield declaration(m)
        return
    variable = m.pick(known)
    if m.chance(25):
        yield m.pick(
            (f"{variable.name}++;", f"--{variable.name};", f"++{variable.name};", f"{variable.name}--;")
        )
        return
    op, right = _defined_operand(m, variable)
    yield f"{variable.name} {op}= {right};"


def _defined_operand(m: Maker, variable: Variable) -> tuple[str, str]:
    """An operator and a right side for which `variable op right` is defined."""
    op = m.pick(("+", "-", "*", "&", "|", "^", ">>", "/", "%"))
    right = integer(m, 1)
    if op == ">>":
        return op, fit(m, right, 0, promoted(variable.type).bits - 1).text
    if op in "/%":
        nonzero = binary(m, "+", fit(m, right, 0, 100), Value("1", INT, 1, 1))
        return op, nonzero.text
    if op in "+-*" and variable.type.bits < 32:
        return op, fit(m, right, -255, 255).text
    if op in "+-*" and not (right.type.kind == "uint" or right.type.bits <= variable.type.bits):
        return op, fit(m, right, -255, 255).text
    return op, right.text


def effect(m: Maker) -> Iterator[Node]:
    """A change of a variable within an expression that does not read it otherwise."""
    known = m.variables(lambda v: not v.type.is_float and _wraps(v))
    if not known:
        yield declaration(m)
        return
    variable = m.pick(known)
    with m.hiding(variable.name):
        change = m.pick(
            (f"{variable.name}++", f"++{variable.name}", f"{variable.name}--", f"({variable.name} += 3)")
        )
        value = Value(change, variable.type, variable.low, variable.high)
        match m.pick(("sum", "and", "or", "select")):
            case "and" | "or" as form:
                op = "&&" if form == "and" else "||"
                first = condition(m, 1).text
                test = f"{first} {op} ({value.text} {m.pick(('>', '<=', '!='))} {m.integer(0, 20)})"
                body = inner(m, 1, 2)
                yield Block(((f"if ({test}) {{", body),))
                return
            case "select":
                other = integer(m, 1)
                made = converted(other, promoted(other.type))
                value = Value(
                    f"({condition(m, 1).text} ? {change} : ({variable.type.name})({made.text}))",
                    variable.type,
                    variable.low,
                    variable.high,
                )
        target = Variable(m.fresh("v"), LONG, LONG.low, LONG.high)
        total = binary(m, m.pick("+-^&"), value, integer(m, 1))
    m.declare(target)
    yield f"{LONG.name} {target.name} = {total.text};"


def branch(m: Maker) -> Node:
    parts = [(f"if ({condition(m, 2).text}) {{", inner(m))]
    while m.chance(25) and len(parts) < 3:
        parts.append((f"}} else if ({condition(m, 1).text}) {{", inner(m, 1, 2)))
    if m.chance(50):
        parts.append(("} else {", inner(m)))
    return Block(tuple(parts))


def switch(m: Maker) -> Node:
    count = m.integer(2, 4)
    parts: list[tuple[str, tuple[Node, ...]]] = [(f"switch ({fit(m, integer(m, 1), 0, count).text}) {{", ())]
    outside, m.in_switch = m.in_switch, True
    labels = [f"case {i}:" for i in range(count)] + (["default:"] if m.chance(70) else [])
    for label in labels:
        if m.chance(15) and label != labels[-1]:
            parts.append((label, ()))
            continue
        parts.append((f"{label} {{", (*inner(m, 1, 2), "} break;")))
    m.in_switch = outside
    return Block(tuple(parts))


def leave(m: Maker) -> Iterator[Node]:
    """A condition under which the thread leaves the loop, its round, or the function."""
    ways = ["continue;", "break;"] if m.loops and not m.in_switch else ["continue;"] if m.loops else []
    if m.leave is not None and m.chance(40):
        ways.append("leave")
    if not ways:
        yield branch(m)
        return
    way = m.pick(ways)
    with m.nested():
        before = statements(m, 0, 1)
        last = m.leave(m) if way == "leave" and m.leave is not None else way
    yield Block(((f"if ({condition(m, 1).text}) {{", (*before, last)),))


def loop(m: Maker) -> Iterator[Node]:
    """One of C's loops; at most a few rounds, the same for all threads or not."""
    m.loops += 1
    outside, m.in_switch = m.in_switch, False
    most = 5 if m.loops == 1 else 3
    bound = m.pick((Value(str(m.integer(1, most)), INT, 1, most), fit(m, integer(m, 1), 0, most)))
    yield from m.pick((_up, _up, _up, _down, _doubling, _while, _do, _forever))(m, bound, most)
    m.in_switch = outside
    m.loops -= 1


def _body(m: Maker, counter: Variable) -> tuple[Node, ...]:
    with m.nested():
        m.declare(counter)
        return statements(m, 1, 3)


def _up(m: Maker, bound: Value, most: int) -> Iterator[Node]:
    """Upwards to a bound, which C computes again before every round; at times it is computed once."""
    counter, type_ = m.fresh("j"), m.pick(_COUNTERS)
    start, step = m.integer(0, 1), m.integer(1, 2)
    forms = [f"{counter}++", f"++{counter}", f"{counter} += 1"] if step == 1 else [f"{counter} += {step}"]
    limit = bound.text if bound.text.isdigit() else f"({type_.name})({bound.text})"
    if m.chance(40):
        name = m.fresh("most")
        yield f"const {type_.name} {name} = {limit};"
        limit = name
    head = f"for ({type_.name} {counter} = {start}; {counter} < {limit}; {m.pick(forms)}) {{"
    yield Block(((head, _body(m, Variable(counter, type_, start, most, assignable=False))),))


def _down(m: Maker, bound: Value, most: int) -> Iterator[Node]:
    counter = m.fresh("j")
    start = Value(f"(int)({bound.text})", INT, 0, most)
    head = m.pick(
        (
            f"for (int {counter} = {start.text}; {counter} > 0; {counter}--) {{",
            f"for (int {counter} = {start.text} - 1; {counter} >= 0; --{counter}) {{",
            f"for (unsigned int {counter} = {start.text}; {counter}-- > 0;) {{",
            f"for (int {counter} = {start.text}; {counter}; {counter} -= 1) {{",
        )
    )
    type_ = UINT if "unsigned" in head else INT
    yield Block(((head, _body(m, Variable(counter, type_, 0, most, assignable=False))),))


def _doubling(m: Maker, bound: Value, most: int) -> Iterator[Node]:
    counter = m.fresh("j")
    form = m.pick(
        (
            f"for (int {counter} = 1; {counter} < {1 << most}; {counter} *= 2) {{",
            f"for (int {counter} = {1 << (most - 1)}; {counter} > 0; {counter} >>= 1) {{",
            f"for (unsigned int {counter} = 1; {counter} <= {1 << (most - 1)}u; {counter} <<= 1) {{",
            f"for (int {counter} = {1 << (most - 1)}; {counter} >= 1; {counter} /= 2) {{",
        )
    )
    type_ = UINT if "unsigned" in form else INT
    yield Block(((form, _body(m, Variable(counter, type_, 1, 1 << most, assignable=False))),))


def _while(m: Maker, bound: Value, most: int) -> Iterator[Node]:
    counter = m.fresh("left")
    yield f"int {counter} = {bound.text};"
    variable = Variable(counter, INT, -1, most, assignable=False)
    if m.chance(50):
        yield Block(((f"while ({counter}-- > 0) {{", _body(m, variable)),))
        return
    test = f" && {condition(m, 1).text}" if m.chance(40) else ""
    yield Block(((f"while ({counter} > 0{test}) {{", (f"{counter} -= 1;", *_body(m, variable))),))


def _do(m: Maker, bound: Value, most: int) -> Iterator[Node]:
    counter = m.fresh("round")
    yield f"int {counter} = 0;"
    variable = Variable(counter, INT, 0, most, assignable=False)
    body = _body(m, variable)
    if any("continue" in _text(node, "") for node in body):
        yield Block((("do {", body),), f"}} while (++{counter} < {most - 1});")
        return
    yield Block((("do {", (*body, f"{counter}++;")),), f"}} while ({counter} < {most - 1});")


def _forever(m: Maker, bound: Value, most: int) -> Iterator[Node]:
    counter = m.fresh("round")
    yield f"int {counter} = 0;"
    stop = (
        f"if ({counter}++ >= {bound.text}) break;"
        if bound.text.isdigit()
        else f"if ({counter}++ >= {most}) break;"
    )
    head = m.pick(("for (;;) {", "while (true) {", "while (1) {"))
    yield Block(((head, (stop, *_body(m, Variable(counter, INT, 0, most + 1, assignable=False)))),))


def local_array(m: Maker) -> Iterator[Node]:
    """An array of the thread's own: filled in a loop, read and written at constant and at other places."""
    type_ = m.pick((INT, UINT, FLOAT, *INTEGERS[:4]))
    length = m.pick((2, 3, 4, 8))
    model = new_variable(m, "q", type_)
    array = Array(model.name, type_, length, model.low, model.high, model.scale, constant=False)
    if m.chance(40):
        values = ", ".join(_zero(type_) if type_.is_float else str(m.integer(0, 9)) for _ in range(length))
        if type_.kind == "int" or type_.is_float or type_.bits < 32 or type_ is UINT:
            yield f"{type_.name} {array.name}[{length}] = {{{values}}};"
    else:
        counter = m.fresh("j")
        with m.nested():
            m.declare(Variable(counter, INT, 0, length - 1, assignable=False))
            value = argument_for(m, model, 1)
        yield (
            f"{type_.name} {array.name}[{length}];\n"
            f"for (int {counter} = 0; {counter} < {length}; {counter}++) "
            f"{array.name}[{counter}] = {value.text};"
        )
    m.arrays.append(array)
    if m.chance(60):
        place = index(m, length) if m.chance(50) else Value(str(m.integer(0, length - 1)), INT, 0, 0)
        yield f"{array.name}[{place.text}] = {argument_for(m, model, 1).text};"


def _zero(type_: CType) -> str:
    return real(0, 0, type_).text


def pointer(m: Maker) -> Iterator[Node]:
    """A pointer into constant memory, some elements after its start."""
    known = [a for a in m.arrays if a.constant and a.length > 4 and not a.name.startswith("s")]
    if not known:
        yield declaration(m)
        return
    array = m.pick(known)
    rest = m.integer(1, 4)
    start = index(m, array.length - rest)
    name = m.fresh("p")
    m.arrays.append(Array(name, array.type, rest + 1, array.low, array.high, array.scale))
    form = m.pick((f"{array.name} + {start.text}", f"&{array.name}[{start.text}]"))
    yield f"const {array.type.name}* {name} = {form};"


def atomic(m: Maker) -> Node:
    """One operation a counter array, whose result no order of threads can change."""
    counter = m.pick(m.counters)
    place = index(m, counter.length).text
    value = integer(m, 1)
    value = fit(m, value, -1000, 1000) if counter.operation == "atomicAdd" else value
    return f"{counter.operation}(&{counter.name}[{place}], ({counter.type.name})({value.text}));"


def structure(m: Maker) -> Iterator[Node]:
    """A struct with members of two types, initialised or assigned member by member, and copied."""
    first, second = (
        new_variable(m, "a", m.pick(INTEGERS)),
        new_variable(m, "b", m.pick((INT, FLOAT, *INTEGERS))),
    )
    struct, name = m.fresh("S"), m.fresh("w")
    values = [argument_for(m, v, 1) for v in (first, second)]
    fields = f"{first.type.name} {first.name}; {second.type.name} {second.name};"
    yield (
        f"struct {struct} {{ {fields} }};\n"
        f"{struct} {name};\n{name}.{first.name} = {values[0].text};\n{name}.{second.name} = {values[1].text};"
    )
    for v in (first, second):
        m.declare(Variable(f"{name}.{v.name}", v.type, v.low, v.high, v.scale))
    if m.chance(40):
        copy = m.fresh("w")
        yield f"{struct} {copy} = {name};"
        for v in (first, second):
            m.declare(Variable(f"{copy}.{v.name}", v.type, v.low, v.high, v.scale))
