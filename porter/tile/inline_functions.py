"""Inlines the device functions that use other lanes, shared memory or barriers, so that idioms show.

Pure functions stay calls, but for those that say which thread or lane this is. A function that returns from
its middle is not inlined: its call stays, and ends any fragment that the raising passes look at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from porter.analysis.expressions import (
    bodies,
    evaluates,
    map_reads,
    own_expressions,
    statements,
    substitute,
)
from porter.analysis.walk import walk
from porter.analysis.warp_collectives import NAMES
from porter.core.span import Span
from porter.cuda.kir import (
    SHARED_STORAGE,
    Assign,
    Barrier,
    Binary,
    Builtin,
    Call,
    CallFunction,
    Cast,
    Const,
    Declare,
    Evaluate,
    Expr,
    Function,
    Kernel,
    Return,
    Stmt,
    Storage,
    Variable,
    Void,
)
from porter.tile.idioms import NoMatch, Raising
from porter.tile.rename_variables import rename_variables


def inline_functions(kernel: Kernel) -> Raising:
    """The kernel with every call of a cooperating function replaced by its body, callees first."""
    inliner = _Inliner(kernel.functions)
    body = inliner.block_of(kernel.body)
    present = {s.variable for s in statements(kernel.body) if isinstance(s, Declare)}
    hoisted = [Declare(v, None, span) for v, span in inliner.shared.items() if v not in present]
    return Raising(replace(kernel, body=(*hoisted, *body)), (), tuple(inliner.declined))


@dataclass
class _Inliner:
    functions: Mapping[str, Function]
    shared: dict[Variable, Span] = field(default_factory=dict)
    declined: list[NoMatch] = field(default_factory=list)
    cooperative: dict[str, bool] = field(default_factory=dict)
    inlining: list[str] = field(default_factory=list)

    def block_of(self, block: Iterable[Stmt]) -> tuple[Stmt, ...]:
        return tuple(new for stmt in block for new in self._statement(stmt))

    def _statement(self, stmt: Stmt) -> tuple[Stmt, ...]:
        stmt = map_reads(stmt, self._in_place)
        call = evaluates(stmt)
        if (
            isinstance(call, CallFunction)
            and not isinstance(stmt, Return)
            and self._cooperates(call.function)
        ):
            inlined = self._inlined(call, stmt)
            if inlined is not None:
                return inlined
        nested = {name: self.block_of(getattr(stmt, name)) for name in _nested(stmt)}
        return (cast(Stmt, replace(cast(Any, stmt), **nested)) if nested else stmt,)

    def _in_place(self, expr: Expr) -> Expr | None:
        """A call of a one-expression function that counts bits, maybe of a ballot, or names the thread."""
        if not isinstance(expr, CallFunction) or expr.function not in self.functions:
            return None
        function = self.functions[expr.function]
        match function.body:
            case (Return(value=value),) if value is not None:
                names_thread = not function.parameters and _is_of_indices(value)
                if names_thread or _counts_bits(value):
                    return substitute(value, dict(zip(function.parameters, expr.arguments, strict=True)))
        return None

    def _cooperates(self, name: str) -> bool:
        if name not in self.cooperative:
            self.cooperative[name] = False  # what a recursive function says of itself
            function = self.functions.get(name)
            self.cooperative[name] = function is not None and any(map(self._joins, statements(function.body)))
        return self.cooperative[name]

    def _joins(self, stmt: Stmt) -> bool:
        if isinstance(stmt, Barrier) or (
            isinstance(stmt, Declare) and stmt.variable.storage in SHARED_STORAGE
        ):
            return True
        return any(
            (isinstance(e, Call) and e.name in NAMES)
            or (isinstance(e, CallFunction) and self._cooperates(e.function))
            for expr in own_expressions(stmt)
            for e in walk(expr)
        )

    def _inlined(self, call: CallFunction, stmt: Stmt) -> tuple[Stmt, ...] | None:
        if isinstance(stmt, Return) or call.function in self.inlining:
            return None
        function = self.functions[call.function]
        *before, last = function.body or (Return(None, function.span),)
        if not isinstance(last, Return):
            before, last = [*before, last], Return(None, function.span)
        if any(isinstance(s, Return) for s in statements(before)):
            self.declined.append(NoMatch(f"`{function.name}` returns from its middle", function.span))
            return None
        if last.value is None and not isinstance(function.returns, Void):
            self.declined.append(NoMatch(f"`{function.name}` has no value on some path", function.span))
            return None
        names = self._fresh(function)
        bound = [
            Declare(names[parameter], argument, argument.span)
            for parameter, argument in zip(function.parameters, call.arguments, strict=True)
        ]
        self.inlining.append(function.name)
        body = self.block_of(rename_variables(s, names) for s in before if not self._is_shared_declaration(s))
        self.inlining.pop()
        return _commented((*bound, *body, *_result(stmt, last.value, names)), stmt)

    def _is_shared_declaration(self, stmt: Stmt) -> bool:
        if isinstance(stmt, Declare) and stmt.variable.storage in SHARED_STORAGE:
            self.shared.setdefault(stmt.variable, stmt.span)
            return True
        return False

    def _fresh(self, function: Function) -> dict[Variable, Variable]:
        """A new variable for each parameter and local; shared ones are one a block and stay themselves."""
        own = [s.variable for s in statements(function.body) if isinstance(s, Declare)]
        locals_ = [v for v in own if v.storage not in SHARED_STORAGE]
        return {v: replace(v, storage=Storage.LOCAL) for v in (*function.parameters, *locals_)}


def _counts_bits(value: Expr) -> bool:
    return any(isinstance(e, Call) and e.name.startswith("__popc") for e in walk(value))


def _is_of_indices(value: Expr) -> bool:
    """Made of thread and block numbers and constants only: `threadIdx.x & 31`."""
    return all(isinstance(e, Builtin | Const | Binary | Cast) for e in walk(value))


def _nested(stmt: Stmt) -> tuple[str, ...]:
    present = bodies(stmt)
    return tuple(n for n in ("init", "then", "otherwise", "body", "step") if getattr(stmt, n, ()) in present)


def _result(stmt: Stmt, value: Expr | None, names: Mapping[Variable, Variable]) -> tuple[Stmt, ...]:
    """What the calling statement does with the returned value."""
    if isinstance(stmt, Evaluate) or value is None:
        return ()
    result = rename_variables(value, names)
    return (replace(stmt, value=result),) if isinstance(stmt, Declare | Assign) else ()


def _commented(body: tuple[Stmt, ...], call: Stmt) -> tuple[Stmt, ...]:
    """The comments of a call that leaves no statement of its own go to the first of the body."""
    if not isinstance(call, Evaluate) or not call.comments or not body:
        return body
    first = cast(Any, body[0])
    return (cast(Stmt, replace(first, comments=(*call.comments, *getattr(first, "comments", ())))), *body[1:])
