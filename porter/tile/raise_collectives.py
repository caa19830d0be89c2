"""Raises reductions, scans and broadcasts: shuffle loops, shared-memory trees, two-level block forms.

A fragment (consecutive statements that touch nothing but locals, shared memory and other lanes) is executed
symbolically for the whole block (`porter.analysis.lockstep`). What it leaves in every variable and shared
element that is looked at afterwards must be the fold of a whole group, of a prefix of a group, a fixed lane's
value, or the thread's own; then the fragment becomes the collectives that compute exactly that. The licence
is the execution itself: every operand once, no race, every barrier reached by all, every reader known.

Floating-point operands are reassociated; integers are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from porter.analysis.aliasing import buffer, stores
from porter.analysis.block_evaluation import Evaluator
from porter.analysis.expressions import (
    bodies,
    definitions,
    map_reads,
    own_expressions,
    statements,
    variables,
    written,
)
from porter.analysis.lockstep import Lockstep, start
from porter.analysis.possible import possible
from porter.analysis.stop import Stop
from porter.analysis.thread_varying import thread_varying
from porter.analysis.values import INACTIVE, Known, Mask, Mixed, Own, Value
from porter.analysis.walk import changeable_variables, walk
from porter.analysis.warp_collectives import NAMES
from porter.core.span import Span
from porter.cuda.kir import (
    SHARED_STORAGE,
    Assign,
    Barrier,
    Call,
    Const,
    Declare,
    Evaluate,
    Expr,
    For,
    If,
    Kernel,
    Return,
    Scalar,
    Stmt,
    Storage,
    Variable,
    VarRef,
    While,
)
from porter.tile.explain import Explainer, Unexplained
from porter.tile.idioms import GroupBroadcast, GroupReduce, GroupScan, NoMatch, Raising
from porter.tile.observe import ArrayRead, Escapes, Observer
from porter.tile.split_branches import merge_branches, split_branch


def raise_collectives(kernel: Kernel, block: tuple[int, int, int]) -> Raising:
    """The kernel for this block size with every fragment that could be proved raised.

    Assumes device functions are inlined where they hold collectives; a call that is left ends a fragment.
    """
    raiser = _Raiser(kernel, block)
    everyone = np.ones(block[0] * block[1] * block[2], dtype=np.bool_)
    body = raiser.block_of(kernel.body, everyone, ())
    return Raising(replace(kernel, body=tuple(body)), tuple(raiser.raised), tuple(raiser.declined))


@dataclass(frozen=True)
class _Frame:
    """An enclosing statement list: what follows in it, the loop it is the body of, who runs it."""

    rest: tuple[Stmt, ...]
    loop: For | While | None
    active: Mask


@dataclass(frozen=True)
class _Plan:
    """What replaces a fragment, and what replaces the reads of its shared memory afterwards."""

    emitted: tuple[Stmt, ...]
    replaced_reads: dict[int, Expr]
    line: str


@dataclass(frozen=True)
class _Attempt:
    """The longest plan, how many statements it covers; where the execution had to stop, and why."""

    plan: _Plan | None
    length: int
    stopped: int | None
    reason: NoMatch | None


@dataclass
class _Raiser:
    kernel: Kernel
    block: tuple[int, int, int]
    raised: list[tuple[str, Span]] = field(default_factory=list)
    declined: list[NoMatch] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.definitions = definitions(self.kernel.body)
        self.evaluator = Evaluator(self.block, self.definitions)
        self.varying = thread_varying(self.kernel.body)
        everything = statements(self.kernel.body)
        self.stored = frozenset(buffer(e, self.definitions) for s in everything for e in stores(s))

    def block_of(self, block: Sequence[Stmt], active: Mask, frames: tuple[_Frame, ...]) -> list[Stmt]:
        """A statement list with its fragments raised, outer ones first."""
        pending, done = list(block), list[Stmt]()
        while pending:
            found = self._fragment(done, pending, active, frames) if self._starts(pending[0]) else None
            if found is not None:
                rest, plan = found
                done += plan.emitted
                pending = [_with_reads(s, plan.replaced_reads) for s in rest]
                continue
            stmt = pending.pop(0)
            done.append(self._inside(stmt, tuple(pending), active, frames))
            active = self._survivors(stmt, active)
        return done

    def _inside(self, stmt: Stmt, rest: tuple[Stmt, ...], active: Mask, frames: tuple[_Frame, ...]) -> Stmt:
        if not any(self._starts(s) for body in bodies(stmt) for s in body):
            return stmt
        if isinstance(stmt, If):
            may_be_true, may_be_false = possible(self.evaluator, stmt.condition, active)
            inner = (*frames, _Frame(rest, None, active))
            then = self.block_of(stmt.then, may_be_true, inner)
            otherwise = self.block_of(stmt.otherwise, may_be_false, inner)
            return replace(stmt, then=tuple(then), otherwise=tuple(otherwise))
        if isinstance(stmt, For | While):
            body = self.block_of(stmt.body, active, (*frames, _Frame(rest, stmt, active)))
            return replace(stmt, body=tuple(body))
        return stmt

    def _survivors(self, stmt: Stmt, active: Mask) -> Mask:
        """The threads that go on after `if (known) return;`."""
        if not isinstance(stmt, If) or not any(isinstance(s, Return) for s in stmt.then):
            return active
        return possible(self.evaluator, stmt.condition, active)[1]

    def _starts(self, stmt: Stmt) -> bool:
        """Does the statement touch shared memory or other lanes?"""
        return any(self._touches(s) for s in statements((stmt,)))

    def _touches(self, stmt: Stmt) -> bool:
        if isinstance(stmt, Declare) and stmt.value is None:
            return False
        return any(
            (isinstance(e, Call) and e.name in NAMES)
            or (isinstance(e, VarRef) and self.evaluator.array(e) is not None)
            for expr in own_expressions(stmt)
            for e in walk(expr)
        )

    # --- fragments -----------------------------------------------------------------------------------

    def _fragment(
        self, done: list[Stmt], pending: list[Stmt], active: Mask, frames: tuple[_Frame, ...]
    ) -> tuple[list[Stmt], _Plan] | None:
        """What replaces the longest fragment at the start of `pending`, and the statements after it."""
        attempt = self._longest(done, pending, active, frames)
        at = attempt.stopped
        parts = split_branch(pending[at], self.evaluator) if at is not None else ()
        if at is not None and len(parts) > 1:
            finer = [*pending[:at], *parts, *pending[at + 1 :]]
            second = self._longest(done, finer, active, frames)
            if second.plan is not None and second.length > at:
                attempt, pending = second, finer
        if attempt.plan is None:
            self._decline(attempt.reason)
            return None
        self.raised.append((attempt.plan.line, pending[0].span))
        return merge_branches(pending[attempt.length :]), attempt.plan

    def _longest(
        self, done: list[Stmt], pending: list[Stmt], active: Mask, frames: tuple[_Frame, ...]
    ) -> _Attempt:
        execution = start(self.block, self.definitions, active, self.stored)
        execution.locals |= known_before(done, self.evaluator, active)
        plan, length, stopped = None, 0, None
        reason: NoMatch | None = None
        for number, stmt in enumerate(pending, 1):
            try:
                is_part = self._continues(stmt, execution)
                execution.execute(stmt, active)
                if is_part:
                    plan, length = self._plan(execution, pending, number, active, frames), number
            except Stop as stop:
                stopped = number - 1
                if number > 1 or not isinstance(stmt, Assign | Evaluate | Declare):
                    reason = reason or NoMatch(stop.reason, stop.span)
                break
            except (Unexplained, Escapes) as problem:
                span = problem.span if isinstance(problem, Escapes) else pending[0].span
                reason = NoMatch(str(problem), span)
        return _Attempt(plan, length, stopped, reason)

    def _continues(self, stmt: Stmt, execution: Lockstep) -> bool:
        """Does the statement go on with what the fragment computes? Only there is an end worth trying."""
        if isinstance(stmt, Barrier):
            return False
        used = {v for s in statements((stmt,)) for e in own_expressions(s) for v in variables(e)}
        return self._starts(stmt) or not used.isdisjoint({*execution.declared, *execution.assigned})

    def _decline(self, reason: NoMatch | None) -> None:
        if reason is not None and reason not in self.declined:
            self.declined.append(reason)

    def _plan(
        self,
        execution: Lockstep,
        pending: list[Stmt],
        length: int,
        active: Mask,
        frames: tuple[_Frame, ...],
    ) -> _Plan:
        """What computes the same as the executed statements. Raises Unexplained or Escapes."""
        seen = self._observe(execution, pending[length:], active, frames)
        explainer = Explainer(
            self.block, execution.leaves, pending[0].span, active, execution.made_by, self.varying
        )
        results = {
            variable: explainer.explain(
                execution.locals[variable], lanes & active, variable.type, variable.name
            )
            for variable, lanes in seen.looked_at.items()
            if bool((lanes & active).any())
        }
        reads: dict[int, Expr] = {}
        bound: list[Stmt] = []
        for number, read in seen.reads.items():
            reads[number] = self._explain_read(explainer, execution, read, bound)
        if not explainer.nodes and not reads:
            raise Unexplained("nothing here combines the values of several threads")
        results = _direct(explainer, results, reads, bound)
        emitted = _emit(execution, pending[:length], explainer, bound, results)
        emitted = (*_kept_declarations(pending, length, emitted), *emitted)
        return _Plan(emitted, reads, _describe(explainer))

    def _observe(
        self, execution: Lockstep, rest: list[Stmt], active: Mask, frames: tuple[_Frame, ...]
    ) -> Observer:
        everyone = np.ones(execution.threads, dtype=np.bool_)
        observer = Observer(
            Evaluator(self.block, self.definitions),
            execution.memory,
            execution.epoch,
            dict.fromkeys({*execution.declared, *execution.assigned} & set(execution.locals), everyone),
            active,
        )
        observer.walk(rest, active)
        observer.may_replace = False
        for frame in reversed(frames):
            if frame.loop is not None:
                observer.walk((frame.loop,), frame.active)
            observer.walk(frame.rest, frame.active)
        return observer

    def _explain_read(
        self, explainer: Explainer, execution: Lockstep, read: ArrayRead, bound: list[Stmt]
    ) -> Expr:
        left = execution.memory[read.array].written()
        terms = np.empty(execution.threads, dtype=object)
        terms[:] = INACTIVE
        for thread, cell in read.cells.items():
            terms[thread] = left[cell]
        type_ = read.expr.type
        expr = explainer.explain(Mixed(terms), read.lanes, type_, read.array.name)
        if isinstance(expr, Const) or _is_node_result(expr, explainer):
            return expr
        kept = Variable(f"{read.array.name}_value", type_, Storage.LOCAL, read.expr.span)
        bound.append(Declare(kept, expr, read.expr.span))
        return VarRef(kept, type_, read.expr.span)


def known_before(before: Sequence[Stmt], evaluator: Evaluator, active: Mask) -> dict[Variable, Value]:
    """What variables hold at the end of `before`: a number (`v = 1;`) or a copy of another (`v = w;`).

    Only assignments at this level with nothing changed since count. With this, a scan that works on a copy
    of its input is seen to combine the input itself, and a running offset starts from its number.
    """
    found: dict[Variable, Value] = {}
    changed: set[Variable] = set()
    for stmt in reversed(before):
        target = written(stmt)
        if isinstance(stmt, Declare | Assign) and stmt.value is not None and target is not None:
            value = _simple(stmt.value, evaluator, active)
            unchanged = not {target, *variables(stmt.value)} & changed
            is_whole = isinstance(stmt, Declare) or isinstance(stmt.target, VarRef)
            if value is not None and unchanged and is_whole and target.storage is Storage.LOCAL:
                found[target] = value
        changed |= {v for s in statements((stmt,)) if (v := written(s)) is not None}
    return found


def _simple(expr: Expr, evaluator: Evaluator, active: Mask) -> Value | None:
    if not isinstance(expr.type, Scalar):
        return None
    try:
        value = evaluator.evaluate(expr, active)
    except Stop:
        return None
    if isinstance(value, Known):
        return value
    is_copy = isinstance(expr, VarRef) and expr.variable.storage not in SHARED_STORAGE
    return Own(expr) if is_copy else None


def _is_node_result(expr: Expr, explainer: Explainer) -> bool:
    targets = {node.target for node in explainer.nodes.values()}
    return isinstance(expr, VarRef) and expr.variable in targets


def _direct(
    explainer: Explainer, results: dict[Variable, Expr], reads: dict[int, Expr], bound: list[Stmt]
) -> dict[Variable, Expr]:
    """Lets a collective write the variable that its result is for, where it is for nothing else.

    Only with one collective: a second one could read the variable after it was overwritten.
    """
    if len(explainer.nodes) != 1 or len(results) != 1 or reads or bound:
        return results
    at, node = next(iter(explainer.nodes.items()))
    variable, expr = next(iter(results.items()))
    if not isinstance(expr, VarRef) or expr.variable is not node.target:
        return results
    explainer.nodes[at] = replace(node, target=variable)
    return {}


def _emit(
    execution: Lockstep,
    fragment: Sequence[Stmt],
    explainer: Explainer,
    bound: list[Stmt],
    results: dict[Variable, Expr],
) -> tuple[Stmt, ...]:
    """Collectives first (they read what was there before), then what was read from shared, then variables."""
    comments = tuple(c for s in statements(fragment) for c in getattr(s, "comments", ()))
    nodes = list(explainer.nodes.values())
    if nodes and comments:
        nodes[0] = replace(nodes[0], comments=comments)
    kept = [s for s in fragment if isinstance(s, Declare) and s.variable not in execution.locals]
    span = fragment[0].span
    targets = set(results)
    before: list[Stmt] = []
    assigned: list[Stmt] = []
    for variable, expr in results.items():
        if isinstance(expr, VarRef) and expr.variable is variable:
            continue
        if variables(expr) & (targets - {variable}):
            held = Variable(f"{variable.name}_new", variable.type, Storage.LOCAL, span)
            before.append(Declare(held, expr, span))
            expr = VarRef(held, variable.type, span)
        was_declared = variable in execution.declared
        stmt = Declare(variable, expr, span) if was_declared else Assign(_reference(variable), expr, span)
        assigned.append(stmt)
    barrier = [Barrier("block", span)] if execution.block_barriers else []
    return (*kept, *nodes, *bound, *before, *assigned, *barrier)


def _kept_declarations(pending: Sequence[Stmt], length: int, emitted: Sequence[Stmt]) -> tuple[Stmt, ...]:
    """Those of the fragment's variables that only get another value behind it, in whole or in part."""
    kept = {written(s) for s in emitted}
    behind = changeable_variables(tuple(pending[length:]))
    return tuple(
        Declare(s.variable, None, s.span)
        for s in pending[:length]
        if isinstance(s, Declare) and s.variable in behind - kept
    )


def _reference(variable: Variable) -> VarRef:
    return VarRef(variable, variable.type, variable.span)


def _with_reads(stmt: Stmt, replaced: dict[int, Expr]) -> Stmt:
    return map_reads(stmt, lambda e: replaced.get(id(e))) if replaced else stmt


def _describe(explainer: Explainer) -> str:
    if not explainer.nodes:
        return "a value staged in shared memory -> the value"
    return "; ".join(dict.fromkeys(_describe_node(node) for node in explainer.nodes.values()))


def _describe_node(node: GroupReduce | GroupScan | GroupBroadcast) -> str:
    over = "the block" if node.group is None else f"{node.group} lanes"
    match node:
        case GroupReduce(op=op):
            return f"`{op}` over {over}"
        case GroupScan(op=op, inclusive=inclusive):
            return f"{'inclusive' if inclusive else 'exclusive'} scan by `{op}` over {over}"
        case GroupBroadcast(lane=lane):
            return f"broadcast of lane {lane} of {over}"
