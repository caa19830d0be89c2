"""From what a block computed (terms, one a thread) to the collective that computes it.

Assumes the terms of `porter.analysis.lockstep`: exact sets of leaves. A form is accepted only when it holds
for every thread that looks at the value.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from porter.analysis.expressions import key
from porter.analysis.terms import Fold, Undefined, is_number, neutral
from porter.analysis.thread_varying import varies
from porter.analysis.values import Known, Leaves, Mask, Mixed, Own, Value, expression
from porter.core.span import Span
from porter.cuda.kir import (
    BOOL,
    INT32,
    Binary,
    Call,
    Const,
    Expr,
    Scalar,
    Select,
    Storage,
    Type,
    Variable,
    VarRef,
)
from porter.tile.guard_loads import OnlySome, guarded, linear_thread
from porter.tile.idioms import GroupBroadcast, GroupReduce, GroupScan, Op

Node: TypeAlias = GroupReduce | GroupScan | GroupBroadcast

_NAMES = {
    Op.SUM: "total",
    Op.PRODUCT: "product",
    Op.MIN: "lowest",
    Op.MAX: "highest",
    Op.AND: "all_bits",
    Op.OR: "any_bits",
    Op.XOR: "parity",
}


class Unexplained(Exception):
    """No collective computes this value in all the threads that look at it."""


@dataclass
class Explainer:
    """Collects the collective nodes that explain values; equal ones are made once."""

    block: tuple[int, int, int]
    leaves: Leaves
    span: Span
    active: Mask
    made_by: Callable[[Expr], Mask | None]  # the threads that computed a leaf's expression, if noted
    varying: frozenset[Variable] | None = None  # variables that may differ by thread, if known
    nodes: dict[object, Node] = field(default_factory=dict)

    def explain(self, value: Value, lanes: Mask, type_: Type, name: str) -> Expr:
        """An expression that has the value in all of `lanes`. Raises Unexplained."""
        if not isinstance(type_, Scalar):
            raise Unexplained("a value that is no scalar")
        if isinstance(value, Own):
            return self._safe(value.expr, self.active & lanes)
        if isinstance(value, Known):
            return self._known(value, lanes, type_)
        return self._mixed(value, lanes, type_, name)

    def _safe(self, expr: Expr, contributors: Mask, otherwise: int | float | bool = 0) -> Expr:
        """The expression where it is sure to be safe: loads only in threads that made them before."""
        made_by = self.made_by(expr)
        try:
            return guarded(
                expr, contributors if made_by is None else made_by, self.active, self.block, otherwise
            )
        except OnlySome as problem:
            raise Unexplained(str(problem)) from None

    def _known(self, value: Known, lanes: Mask, type_: Scalar) -> Expr:
        written = expression(value, type_, self.span)
        if written is not None:
            return written
        return self._constant([value.numbers[t].item() for t in np.flatnonzero(lanes)], type_)

    def _constant(self, numbers: list[Any], type_: Scalar) -> Expr:
        if any(n != numbers[0] for n in numbers):
            raise Unexplained("a number that differs by thread and that no expression gives")
        return Const(numbers[0], type_, self.span)

    def _mixed(self, value: Mixed, lanes: Mask, type_: Scalar, name: str) -> Expr:
        terms = {int(t): value.terms[t] for t in np.flatnonzero(lanes)}
        for term in terms.values():
            if isinstance(term, Undefined):
                raise Unexplained(term.reason)
        if all(is_number(term) for term in terms.values()):
            return self._constant(list(terms.values()), type_)
        singles = {t: self.leaves.single(term) for t, term in terms.items()}
        if all(single is not None for single in singles.values()):
            moved = self._moved({t: s for t, s in singles.items() if s is not None}, type_, name)
            if moved is not None:
                return moved
        return self._folded(terms, type_, name)

    def _moved(self, singles: dict[int, tuple[int, int]], type_: Scalar, name: str) -> Expr | None:
        """One leaf a thread: the thread's own value, or that of a fixed lane of its group."""
        sites = {site for site, _ in singles.values()}
        if len(sites) != 1:
            return None
        expr = self.leaves.sites[sites.pop()]
        sources = self._mask({thread for _, thread in singles.values()})
        if all(thread == t for t, (_, thread) in singles.items()):
            return self._safe(expr, sources)
        if self.varying is not None and not varies(expr, self.varying):
            return expr  # the same in every thread, so that no thread has to be asked
        for group in _groups(self.leaves.threads):
            size = group or self.leaves.threads
            same_group = all(thread // size == t // size for t, (_, thread) in singles.items())
            offsets = {thread % size for _, thread in singles.values()}
            if same_group and len(offsets) == 1:
                lane = offsets.pop()
                expr = self._safe(expr, sources)
                return self._node(("broadcast", expr, group, lane), name, type_, group=group, lane=lane)
        return None

    def _folded(self, terms: dict[int, Any], type_: Scalar, name: str) -> Expr:
        ops = {term.op for term in terms.values() if isinstance(term, Fold) and term.op}
        if len(ops) != 1:
            raise Unexplained("values of several lanes, moved or combined in no known form")
        op = Op(ops.pop())
        unit = neutral(op.value, type_)
        folds = {t: _as_fold(term, unit) for t, term in terms.items()}
        constants = {fold.constant for fold in folds.values()}
        if len(constants) != 1:
            raise Unexplained("a constant that enters in some threads only")
        sets = {t: dict(self.leaves.split(fold.leaves)) for t, fold in folds.items()}
        result = self._by_site(sets, op, type_, name)
        constant = constants.pop()
        return result if constant is None else self._combine(op, result, Const(constant, type_, self.span))

    def _by_site(self, sets: dict[int, dict[int, int]], op: Op, type_: Scalar, name: str) -> Expr:
        sites = sorted({site for by_site in sets.values() for site in by_site})
        for site in sites:
            if str(self.leaves.sites[site].type) != str(type_):
                raise Unexplained("a sum in one type of values of another")
        for group in _groups(self.leaves.threads):
            shapes = [self._shape({t: s.get(site, 0) for t, s in sets.items()}, group) for site in sites]
            found = [shape for shape in shapes if shape is not None]
            if len(found) == len(sites):
                parts = [self._part(site, sets, neutral(op.value, type_)) for site in sites]
                return self._assemble(list(zip(parts, found, strict=True)), group, op, type_, name)
        raise Unexplained(f"`{op}` over sets of lanes that are neither groups nor prefixes of groups")

    def _part(self, site: int, sets: dict[int, dict[int, int]], unit: int | float | bool) -> Expr:
        bits = 0
        for by_site in sets.values():
            bits |= by_site.get(site, 0)
        contributors = self._mask({t for t in range(self.leaves.threads) if bits >> t & 1})
        return self._safe(self.leaves.sites[site], contributors, unit)

    def _mask(self, threads: set[int]) -> Mask:
        mask = np.zeros(self.leaves.threads, dtype=np.bool_)
        mask[list(threads)] = True
        return mask

    def _shape(self, sets: dict[int, int], group: int | None) -> Shape | None:
        """How the threads' sets relate to their groups of this size."""
        size = group or self.leaves.threads
        whole = {t: _group_bits(t, size, self.leaves.threads) for t in sets}
        if all(sets[t] == whole[t] for t in sets):
            return Shape("reduce")
        below = {t: whole[t] & ((1 << t) - 1) for t in sets}
        if all(sets[t] == below[t] | (1 << t) for t in sets):
            return Shape("inclusive")
        if all(sets[t] == below[t] for t in sets):
            return Shape("exclusive")
        count = {sets[t].bit_count() for t in sets}
        first = {t: whole[t] & ((1 << (t - t % size + min(count))) - 1) for t in sets}
        if len(count) == 1 and min(count) > 0 and all(sets[t] == first[t] for t in sets):
            return Shape("reduce", min(count))
        return None

    def _assemble(
        self, parts: list[tuple[Expr, Shape]], group: int | None, op: Op, type_: Scalar, name: str
    ) -> Expr:
        """The sites' contributions, those of one shape in one collective, combined by `op`."""
        inclusive = [expr for expr, shape in parts if shape.kind == "inclusive"]
        if inclusive and any(shape.kind == "exclusive" for _, shape in parts):
            before = Shape("exclusive")
            parts = [(e, before if s.kind == "inclusive" else s) for e, s in parts]
        else:
            inclusive = []
        by_shape: dict[Shape, list[Expr]] = {}
        for expr, shape in parts:
            by_shape.setdefault(shape, []).append(expr)
        results = [
            self._node((shape, self._combine(op, *exprs), group, op), name, type_, group=group, op=op)
            for shape, exprs in by_shape.items()
        ]
        return self._combine(op, *results, *inclusive)

    def _combine(self, op: Op, *operands: Expr) -> Expr:
        result = operands[0]
        for operand in operands[1:]:
            if op in (Op.MIN, Op.MAX):
                is_float = isinstance(result.type, Scalar) and result.type.kind in ("float", "bfloat")
                function = f"f{op.value}" if is_float else op.value
                result = Call(function, (result, operand), result.type, self.span)
            else:
                result = Binary(op.value, result, operand, result.type, self.span)
        return result

    def _node(
        self,
        what: tuple[Any, ...],
        name: str,
        type_: Scalar,
        *,
        group: int | None,
        lane: int = 0,
        op: Op = Op.SUM,
    ) -> Expr:
        shape, value = what[0], what[1]
        identity_key = (str(shape), _structure(value), *what[2:])
        if identity_key not in self.nodes:
            suffix = "first" if shape == "broadcast" else _NAMES[op]
            target = Variable(f"{name.lstrip('_')}_{suffix}", type_, Storage.LOCAL, self.span)
            self.nodes[identity_key] = self._make(shape, target, value, type_, group, lane, op)
        made = self.nodes[identity_key].target
        return VarRef(made, type_, self.span)

    def _make(
        self, shape: Any, target: Variable, value: Expr, type_: Scalar, group: int | None, lane: int, op: Op
    ) -> Node:
        if shape == "broadcast":
            return GroupBroadcast(target, value, group, lane, type_, self.span)
        if shape.kind == "reduce":
            if shape.count is not None:  # the other lanes must not even compute the value: it may load
                unit = Const(neutral(op.value, type_), type_, self.span)
                value = Select(self._prefix(shape.count, group), value, unit, type_, self.span)
            return GroupReduce(target, value, op, group, None, type_, self.span)
        return GroupScan(target, value, op, group, shape.kind == "inclusive", None, type_, self.span)

    def _prefix(self, count: int, group: int | None) -> Expr:
        """`thread number in its group < count`."""
        number = linear_thread(self.block, self.span)
        if group is not None:
            number = Binary("%", number, Const(group, INT32, self.span), INT32, self.span)
        return Binary("<", number, Const(count, INT32, self.span), BOOL, self.span)


@dataclass(frozen=True)
class Shape:
    """`kind` is "reduce", "inclusive" or "exclusive"; `count`: only the group's first lanes take part."""

    kind: str
    count: int | None = None


def _structure(value: Any) -> object:
    return key(value)


def _as_fold(term: Any, unit: Any) -> Fold:
    if isinstance(term, Fold):
        return term
    if is_number(term) and term == unit:
        return Fold("", 0)
    raise Unexplained("a number in some threads and a reduction in others")


def _groups(threads: int) -> Iterator[int | None]:
    """Group sizes, smallest first; the whole block is None."""
    for exponent in itertools.count(1):
        size = 1 << exponent
        if size >= threads:
            break
        yield size
    yield None


def _group_bits(thread: int, size: int, threads: int) -> int:
    first = thread - thread % size
    return ((1 << min(size, threads - first)) - 1) << first
