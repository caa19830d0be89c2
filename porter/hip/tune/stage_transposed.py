"""A strided access of a two-dimensional block through a tile in LDS, with the roles of x and y changed.

The licence: each thread works on the element (x, y) of its own numbers, which enter in no other way; the
strided access happens for every element within the guard; a strided store is the last thing a thread does, so
that putting it behind a barrier changes no load. The kernel as it was stays for blocks of another shape.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from porter.analysis.access_values import RawAccess
from porter.analysis.access_walk import AccessWalk
from porter.analysis.elementwise import global_axis, obstacle
from porter.analysis.expressions import surely_evaluates, through_pointer
from porter.analysis.lane_values import LaneValue, relative
from porter.analysis.memory_access import LINE_BYTES, group_passes, wavefronts
from porter.analysis.sizes import size_bytes
from porter.analysis.walk import changeable_variables, reads, walk
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
from porter.hip.tune.qualifiers import first_volatile
from porter.hip.tune.records import Change, KernelView, Measure, NotApplicable

_PADDINGS = range(17)


@dataclass(frozen=True)
class _Form:
    """`axes` are the declarations of the two numbers; `guard` the condition for an element to exist, `leaves`
    where it is written as `if (…) return`."""

    axes: tuple[kir.Declare, kir.Declare]
    guard: kir.Expr | None
    leaves: bool
    body: tuple[kir.Stmt, ...]


def transposed_access(view: KernelView, spans: tuple[Span, ...]) -> Change | NotApplicable:
    """Stages the one access at `spans` that is strided; says why where it cannot."""
    _, y, z = view.shape.block
    form = _form(view.kernel)
    if isinstance(form, NotApplicable):
        return form
    if z != 1 or y == 1 or view.instances > 1:
        return NotApplicable("only two-dimensional blocks of kernels with one instantiation are staged")
    if (name := first_volatile(view)) is not None:
        return NotApplicable(f"`{name}` is volatile: every access is to be made as it is written")
    access = _strided(form, spans)
    if isinstance(access, NotApplicable):
        return access
    place, stored = access
    try:
        return _change(view, form, place, stored=stored)
    except CannotRewrite as reason:
        return NotApplicable(str(reason))


def _form(kernel: kir.Kernel) -> _Form | NotApplicable:
    against = obstacle(kernel)
    if against is not None:
        return NotApplicable(f"line {against.span.line}: {against.reason}")
    none = NotApplicable("the threads have no two numbers of the form blockIdx * blockDim + threadIdx")
    if len(kernel.body) < 3:
        return none
    first, second, *rest = kernel.body
    if not isinstance(first, kir.Declare) or not isinstance(second, kir.Declare):
        return none
    axes = {global_axis(d.value) if d.value is not None else "" for d in (first, second)}
    if axes != {"x", "y"}:
        return none
    inside = {id(n) for d in (first, second) for n in walk(d)}
    others = [n for n in walk(kernel.body) if isinstance(n, kir.Builtin) and id(n) not in inside]
    changed = changeable_variables(kernel.body)
    if others or {first.variable, second.variable} & changed:
        return NotApplicable("a thread's numbers are used in more than its element")
    guard = rest[0]
    if isinstance(guard, kir.If) and not guard.otherwise and _is_plain(guard.condition, first, second):
        if len(guard.then) == 1 and isinstance(guard.then[0], kir.Return):
            return _Form((first, second), guard.condition, True, tuple(rest[1:]))
        if len(rest) == 1:
            return _Form((first, second), guard.condition, False, guard.then)
    return _Form((first, second), None, False, tuple(rest))


def _is_plain(expr: kir.Expr, *axes: kir.Declare) -> bool:
    """Arithmetic on the two numbers and scalar arguments."""
    own = {d.variable for d in axes}
    return all(
        isinstance(n, kir.Const | kir.Cast | kir.Binary | kir.Unary)
        or (isinstance(n, kir.VarRef) and (n.variable in own or n.variable.storage is kir.Storage.PARAMETER))
        for n in walk(expr)
    )


def _strided(form: _Form, spans: tuple[Span, ...]) -> tuple[kir.Index, bool] | NotApplicable:
    """The strided place, and whether it is stored to."""
    places = {n.span: n for n in walk(form.body) if isinstance(n, kir.Index) and n.span in spans}
    if len(places) != 1:
        return NotApplicable("more than one access is strided")
    place = next(iter(places.values()))
    same = [n for n in walk(form.body) if isinstance(n, kir.Index) and n.span == place.span]
    if not isinstance(place.base, kir.VarRef) or place.base.variable.storage is not kir.Storage.PARAMETER:
        return NotApplicable("the strided access is through a pointer variable")
    if not _is_plain(place.index, *form.axes):
        return NotApplicable("the strided index is computed from more than the element's numbers")
    guard = () if form.guard is None else (form.guard,)
    changed = changeable_variables(form.body)
    if moved := reads((place, *guard)) & changed:
        name = min(variable.name for variable in moved)
        return NotApplicable(f"`{name}` changes in the body, and the strided access is made outside of it")
    if leaves_early(form.body):
        return NotApplicable("a thread may leave before the strided access")
    last = form.body[-1]
    is_stored = isinstance(last, kir.Assign) and last.target in same
    others = [n for n in walk(form.body) if isinstance(n, kir.Assign) and through_pointer(n.target)]
    if is_stored and len(same) == 1 and len(others) == 1:
        return place, True
    top = [e for s in form.body if isinstance(s, kir.Declare | kir.Assign) for e in _values(s)]
    is_loaded = len(same) == 1 and any(surely_evaluates(e, same[0]) for e in top)
    if is_loaded and _before_stores(form.body, same[0]):
        return place, False
    return NotApplicable("the strided access is not made once, for every element, at the kernel's own level")


def _values(statement: kir.Declare | kir.Assign) -> tuple[kir.Expr, ...]:
    return () if statement.value is None else (statement.value,)


def _before_stores(body: tuple[kir.Stmt, ...], wanted: kir.Expr) -> bool:
    for statement in body:
        if any(n is wanted for n in walk(statement)):
            return True
        if any(isinstance(n, kir.Assign) and through_pointer(n.target) for n in walk(statement)):
            return False
    return False


# --- the model ---


def _change(view: KernelView, form: _Form, place: kir.Index, *, stored: bool) -> Change | NotApplicable:
    walked = AccessWalk(view.kernel, view.shape)
    walked.run()
    raw = next(a for a in walked.accesses if a.span == place.span and isinstance(a.offset, LaneValue))
    before, after = _moved(view, raw, swapped=False), _moved(view, raw, swapped=True)
    if after >= before:
        return NotApplicable("the access is strided along y, too")
    useful = size_bytes(raw.type) * len(raw.active)
    padding = _padding(view, size_bytes(raw.type))
    edit = _edit(view, form, place, padding, stored=stored)
    name = place.base.variable.name if isinstance(place.base, kir.VarRef) else ""
    return Change(
        (edit,),
        f"{name} is {'stored' if stored else 'loaded'} through a tile in LDS with x and y changed",
        (
            Measure("bytes moved by a block's access", before, after),
            Measure("coalescing efficiency", 100 * useful / before, 100 * useful / after, "%"),
        ),
        frozenset(("transposed_tile",)),
        "ds_",
    )


def _moved(view: KernelView, raw: RawAccess, *, swapped: bool) -> int:
    assert isinstance(raw.offset, LaneValue)
    distances, _ = relative(raw.offset, LINE_BYTES)
    if swapped:
        distances = distances[_swapped(view)]
    wave = view.gpu.compute.wavefront_size
    bytes_ = size_bytes(raw.type)
    moved = 0
    for places in wavefronts(distances, np.ones(len(distances), dtype=np.bool_), wave):
        touched = (places[:, None] + np.arange(bytes_)).ravel()
        moved += len(np.unique(touched // LINE_BYTES)) * LINE_BYTES
    return moved


def _swapped(view: KernelView) -> np.ndarray:
    """Which thread's element each thread takes when numbers go down the columns."""
    x, y, _ = view.shape.block
    number = np.arange(x * y)
    return number % y * x + number // y


