"""Records that lie one after the other, one for each thread, through LDS in whole lines.

A record is a struct `p[i]`, or `K` elements `x[i * K + j]` of an array. The licence: the kernel is
elementwise, every access to the buffer is proved to lie in the thread's own record, every record is accessed
in any case, and at run time no other buffer that matters overlaps it; else the kernel as it was runs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from porter.analysis.access_values import LaunchShape, RawAccess
from porter.analysis.access_walk import AccessWalk
from porter.analysis.elementwise import Elementwise, NotElementwise
from porter.analysis.expressions import root, through_pointer
from porter.analysis.lane_values import LaneValue
from porter.analysis.memory_access import LINE_BYTES
from porter.analysis.sizes import size_bytes
from porter.analysis.walk import walk
from porter.core.edit import Edit
from porter.core.span import Span
from porter.cuda import kir
from porter.hip.tune.body_text import (
    CannotRewrite,
    check_place,
    copied,
    inserted,
    leaves_early,
    statement_end,
)
from porter.hip.tune.qualifiers import first_volatile, is_restrict
from porter.hip.tune.records import Change, KernelView, Measure, NotApplicable

_WIDEST_ACCESS_BYTES = 16  # what one instruction of a lane moves; the compiler joins neighbouring fields
_WORTH = 0.5
_MOST_LDS_BYTES = 32 << 10  # two blocks of it fit on gfx942


@dataclass(frozen=True)
class _Records:
    """The records of one buffer: `stride` bytes each, `per_record` elements. Every thread accesses `covered`
    bytes of its record in any case; `replaced` says that it stores all of them. `stored` and `loaded` are the
    pieces of 16 bytes that are accessed."""

    variable: kir.Variable
    stride: int
    per_record: int
    stored: frozenset[int]
    loaded: frozenset[int]
    sure: bool
    covered: int
    replaced: bool
    places: tuple[kir.Index, ...]

    @property
    def begin(self) -> str:
        """The block's first element."""
        return "porter_begin" if self.per_record == 1 else f"porter_begin * {self.per_record}"


def staged_records(view: KernelView) -> Change | NotApplicable:
    """Stages every buffer of long records; says why where none can be."""
    form = view.form
    if isinstance(form, NotElementwise):
        return NotApplicable(f"the threads' elements are not independent: {form.reason}")
    if form.loop is not None or view.shape.block[1:] != (1, 1):
        return NotApplicable("only kernels with one element a thread and blocks of one dimension are staged")
    if view.instances > 1:
        return NotApplicable("the template has several instantiations")
    if (name := first_volatile(view)) is not None:
        return NotApplicable(f"`{name}` is volatile: every access is to be made as it is written")
    known = _record_buffers(view, form)
    if isinstance(known, NotApplicable):
        return known
    staged = tuple(r for r in known if r.stride >= 2 * _WIDEST_ACCESS_BYTES)
    if not staged:
        return NotApplicable("no buffer has records of 32 bytes or more, each proved to be one thread's own")
    try:
        return _change(view, form, staged, known)
    except CannotRewrite as reason:
        return NotApplicable(str(reason))


def _record_buffers(view: KernelView, form: Elementwise) -> tuple[_Records, ...] | NotApplicable:
    walked = AccessWalk(_unguarded(view.kernel, form), LaunchShape(view.shape.block))
    walked.run()
    if walked.assumptions:  # a clamped index may be another thread's
        return NotApplicable(f"each record is one thread's own only {walked.assumptions[0]}")
    if walked.lost:
        return NotApplicable(f"line {walked.lost[0].line} accesses memory that is not followed")
    if (shared := next((a for a in walked.accesses if _is_stored_global(a)), None)) is not None:
        return NotApplicable(
            f"line {shared.span.line} stores to `{shared.root.name}`, which all threads share"
        )
    by_root: dict[kir.Variable, list[RawAccess]] = {}
    for access in walked.accesses:
        by_root.setdefault(access.root, []).append(access)
    found = (_records(view.kernel, form, buffer, group) for buffer, group in by_root.items())
    return tuple(r for r in found if r is not None)


def _is_stored_global(access: RawAccess) -> bool:
    return access.operation != "load" and access.root.storage is kir.Storage.GLOBAL


def _unguarded(kernel: kir.Kernel, form: Elementwise) -> kir.Kernel:
    """The kernel as a thread runs it whose element exists."""
    declared = next(
        i for i, s in enumerate(kernel.body) if isinstance(s, kir.Declare) and s.variable is form.index
    )
    return replace(kernel, body=(*kernel.body[: declared + 1], *form.body))


