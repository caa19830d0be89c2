"""Contiguous elements in accesses of 16 bytes, several elements a thread.

The licence: the kernel is elementwise (`analysis.elementwise`), so any thread may do any element. A buffer is
loaded and stored in vectors only where every element of the vector is accessed in the original for certain;
all other accesses stay as they are. Alignment, the tail and buffers that overlap are tested at run time, with
the kernel as it was behind the test.
"""

from __future__ import annotations

from porter.analysis.elementwise import Elementwise, NotElementwise
from porter.analysis.expressions import definitions
from porter.analysis.lane_values import Unknown
from porter.analysis.memory_access import Coalescing, Pattern
from porter.analysis.sizes import size_bytes
from porter.analysis.walk import walk
from porter.core.span import Span
from porter.cuda import kir
from porter.cuda.kir_walk import operands
from porter.hip.tune.body_text import (
    CannotRewrite,
    check_place,
    leaves_early,
)
from porter.hip.tune.element_buffers import ElementBuffer, element_buffers, loads_of_others, stores_elsewhere
from porter.hip.tune.qualifiers import is_volatile
from porter.hip.tune.records import NARROW, Change, KernelView, Measure, NotApplicable, Proposal
from porter.hip.tune.vector_text import VectorPlan, both_restrict, grid_stride_edit, one_element_edits

VECTOR_BYTES = 16


def narrow_accesses(view: KernelView) -> Proposal | None:
    """The waste and its fix; None for a kernel that has no narrow contiguous accesses by element."""
    form = view.form
    if isinstance(form, NotElementwise):
        return None
    buffers = element_buffers(view.kernel, form)
    narrow = [b for b in buffers if b.places and size_bytes(b.element) < VECTOR_BYTES // 2]
    narrow = [b for b in narrow if isinstance(b.element, kir.Scalar)]
    if not narrow:
        return None
    bytes_ = max(size_bytes(b.element) for b in narrow)
    names = ", ".join(b.variable.name for b in narrow)
    message = f"{view.kernel.name} accesses {names} contiguously with {bytes_} bytes a lane, where 16 fit"
    return Proposal(NARROW, view.kernel.name, message, narrow[0].places[0], _fix(view, form, buffers))


def _fix(view: KernelView, form: Elementwise, buffers: tuple[ElementBuffer, ...]) -> Change | NotApplicable:
    if view.instances > 1:
        return NotApplicable("the template has several instantiations")
    if (span := stores_elsewhere(form)) is not None:
        return NotApplicable(f"line {span.line} may store to elements of other threads")
    vectors = tuple(b for b in buffers if _can_be_vector(view, b))
    if not vectors:
        return NotApplicable("no buffer is accessed at the index in every thread")
    others = tuple(b for b in buffers if b not in vectors and b.places)
    late = vectors if form.loop is None else (*vectors, *others)
    unclear = next((b for b in buffers if b.elsewhere and _may_overlap(view, form, b, late)), None)
    if unclear is not None:
        name = unclear.variable.name
        return NotApplicable(f"`{name}` is also read elsewhere and may overlap what is stored")
    if (spread := _spread(view, form, vectors)) is not None:
        return NotApplicable(
            f"`{spread}` is read along the index otherwise, and lanes with vectors would spread it"
        )
    if any(b.stored for b in vectors) and (span := loads_of_others(form)) is not None:
        return NotApplicable(f"line {span.line} reads memory that may be what is stored")
    width = VECTOR_BYTES // max(size_bytes(b.element) for b in vectors)
    plan = VectorPlan(view, form, vectors, others, width)
    try:
        return _change(plan)
    except CannotRewrite as reason:
        return NotApplicable(str(reason))


def _can_be_vector(view: KernelView, buffer: ElementBuffer) -> bool:
    fits = isinstance(buffer.element, kir.Scalar) and size_bytes(buffer.element) < VECTOR_BYTES
    return (
        fits
        and buffer.sure
        and not buffer.elsewhere
        and not is_volatile(view, buffer.variable)
        and (buffer.surely_stored or not buffer.stored)
    )


def _spread(view: KernelView, form: Elementwise, vectors: tuple[ElementBuffer, ...]) -> str | None:
    """A buffer whose scalar accesses are coalesced, or may be: with several elements a lane they are not."""
    wide = {b.variable.name for b in vectors}
    for access in view.accesses.global_accesses:
        if access.buffer in wide:
            continue
        found = access.coalescing
        if isinstance(found, Coalescing) and found.pattern in (Pattern.CONTIGUOUS, Pattern.ROWS):
            return access.buffer
        if isinstance(found, Unknown) and _follows_index(view, form, access.span):
            return access.buffer
    return None


def _follows_index(view: KernelView, form: Elementwise, span: Span) -> bool:
    """Whether a place is computed from the index itself, and not only from what is loaded there."""
    known = definitions(view.kernel.body)
    places = [n for n in walk(view.kernel.body) if isinstance(n, kir.Index) and n.span == span]
    pending: list[kir.Expr] = [n.index for n in places]
    while pending:
        expr = pending.pop()
        if isinstance(expr, kir.Index):
            continue
        if isinstance(expr, kir.VarRef):
            if expr.variable is form.index:
                return True
            if expr.variable in known:
                pending.append(known[expr.variable])
        pending += operands(expr)
    return not places


def _may_overlap(
    view: KernelView, form: Elementwise, read: ElementBuffer, late: tuple[ElementBuffer, ...]
) -> bool:
    """Whether a buffer read at other places could be one of `late`, which are stored at another time."""
    if form.loop is None and not read.load_after_store:
        return False
    return any(
        b.stored and not _are_disjoint(b.element, read.element) and not both_restrict(view, b, read)
        for b in late
    )


def _are_disjoint(a: kir.Type, b: kir.Type) -> bool:
    """Whether C++ forbids that memory of one type is also accessed as the other, and no program gets by
    with it: numbers of other kind and size, neither of them a byte. A struct may have either as a member."""
    if not isinstance(a, kir.Scalar) or not isinstance(b, kir.Scalar):
        return False
    return a.bits != b.bits and 8 not in (a.bits, b.bits) and _is_float(a) != _is_float(b)


def _is_float(type_: kir.Scalar) -> bool:
    return type_.kind in ("float", "bfloat")


def _change(plan: VectorPlan) -> Change:
    view, body = plan.view, plan.view.function.body
    assert body is not None
    for buffer in plan.vectors:
        for place in buffer.places:
            check_place(view.unit, place, body, buffer.variable.name, "__ld", "*")
    if any(isinstance(n, kir.For | kir.While) and leaves_early(n.body) for n in walk(plan.form.body)):
        raise CannotRewrite("a thread leaves the kernel or skips an iteration from within a loop")
    edits = grid_stride_edit(plan) if plan.form.loop is not None else one_element_edits(plan)
    names = ", ".join(b.variable.name for b in plan.vectors)
    return Change(
        edits,
        f"{plan.width} elements of {names} in one access of 16 bytes",
        _measures(plan),
        frozenset(("vector",)),
        "dwordx4",
    )


def _measures(plan: VectorPlan) -> tuple[Measure, ...]:
    wave = plan.view.gpu.compute.wavefront_size
    sizes = [size_bytes(b.element) for b in plan.vectors]
    accesses = len(sizes) * 1024 / wave
    return (
        Measure("bytes of a wavefront's access", max(sizes) * wave, max(sizes) * plan.width * wave),
        Measure("accesses for 1024 elements", accesses, accesses / plan.width),
    )
