"""What the idiom-raising passes put into a kernel instead of shuffles, shared memory and barriers.

Every node below is one more KIR statement (an `Extension`); expressions inside are ordinary KIR. The
"block" is the thread block of the launch, its threads numbered
`threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)`; a "group" is a run of `group`
threads with consecutive numbers that starts at a multiple of `group`, and always a power of two. `group`
None is the whole block, whatever its size. When the block is no multiple of the group, the last group is
short: the missing lanes contribute nothing.

One rule for all collective nodes: **a thread contributes when it is active at the statement and `valid`
holds for it (None: always); every other lane contributes the identity of `op`.** The raising pass has
proved that this is what the original computes wherever the original is defined.

The result is written to `target` in the active threads only. `target` is a fresh or an existing LOCAL
variable; `value` may read it, and is evaluated before it is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from porter.analysis.terms import neutral
from porter.core.diagnostic import Diagnostic
from porter.core.span import Span
from porter.cuda.kir import BOOL, INT32, Expr, Extension, Kernel, Scalar, Stmt, Type, Variable


class Op(str, Enum):
    """Associative and commutative operators. MIN and MAX of floats ignore a NaN operand, as `fmin`, `fmax`.

    AND, OR and XOR are bitwise; on `bool` they are the logical ones.
    """

    SUM = "+"
    PRODUCT = "*"
    MIN = "min"
    MAX = "max"
    AND = "&"
    OR = "|"
    XOR = "^"

    def __str__(self) -> str:
        return self.value


def identity(op: Op, type_: Scalar) -> int | float | bool:
    """The neutral element of `op` in `type_`: `-inf` for MAX of floats, the smallest int for MAX of ints."""
    return neutral(op.value, type_)


def _result(target: Variable, element: Scalar) -> tuple[tuple[str, Type, Type], ...]:
    return ((f"`{target.name}`", element, target.type),)


def _condition(valid: Expr | None) -> tuple[tuple[str, Type, Type], ...]:
    return () if valid is None else (("the condition", BOOL, valid.type),)


@dataclass(frozen=True)
class GroupReduce(Extension):
    """`target` = `op` over `value` of the group's contributing threads, the same in every lane of the group.

    Where the original leaves the total in some lanes only (`__shfl_down_sync` leaves it in lane 0), the
    pass has proved that no other lane's `target` is ever looked at, so writing it everywhere is right.
    With `group` None the result is one value a block: the lowering may keep it a scalar.

    Lowering: `tl.sum(tl.where(mask, value, identity), axis=0)`, or reshaped to `[groups, group]`, `axis=1`.
    `element` is the type of `value` and of `target`.
    """

    target: Variable
    value: Expr
    op: Op
    group: int | None
    valid: Expr | None
    element: Scalar
    span: Span
    comments: tuple[str, ...] = ()

    def agreements(self) -> tuple[tuple[str, Type, Type], ...]:
        return (
            ("the value", self.element, self.value.type),
            *_result(self.target, self.element),
            *_condition(self.valid),
        )


@dataclass(frozen=True)
class GroupScan(Extension):
    """`target` = `op` over `value` of the contributing threads of the group up to and including this lane.

    Exclusive (`inclusive` False): without this lane; the group's first lane gets `identity(op, element)`.
    Lowering: `tl.associative_scan` along the group's axis.
    """

    target: Variable
    value: Expr
    op: Op
    group: int | None
    inclusive: bool
    valid: Expr | None
    element: Scalar
    span: Span
    comments: tuple[str, ...] = ()

    def agreements(self) -> tuple[tuple[str, Type, Type], ...]:
        return (
            ("the value", self.element, self.value.type),
            *_result(self.target, self.element),
            *_condition(self.valid),
        )


@dataclass(frozen=True)
class GroupBroadcast(Extension):
    """`target` = `value` as lane `lane` of the same group has it (0 <= lane < group size).

    That lane is active, or nobody looks at the result. Lowering: the sum (integer: or) over the group of
    `where(lane_in_group == lane, bits of value, 0)`; a whole-block result may stay a scalar.
    """

    target: Variable
    value: Expr
    group: int | None
    lane: int
    element: Scalar
    span: Span
    comments: tuple[str, ...] = ()

    def agreements(self) -> tuple[tuple[str, Type, Type], ...]:
        return (("the value", self.element, self.value.type), *_result(self.target, self.element))


@dataclass(frozen=True)
class Dot(Extension):
    """`target` += sum over `k` in `0 .. extent-1` of `left * right`, for a two-dimensional block.

    `left` mentions `k` and `threadIdx.y`, never `threadIdx.x`; `right` mentions `k` and `threadIdx.x`, never
    `threadIdx.y`; neither mentions `threadIdx.z` or a variable that depends on them. Both may contain
    `Select(guard, load, 0)`: the load happens only where the guard holds. All else in them is uniform.
    `target` is the accumulator of thread (x, y): the tile `[blockDim.y, blockDim.x]` in thread order.

    Lowering: `left` over `[blockDim.y, extent]`, `right` over `[extent, blockDim.x]`, then
    `tl.dot(left, right, acc, input_precision="ieee")`; below the sizes `tl.dot` takes, a product and a
    `tl.sum` over `k`. `k` is a LOCAL int32 variable that exists only inside the two expressions.
    """

    target: Variable
    left: Expr
    right: Expr
    k: Variable
    extent: int
    element: Scalar
    span: Span
    comments: tuple[str, ...] = ()
    bound = ("k",)

    def agreements(self) -> tuple[tuple[str, Type, Type], ...]:
        return (("`k`", INT32, self.k.type), *_result(self.target, self.element))


@dataclass(frozen=True)
class Attend(Extension):
    """One tile of keys of an attention: `extent` of them, for a two-dimensional block, a row a `threadIdx.y`.

    For every key j of the tile where `exists` holds (None: for all), with `dot` the sum over threadIdx.x of
    `query` * `keys`, p = exp((`score` - n) * `scale`) and n the largest of `maximum` and all scores:
    `accumulator` and `total` are multiplied by exp((`maximum` - n) * `scale`), p * `values` is added to
    `accumulator` and p to `total`, and `maximum` becomes n.

    `query` mentions threadIdx.y and threadIdx.x; `keys` and `values` mention `key`, the number of the key in
    the tile, and threadIdx.x; `score` mentions `dot`, `score` and `exists` threadIdx.y and `key`. All else in
    them is uniform. `may_be_empty`: no score may exist for a row, whose sums then stay as they are.
    """

    accumulator: Variable
    maximum: Variable
    total: Variable
    query: Expr
    keys: Expr
    values: Expr
    score: Expr
    exists: Expr | None
    scale: Expr | None
    dot: Variable
    key: Variable
    extent: int
    may_be_empty: bool
    element: Scalar
    span: Span
    comments: tuple[str, ...] = ()
    bound = ("dot", "key")
    changed = ("accumulator", "maximum", "total")

    def agreements(self) -> tuple[tuple[str, Type, Type], ...]:
        sums = [(f"`{v.name}`", self.element, v.type) for v in (self.accumulator, self.maximum, self.total)]
        return (("`key`", INT32, self.key.type), *sums, *_condition(self.exists))


@dataclass(frozen=True)
class DeclareBins(Extension):
    """Opens a histogram of `bins.type.shape[0]` integer counters, all zero: one tensor a program.

    `bins` has storage LOCAL and an `Array` type; it is only used in `CountBins` and `ForEachBin`.
    The number of bins is a power of two.
    """

    bins: Variable
    span: Span
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class CountBins(Extension):
    """`bins[index] += 1` for every active thread where `valid` holds; `index` is within the bins there.

    Lowering: `bins += tl.histogram(index, n, mask=…)` (older Triton: index set to an extra bin).
    """

    bins: Variable
    index: Expr
    valid: Expr | None
    span: Span
    comments: tuple[str, ...] = ()

    def agreements(self) -> tuple[tuple[str, Type, Type], ...]:
        return _condition(self.valid)


@dataclass(frozen=True)
class ForEachBin(Extension):
    """Runs `body` once for every bin, with `index` the bin's number (int32) and `count` its counter.

    `body` mentions no `threadIdx`; what else it reads is uniform. It stands where all active threads are
    the whole block. Lowering: `index` = `tl.arange(0, n)`, `count` = the tensor, no thread mask.
    """

    bins: Variable
    index: Variable
    count: Variable
    body: tuple[Stmt, ...]
    span: Span
    comments: tuple[str, ...] = ()
    bound = ("index", "count")

    def agreements(self) -> tuple[tuple[str, Type, Type], ...]:
        return (("the number of a bin", INT32, self.index.type),)


Raised: TypeAlias = (
    GroupReduce | GroupScan | GroupBroadcast | Dot | Attend | DeclareBins | CountBins | ForEachBin
)


@dataclass(frozen=True)
class NoMatch:
    """Why something that looked like an idiom was left as it is, and where it stands.

    `code` is that of the note which tells it; empty where it may concern any idiom.
    """

    reason: str
    span: Span
    code: str = ""


@dataclass(frozen=True)
class Raising:
    """What a pass did: the kernel (its body may hold `Raised` statements), a line for each idiom raised
    (`"shuffle loop -> sum over 32 lanes"`) with its place, each candidate it declined, and what is to be told
    the user of those that are left."""

    kernel: Kernel
    raised: tuple[tuple[str, Span], ...] = ()
    declined: tuple[NoMatch, ...] = ()
    notes: tuple[Diagnostic, ...] = ()
