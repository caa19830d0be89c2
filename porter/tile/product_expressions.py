"""Fitted terms of a matrix product as kernel IR over the row, the column and the step of an element."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from porter.analysis.linear_form import Normaliser
from porter.analysis.linear_form import Polynomial as ScalarPolynomial
from porter.analysis.product_shape import Fitted, Linear, NoShape
from porter.analysis.thread_polynomials import Monomial
from porter.analysis.thread_terms import Head, Term, is_same, negation
from porter.core.span import Span
from porter.cuda.kir import (
    BOOL,
    INT32,
    INT64,
    Array,
    Binary,
    Builtin,
    Call,
    Cast,
    Const,
    Expr,
    Index,
    MakeVector,
    Pointer,
    Scalar,
    Select,
    Type,
    Unary,
    Variable,
    VarRef,
)

Numbers = dict[Monomial, int]


@dataclass(frozen=True)
class Axis:
    """A coordinate of the tile: `variable` is `start + threadIdx.<axis>`, where `start` is the block's.

    `alone`: the block has one row (or column), and the atom of its number stands for the coordinate.
    """

    variable: Variable
    start: Numbers
    alone: int | None = None


@dataclass
class Expressions:
    """Builds expressions for one product; `atoms` are those of the execution it was found by.

    `round` is the atom for the number of the round, of `per_round` steps; `step` is the new loop's counter
    and the offset within its tile. `variables` stand for leaves that are sums or what is made of them.
    """

    atoms: list[Expr]
    round: int
    per_round: int
    row: Axis
    column: Axis
    step: tuple[Variable, Variable]
    variables: Mapping[Head, Variable] = field(default_factory=dict)
    normaliser: Normaliser = field(init=False)

    def __post_init__(self) -> None:
        self.normaliser = Normaliser((1, 1, 1))
        for variable in (self.row.variable, self.column.variable, *self.step):
            self.normaliser.number(VarRef(variable, INT32, variable.span))  # first, to be written first
        self.numbers = [self.normaliser.number(atom) for atom in self.atoms]
        for axis in (self.row, self.column):
            if axis.alone is not None:
                reference = VarRef(axis.variable, INT32, axis.variable.span)
                self.numbers[axis.alone] = self.normaliser.number(reference)
        references = [VarRef(v, INT32, v.span) for v in self.step]
        self.step_terms: Numbers = {(self.normaliser.number(r),): 1 for r in references}

    def expression(self, fitted: Fitted, span: Span) -> Expr:
        pending = iter(fitted.numbers)
        return self._term(fitted.term, pending, span)

    def _term(self, term: Term, pending: object, span: Span) -> Expr:
        numbers = [next(pending) for _ in term.numbers]  # type: ignore[call-overload]
        if term.kind == "load":
            return self.element(term, numbers[0], span)
        if term.kind == "int":
            value = self.integer(numbers[0], term.type, span)
            return value if term.type != BOOL else self._truth(value, span)
        if term.kind == "positive":
            return self._positive(numbers[0], span)
        if term.kind == "zero":
            left, right = self._sides(numbers[0], span)
            return Binary("==", left, right, BOOL, span)
        parts = [self._term(part, pending, span) for part in term.parts]
        return self._operation(term, parts, span)

    def _operation(self, term: Term, parts: list[Expr], span: Span) -> Expr:
        match term.kind:
            case "const" | "uniform":
                assert term.expr is not None
                return term.expr
            case "accumulator" | "dot" | "statistic":
                variable = self.variables[term.head]
                return VarRef(variable, variable.type, span)
            case "or" if flag_of(term) is not None:
                assert isinstance(parts[0], Binary)
                assert isinstance(parts[1], Binary)
                return Select(parts[0].left, parts[0].right, parts[1].right, BOOL, span)
            case "and" | "or":
                return Binary("&&" if term.kind == "and" else "||", parts[0], parts[1], BOOL, span)
            case "not":
                return Unary("!", parts[0], BOOL, span)
            case "select":
                return Select(parts[0], parts[1], parts[2], term.type, span)
            case "cast":
                return Cast(parts[0], term.type, span)
            case "op" if len(parts) == 1:
                return Unary(str(term.head[1]), parts[0], term.type, span)
            case "op":
                return Binary(str(term.head[1]), parts[0], parts[1], term.type, span)
            case "call":
                return Call(str(term.head[1]), tuple(parts), term.type, span)
            case "bundle":
                return MakeVector(tuple(parts), term.type, span)
            case _:
                raise AssertionError(f"no expression for {term.head}")

    def steps(self, span: Span) -> Expr:
        """The step of all rounds."""
        return self._rebuilt(self.step_terms, INT32, span)

    def started(self, axis: Axis, thread: Expr, span: Span) -> Expr:
        """The coordinate: the block's start and the thread's number."""
        if not axis.start:
            return thread
        ((monomial, size),) = axis.start.items()
        number = Cast(self.atoms[monomial[0]], INT32, span)
        start = Binary("*", number, Const(size, INT32, span), INT32, span)
        return Binary("+", start, thread, INT32, span)

    def element(self, term: Term, offset: Linear, span: Span) -> Index:
        buffer, element = term.head[1], term.head[2]
        assert isinstance(buffer, Variable)
        assert isinstance(element, Scalar)
        return self.place(buffer, element, offset, span)

    def place(self, buffer: Variable, element: Type, offset: Linear, span: Span) -> Index:
        base: Expr = VarRef(buffer, buffer.type, span)
        if isinstance(buffer.type, Pointer) and buffer.type.pointee != element:
            base = Cast(base, Pointer(element, buffer.type.is_const), span)
        assert isinstance(buffer.type, Pointer | Array)
        return Index(base, self.integer(offset, None, span), element, span)

    # --- integers ------------------------------------------------------------------------------------

    def number(self, terms: Numbers, span: Span) -> Expr:
        """A sum over the atoms of `scalars`, in int32."""
        return self._rebuilt(terms, INT32, span)

    def integer(self, linear: Linear, type_: Type | None, span: Span) -> Expr:
        """The number in int32, or in int64 where the original computes a part of it so."""
        terms, wide = self.scalars(linear)
        narrow = {m: c for m, c in terms.items() if m not in wide}
        broad = {m: c for m, c in terms.items() if m in wide}
        result: Expr
        if not broad:
            result = self._rebuilt(narrow, INT32, span)
        elif not narrow:
            result = self._rebuilt(broad, INT64, span)
        else:
            rest = Cast(self._rebuilt(narrow, INT32, span), INT64, span)
            result = Binary("+", self._rebuilt(broad, INT64, span), rest, INT64, span)
        return result if type_ is None or result.type == type_ else Cast(result, type_, span)

    def _rebuilt(self, terms: Numbers, type_: Scalar, span: Span) -> Expr:
        return self.normaliser.rebuild(ScalarPolynomial(tuple(sorted(terms.items()))), type_, span)

    def scalars(self, linear: Linear) -> tuple[Numbers, frozenset[Monomial]]:
        """The number over the atoms and the variables of the axes, and its monomials of 64 bits."""
        total: Numbers = {}
        wide: set[Monomial] = set()

        def add(monomial: Monomial, factor: Numbers, scale: int, is_wide: bool) -> None:
            for other, coefficient in factor.items():
                product = tuple(sorted((*monomial, *other)))
                total[product] = total.get(product, 0) + coefficient * scale
                if is_wide:
                    wide.add(product)

        for monomial, base in linear.base.items():
            if self.round in monomial:
                continue  # part of the step, as `steps_agree` has shown
            place, is_wide = self._renumbered(monomial), monomial in linear.wide
            add(place, {(): 1}, base, is_wide)
            add(place, self.coordinate(self.row, linear.row_unit), linear.of_row.get(monomial, 0), is_wide)
            add(
                place,
                self.coordinate(self.column, linear.column_unit),
                linear.of_column.get(monomial, 0),
                is_wide,
            )
            per_step = self.of_step(linear, monomial)
            add(place, self.step_terms, per_step, is_wide)
        kept = {m: c for m, c in total.items() if c}
        return kept, frozenset(m for m in kept if self._is_wide(m, kept[m], m in wide))

    def _is_wide(self, monomial: Monomial, coefficient: int, computed_so: bool) -> bool:
        """A variable of 32 bits alone fits them, whatever the original adds it to."""
        atoms = [self.normaliser.atoms[n] for n in monomial]
        if any(isinstance(a.type, Scalar) and a.type.bits == 64 for a in atoms):
            return True
        return computed_so and len(atoms) + (abs(coefficient) != 1) > 1

    def coordinate(self, axis: Axis, unit: int) -> Numbers:
        """`threadIdx.<axis>` as the axis' variable without the block's start; rounded down to the unit."""
        if axis.alone is not None:
            return {}
        reference = VarRef(axis.variable, INT32, axis.variable.span)
        start = {self._renumbered(m): -c for m, c in axis.start.items()}
        if unit > 1:
            if any(c % unit for c in axis.start.values()):
                raise NoShape("a place that is not linear in the row and the column")
            size = Const(unit, INT32, reference.span)
            quotient = Binary("/", reference, size, INT32, reference.span)
            whole = Binary("*", quotient, size, INT32, reference.span)
            return {**start, (self.normaliser.number(whole),): 1}
        return {**start, (self.normaliser.number(reference),): 1}

    def of_step(self, linear: Linear, monomial: Monomial) -> int:
        rounds = linear.base.get(tuple(sorted((*monomial, self.round))), 0)
        return rounds // self.per_round if self.per_round else 0

    def _renumbered(self, monomial: Monomial) -> Monomial:
        return tuple(sorted(self.numbers[n] for n in monomial))

    def _positive(self, linear: Linear, span: Span) -> Expr:
        left, right = self._sides(linear, span)
        return Binary("<", left, right, BOOL, span)

    def _sides(self, linear: Linear, span: Span) -> tuple[Expr, Expr]:
        """`a - b` as b and a: what is subtracted, and what it is subtracted from."""
        terms, wide = self.scalars(linear)
        type_ = INT64 if wide else INT32
        taken = {m: -c for m, c in terms.items() if c < 0}
        given = {m: c for m, c in terms.items() if c > 0}
        return self._rebuilt(taken, type_, span), self._rebuilt(given, type_, span)

    def _truth(self, value: Expr, span: Span) -> Expr:
        if isinstance(value, Const):
            return replace(value, value=bool(value.value), type=BOOL)
        return Binary("!=", value, Const(0, value.type, span), BOOL, span)


def flag_of(term: Term) -> Term | None:
    """The condition of the block that `flag && a || !flag && b` chooses by."""
    first, second = term.parts if term.kind == "or" else (term, term)
    if first.kind != "and" or second.kind != "and":
        return None
    flag = first.parts[0]
    plain = flag.parts[0] if flag.kind == "not" else flag
    return flag if plain.kind == "uniform" and is_same(second.parts[0], negation(flag)) else None


def steps_agree(linear: Linear, round_: int, per_round: int, steps: int) -> bool:
    """Whether the number goes on from round to round as it does from step to step."""
    plain = {m for m in linear.base if round_ not in m}
    for monomial, base in linear.base.items():
        if round_ not in monomial:
            continue
        rest = list(monomial)
        rest.remove(round_)
        if round_ in rest or linear.of_row.get(monomial) or linear.of_column.get(monomial):
            return False
        if linear.of_step.get(monomial) or base % per_round:
            return False
        if steps > 1 and linear.of_step.get(tuple(rest), 0) != base // per_round:
            return False
    for monomial in plain:
        slope = linear.of_step.get(monomial, 0)
        with_round = tuple(sorted((*monomial, round_)))
        if slope and linear.base.get(with_round, 0) != slope * per_round:
            return False
    return True


def with_missing(linear: Linear, round_: int) -> Linear:
    """The number with every monomial that only has a part in the round, at zero."""
    missing = {}
    for monomial in linear.base:
        if round_ in monomial:
            rest = list(monomial)
            rest.remove(round_)
            if tuple(rest) not in linear.base:
                missing[tuple(rest)] = 0
    wide = linear.wide | {m for m in missing if tuple(sorted((*m, round_))) in linear.wide}
    return replace(linear, base={**linear.base, **missing}, wide=wide) if missing else linear


def block_start(linear: Linear, slopes: Mapping[Monomial, int], atoms: list[Expr]) -> Numbers | None:
    """What the block adds to a coordinate: of `64 * blockIdx.y * k + row * k` it is `64 * blockIdx.y`."""
    moving = [(m, c) for m, c in slopes.items() if c]
    if len(moving) != 1:
        return None
    (stride, coefficient) = moving[0]
    for monomial, base in linear.base.items():
        rest = list(monomial)
        if not base or base % coefficient or any(n not in rest for n in stride):
            continue
        for n in stride:
            rest.remove(n)
        if len(rest) == 1 and _is_block_index(atoms[rest[0]]):
            return {(rest[0],): base // coefficient}
    return None


def block_indices(numbers: Iterable[Linear], atoms: list[Expr]) -> set[int]:
    """The atoms in the numbers that are a block's number."""
    return {n for linear in numbers for m in linear.base for n in m if _is_block_index(atoms[n])}


def _is_block_index(atom: Expr) -> bool:
    while isinstance(atom, Cast):
        atom = atom.operand
    return isinstance(atom, Builtin) and atom.name == "blockIdx"
