"""Terms: what one thread computes, over what the kernel is given. Equal terms are one number in a `Pool`.

Sums of integers are kept as linear forms and other associative, commutative operators as multisets, so that
the order in which lanes are combined leaves no trace: exact for integers, up to rounding for floats. Assumes
that index arithmetic does not overflow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Term: TypeAlias = int
Payload: TypeAlias = tuple[object, ...]
Number: TypeAlias = int | float

IDEMPOTENT = frozenset(("min", "max", "&", "|"))
_INDICES = frozenset(("number", "symbol", "linear", "fold", "operator", "item", "cast"))
"""What indices are made of: places in the grid, parameters, and arithmetic on them."""

COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))


@dataclass(frozen=True)
class Node:
    """`payload` says what of its kind it is; `children` are terms."""

    kind: str
    payload: Payload
    children: tuple[Term, ...]


@dataclass
class Pool:
    """Every term that was made, once."""

    nodes: list[Node] = field(default_factory=list)
    undefined: list[bool] = field(default_factory=list)
    _numbers: dict[tuple[str, Payload, tuple[Term, ...]], Term] = field(default_factory=dict)

    def make(self, kind: str, payload: Payload = (), children: tuple[Term, ...] = ()) -> Term:
        shape = (kind, payload, children)
        found = self._numbers.get(shape)
        if found is None:
            found = len(self.nodes)
            self._numbers[shape] = found
            self.nodes.append(Node(kind, payload, children))
            self.undefined.append(kind == "undefined" or any(self.undefined[c] for c in children))
        return found

    def number(self, value: Number) -> Term:
        whole = int(value) if isinstance(value, bool) else value
        # -0.0 is 0.0 and NaN is not NaN, so floats go by their text.
        return self.make("number", (whole,) if isinstance(whole, int) else (repr(whole), whole))

    def undefined_value(self, reason: str = "a value that nobody gave") -> Term:
        """What a lane that is not there would give, or memory that nobody wrote."""
        return self.make("undefined", (reason,))

    def why_undefined(self, term: Term) -> str:
        """The reason that stands deepest in a term that is undefined."""
        node = self.nodes[term]
        while node.kind != "undefined":
            node = self.nodes[next(c for c in node.children if self.undefined[c])]
        return str(node.payload[0])

    def symbol(self, *name: object) -> Term:
        return self.make("symbol", name)

    def value(self, term: Term) -> Number | None:
        """The number that a term is."""
        node = self.nodes[term]
        if node.kind != "number":
            return None
        number = node.payload[-1]
        assert isinstance(number, int | float)
        return number

    def integer(self, term: Term) -> int | None:
        value = self.value(term)
        return value if isinstance(value, int) else None

    # --- sums of integers ----------------------------------------------------------------------------

    def parts(self, term: Term) -> tuple[int, dict[Term, int]]:
        """The constant and the coefficients of a linear form."""
        node = self.nodes[term]
        if node.kind == "linear":
            constant, coefficients = node.payload
            assert isinstance(constant, int)
            assert isinstance(coefficients, tuple)
            return constant, dict(zip(node.children, coefficients, strict=True))
        value = self.integer(term)
        return (0, {term: 1}) if value is None else (value, {})

    def linear(self, constant: int, coefficients: Mapping[Term, int]) -> Term:
        joined = self._joined({t: c for t, c in coefficients.items() if c}, "+", None)
        if not joined:
            return self.number(constant)
        items = sorted(joined.items())
        if constant == 0 and len(items) == 1 and items[0][1] == 1:
            return items[0][0]
        return self.make("linear", (constant, tuple(c for _, c in items)), tuple(t for t, _ in items))

    def plus(self, left: Term, right: Term, sign: int = 1) -> Term:
        constant, coefficients = self.parts(left)
        other, more = self.parts(right)
        for term, coefficient in more.items():
            coefficients[term] = coefficients.get(term, 0) + sign * coefficient
        return self.linear(constant + sign * other, coefficients)

    def scaled(self, term: Term, factor: int) -> Term:
        constant, coefficients = self.parts(term)
        return self.linear(constant * factor, {t: c * factor for t, c in coefficients.items()})

    # --- other associative operators -----------------------------------------------------------------

    def fold(self, op: str, type_: str, operands: Iterable[Term]) -> Term:
        """`op` over `operands`, in no order."""
        counts: Counter[Term] = Counter()
        for operand in operands:
            node = self.nodes[operand]
            # 0 and 1 combine alike as conditions and as integers.
            is_same = node.kind == "fold" and node.payload[0] == op and node.payload[1] in (type_, "bool")
            if is_same and (op in ("|", "&") or node.payload[1] == type_):
                inner = node.payload[2]
                assert isinstance(inner, tuple)
                counts.update(dict(zip(node.children, inner, strict=True)))
            else:
                counts[operand] += 1
        if op in IDEMPOTENT:
            counts = Counter(dict.fromkeys(counts, 1))
        items = sorted(self._joined(self._without_neutral(op, type_, counts), op, type_).items())
        if not items:
            return self.number(_neutral(op, type_))
        if len(items) == 1 and items[0][1] == 1:
            return items[0][0]
        return self.make("fold", (op, type_, tuple(c for _, c in items)), tuple(t for t, _ in items))

    def _without_neutral(self, op: str, type_: str, counts: Mapping[Term, int]) -> dict[Term, int]:
        neutral = _neutral(op, type_)
        kept = {t: c for t, c in counts.items() if self.value(t) != neutral}
        numbers = [v for t in kept if (v := self.value(t)) is not None]
        if op in ("min", "max") and len(numbers) > 1:
            best = min(numbers) if op == "min" else max(numbers)
            kept = {t: c for t, c in kept.items() if self.value(t) in (None, best)}
        if type_ == "bool" and op in ("&", "|"):
            absorbing = [t for t in kept if self.value(t) is not None]
            kept = dict.fromkeys(absorbing, 1) if absorbing else kept
        return kept

    def _joined(self, counts: Mapping[Term, int], op: str, type_: str | None) -> dict[Term, int]:
        """The parts that all lanes of a group have of one loop, put together as the whole of it.

        Only where `op` is what the loop itself combines its iterations with, in the same type (None: integers
        of the linear form's width): a sum of maxima is not the same for every number of lanes.
        """
        lanes: dict[tuple[Term, int], dict[int, int]] = {}
        for term, count in counts.items():
            node = self.nodes[term]
            if node.kind == "lane part" and self._combines(node.children[0], op, type_):
                size, lane = node.payload
                assert isinstance(size, int)
                assert isinstance(lane, int)
                lanes.setdefault((node.children[0], size), {})[lane] = count
        joined = dict(counts)
        for (loop, size), own in lanes.items():
            if len(own) == size and len(set(own.values())) == 1:
                for lane in own:
                    del joined[self.lane_part(loop, size, lane)]
                whole = self.make("all parts", (), (loop,))
                joined[whole] = joined.get(whole, 0) + own[0]
        return joined

    def _combines(self, loop: Term, op: str, type_: str | None) -> bool:
        node = self.nodes[loop]
        if node.kind != "total":
            return False
        _, own, of = node.payload
        return own == op and (str(of).startswith(("int", "uint")) if type_ is None else of == type_)

    def total(self, loop: Term, variable: int, op: str, type_: str) -> Term:
        """What all iterations of `loop` give a variable, combined by `op`."""
        return self.make("total", (variable, op, type_), (loop,))

    def lane_part(self, loop: Term, size: int, lane: int) -> Term:
        """What one lane of `size` gets from its iterations of `loop`."""
        return self.make("lane part", (size, lane), (loop,))

    # --- conditions ----------------------------------------------------------------------------------

    def negated(self, condition: Term) -> Term:
        node = self.nodes[condition]
        if node.kind == "not":
            return node.children[0]
        value = self.value(condition)
        return self.number(not value) if value is not None else self.make("not", (), (condition,))

    def is_condition(self, term: Term) -> bool:
        node = self.nodes[term]
        is_fold = node.kind == "fold" and node.payload[1] == "bool"
        return node.kind in ("compare", "not") or is_fold or self.value(term) in (0, 1)

    def is_data(self, term: Term) -> bool:
        """Whether a number comes from memory or from work on what does, so that it may wrap around."""
        pending, seen = [term], set[Term]()
        while pending:
            own = pending.pop()
            if own in seen:
                continue
            seen.add(own)
            node = self.nodes[own]
            if node.kind not in _INDICES:
                return True
            pending.extend(node.children)
        return False

    def choice(self, condition: Term, if_true: Term, if_false: Term) -> Term:
        value = self.value(condition)
        if value is not None:
            return if_true if value else if_false
        return if_true if if_true == if_false else self.make("choice", (), (condition, if_true, if_false))

    def compare(self, op: str, left: Term, right: Term, *, exact: bool) -> Term:
        """`exact`: of integers, whose difference may be a number although neither is.

        Data may wrap around, so that of it only equal terms have a known order.
        """
        a, b = self.value(left), self.value(right)
        is_known = left == right or op in ("==", "!=") or not (self.is_data(left) or self.is_data(right))
        if exact and is_known and (a is None or b is None):
            difference = self.value(self.plus(left, right, -1))
            a, b = (difference, 0) if difference is not None else (None, None)
        if a is None or b is None:
            return self._compared(op, left, right, exact=exact)
        outcome = {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "!=": a != b}
        return self.number(outcome[op])

    def _compared(self, op: str, left: Term, right: Term, *, exact: bool) -> Term:
        """One form for each order; of integers also for its opposite, which NaN would not be in."""
        if op in (">", ">="):
            return self._compared("<" if op == ">" else "<=", right, left, exact=exact)
        if op == "<=" and exact:
            return self.negated(self._compared("<", right, left, exact=exact))
        return self.make("compare", (op,), (left, right))


def _neutral(op: str, type_: str) -> Number:
    if op in ("+", "|", "^"):
        return 0
    if op == "*":
        return 1
    bits = int("".join(c for c in type_ if c.isdigit()) or 1)
    if op == "&":
        return 1 if type_ == "bool" else -1 if type_.startswith("int") else (1 << bits) - 1
    if not type_.startswith(("int", "uint")):
        return float("inf") if op == "min" else float("-inf")
    if type_.startswith("uint"):
        return (1 << bits) - 1 if op == "min" else 0
    return (1 << (bits - 1)) - 1 if op == "min" else -(1 << (bits - 1))
