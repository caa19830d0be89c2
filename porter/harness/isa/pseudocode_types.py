"""Values in the Python text of lowered pseudo-code: their types, and conversions between them."""

from __future__ import annotations

from dataclasses import dataclass

from porter.harness.isa.bits import dtype_of
from porter.harness.isa.pseudocode import Number


@dataclass(frozen=True)
class Value:
    """Python text and the pseudo-code type of its value; `bits` 0: of whatever the surroundings are."""

    text: str
    kind: str
    bits: int

    @property
    def is_float(self) -> bool:
        return self.kind == "f"


def shaped(value: Value) -> Value:
    """An operand or a literal without a size becomes one of 32 bits."""
    if value.bits:
        return value
    if value.kind == "b":
        return Value(value.text, "b", 32)
    return Value(f"np.int32({value.text})", "i", 32)


def in_one_type(left: Value, right: Value) -> tuple[Value, Value]:
    """Both operands in one type: a literal takes the other's, else the wider, else the unsigned one."""
    if not left.bits and not right.bits:
        left, right = shaped(left), shaped(right)
    if not right.bits:
        return left, converted(right, left.kind, left.bits)
    if not left.bits:
        return converted(left, right.kind, right.bits), right
    if left.is_float != right.is_float:
        kind, width = ("f", left.bits) if left.is_float else ("f", right.bits)
    else:
        width = max(left.bits, right.bits)
        wider = left if left.bits >= right.bits else right
        kind = wider.kind if left.bits != right.bits or left.kind == right.kind else "u"
        kind = "f" if left.is_float else kind
    return converted(left, kind, width), converted(right, kind, width)


def converted(value: Value, kind: str, width: int) -> Value:
    """The same number in another type; bits of integers are cut or extended."""
    if (value.kind, value.bits) == (kind, width):
        return value
    if not value.bits and value.kind != "b":
        # Python's own arithmetic on the literal's negative values would not wrap.
        return Value(f"np.{dtype_of(kind, width)}({value.text})", kind, width)
    if not value.bits:
        return Value(f"B.typed({value.text}, {kind!r}, {width})", kind, width)
    same_bits = {"b", "bf", "fp"} & {value.kind, kind}
    if same_bits and not (kind == "f" and value.kind == "f"):
        return Value(f"B.typed({value.text}, {kind!r}, {width})", kind, width)
    if kind != "f" and width not in (1, 8, 16, 32, 64):
        return Value(f"B.typed({value.text}, {kind!r}, {width})", kind, width)
    return Value(f"np.asarray({value.text}).astype(np.{dtype_of(kind, width)})", kind, width)


def literal(node: Number) -> Value:
    """A literal in the type that it states; without one it takes its surroundings'."""
    if not node.kind and not node.bits:
        return Value(repr(node.value), "i", 0)
    kind = node.kind.lower() or ("f" if isinstance(node.value, float) else "u")
    if node.bits == 1:
        return Value(f"np.bool_({bool(node.value)})", "u", 1)
    number = node.value if kind == "f" else int(node.value) & ((1 << node.bits) - 1)
    if kind == "i":
        limit = 1 << (node.bits - 1)
        number = (int(number) + limit) % (2 * limit) - limit
    return Value(f"np.{dtype_of(kind, node.bits)}({number!r})", kind, node.bits)
