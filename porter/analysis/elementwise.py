"""Kernels whose threads each work on one element of a line: `i = blockIdx.x * blockDim.x + threadIdx.x`.

In such a kernel a thread's number enters through `i` only, there is no barrier and nothing is shared, so any
assignment of elements to threads gives the same result as long as each element is done once.
"""

from __future__ import annotations

from dataclasses import dataclass

from porter.analysis.expressions import without_casts
from porter.analysis.thread_varying import varies
from porter.analysis.walk import changeable_variables, walk
from porter.core.span import Span
from porter.cuda import kir


@dataclass(frozen=True)
class Elementwise:
    """`index` is declared as the thread's number in the grid; `number` is the expression that gives it.

    `bound` is what the index must be less than for an element to exist, uniform; None where the launch covers
    the elements exactly. `condition` is how the source tests it, to leave (`leaves`) or to go on. `body` is
    what runs for an element. `loop` is the grid-stride loop that `index` runs in, None for one element a
    thread.
    """

    index: kir.Variable
    number: kir.Expr
    declaration: Span
    bound: kir.Expr | None
    body: tuple[kir.Stmt, ...]
    loop: kir.For | None = None
    condition: kir.Expr | None = None
    leaves: bool = False


@dataclass(frozen=True)
class NotElementwise:
    reason: str
    span: Span


def elementwise(kernel: kir.Kernel) -> Elementwise | NotElementwise:
    """Recognises the form, or says what stands against it."""
    against = obstacle(kernel)
    if against is not None:
        return against
    found = _form(kernel.body)
    if found is None:
        return NotElementwise("no index of the form blockIdx.x * blockDim.x + threadIdx.x", kernel.span)
    inside = set(map(id, walk(found.number)))
    if found.loop is not None:
        inside |= set(map(id, walk((*found.loop.init, *found.loop.step))))
    for node in walk(kernel.body):
        if isinstance(node, kir.Builtin) and id(node) not in inside and node.name != "warpSize":
            return NotElementwise(f"`{node.name}.{node.axis}` is used beside the index", node.span)
    carried = _outside(kernel, found) & changeable_variables(found.body)
    if carried:
        first = min(carried, key=lambda variable: variable.span)
        return NotElementwise(
            f"`{first.name}` changes in the body, and the next element of the thread would see it", first.span
        )
    return found


def _outside(kernel: kir.Kernel, form: Elementwise) -> set[kir.Variable]:
    """What a thread has once for all its elements: parameters, and what is declared before the body."""
    before = kernel.body if form.loop is None else (*kernel.body[:-1], *form.loop.init)
    declared = {s.variable for s in before if isinstance(s, kir.Declare) and s not in form.body}
    return {*kernel.parameters, *declared}


def obstacle(kernel: kir.Kernel) -> NotElementwise | None:
    """What makes a kernel's threads depend on each other or on their numbers within functions."""
    for body in (kernel.body, *(f.body for f in kernel.functions.values())):
        for node in walk(body):
            if isinstance(node, kir.Barrier):
                return NotElementwise("its threads wait for each other", node.span)
            if isinstance(node, kir.Declare) and node.variable.storage in kir.SHARED_STORAGE:
                return NotElementwise("it has shared memory", node.span)
            if isinstance(node, kir.Call) and node.name.startswith(_TOGETHER):
                return NotElementwise(f"`{node.name}` combines threads", node.span)
            if isinstance(node, kir.Builtin) and body is not kernel.body:
                return NotElementwise(f"a device function uses `{node.name}`", node.span)
    return None


_TOGETHER = (
    "atomic", "__shfl", "__ballot", "__any", "__all", "__activemask", "__match", "__reduce", "__sync",
    "clock", "printf",
)  # fmt: skip


def _form(body: tuple[kir.Stmt, ...]) -> Elementwise | None:
    for at, statement in enumerate(body):
        if isinstance(statement, kir.For):
            return _grid_stride(statement) if at == len(body) - 1 else None
        if isinstance(statement, kir.Declare) and statement.value is not None:
            if is_global_number(statement.value):
                return _one_element(statement, body[at + 1 :])
            if not varies(statement.value, ()):
                continue
        return None
    return None