def _records(
    kernel: kir.Kernel, form: Elementwise, buffer: kir.Variable, group: list[RawAccess]
) -> _Records | None:
    if not isinstance(buffer.type, kir.Pointer) or buffer.storage is not kir.Storage.PARAMETER:
        return None
    strides = {_stride(a) for a in group}
    stride = strides.pop() if len(strides) == 1 else None
    element = size_bytes(buffer.type.pointee)
    if stride is None or not element or stride % element:
        return None
    covered: set[int] = set()
    written: set[int] = set()
    for access in group:
        assert isinstance(access.offset, LaneValue)
        start = int(access.offset.numbers[0])
        if start < 0 or start + size_bytes(access.type) > stride:
            return None
        if not access.conditional:
            bytes_ = set(range(start, start + size_bytes(access.type)))
            covered |= bytes_
            written |= bytes_ if access.operation == "store" else set()
    early = leaves_early(form.body)
    places = tuple(
        n
        for n in walk(kernel.body)
        if isinstance(n, kir.Index) and isinstance(n.base, kir.VarRef) and n.base.variable is buffer
    )
    return _Records(
        buffer,
        stride,
        stride // element,
        stored=_pieces(group, "store"),
        loaded=_pieces(group, "load"),
        sure=bool(covered) and not early,
        covered=0 if early else len(covered),
        replaced=not early and len(written) == stride,
        places=places,
    )


