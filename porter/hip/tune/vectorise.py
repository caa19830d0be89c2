"""Contiguous elements in accesses of 16 bytes, several elements a thread.

The licence: the kernel is elementwise (`analysis.elementwise`), so any thread may do any element. A buffer is
loaded and stored in vectors only where every element of the vector is accessed in the original for certain;
all other accesses stay as they are. Alignment, the tail and buffers that overlap are tested at run time, with
the kernel as it was behind the test.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from porter.analysis.elementwise import Elementwise, NotElementwise
from porter.analysis.expressions import definitions
from porter.analysis.lane_values import Unknown
from porter.analysis.memory_access import Coalescing, Pattern
from porter.analysis.sizes import size_bytes
from porter.analysis.walk import walk
from porter.core.edit import Edit
from porter.core.span import Span
from porter.cuda import kir
from porter.cuda.constants import fold, lookup_in
from porter.cuda.kir_walk import operands
from porter.cuda.tokens import matching
from porter.hip.tune.body_text import (
    CannotRewrite,
    check_place,
    copied,
    indent_of,
    leaves_early,
    statement_end,
)
from porter.hip.tune.element_buffers import ElementBuffer, element_buffers, stores_elsewhere
from porter.hip.tune.records import NARROW, Change, KernelView, Measure, NotApplicable, Proposal

VECTOR_BYTES = 16


@dataclass(frozen=True)
class _Plan:
    view: KernelView
    form: Elementwise
    vectors: tuple[ElementBuffer, ...]
    others: tuple[ElementBuffer, ...]
    width: int


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
    stored = tuple(b for b in buffers if b.stored and b not in vectors and b.places)
    unclear = next((b for b in buffers if b.elsewhere and _may_overlap(view, form, b, vectors)), None)
    if unclear is not None:
        name = unclear.variable.name
        return NotApplicable(f"`{name}` is also read elsewhere and may overlap what is stored")
    if (spread := _spread(view, form, vectors)) is not None:
        return NotApplicable(
            f"`{spread}` is read along the index otherwise, and lanes with vectors would spread it"
        )
    width = VECTOR_BYTES // max(size_bytes(b.element) for b in vectors)
    plan = _Plan(view, form, vectors, stored, width)
    try:
        return _change(plan)
    except CannotRewrite as reason:
        return NotApplicable(str(reason))


def _can_be_vector(view: KernelView, buffer: ElementBuffer) -> bool:
    declared = next(p.text for p in view.function.parameters if p.name == buffer.variable.name)
    fits = isinstance(buffer.element, kir.Scalar) and size_bytes(buffer.element) < VECTOR_BYTES
    return (
        fits
        and buffer.sure
        and not buffer.elsewhere
        and "volatile" not in declared
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
    view: KernelView, form: Elementwise, read: ElementBuffer, vectors: tuple[ElementBuffer, ...]
) -> bool:
    """Whether a buffer read at other places could be one that is stored late, in vectors, before the read."""
    if form.loop is None and not read.load_after_store:
        return False
    return any(
        b.stored
        and (str(b.element) == str(read.element) or 1 in (size_bytes(b.element), size_bytes(read.element)))
        and not (_is_restrict(view, b) and _is_restrict(view, read))
        for b in vectors
    )


def _change(plan: _Plan) -> Change:
    view, body = plan.view, plan.view.function.body
    assert body is not None
    for buffer in plan.vectors:
        for place in buffer.places:
            check_place(view.unit, place, body, buffer.variable.name, "__ld", "*")
    if any(isinstance(n, kir.For | kir.While) and leaves_early(n.body) for n in walk(plan.form.body)):
        raise CannotRewrite("a thread leaves the kernel or skips an iteration from within a loop")
    edits = _grid_stride(plan) if plan.form.loop is not None else _one_element(plan)
    names = ", ".join(b.variable.name for b in plan.vectors)
    return Change(
        edits,
        f"{plan.width} elements of {names} in one access of 16 bytes",
        _measures(plan),
        frozenset(("vector",)),
        "dwordx4",
    )


def _measures(plan: _Plan) -> tuple[Measure, ...]:
    wave = plan.view.gpu.compute.wavefront_size
    sizes = [size_bytes(b.element) for b in plan.vectors]
    accesses = len(sizes) * 1024 / wave
    return (
        Measure("bytes of a wavefront's access", max(sizes) * wave, max(sizes) * plan.width * wave),
        Measure("accesses for 1024 elements", accesses, accesses / plan.width),
    )


# --- one element a thread ---


def _one_element(plan: _Plan) -> tuple[Edit, ...]:
    view, form, body = plan.view, plan.form, plan.view.function.body
    assert body is not None
    rest = statement_end(view.unit, form.declaration)
    launch_edits, elements = _launches(plan)
    begin_type = "unsigned long long" if _bits(form.number) == 64 else "unsigned"
    conditions = _conditions(plan, "porter_begin", "porter_elements")
    conditions.insert(0, f"porter_elements % {plan.width} == 0")
    last = ""
    if form.bound is not None:
        last = _declared(plan, "porter_last", "porter_begin + (porter_elements - 1)") + ";\n"
        conditions.insert(1, f"porter_last < ({view.text(form.bound.span)})")
    vector_index = _declared(plan, form.index.name, "porter_begin + porter_at + porter_k")
    scalar_index = _declared(plan, form.index.name, "porter_begin + porter_at")
    end = body.end - 1
    lines = (
        f"// {plan.width} elements a thread, 16 bytes at a time, where the block's elements allow it.\n"
        f"const unsigned porter_elements = {elements};\n"
        f"const {begin_type} porter_begin = static_cast<{begin_type}>(blockIdx.x) * porter_elements;\n"
        f"{last}"
        f"if ({_joined(conditions)}) {{\n"
        f"  for (unsigned porter_at = threadIdx.x * {plan.width}u; porter_at < porter_elements;"
        f" porter_at += blockDim.x * {plan.width}u) {{\n"
        f"{_vector_body(plan, 'porter_begin + porter_at', vector_index, rest, end)}"
        f"  }}\n"
        f"  return;\n"
        f"}}\n"
        f"for (unsigned porter_at = threadIdx.x; porter_at < porter_elements; porter_at += blockDim.x) {{\n"
        f"  {scalar_index};{_scalar_body(plan, rest, end)}}}\n"
    )
    text = _indented(lines, indent_of(view.unit, form.declaration.start))
    return (Edit(form.declaration.start, end, text.encode("latin-1"), "elements in vectors"), *launch_edits)


def _launches(plan: _Plan) -> tuple[tuple[Edit, ...], str]:
    """Launches with as many threads as there are vectors, where every launch is seen and its block constant;
    and how many elements a block has then."""
    view = plan.view
    sizes = {launch.block_dim for launch in view.launches}
    if len(sizes) != 1 or not view.whole_program:
        return (), "blockDim.x"
    block = next(iter(sizes))
    wave = view.gpu.compute.wavefront_size
    if block is None or block[1:] != (1, 1) or block[0] % (plan.width * wave):
        return (), "blockDim.x"
    edits = []
    for launch in view.launches:
        scope = lookup_in(view.unit.constants, dict(launch.resolved))
        at = _block_argument(view, launch.span.start, launch.span.end, launch.block)
        if fold(launch.block, scope) != block[0] or at is None:
            return (), "blockDim.x"
        text = f"({launch.block}) / {plan.width}".encode("latin-1")
        edits.append(Edit(at, at + len(launch.block), text, "a thread for each vector"))
    return tuple(dict.fromkeys(edits)), f"{block[0]}"


def _block_argument(view: KernelView, start: int, end: int, block: str) -> int | None:
    """Where the block size of a launch stands: the second argument behind `<<<`."""
    text = view.unit.source.text[start:end]
    opened = text.find("<<<")
    depth, at = 0, opened + 3
    while opened > 0 and at < len(text):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if text[at] == "," and depth == 0:
            found = text.find(block, at)
            gap = text[at + 1 : found]
            return start + found if found > 0 and not gap.strip() else None
        at += 1
    return None


# --- a grid-stride loop ---


def _grid_stride(plan: _Plan) -> tuple[Edit, ...]:
    view, form, loop = plan.view, plan.form, plan.form.loop
    assert loop is not None
    assert form.bound is not None
    text = view.text(loop.span)
    if not text.startswith("for"):
        raise CannotRewrite("the loop stands in a macro")
    line, _ = view.unit.source.position(loop.span.start)
    if line > 1 and view.unit.source.line_text(line - 1).lstrip().startswith("#"):
        raise CannotRewrite("a directive stands before the loop")
    step = view.text(loop.step[0].span)
    start = view.text(form.number.span)
    bound = view.text(form.bound.span)
    body_start, body_end, end = _loop_body(view, loop)
    width = plan.width
    conditions = _conditions(plan, "", f"({bound})")
    at = f"{width} * static_cast<long long>(porter_v)"
    index = _declared(plan, form.index.name, f"{width} * porter_v + porter_k")
    lines = (
        f"// {width} elements a turn, 16 bytes at a time, where the buffers allow it; then what is left.\n"
        f"{_declared(plan, 'porter_vectors', '0', mutable=True)};\n"
        f"if (({bound}) > 0 && {_joined(conditions)}) porter_vectors = ({bound}) / {width};\n"
        f"for ({_declared(plan, 'porter_v', start, mutable=True)}; porter_v < porter_vectors;"
        f" {_renamed(step, form.index.name, 'porter_v')}) {{\n"
        f"{_vector_body(plan, at, index, body_start, body_end)}"
        f"}}\n"
        f"for ({_declared(plan, form.index.name, f'{width} * porter_vectors + ({start})', mutable=True)};"
        f" {view.text(loop.condition.span)}; {step}) {{"
        f"{_own_lines(copied(view.unit, body_start, body_end, {}, {}))}}}"
    )
    indented = _indented(lines, indent_of(view.unit, loop.span.start))
    return (Edit(loop.span.start, end, indented.encode("latin-1"), "elements in vectors"),)


def _loop_body(view: KernelView, loop: kir.For) -> tuple[int, int, int]:
    """The text within the loop's braces, or its one statement, and where the loop ends."""
    tokens = view.unit.tokenized.code
    at = view.unit.tokenized.code_index(loop.span.start)
    close = matching(tokens, at + 1)
    if close is None:
        raise CannotRewrite("the loop's header is not understood")
    body = close + 1
    if tokens[body].text == "{":
        end = matching(tokens, body)
        if end is None or tokens[end].end > loop.span.end:
            raise CannotRewrite("the loop's body is not understood")
        return tokens[body].end, tokens[end].start, tokens[end].end
    stop = loop.span.end
    following = view.unit.tokenized.code_index(stop)
    if view.unit.source.text[stop - 1] not in ";}" and tokens[following].text == ";":
        stop = tokens[following].end
    return tokens[body].start, stop, stop


