"""Inlines every device function that is still called, so that one body says all a kernel does.

A function that is one `return` becomes its expression; any other becomes statements in front of the one
that calls it. Assumes no recursion (checked) and that exits inside functions can be structured.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field

from porter.analysis.walk import Node, assigned_variables, is_expression, rewrite, walk
from porter.cuda import kir
from porter.cuda.structure_exits import Exits, structure_exits
from porter.tile.api import Declined
from porter.tile.fresh_copies import over_variables
from porter.tile.simplify import simplified

_DEPTH = 32


def inline_calls(kernel: kir.Kernel) -> kir.Kernel:
    inliner = _Inliner(kernel.functions)
    return dataclasses.replace(kernel, body=inliner.block(kernel.body), functions={})


def has_calls(node: Node | tuple[Node, ...]) -> bool:
    return any(isinstance(inner, kir.CallFunction) for inner in walk(node))


@dataclass
class _Inliner:
    functions: Mapping[str, kir.Function]
    before: list[kir.Stmt] = field(default_factory=list)
    depth: int = 0

    def block(self, body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
        out: list[kir.Stmt] = []
        for statement in body:
            if not has_calls(statement):
                out.append(statement)
                continue
            outer, self.before = self.before, []
            changed = self.statement(statement)
            out += [*self.before, *changed]
            self.before = outer
        return tuple(out)

    def statement(self, node: kir.Stmt) -> tuple[kir.Stmt, ...]:
        match node:
            case kir.Evaluate(call) if isinstance(call, kir.CallFunction):
                self.call(call, wanted=False)
                return ()
            case kir.Declare(_, value) if value is not None:
                return (dataclasses.replace(node, value=self.expression(value)),)
            case kir.Assign(target, value):
                new_value = self.expression(value)
                place = self.expression(target)
                assert isinstance(place, (kir.VarRef, kir.Index, kir.Member))
                return (dataclasses.replace(node, target=place, value=new_value),)
            case kir.If(condition, then, otherwise):
                tested = self.expression(condition)
                first, second = self.block(then), self.block(otherwise)
                return (dataclasses.replace(node, condition=tested, then=first, otherwise=second),)
            case kir.For() | kir.While():
                return self.loop(node)
            case _:
                return (self.generic(node),)

    def generic(self, node: kir.Stmt) -> kir.Stmt:
        """Extensions: their expressions in front, their bodies inside."""
        fields: dict[str, object] = {}
        for info in dataclasses.fields(node):  # type: ignore[arg-type]
            value = getattr(node, info.name)
            if info.name == "body":
                fields[info.name] = self.block(value)
            elif is_expression(value):
                fields[info.name] = self.expression(value)
        return dataclasses.replace(node, **fields)  # type: ignore[type-var]

    def loop(self, node: kir.For | kir.While) -> tuple[kir.Stmt, ...]:
        """A condition that calls is evaluated in the body, before each round."""
        if isinstance(node, kir.For):
            node = dataclasses.replace(node, init=self.block(node.init), step=self.block(node.step))
        node = dataclasses.replace(node, body=self.block(node.body))
        if not has_calls(node.condition):
            return (node,)
        outer, self.before = self.before, []
        condition = self.expression(node.condition)
        tests, self.before = tuple(self.before), outer
        if not tests:
            return (dataclasses.replace(node, condition=condition),)
        if isinstance(node, kir.While) and node.do_while:
            raise Declined("TIL053", "a do-while condition that calls a long function", node.span)
        leave = kir.If(kir.Unary("!", condition, kir.BOOL, node.span), (kir.Break(node.span),), (), node.span)
        always = kir.Const(True, kir.BOOL, node.span)
        return (dataclasses.replace(node, condition=always, body=(*tests, leave, *node.body)),)

    def expression(self, expr: kir.Expr) -> kir.Expr:
        """`expr` without calls."""
        if not has_calls(expr):
            return expr
        if isinstance(expr, kir.CallFunction):
            result = self.call(expr, wanted=True)
            assert result is not None
            return result
        if isinstance(expr, kir.Select) or (isinstance(expr, kir.Binary) and expr.op in ("&&", "||")):
            return self.sometimes(expr)
        fields: dict[str, object] = {}
        for info in dataclasses.fields(expr):
            value = getattr(expr, info.name)
            if isinstance(value, tuple):
                fields[info.name] = tuple(self.expression(item) for item in value)
            elif hasattr(value, "span") and not isinstance(value, kir.Variable) and has_calls(value):
                fields[info.name] = self.expression(value)
        return dataclasses.replace(expr, **fields)  # type: ignore[arg-type]

    def sometimes(self, expr: kir.Select | kir.Binary) -> kir.Expr:
        """A branch where what a side needs may not be done for nothing: memory it reads, loops it makes."""
        test = self.expression(expr.condition if isinstance(expr, kir.Select) else expr.left)
        sides = (expr.if_true, expr.if_false) if isinstance(expr, kir.Select) else (expr.right,)
        values, needs = zip(*(self.apart(side) for side in sides), strict=True)
        if not any(_may_not_be_done(statement) for need in needs for statement in need):
            self.before += [statement for need in needs for statement in need]
            if isinstance(expr, kir.Select):
                return dataclasses.replace(expr, condition=test, if_true=values[0], if_false=values[1])
            return dataclasses.replace(expr, left=test, right=values[0])
        if not isinstance(expr.type, kir.Scalar):
            raise Declined("TIL053", "a pointer chosen by `?:` from what functions return", expr.span)
        result = kir.Variable("chosen", expr.type, kir.Storage.LOCAL, expr.span)
        target = kir.VarRef(result, expr.type, expr.span)
        branches = [
            (*need, kir.Assign(target, value, expr.span)) for value, need in zip(values, needs, strict=True)
        ]
        if isinstance(expr, kir.Select):
            self.before += [
                kir.Declare(result, None, expr.span),
                kir.If(test, branches[0], branches[1], expr.span),
            ]
            return target
        rest: kir.Expr = target if expr.op == "&&" else kir.Unary("!", target, kir.BOOL, expr.span)
        self.before += [kir.Declare(result, test, expr.span), kir.If(rest, branches[0], (), expr.span)]
        return target

    def apart(self, expr: kir.Expr) -> tuple[kir.Expr, tuple[kir.Stmt, ...]]:
        """The expression without calls, and the statements that have to stand before it."""
        outer, self.before = self.before, []
        result = self.expression(expr)
        needs, self.before = tuple(self.before), outer
        return result, needs

    def call(self, call: kir.CallFunction, *, wanted: bool) -> kir.Expr | None:
        function = self.functions.get(call.function)
        if function is None:
            raise Declined("TIL052", f"the body of `{call.function}` is not known", call.span)
        if self.depth >= _DEPTH:
            raise Declined("TIL052", f"`{function.name}` calls itself", call.span, "make it a loop")
        self.depth += 1
        arguments = [self.expression(argument) for argument in call.arguments]
        names = _fresh(function)
        body = over_variables(function.body, names)
        direct = self.as_expression(function, body, names, arguments)
        result = direct if direct is not None else self.as_statements(function, body, names, arguments, call)
        self.depth -= 1
        return result if wanted or direct is None else None

    def as_expression(
        self,
        function: kir.Function,
        body: tuple[kir.Stmt, ...],
        names: Mapping[kir.Variable, kir.Variable],
        arguments: list[kir.Expr],
    ) -> kir.Expr | None:
        """The returned expression over the arguments, if that is all there is to the function."""
        if len(body) != 1 or not isinstance(body[0], kir.Return) or body[0].value is None:
            return None
        value = body[0].value
        bound: dict[kir.Variable, kir.Expr] = {}
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            own = names[parameter]
            uses = sum(isinstance(n, kir.VarRef) and n.variable is own for n in walk(value))
            bound[own] = argument if uses <= 1 or _is_simple(argument) else self.named(own, argument)
        return self.expression(rewrite(value, lambda node: simplified(_substituted(node, bound))))

    def named(self, variable: kir.Variable, value: kir.Expr) -> kir.Expr:
        self.before.append(kir.Declare(variable, value, value.span))
        return kir.VarRef(variable, variable.type, value.span)

    def as_statements(
        self,
        function: kir.Function,
        body: tuple[kir.Stmt, ...],
        names: Mapping[kir.Variable, kir.Variable],
        arguments: list[kir.Expr],
        call: kir.CallFunction,
    ) -> kir.Expr | None:
        body = self.bound(function, body, names, arguments)
        *inner, last = body or (kir.Return(None, function.span),)
        if not isinstance(last, kir.Return):
            inner, last = [*inner, last], kir.Return(None, function.span)
        if any(isinstance(node, kir.Return) for node in walk(tuple(inner))):
            return self.with_early_returns(function, body, call)
        self.before += self.block(tuple(inner))
        if last.value is None:
            return None
        value = self.expression(last.value)
        if _is_simple(value):
            return value
        result = kir.Variable(_result_name(function), function.returns, kir.Storage.LOCAL, call.span)
        return self.named(result, value)

    def bound(
        self,
        function: kir.Function,
        body: tuple[kir.Stmt, ...],
        names: Mapping[kir.Variable, kir.Variable],
        arguments: list[kir.Expr],
    ) -> tuple[kir.Stmt, ...]:
        """The body with its parameters: simple arguments in their place, the others named in front."""
        changed = assigned_variables(function.body)
        direct: dict[kir.Variable, kir.Expr] = {}
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            if isinstance(argument, kir.AddressOf) or (_is_constant(argument) and parameter not in changed):
                direct[names[parameter]] = argument
            else:
                self.named(names[parameter], argument)
        return rewrite(body, lambda node: simplified(_substituted(node, direct)))

    def with_early_returns(
        self, function: kir.Function, body: tuple[kir.Stmt, ...], call: kir.CallFunction
    ) -> kir.Expr | None:
        """Every `return e` becomes `result = e` and what follows it is skipped."""
        span = call.span
        result = kir.Variable(_result_name(function), function.returns, kir.Storage.LOCAL, span)
        reference = kir.VarRef(result, function.returns, span)

        def on_exit(statement: kir.Stmt) -> tuple[kir.Stmt, ...]:
            assert isinstance(statement, kir.Return)
            if statement.value is None:
                return ()
            return (kir.Assign(reference, statement.value, statement.span),)

        exits = Exits(lambda s: isinstance(s, kir.Return), on_exit, enters_loops=True)
        structured = structure_exits(body, exits, "returned", span)
        if not isinstance(function.returns, kir.Void):
            self.before.append(kir.Declare(result, None, span))
        self.before += self.block(structured)
        return None if isinstance(function.returns, kir.Void) else reference


def _result_name(function: kir.Function) -> str:
    return function.name.split("<")[0].split("::")[-1] + "_result"


def _is_simple(expr: kir.Expr) -> bool:
    while isinstance(expr, kir.Cast):
        expr = expr.operand
    return isinstance(expr, (kir.Const, kir.VarRef, kir.Builtin, kir.AddressOf))


def _is_constant(expr: kir.Expr) -> bool:
    while isinstance(expr, kir.Cast):
        expr = expr.operand
    return isinstance(expr, (kir.Const, kir.Builtin))


def _may_not_be_done(statement: kir.Stmt) -> bool:
    """Whether a thread that C does not let come here must not do it: it could read outside, or never end."""
    return any(isinstance(node, (kir.Index, kir.For, kir.While, kir.Evaluate)) for node in walk(statement))


def _substituted(node: Node, bound: Mapping[kir.Variable, kir.Expr]) -> Node:
    return bound.get(node.variable, node) if isinstance(node, kir.VarRef) else node


def _fresh(function: kir.Function) -> dict[kir.Variable, kir.Variable]:
    """New variables for one call: parameters and locals; shared arrays are one a block and stay."""
    own = [node.variable for node in walk(function.body) if isinstance(node, kir.Declare)]
    moved = [v for v in own if v.storage is kir.Storage.LOCAL]
    return {v: dataclasses.replace(v, storage=kir.Storage.LOCAL) for v in (*function.parameters, *moved)}