def _padding(view: KernelView, bytes_: int) -> int:
    """The padding of a row with the fewest passes for writing rows and reading columns."""
    x, y, _ = view.shape.block
    wave = view.gpu.compute.wavefront_size
    everyone = np.ones(x * y, dtype=np.bool_)

    def passes(padding: int) -> int:
        number = np.arange(x * y)
        rows = (number // x * (x + padding) + number % x) * bytes_
        columns = rows[_swapped(view)]
        return sum(
            p for d in (rows, columns) for p in group_passes(d, everyone, bytes_, view.gpu.memory, wave)
        )

    return min(_PADDINGS, key=lambda padding: (passes(padding), padding))


# --- the text ---


def _edit(view: KernelView, form: _Form, place: kir.Index, padding: int, *, stored: bool) -> Edit:
    body = view.function.body
    assert body is not None
    assert isinstance(place.base, kir.VarRef)
    name = place.base.variable.name
    check_place(view.unit, place.span, body, f"{name}[", f"{name} [", "__ld")
    start = min(d.span.start for d in form.axes)
    rest = max(statement_end(view.unit, d.span) for d in form.axes)
    x, y, _ = view.shape.block
    tile = f"porter_{name}.row"
    element_type = f"porter_element_type<decltype({name})>::type"
    own = f"{tile}[threadIdx.y][threadIdx.x]"
    element = copied(view.unit, start, rest, {}, {})
    swapped = copied(view.unit, start, rest, {}, {"threadIdx": "porter_thread"})
    body_text = copied(view.unit, rest, body.end - 1, {place.span: own}, {})
    guard = "true"
    if form.guard is not None:
        guard = view.text(form.guard.span)
        guard = f"!({guard})" if form.leaves else guard
    strided = view.text(place.span)
    across = f"{tile}[porter_thread.y][porter_thread.x]"
    copy = f"{strided} = {across};" if stored else f"{across} = {strided};"
    direct = f"  [&] {{\n  {element}{_closed(body_text)}  }}();\n"
    exchange = (
        f"  [&] {{\n"
        f"  const uint3 porter_thread = porter_transposed_thread<{x}, {y}>();\n"
        f"  {swapped}\n"
        f"  if ({guard}) {copy}\n"
        f"  }}();\n"
    )
    first, second = (direct, exchange) if stored else (exchange, direct)
    text = (
        f"// Neighbouring lanes are a row of {name} apart: it goes through LDS, where they change places.\n"
        f"if (blockDim.x == {x} && blockDim.y == {y} && blockDim.z == 1) {{\n"
        f"  __shared__ porter_transposed_tile<{element_type}, {x}, {y}, {padding}>"
        f" porter_{name};\n"
        f"{first}"
        f"  __syncthreads();\n"
        f"{second}"
        f"  return;\n"
        f"}}\n"
    )
    return inserted(view.unit, start, text, "a strided access through LDS")


def _closed(text: str) -> str:
    return text if text.rstrip(" \t").endswith("\n") else f"{text.rstrip()}\n"