def _one_element(declaration: kir.Declare, rest: tuple[kir.Stmt, ...]) -> Elementwise | None:
    index, number = declaration.variable, declaration.value
    assert number is not None
    if rest and isinstance(rest[0], kir.If):
        guard = rest[0]
        leaves = len(guard.then) == 1 and isinstance(guard.then[0], kir.Return) and not guard.otherwise
        bound = _bound(guard.condition, index, negated=leaves)
        if bound is not None and leaves:
            return Elementwise(
                index, number, declaration.span, bound, rest[1:], condition=guard.condition, leaves=True
            )
        if bound is not None and len(rest) == 1 and not guard.otherwise:
            return Elementwise(index, number, declaration.span, bound, guard.then, condition=guard.condition)
    return Elementwise(index, number, declaration.span, None, rest)


def _grid_stride(loop: kir.For) -> Elementwise | None:
    if len(loop.init) != 1 or len(loop.step) != 1:
        return None
    start, advance = loop.init[0], loop.step[0]
    if not isinstance(start, kir.Declare) or start.value is None or not is_global_number(start.value):
        return None
    bound = _bound(loop.condition, start.variable, negated=False)
    if bound is None or not _advances_by_grid(advance, start.variable):
        return None
    if any(isinstance(node, kir.Break | kir.Return) for node in walk(loop.body)):
        return None
    return Elementwise(start.variable, start.value, start.span, bound, loop.body, loop)


def _advances_by_grid(step: kir.Stmt, index: kir.Variable) -> bool:
    if not isinstance(step, kir.Assign) or not _is_variable(step.target, index):
        return False
    value = without_casts(step.value)
    if not isinstance(value, kir.Binary) or value.op != "+":
        return False
    for own, other in ((value.left, value.right), (value.right, value.left)):
        if _is_variable(own, index):
            return _is_product(without_casts(other), "blockDim", "gridDim")
    return False


def _bound(condition: kir.Expr, index: kir.Variable, *, negated: bool) -> kir.Expr | None:
    """`n` of `index < n` (or, negated, of `index >= n`), where it is uniform."""
    if not isinstance(condition, kir.Binary):
        return None
    less, greater = (">=", "<=") if negated else ("<", ">")
    for op, own, other in (
        (less, condition.left, condition.right),
        (greater, condition.right, condition.left),
    ):
        if condition.op == op and _is_variable(own, index) and _is_plain(other):
            return other
    return None


def _is_plain(expr: kir.Expr) -> bool:
    """Arithmetic on arguments: the same in all threads and at any time."""
    return all(
        isinstance(node, kir.Const | kir.Cast | kir.Binary)
        or (isinstance(node, kir.VarRef) and node.variable.storage is kir.Storage.PARAMETER)
        for node in walk(expr)
    )


def is_global_number(expr: kir.Expr) -> bool:
    """`blockIdx.x * blockDim.x + threadIdx.x` in either order, with casts between."""
    return global_axis(expr) == "x"


def global_axis(expr: kir.Expr) -> str:
    """The axis of `blockIdx * blockDim + threadIdx`; "" for any other expression."""
    expr = without_casts(expr)
    if not isinstance(expr, kir.Binary) or expr.op != "+":
        return ""
    sides = (without_casts(expr.left), without_casts(expr.right))
    for thread, block in (sides, sides[::-1]):
        if isinstance(thread, kir.Builtin) and thread.name == "threadIdx":
            return thread.axis if _is_product(block, "blockIdx", "blockDim", axis=thread.axis) else ""
    return ""


def _is_product(expr: kir.Expr, *names: str, axis: str = "x") -> bool:
    if not isinstance(expr, kir.Binary) or expr.op != "*":
        return False
    factors = (without_casts(expr.left), without_casts(expr.right))
    found = {(f.name, f.axis) for f in factors if isinstance(f, kir.Builtin)}
    return found == {(name, axis) for name in names}


def _is_variable(expr: kir.Expr, variable: kir.Variable) -> bool:
    expr = without_casts(expr)
    return isinstance(expr, kir.VarRef) and expr.variable is variable
