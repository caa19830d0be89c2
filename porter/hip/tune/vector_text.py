"""The text of a kernel that accesses buffers in vectors, with the kernel as it was for the rest."""

from __future__ import annotations

import re
from dataclasses import dataclass

from porter.analysis.elementwise import Elementwise
from porter.core.edit import Edit
from porter.cuda import kir
from porter.cuda.constants import fold, lookup_in
from porter.cuda.tokens import matching
from porter.hip.tune.body_text import CannotRewrite, copied, indent_of, statement_end
from porter.hip.tune.element_buffers import ElementBuffer
from porter.hip.tune.qualifiers import is_restrict
from porter.hip.tune.records import KernelView


@dataclass(frozen=True)
class VectorPlan:
    """`vectors` go in accesses of `width` elements; `others` are accessed at the index one by one."""

    view: KernelView
    form: Elementwise
    vectors: tuple[ElementBuffer, ...]
    others: tuple[ElementBuffer, ...]
    width: int


# --- one element a thread ---


def one_element_edits(plan: VectorPlan) -> tuple[Edit, ...]:
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


def _launches(plan: VectorPlan) -> tuple[tuple[Edit, ...], str]:
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


def grid_stride_edit(plan: VectorPlan) -> tuple[Edit, ...]:
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


def both_restrict(view: KernelView, a: ElementBuffer, b: ElementBuffer) -> bool:
    return is_restrict(view, a.variable) and is_restrict(view, b.variable)


def _declared(plan: VectorPlan, name: str, value: str, *, mutable: bool = False) -> str:
    """`int i = …` with another name and value, in the type the source gives its index."""
    text = plan.view.text(plan.form.declaration)
    before, equals, _ = text.partition("=")
    words = before.split()
    if not equals or words[-1:] != [plan.form.index.name] or "(" in before:
        raise CannotRewrite(f"line {plan.form.declaration.line}: the index is declared in another way")
    kept = [w for w in words[:-1] if not (mutable and w == "const")]
    return f"{' '.join(kept)} {name} = {value}"


def _conditions(plan: VectorPlan, first: str, count: str) -> list[str]:
    """Alignment of every vector, and that what is stored is in no other buffer's memory.

    One buffer under two names will do where all its vectors are loaded before anything is stored.
    """
    names = [b.variable.name for b in (*plan.vectors, *plan.others)]
    start = {name: f"{name} + {first}" if first else name for name in names}
    conditions = [f"porter_are_aligned<{plan.width}>({start[b.variable.name]})" for b in plan.vectors]
    every = (*plan.vectors, *plan.others)
    for at, a in enumerate(every):
        for b in every[at + 1 :]:
            if (a.stored or b.stored) and not both_restrict(plan.view, a, b):
                late = a.load_after_store or b.load_after_store
                late = late or (a.stored and b.stored)  # the stores would change their order
                late = late or any(buffer.stored and buffer in plan.others for buffer in (a, b))
                pair = f"{start[a.variable.name]}, {start[b.variable.name]}"
                conditions.append(f"porter_are_separate({pair}, {count}, {'false' if late else 'true'})")
    return conditions


def _vector_body(plan: VectorPlan, at: str, index: str, start: int, end: int) -> str:
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


def _scalar_body(plan: VectorPlan, start: int, end: int) -> str:
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
