"""A padding column in two-dimensional shared arrays whose rows start in the same bank.

The licence: the array is only ever used as `a[i][j]` with every index given, and `j` is proved to be within
the row in every thread of the one block that the kernel is launched with, so no code can see how long its
rows are; and it still fits. How much padding pays is tried on the model of the GPU's banks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from porter.analysis.access_values import LaunchShape, RawAccess, RawIndex
from porter.analysis.access_walk import AccessWalk
from porter.analysis.lane_values import LaneValue
from porter.analysis.memory_access import BankConflicts, bank_conflicts
from porter.analysis.sizes import shared_bytes, size_bytes
from porter.analysis.walk import rewrite, walk
from porter.core.edit import Edit
from porter.cuda import kir
from porter.cuda.kir_printer import print_expression
from porter.cuda.tokens import matching
from porter.hip.tune.body_text import CannotRewrite
from porter.hip.tune.records import BANK_CONFLICT, Change, Fix, KernelView, Measure, NotApplicable, Proposal

_PADDINGS = (1, 2, 4)


def padded_arrays(view: KernelView) -> Iterator[Proposal]:
    """One proposal for each shared array with bank conflicts."""
    arrays = dict.fromkeys(
        a.array
        for a in view.accesses.shared_accesses
        if isinstance(a.conflicts, BankConflicts) and a.conflicts.degree > 1
    )
    for name in arrays:
        own = [a for a in view.accesses.shared_accesses if a.array == name]
        worst = max(
            (a for a in own if isinstance(a.conflicts, BankConflicts)), key=lambda a: _degree(a.conflicts)
        )
        message = (
            f"lanes that access {name} together meet in the same banks: up to {_degree(worst.conflicts)} "
            f"passes instead of 1 on {view.gpu.memory.lds_banks} banks"
        )
        yield Proposal(BANK_CONFLICT, view.kernel.name, message, worst.span, _fix(view, name))


def _degree(conflicts: object) -> int:
    return conflicts.degree if isinstance(conflicts, BankConflicts) else 0


def _fix(view: KernelView, name: str) -> Fix:
    if view.instances > 1:
        return NotApplicable("the template has several instantiations")
    found = [
        s.variable
        for s in walk(view.kernel.body)
        if isinstance(s, kir.Declare) and s.variable.name == name and isinstance(s.variable.type, kir.Array)
    ]
    if len(found) != 1 or found[0].storage is not kir.Storage.SHARED:
        return NotApplicable("it is no array of this kernel with a constant size")
    array = found[0]
    assert isinstance(array.type, kir.Array)
    if len(array.type.shape) < 2:
        return NotApplicable("its index is computed by hand; pad the pitch in it")
    if not _is_only_indexed(view.kernel, array):
        return NotApplicable("its address is taken, so its pitch may be used elsewhere")
    if not _is_all_read(view, array):
        return NotApplicable("it is named where its size counts, or in a macro")
    if (unproved := _beyond_row(view, array)) is not None:
        return NotApplicable(unproved)
    try:
        return _padded(view, array)
    except CannotRewrite as reason:
        return NotApplicable(str(reason))


def _is_only_indexed(kernel: kir.Kernel, array: kir.Variable) -> bool:
    """Every mention is the base of a complete index, and no address of an element is taken."""
    assert isinstance(array.type, kir.Array)
    depth = len(array.type.shape)
    mentions = sum(isinstance(n, kir.VarRef) and n.variable is array for n in walk(kernel.body))
    complete = [n for n in walk(kernel.body) if isinstance(n, kir.Index) and _base(n, depth) is array]
    taken = any(
        isinstance(n, kir.VarRef) and n.variable is array
        for address in walk(kernel.body)
        if isinstance(address, kir.AddressOf)
        for n in walk(address)
    )
    return mentions == len(complete) and not taken and not isinstance(array.type.element, kir.Array)


def _is_all_read(view: KernelView, array: kir.Variable) -> bool:
    """Whether the array's name stands in its declaration and accesses only: `sizeof` would see the rows."""
    body = view.function.body
    assert body is not None
    named = [t for t in view.unit.references if t.text == array.name]
    if any(t.directive >= 0 for t in named):
        return False
    own = {t.start for t in named if body.start <= t.start < body.end}
    accessed = {n.span.start for n in walk(view.kernel.body) if _is_access(n, array)}
    return accessed < own and len(own - accessed) == 1


def _is_access(node: object, array: kir.Variable) -> bool:
    return isinstance(node, kir.VarRef) and node.variable is array


def _beyond_row(view: KernelView, array: kir.Variable) -> str | None:
    """Why an index may reach from one row into the next; None where none can."""
    sizes = {launch.block_dim for launch in view.launches}
    if sizes != {view.shape.block} or not view.whole_program:
        return "it may be launched with other blocks, whose threads may index beyond a row"
    assert isinstance(array.type, kir.Array)
    depth, length = len(array.type.shape), array.type.shape[-1]
    walked = AccessWalk(view.kernel, LaunchShape(view.shape.block))
    walked.run()
    for index in walked.indices:
        if _base(index.place, depth) is array and not _is_within(index, length):
            text = print_expression(index.place)
            return f"line {index.place.span.line}: `{text}` is not proved to stay in its row"
    return f"a guess was made: {walked.assumptions[0]}" if walked.assumptions else None


