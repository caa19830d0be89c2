"""Expressions: no signed sum overflows, no divisor is 0, no shift is too far, no index is outside."""

from __future__ import annotations

from tests.tile.random_kernels.maker import Array, Maker
from tests.tile.random_kernels.values import (
    BOOL,
    FLOAT,
    FLOATS,
    INT,
    INTEGERS,
    LONG,
    UINT,
    ULONG,
    WIDE,
    CType,
    Value,
    Variable,
    common,
    converted,
    is_exact,
    literal,
    promoted,
    real,
)  # fmt: skip

_ARITHMETIC = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def integer(m: Maker, depth: int = 2) -> Value:
    """Any expression of an integer type."""
    if depth <= 0:
        return _integer_leaf(m)
    form = m.pick(
        ("leaf", "binary", "binary", "binary", "binary", "cast", "unary", "select", "call", "truth",
         "function", "comma", "truncate")
    )  # fmt: skip
    match form:
        case "binary":
            return binary(m, m.pick(_ARITHMETIC), integer(m, depth - 1), integer(m, depth - 1))
        case "cast":
            type_ = m.pick(INTEGERS)
            inner = integer(m, depth - 1)
            return converted(inner, type_, f"({type_.name})({inner.text})")
        case "unary":
            return _unary(m, integer(m, depth - 1))
        case "select":
            return select(condition(m, depth - 1), integer(m, depth - 1), integer(m, depth - 1))
        case "call":
            return _intrinsic(m, depth)
        case "truth":
            return condition(m, depth - 1)
        case "function":
            return call(m, depth, floats=False) or _integer_leaf(m)
        case "comma":
            left, right = integer(m, 0), integer(m, depth - 1)
            return right.as_text(f"({left.text}, {right.text})")
        case "truncate":
            return truncated(m, number(m, depth - 1, m.pick(FLOATS)), m.pick((INT, LONG)))
    return _integer_leaf(m)