def _renamed(text: str, name: str, new: str) -> str:
    return re.sub(rf"\b{re.escape(name)}\b", new, text)


# --- shared pieces ---


def _declared(plan: _Plan, name: str, value: str, *, mutable: bool = False) -> str:
    """`int i = …` with another name and value, in the type the source gives its index."""
    text = plan.view.text(plan.form.declaration)
    before, equals, _ = text.partition("=")
    words = before.split()
    if not equals or words[-1:] != [plan.form.index.name] or "(" in before:
        raise CannotRewrite(f"line {plan.form.declaration.line}: the index is declared in another way")
    kept = [w for w in words[:-1] if not (mutable and w == "const")]
    return f"{' '.join(kept)} {name} = {value}"


def _conditions(plan: _Plan, first: str, count: str) -> list[str]:
    """Alignment of every vector, and that what is stored is in no other buffer's memory."""
    names = [b.variable.name for b in (*plan.vectors, *plan.others)]
    start = {name: f"{name} + {first}" if first else name for name in names}
    conditions = [f"porter_are_aligned<{plan.width}>({start[b.variable.name]})" for b in plan.vectors]
    every = (*plan.vectors, *plan.others)
    for at, a in enumerate(every):
        for b in every[at + 1 :]:
            if (a.stored or b.stored) and not (_is_restrict(plan.view, a) and _is_restrict(plan.view, b)):
                late = a.load_after_store or b.load_after_store or a in plan.others or b in plan.others
                pair = f"{start[a.variable.name]}, {start[b.variable.name]}"
                conditions.append(f"porter_are_separate({pair}, {count}, {'false' if late else 'true'})")
    return conditions