def _is_within(index: RawIndex, length: int) -> bool:
    """Whether an index is within a row of `length` elements in every thread."""
    if not isinstance(index.value, LaneValue) or not index.value.is_known:
        return False
    numbers = index.value.numbers[index.active]
    return bool(((numbers >= 0) & (numbers < length)).all())


def _base(expr: kir.Expr, depth: int) -> kir.Variable | None:
    for _ in range(depth):
        if not isinstance(expr, kir.Index):
            return None
        expr = expr.base
    return expr.variable if isinstance(expr, kir.VarRef) else None


def _padded(view: KernelView, array: kir.Variable) -> Change | NotApplicable:
    before = _passes(view, array, 0)
    tried = {padding: _passes(view, array, padding) for padding in _PADDINGS}
    best = min(tried, key=lambda padding: (tried[padding][1], padding))
    if tried[best][1] >= before[1]:
        return NotApplicable("no padding of up to 4 elements makes it better")
    assert isinstance(array.type, kir.Array)
    more = math.prod(array.type.shape[:-1]) * best * size_bytes(array.type.element)
    if shared_bytes(view.kernel) + more > view.gpu.memory.lds_bytes_per_workgroup:
        return NotApplicable("a padded array does not fit")
    return Change(
        _edits(view, array, best),
        f"{best} element{'s' if best > 1 else ''} of padding in each row of {array.name}",
        (
            Measure("bank-conflict degree", before[0], tried[best][0]),
            Measure("passes of a block", before[1], tried[best][1]),
        ),
    )


def _passes(view: KernelView, array: kir.Variable, padding: int) -> tuple[int, int]:
    """The worst degree and the sum of passes of all accesses, with `padding` more elements in each row."""
    wave = view.gpu.compute.wavefront_size
    degree = passes = 0
    for group in _groups(view, array, padding):
        conflicts = bank_conflicts(group, view.gpu.memory, wave)
        if not isinstance(conflicts, BankConflicts):
            continue
        degree, passes = max(degree, conflicts.degree), passes + conflicts.passes
    return degree, passes


def _groups(view: KernelView, array: kir.Variable, padding: int) -> Iterator[list[RawAccess]]:
    evaluation = AccessWalk(_with_rows(view.kernel, array, padding), view.shape)
    evaluation.run()
    places: dict[object, list[RawAccess]] = {}
    for access in evaluation.accesses:
        if access.root.name == array.name and isinstance(access.offset, LaneValue):
            places.setdefault((access.operation, access.span), []).append(access)
    yield from places.values()


def _with_rows(kernel: kir.Kernel, array: kir.Variable, padding: int) -> kir.Kernel:
    """The kernel with longer rows: the types of partial indices carry the pitch."""
    assert isinstance(array.type, kir.Array)
    depth = len(array.type.shape)

    def change(node: kir.Expr) -> kir.Expr:
        for given in range(1, depth):
            if (
                isinstance(node, kir.Index)
                and _base(node, given) is array
                and isinstance(node.type, kir.Array)
            ):
                shape = (*node.type.shape[:-1], node.type.shape[-1] + padding)
                return replace(node, type=replace(node.type, shape=shape))
        return node

    return replace(kernel, body=rewrite(kernel.body, change))


def _edits(view: KernelView, array: kir.Variable, padding: int) -> tuple[Edit, ...]:
    """In the declaration: `tile[32][32]` becomes `tile[32][32 + 1]`, `[1 << 5]` becomes `[(1 << 5) + 1]`."""
    body = view.function.body
    assert body is not None
    assert isinstance(array.type, kir.Array)
    tokens = view.unit.tokenized.code
    first, last = (view.unit.tokenized.code_index(at) for at in (body.start, body.end))
    for i in range(first, last):
        if tokens[i].text != "__shared__":
            continue
        stop = next(j for j in range(i, last) if tokens[j].text == ";")
        named = [j for j in range(i, stop) if tokens[j].text == array.name and tokens[j + 1].text == "["]
        if named:
            at = named[0] + 1
            for _ in range(len(array.type.shape) - 1):
                close = matching(tokens, at)
                at = (close or at) + 1
            close = matching(tokens, at)
            if tokens[at].text == "[" and close is not None and close < stop:
                start, end, why = tokens[at].end, tokens[close].start, "rows start in different banks"
                if close == at + 2:
                    return (Edit(end, end, f" + {padding}".encode(), why),)
                return (Edit(start, start, b"(", why), Edit(end, end, f") + {padding}".encode(), why))
    raise CannotRewrite("its declaration is not found in the kernel")