def _integer_leaf(m: Maker) -> Value:
    known = m.variables(lambda v: not v.type.is_float)
    if known and m.chance(65):
        return m.pick(known).read()
    arrays = [a for a in m.arrays if not a.type.is_float]
    if arrays and m.chance(50):
        return load(m, m.pick(arrays))
    type_ = m.pick(WIDE)
    small = m.chance(80)
    low, high = (-12, 40) if small else (type_.low // 3, type_.high // 3)
    return literal(m.integer(max(low, type_.low), high), type_)


def load(m: Maker, array: Array) -> Value:
    """One element, anywhere in the array."""
    text = f"{array.name}[{index(m, array.length).text}]"
    return Value(text, array.type, array.low, array.high, array.scale)


def index(m: Maker, length: int, depth: int = 1) -> Value:
    """A number from 0 to length - 1."""
    fitting = m.variables(lambda v: not v.type.is_float and v.low >= 0 and v.high < length)
    if fitting and m.chance(70):
        return m.pick(fitting).read()
    gathers = [a for a in m.arrays if not a.type.is_float and a.low >= 0 and a.high < length and a.constant]
    if gathers and depth and m.chance(25):
        array = m.pick(gathers)
        return Value(
            f"{array.name}[{index(m, array.length, depth - 1).text}]", array.type, array.low, array.high
        )
    return fit(m, integer(m, depth), 0, length - 1)


def fit(m: Maker, value: Value, low: int, high: int) -> Value:
    """The value brought into the range by something that depends on all of it; of a promoted type."""
    if value.within(low, high):
        return value
    type_ = promoted(value.type)
    value = converted(value, type_)
    if low < 0 and type_.kind == "uint":
        low = 0
    span = high - low + 1
    if low == 0 and span & (span - 1) == 0 and m.chance(50):
        return Value(f"({value.text} & {literal(high, type_).text})", type_, 0, high)
    if low < 0 and -low <= high + 1:
        limit = min(-low, high) + 1
        return Value(f"({value.text} % {literal(limit, type_).text})", type_, -limit + 1, limit - 1)
    if value.low < 0:
        wide = UINT if type_.bits == 32 else ULONG
        inner = Value(f"({wide.name}){value.text}", wide, 0, wide.high)
        rest = Value(f"({inner.text} % {literal(span, wide).text})", wide, 0, span - 1)
        if low == 0:
            return rest
        signed = f"(({type_.name}){rest.text} + {literal(low, type_).text})"
        return Value(signed, type_, low, high)
    rest = Value(f"({value.text} % {literal(span, type_).text})", type_, 0, span - 1)
    if low == 0:
        return rest
    return Value(f"({rest.text} + {literal(low, type_).text})", type_, low, high)


def binary(m: Maker, op: str, left: Value, right: Value) -> Value:
    """An arithmetic operation of integers whose result is defined."""
    if op in ("<<", ">>"):
        return _shift(m, op, left, right)
    type_ = common(left.type, right.type)
    left, right = converted(left, type_), converted(right, type_)
    if op in ("/", "%"):
        return _quotient(m, op, left, right)
    if op in ("&", "|", "^"):
        return Value(f"({left.text} {op} {right.text})", type_, *_bits_range(left, right, type_))
    low, high = _exact_range(op, left, right)
    if low < type_.low or high > type_.high:
        if type_.kind == "uint":
            low, high = 0, type_.high
        else:
            most = 1 << (type_.bits // 2 - 2 if op == "*" else type_.bits - 3)
            left, right = fit(m, left, -most, most), fit(m, right, -most, most)
            low, high = _exact_range(op, left, right)
    return Value(f"({left.text} {op} {right.text})", type_, low, high)


def _exact_range(op: str, a: Value, b: Value) -> tuple[int, int]:
    if op == "+":
        return a.low + b.low, a.high + b.high
    if op == "-":
        return a.low - b.high, a.high - b.low
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(corners), max(corners)


def _bits_range(a: Value, b: Value, type_: CType) -> tuple[int, int]:
    size = max(a.magnitude.bit_length(), b.magnitude.bit_length())
    high = min((1 << size) - 1, type_.high)
    return (0 if a.low >= 0 and b.low >= 0 else max(-(1 << size), type_.low)), high


def _quotient(m: Maker, op: str, left: Value, right: Value) -> Value:
    if right.low <= 0 <= right.high:
        right = _without_zero(m, right)
    if left.type.kind == "int" and left.low == left.type.low and right.low <= -1 <= right.high:
        left = fit(m, left, -1000, 1000)
    if op == "/":
        low, high = -left.magnitude, left.magnitude
    else:
        most = min(right.magnitude - 1, left.magnitude)
        low, high = -most, most
    low = 0 if left.low >= 0 and (op == "%" or right.low >= 0) else low
    type_ = left.type
    return Value(f"({left.text} {op} {right.text})", type_, max(low, type_.low), min(high, type_.high))


def _without_zero(m: Maker, value: Value) -> Value:
    if m.chance(50):
        most = (1 << value.magnitude.bit_length()) - 1
        return Value(
            f"({value.text} | 1)", value.type, max(value.low, value.type.low), min(most | 1, value.type.high)
        )
    one = literal(1, value.type)
    if value.low < 0:
        return Value(
            f"({value.text} == 0 ? {one.text} : {value.text})", value.type, value.low, max(value.high, 1)
        )
    nonzero = min(value.high, value.type.high - 1)
    return Value(f"({fit(m, value, 0, nonzero).text} + {one.text})", value.type, 1, nonzero + 1)


def _shift(m: Maker, op: str, left: Value, right: Value) -> Value:
    type_ = promoted(left.type)
    left = converted(left, type_)
    if op == "<<" and type_.kind == "int":
        left = fit(m, left, 0, 255)
        count = fit(m, right, 0, 15)
        return Value(f"({left.text} << {count.text})", type_, 0, left.high << count.high)
    count = fit(m, right, 0, type_.bits - 1)
    low, high = (0, type_.high) if op == "<<" else (min(left.low, 0), max(left.high, 0))
    return Value(f"({left.text} {op} {count.text})", type_, low, high)


def _unary(m: Maker, value: Value) -> Value:
    op = m.pick(("-", "~", "!", "+"))
    type_ = promoted(value.type)
    if op == "!":
        return Value(f"(!{value.text})", BOOL, 0, 1)
    value = converted(value, type_)
    if op == "+":
        return value.as_text(f"(+{value.text})")
    if type_.kind == "uint":
        return Value(f"({op}{value.text})", type_, 0, type_.high)
    if op == "~":
        return Value(f"(~{value.text})", type_, ~value.high, ~value.low)
    if value.low == type_.low:
        value = fit(m, value, -1000, 1000)
    return Value(f"(-{value.text})", type_, -value.high, -value.low)


def select(test: Value, yes: Value, no: Value) -> Value:
    type_ = yes.type if yes.type is no.type else common(yes.type, no.type)
    yes, no = converted(yes, type_), converted(no, type_)
    return Value(
        f"({test.text} ? {yes.text} : {no.text})", type_, min(yes.low, no.low), max(yes.high, no.high)
    )


def condition(m: Maker, depth: int = 1) -> Value:
    """A bool."""
    form = m.pick(("compare", "compare", "compare", "float", "and", "or", "not", "bit"))
    match form:
        case "float":
            type_ = m.pick(FLOATS)
            left, right = number(m, depth - 1, type_), number(m, 0, type_)
            return Value(f"({left.text} {m.pick(_COMPARISONS)} {right.text})", BOOL, 0, 1)
        case "and" | "or" if depth > 0:
            op = "&&" if form == "and" else "||"
            return Value(f"({condition(m, depth - 1).text} {op} {condition(m, depth - 1).text})", BOOL, 0, 1)
        case "not" if depth > 0:
            return Value(f"(!{condition(m, depth - 1).text})", BOOL, 0, 1)
        case "bit":
            return Value(f"(({integer(m, depth - 1).text} & {m.pick((1, 2, 4, 5))}) != 0)", BOOL, 0, 1)
    left, right = integer(m, depth), integer(m, depth - 1)
    return Value(f"({left.text} {m.pick(_COMPARISONS)} {right.text})", BOOL, 0, 1)


def _intrinsic(m: Maker, depth: int) -> Value:
    name = m.pick(
        ("min", "max", "abs", "__popc", "__clz", "__ffs", "__brev", "__mulhi", "__umulhi", "__popcll")
    )
    inner = integer(m, depth - 1)
    if name in ("min", "max"):
        type_ = m.pick(WIDE)
        a, b = as_argument(inner, type_), as_argument(integer(m, depth - 1), type_)
        best = min if name == "min" else max
        return Value(f"{name}({a.text}, {b.text})", type_, best(a.low, b.low), best(a.high, b.high))
    if name == "abs":
        value = fit(m, as_argument(inner, INT), -(1 << 30), 1 << 30)
        value = as_argument(value, INT)
        return Value(f"abs({value.text})", INT, 0, value.magnitude)
    if name == "__mulhi":
        return Value(f"__mulhi({as_argument(inner, INT).text}, {integer(m, 0).text})", INT, INT.low, INT.high)
    if name == "__umulhi":
        text = f"__umulhi({as_argument(inner, UINT).text}, {as_argument(integer(m, 0), UINT).text})"
        return Value(text, UINT, 0, UINT.high)
    if name == "__popcll":
        return Value(f"__popcll({as_argument(inner, ULONG).text})", INT, 0, 64)
    if name == "__brev":
        return Value(f"__brev({as_argument(inner, UINT).text})", UINT, 0, UINT.high)
    type_ = UINT if name == "__popc" else INT
    return Value(f"{name}({as_argument(inner, type_).text})", INT, 0, 32)


def as_argument(value: Value, type_: CType) -> Value:
    """Converted explicitly, where the type is another."""
    return value if value.type is type_ else converted(value, type_, f"({type_.name})({value.text})")


def call(m: Maker, depth: int, *, floats: bool) -> Value | None:
    """A call of one of the device functions; None where there is none of that kind."""
    known = [f for f in m.functions if f.returns.type.is_float == floats]
    if not known:
        return None
    function = m.pick(known)
    arguments = [argument_for(m, p, depth - 1).text for p in function.parameters]
    return function.returns.read().as_text(f"{function.name}({', '.join(arguments)})")


def argument_for(m: Maker, variable: Variable, depth: int) -> Value:
    """An expression that may be stored in the variable, by an implicit conversion."""
    if not variable.type.is_float:
        value = integer(m, depth)
        if variable.low == variable.type.low and variable.high == variable.type.high:
            return value
        return fit(m, value, variable.low, variable.high)
    return float_fit(m, number(m, depth, variable.type), variable)


def number(m: Maker, depth: int, type_: CType) -> Value:
    """An exact float expression of the type."""
    if depth <= 0:
        return _float_leaf(m, type_)
    match m.pick(
        ("leaf", "binary", "binary", "binary", "select", "minmax", "integer", "function", "floor", "neg")
    ):
        case "binary":
            return _float_binary(m, m.pick("+-*"), number(m, depth - 1, type_), number(m, depth - 1, type_))
        case "select":
            yes, no = _aligned(number(m, depth - 1, type_), number(m, depth - 1, type_))
            text = f"({condition(m, depth - 1).text} ? {yes.text} : {no.text})"
            return _kept(m, Value(text, type_, min(yes.low, no.low), max(yes.high, no.high), yes.scale))
        case "minmax":
            a, b = _aligned(number(m, depth - 1, type_), number(m, depth - 1, type_))
            name = m.pick(("fmin", "fmax")) + ("f" if type_ is FLOAT else "")
            low, high = min(a.low, b.low), max(a.high, b.high)
            return _kept(m, Value(f"{name}({a.text}, {b.text})", type_, low, high, a.scale))
        case "integer":
            inner = fit(m, integer(m, depth - 1), -4096, 4096)
            return Value(f"({type_.name})({inner.text})", type_, inner.low, inner.high)
        case "function":
            found = call(m, depth, floats=True)
            return _kept(m, _as_float(found, type_)) if found is not None else _float_leaf(m, type_)
        case "floor":
            value = number(m, depth - 1, type_)
            name = m.pick(("floor", "ceil", "trunc", "fabs")) + ("f" if type_ is FLOAT else "")
            one = 1 << value.scale
            return _kept(
                m, Value(f"{name}({value.text})", type_, value.low - one, value.magnitude + one, value.scale)
            )
        case "neg":
            value = number(m, depth - 1, type_)
            return Value(f"(-{value.text})", type_, -value.high, -value.low, value.scale)
    return _float_leaf(m, type_)


def _float_leaf(m: Maker, type_: CType) -> Value:
    known = m.variables(lambda v: v.type.is_float)
    if known and m.chance(65):
        return _kept(m, _as_float(m.pick(known).read(), type_))
    arrays = [a for a in m.arrays if a.type.is_float]
    if arrays and m.chance(60):
        return _kept(m, _as_float(load(m, m.pick(arrays)), type_))
    return real(m.integer(-24, 40), m.integer(0, 2), type_)


def _as_float(value: Value, type_: CType) -> Value:
    """Another float type; a narrowing conversion of what fits is exact."""
    if value.type is type_:
        return value
    return Value(f"({type_.name}){value.text}", type_, value.low, value.high, value.scale)


def _aligned(a: Value, b: Value) -> tuple[Value, Value]:
    scale = max(a.scale, b.scale)
    return _scaled(a, scale), _scaled(b, scale)


def _scaled(value: Value, scale: int) -> Value:
    by = scale - value.scale
    return Value(value.text, value.type, value.low << by, value.high << by, scale)


def _float_binary(m: Maker, op: str, a: Value, b: Value) -> Value:
    if op != "*":
        a, b = _aligned(a, b)
    scale = a.scale + b.scale if op == "*" else a.scale
    low, high = _exact_range(op, a, b)
    if scale > 10 or not is_exact(low, high, a.type):
        a, b = _small(m, a), _small(m, b)
        low, high, scale = *_exact_range(op, a, b), 0
    return Value(f"({a.text} {op} {b.text})", a.type, low, high, scale)


def _kept(m: Maker, value: Value) -> Value:
    """The value, or where it may have too many digits something small made of it."""
    return value if is_exact(value.low, value.high, value.type) and value.scale <= 10 else _small(m, value)


def _small(m: Maker, value: Value) -> Value:
    """A whole number from -63 to 63: by way of an integer, or of a remainder."""
    whole = truncated(m, value, LONG if value.magnitude >> value.scale >= 1 << 30 else INT)
    return Value(f"({value.type.name})({whole.text} % 64)", value.type, -63, 63)


def truncated(m: Maker, value: Value, type_: CType) -> Value:
    """A float as an integer type that holds it."""
    one = 1 << value.scale
    low, high = -(-value.low // one) if value.low < 0 else value.low // one, value.high // one + 1
    if not (type_.low <= low - 1 and high + 1 <= type_.high):
        type_ = LONG
    return Value(f"({type_.name})({value.text})", type_, min(low - 1, 0), max(high, 0))


def float_fit(m: Maker, value: Value, variable: Variable) -> Value:
    """The value, or something small made of it, in the variable's range and units."""
    if value.scale <= variable.scale:
        scaled = _scaled(value, variable.scale)
        if scaled.within(variable.low, variable.high):
            return scaled
    small = _small(m, value)
    assert _scaled(small, variable.scale).within(variable.low, variable.high)
    return small


def rounded(m: Maker, type_: CType) -> str:
    """A float expression that is rounded: only to be stored, as another rounding may change it a little.

    Nothing is subtracted from what is rounded, so the error stays that of the last operation.
    """
    suffix = "f" if type_ is FLOAT else ""
    a, b = number(m, 1, type_), number(m, 1, type_)
    small = _small(m, a).text
    return m.pick(
        (
            f"{a.text} / (fabs{suffix}({b.text}) + 1.0{suffix})",
            f"sqrt{suffix}(fabs{suffix}({a.text}))",
            f"exp{suffix}({small} * 0.0625{suffix})",
            f"log{suffix}(fabs{suffix}({a.text}) + 1.0{suffix})",
            f"sin{suffix}({small} * 0.125{suffix})",
            f"cos{suffix}({small} * 0.0625{suffix})",
            f"tanh{suffix}({small} * 0.1{suffix})",
            f"{a.text} * 0.1{suffix}",
            f"1.0{suffix} / (1.0{suffix} + exp{suffix}(-({small} * 0.125{suffix})))",
        )
    )