def _is_restrict(view: KernelView, buffer: ElementBuffer) -> bool:
    declared = next(p.text for p in view.function.parameters if p.name == buffer.variable.name)
    return "restrict" in declared


def _vector_body(plan: _Plan, at: str, index: str, start: int, end: int) -> str:
    unit, width = plan.view.unit, plan.width
    replaced = {place: f"porter_{b.variable.name}.v[porter_k]" for b in plan.vectors for place in b.places}
    condition = plan.form.condition
    if condition is not None:  # every element of a vector exists
        replaced[condition.span] = "false" if plan.form.leaves else "true"
    loads = "".join(
        f"    auto porter_{b.variable.name} = "
        f"{'porter_load_vector' if b.loaded else 'porter_new_vector'}<{width}>({b.variable.name} + {at});\n"
        for b in plan.vectors
    )
    stores = "".join(
        f"    porter_store_vector<{width}>({b.variable.name} + {at}, porter_{b.variable.name});\n"
        for b in plan.vectors
        if b.stored
    )
    text = copied(unit, start, end, replaced, {"return": "continue"} if plan.form.loop is None else {})
    return (
        f"{loads}"
        f"#pragma unroll\n"
        f"    for (unsigned porter_k = 0; porter_k < {width}u; ++porter_k) {{\n"
        f"      {index};{_own_lines(text)}    }}\n"
        f"{stores}"
    )


def _scalar_body(plan: _Plan, start: int, end: int) -> str:
    return _own_lines(copied(plan.view.unit, start, end, {}, {"return": "continue"}))


def _own_lines(text: str) -> str:
    """The text of a body as lines of its own."""
    lines = text.rstrip(" \t")
    lines = lines if lines.endswith("\n") else lines + "\n"
    bare = lines.lstrip(" \t")
    return lines if bare.startswith(("\n", "\r")) else f"\n      {bare}"


def _joined(conditions: list[str]) -> str:
    return " && ".join(dict.fromkeys(conditions))


def _bits(expr: kir.Expr) -> int:
    while isinstance(expr, kir.Cast):
        expr = expr.operand
    return expr.type.bits if isinstance(expr.type, kir.Scalar) else 32


def _indented(lines: str, indent: str) -> str:
    """New lines at the place's own depth; the first stands where the old text began."""
    first, *rest = lines.split("\n")
    return "\n".join([first, *(f"{indent}{line}" if line and line[0] != "#" else line for line in rest)])