def _pieces(group: list[RawAccess], operation: str) -> frozenset[int]:
    own = [a for a in group if a.operation == operation and isinstance(a.offset, LaneValue)]
    starts = [(int(a.offset.numbers[0]), size_bytes(a.type)) for a in own if isinstance(a.offset, LaneValue)]
    return frozenset(byte // _WIDEST_ACCESS_BYTES for s, n in starts for byte in range(s, s + n))


def _stride(access: RawAccess) -> int | None:
    """The bytes from one thread's access to the next one's, where the block's part continues them."""
    if not isinstance(access.offset, LaneValue) or not access.active.all() or access.operation == "atomic":
        return None
    steps = np.unique(np.diff(access.offset.numbers))
    threads = len(access.offset.numbers)
    symbolic = access.offset.symbolic
    if len(steps) != 1 or len(symbolic) != 1 or [s.name for s in symbolic[0][0]] != ["blockIdx.x"]:
        return None
    return int(steps[0]) if (symbolic[0][1] == threads * steps[0]).all() and steps[0] > 0 else None


def _change(
    view: KernelView, form: Elementwise, staged: tuple[_Records, ...], known: tuple[_Records, ...]
) -> Change | NotApplicable:
    block = view.shape.block[0]
    lds = sum(block * (r.stride + 8) for r in staged)
    if lds > _MOST_LDS_BYTES:
        return NotApplicable(f"the records of a block take {lds} bytes of LDS, more than {_MOST_LDS_BYTES}")
    for records in staged:
        name = records.variable.name
        whole = records.per_record == 1 or records.covered == records.stride
        if not records.sure or not whole:
            return NotApplicable(f"not every element of `{name}`'s records is accessed in any case")
        if _mentions(view.kernel, records.variable) != len(records.places):
            return NotApplicable(f"`{name}` is used without an index")
        if _alignment(records.variable) < 4:
            return NotApplicable(f"the elements of `{name}` are narrower than a bank")
    measures = _measures(view, staged)
    if measures[0].after > _WORTH * measures[0].before:
        return NotApplicable("joined to accesses of 16 bytes they are within twice of what LDS could do")
    conditions = _conditions(view, staged, known)
    if isinstance(conditions, NotApplicable):
        return conditions
    names = ", ".join(r.variable.name for r in staged)
    return Change(
        (_edit(view, form, staged, conditions),),
        f"the records of {names} go through LDS in whole lines",
        measures,
        frozenset(("staged_records",)),
        "ds_",
    )


def _mentions(kernel: kir.Kernel, variable: kir.Variable) -> int:
    return sum(isinstance(n, kir.VarRef) and n.variable is variable for n in walk(kernel.body))


def _alignment(variable: kir.Variable) -> int:
    assert isinstance(variable.type, kir.Pointer)
    return _type_alignment(variable.type.pointee)


def _type_alignment(type_: kir.Type) -> int:
    match type_:
        case kir.Struct(_, fields):
            return max((_type_alignment(t) for _, t in fields), default=1)
        case kir.Array(element, _) | kir.Vector(element, _):
            return _type_alignment(element)
        case _:
            return size_bytes(type_)


def _conditions(
    view: KernelView, staged: tuple[_Records, ...], known: tuple[_Records, ...]
) -> list[str] | NotApplicable:
    """The block's size, and that no buffer overlaps a staged one where one of the two is stored."""
    block = view.shape.block[0]
    conditions = [f"blockDim.x == {block}"]
    pointers = [p for p in view.kernel.parameters if isinstance(p.type, kir.Pointer)]
    used = [p for p in pointers if _mentions(view.kernel, p)]
    by_variable = {r.variable: r for r in known}
    stored = _stored(view.kernel)
    for records in staged:
        for other in used:
            if other is records.variable or not (records.stored or other in stored):
                continue
            if is_restrict(view, other) and is_restrict(view, records.variable):
                continue
            own = by_variable.get(other)
            if own is None:
                return NotApplicable(f"`{other.name}` may overlap `{records.variable.name}`")
            conditions.append(f"porter_are_apart({_range(records, block)}, {_range(own, block)})")
    return conditions


def _range(records: _Records, block: int) -> str:
    return f"{records.variable.name} + {records.begin}, {block * records.stride}ull"


def _stored(kernel: kir.Kernel) -> set[kir.Variable]:
    """Parameters that something may be stored through; a pointer handed on counts."""
    found: set[kir.Variable] = set()
    for node in walk(kernel.body):
        if isinstance(node, kir.Assign) and through_pointer(node.target):
            base = root(node.target)
            if isinstance(base, kir.VarRef):
                found.add(base.variable)
        if isinstance(node, kir.CallFunction):
            found |= {n.variable for a in node.arguments for n in walk(a) if isinstance(n, kir.VarRef)}
    return found


def _measures(view: KernelView, staged: tuple[_Records, ...]) -> tuple[Measure, Measure]:
    """Lines of a block with neighbouring fields joined to accesses of 16 bytes, as the compiler does it."""
    block, wave = view.shape.block[0], view.gpu.compute.wavefront_size
    before = sum(
        _lines(r.stride, piece, min(start + wave, block) - start)
        for r in staged
        for pieces in (r.loaded, r.stored)
        for piece in pieces
        for start in range(0, block, wave)
    )
    after = sum(
        -(-block * r.stride // LINE_BYTES) * (bool(r.stored) + bool(r.loaded or not r.replaced))
        for r in staged
    )
    used = sum(block * _WIDEST_ACCESS_BYTES * (len(r.loaded) + len(r.stored)) for r in staged)
    return (
        Measure("bytes moved by a block's accesses", before * LINE_BYTES, after * LINE_BYTES),
        Measure("coalescing efficiency", 100 * used / (before * LINE_BYTES), 100, "%"),
    )


def _lines(stride: int, piece: int, lanes: int) -> int:
    """Lines that one access of 16 bytes of each of `lanes` records touches."""
    starts = np.arange(lanes) * stride + piece * _WIDEST_ACCESS_BYTES
    return len(np.unique((starts[:, None] + np.arange(_WIDEST_ACCESS_BYTES)) // LINE_BYTES))


def _edit(view: KernelView, form: Elementwise, staged: tuple[_Records, ...], conditions: list[str]) -> Edit:
    body = view.function.body
    assert body is not None
    block = view.shape.block[0]
    replaced: dict[Span, str] = {}
    for records in staged:
        name = records.variable.name
        for place in records.places:
            check_place(view.unit, place.span, body, f"{name}[", f"{name} [")
            index = view.text(place.index.span)
            replaced[place.span] = f"porter_{name}[{_bracketed(index)} - {records.begin}]"
    start, end = form.declaration.start, body.end - 1
    declaration_end = statement_end(view.unit, form.declaration)
    declaration = view.unit.source.text[start:declaration_end]
    rest = copied(view.unit, declaration_end, end, replaced, {})
    tiles = "".join(
        f"  __shared__ porter_staged_records<porter_element_type<decltype({name})>::type, {block}, "
        f"{r.per_record}> porter_{name};\n"
        for r in staged
        for name in [r.variable.name]
    )
    loads = "".join(_copy(r, "load") for r in staged if r.loaded or not r.replaced)
    stores = "".join(_copy(r, "store") for r in staged if r.stored)
    stores = f"  __syncthreads();\n{stores}" if stores else ""
    text = (
        f"// A block's records go through LDS, so that global memory moves in whole lines.\n"
        f"const unsigned long long porter_begin = static_cast<unsigned long long>(blockIdx.x) * {block};\n"
        f"if ({' && '.join(conditions)}) {{\n"
        f"{tiles}"
        f"  const unsigned porter_count = {_count(view, form, block)};\n"
        f"{loads}"
        f"  __syncthreads();\n"
        f"  [&] {{\n"
        f"  {declaration}{rest if rest.endswith(chr(10)) else rest.rstrip() + chr(10)}"
        f"  }}();\n"
        f"{stores}"
        f"  return;\n"
        f"}}\n"
    )
    return inserted(view.unit, start, text, "records through LDS")


def _copy(records: _Records, call: str) -> str:
    name = records.variable.name
    return f"  porter_{name}.{call}({name} + {records.begin}, porter_count);\n"


def _bracketed(index: str) -> str:
    return index if index.isidentifier() else f"({index})"


def _count(view: KernelView, form: Elementwise, block: int) -> str:
    """How many of the block's records exist."""
    if form.bound is None:
        return f"{block}u"
    return f"porter_records_left({view.text(form.bound.span)}, porter_begin, {block}u)"
