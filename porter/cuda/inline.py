"""Replaces every call of a device function by its body, with fresh variables and without early returns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from porter.core.span import Span
from porter.cuda import kir_build as build
from porter.cuda.kir import (
    BOOL,
    AddressOf,
    Array,
    Assign,
    Binary,
    Break,
    Builtin,
    CallFunction,
    Const,
    Declare,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    Index,
    Kernel,
    Member,
    Pointer,
    Return,
    Select,
    Stmt,
    Storage,
    Variable,
    VarRef,
    Void,
    While,
)
from porter.cuda.kir_walk import (
    expressions,
    map_operands,
    map_statements,
    statements,
    subexpressions,
)
from porter.cuda.structure_exits import has_exit, return_exits, structure_exits


def inline_functions(kernel: Kernel) -> Kernel:
    """The kernel without `CallFunction`; its `functions` are empty. Barriers and shared arrays stay."""
    if not kernel.functions:
        return kernel
    inliner = _Inliner(_assigned_variables(kernel), kernel.functions)
    return replace(kernel, body=inliner.block(kernel.body), functions={})


def _assigned_variables(kernel: Kernel) -> set[Variable]:
    """Variables some statement stores to or whose address is taken."""
    bodies = [kernel.body, *(f.body for f in kernel.functions.values())]
    found: set[Variable] = set()
    for body in bodies:
        for statement in statements(body):
            if isinstance(statement, Assign):
                found |= _root(statement.target)
        for expr in expressions(body):
            if isinstance(expr, AddressOf):
                found |= _root(expr.lvalue)
    return found


def _root(place: Expr) -> set[Variable]:
    """The variable a place is part of; what is behind a pointer is part of none."""
    while isinstance(place, (Index, Member)):
        if isinstance(place, Index) and isinstance(place.base.type, Pointer):
            return set()
        place = place.base
    return {place.variable} if isinstance(place, VarRef) else set()


@dataclass
class _Inliner:
    assigned: set[Variable]
    functions: dict[str, Function]
    expanded: dict[str, tuple[Stmt, ...]] = field(default_factory=dict)

    def body_of(self, function: Function) -> tuple[Stmt, ...]:
        """The function's body with its own calls already replaced."""
        if function.name not in self.expanded:
            self.expanded[function.name] = self.block(function.body)
        return self.expanded[function.name]

    # --- statements ---

    def block(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        out: list[Stmt] = []
        for statement in body:
            self.statement(statement, out)
        return tuple(out)

    def statement(self, statement: Stmt, out: list[Stmt]) -> None:
        if isinstance(statement, (Declare, Return)):
            value = None if statement.value is None else self.expression(statement.value, out)
            out.append(replace(statement, value=value))
        elif isinstance(statement, Assign):
            value = self.expression(statement.value, out)
            target = self.expression(statement.target, out)
            assert isinstance(target, (VarRef, Index, Member))
            out.append(replace(statement, target=target, value=value))
        elif isinstance(statement, Evaluate):
            self.evaluate(statement, out)
        elif isinstance(statement, If):
            condition = self.expression(statement.condition, out)
            then, otherwise = self.block(statement.then), self.block(statement.otherwise)
            out.append(replace(statement, condition=condition, then=then, otherwise=otherwise))
        elif isinstance(statement, For):
            out.append(self.for_loop(statement))
        elif isinstance(statement, While):
            self.while_loop(statement, out)
        else:
            out.append(statement)

    def evaluate(self, statement: Evaluate, out: list[Stmt]) -> None:
        if not isinstance(statement.call, CallFunction):
            call = map_operands(statement.call, lambda e: self.expression(e, out))
            out.append(replace(statement, call=call))
            return
        first = len(out)
        self.call(statement.call, out)
        if (
            statement.comments
            and len(out) > first
            and isinstance(out[first], (Declare, Assign, If, For, While))
        ):
            out[first] = replace(out[first], comments=statement.comments)  # type: ignore[type-var]

    def for_loop(self, loop: For) -> For:
        test, condition = self.condition(loop.condition)
        return replace(
            loop,
            init=self.block(loop.init),
            condition=condition,
            step=self.block(loop.step),
            body=(*test, *self.block(loop.body)),
        )

    def condition(self, expr: Expr) -> tuple[tuple[Stmt, ...], Expr]:
        """A loop's condition; what it needs beforehand becomes the beginning of the body."""
        before: list[Stmt] = []
        condition = self.expression(expr, before)
        if not before:
            return (), condition
        return (*before, _leave_unless(condition)), Const(True, BOOL, expr.span)

    def while_loop(self, loop: While, out: list[Stmt]) -> None:
        test, condition = self.condition(loop.condition)
        body = self.block(loop.body)
        if not test:
            out.append(replace(loop, condition=condition, body=body))
        elif not loop.do_while:
            out.append(replace(loop, condition=condition, body=(*test, *body)))
        else:
            self.tested_later(loop, test, body, out)

    def tested_later(
        self, loop: While, test: tuple[Stmt, ...], body: tuple[Stmt, ...], out: list[Stmt]
    ) -> None:
        """`do … while`: the test stands first and is passed over once, so that `continue` still meets it."""
        first = Variable("first", BOOL, Storage.LOCAL, loop.span)
        self.assigned.add(first)
        reference = VarRef(first, BOOL, loop.span)
        repeated = If(build.logical_not(reference, loop.span), test, (), loop.span)
        passed = Assign(reference, Const(False, BOOL, loop.span), loop.span)
        out.append(Declare(first, Const(True, BOOL, loop.span), loop.span))
        always = Const(True, BOOL, loop.span)
        out.append(replace(loop, condition=always, do_while=False, body=(repeated, passed, *body)))

    # --- expressions ---

    def expression(self, expr: Expr, out: list[Stmt]) -> Expr:
        """`expr` without calls; statements that have to run before it go to `out`."""
        if isinstance(expr, Binary) and expr.op in ("&&", "||"):
            return self.short_circuit(expr, out)
        if isinstance(expr, Select):
            return self.select(expr, out)
        inner = map_operands(expr, lambda e: self.expression(e, out))
        return self.call(inner, out) if isinstance(inner, CallFunction) else inner

    def short_circuit(self, expr: Binary, out: list[Stmt]) -> Expr:
        left = self.expression(expr.left, out)
        before: list[Stmt] = []
        right = self.expression(expr.right, before)
        if not before:
            return replace(expr, left=left, right=right)
        result = self.result("condition", expr)
        out.append(Declare(result.variable, left, expr.span))
        test: Expr = result if expr.op == "&&" else build.logical_not(result, expr.span)
        out.append(If(test, (*before, Assign(result, right, expr.span)), (), expr.span))
        return result

    def select(self, expr: Select, out: list[Stmt]) -> Expr:
        condition = self.expression(expr.condition, out)
        then: list[Stmt] = []
        otherwise: list[Stmt] = []
        if_true, if_false = self.expression(expr.if_true, then), self.expression(expr.if_false, otherwise)
        if not then and not otherwise:
            return replace(expr, condition=condition, if_true=if_true, if_false=if_false)
        result = self.result("chosen", expr)
        out.append(Declare(result.variable, None, expr.span))
        then.append(Assign(result, if_true, expr.span))
        otherwise.append(Assign(result, if_false, expr.span))
        out.append(If(condition, tuple(then), tuple(otherwise), expr.span))
        return result

    def result(self, name: str, expr: Expr) -> VarRef:
        variable = Variable(name, expr.type, Storage.LOCAL, expr.span)
        self.assigned.add(variable)
        return VarRef(variable, expr.type, expr.span)

    # --- calls ---

    def call(self, call: CallFunction, out: list[Stmt]) -> Expr:
        function = self.functions[call.function]
        body = self.body_of(function)
        substituted: dict[Variable, Expr] = {}
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            substituted[parameter] = self.argument(parameter, argument, body, out)
        copy = self.copied(body, substituted)
        return self.spliced(function, copy, call.span, out)

    def argument(self, parameter: Variable, argument: Expr, body: tuple[Stmt, ...], out: list[Stmt]) -> Expr:
        """What a parameter becomes: the argument itself where that cannot be told apart, else a variable."""
        if parameter not in self.assigned and self.stands_for(parameter, argument, body):
            return argument
        variable = Variable(parameter.name, parameter.type, Storage.LOCAL, argument.span)
        if parameter in self.assigned:
            self.assigned.add(variable)
        out.append(Declare(variable, argument, argument.span))
        return VarRef(variable, variable.type, argument.span)

    def stands_for(self, parameter: Variable, argument: Expr, body: tuple[Stmt, ...]) -> bool:
        if self.is_stable(argument):
            return True
        if not _is_expression(body):
            return False
        n_uses = sum(isinstance(e, VarRef) and e.variable is parameter for e in expressions(body))
        return n_uses <= 1 or _is_register_read(argument)

    def is_stable(self, expr: Expr) -> bool:
        """Short, and of the same value wherever the body evaluates it."""
        if isinstance(expr, (Const, Builtin)):
            return True
        if isinstance(expr, VarRef):
            return isinstance(expr.type, Array) or expr.variable not in self.assigned
        if isinstance(expr, AddressOf):
            return all(
                self.is_stable(e) for e in subexpressions(expr.lvalue) if isinstance(e, VarRef)
            ) and not any(isinstance(e, CallFunction) for e in subexpressions(expr))
        return False

    def copied(self, body: tuple[Stmt, ...], substituted: dict[Variable, Expr]) -> tuple[Stmt, ...]:
        """`body` with fresh variables for its own and with the parameters substituted."""
        fresh = {s.variable: replace(s.variable) for s in statements(body) if isinstance(s, Declare)}
        self.assigned |= {new for old, new in fresh.items() if old in self.assigned}

        def change(expr: Expr) -> Expr:
            if isinstance(expr, VarRef):
                if expr.variable in substituted:
                    return substituted[expr.variable]
                own = fresh.get(expr.variable)
                return expr if own is None else VarRef(own, expr.type, expr.span)
            if isinstance(expr, Binary):
                return build.binary(expr.op, expr.left, expr.right, expr.type, expr.span)
            return build.index(expr.base, expr.index, expr.span) if isinstance(expr, Index) else expr

        return _redeclared(map_statements(body, change), fresh)

    def spliced(self, function: Function, body: tuple[Stmt, ...], span: Span, out: list[Stmt]) -> Expr:
        last = body[-1] if body else None
        if isinstance(last, Return) and not has_exit(body[:-1], return_exits(None)):
            out += body[:-1]
            return Const(0, Void(), span) if last.value is None else last.value
        if isinstance(function.returns, Void):
            out += structure_exits(body, return_exits(None), "done", span)
            return Const(0, Void(), span)
        name = function.name.partition("<")[0].partition("#")[0]
        result = self.result(f"{name}_result", Const(0, function.returns, span))
        out.append(Declare(result.variable, None, span))
        out += structure_exits(body, return_exits(result.variable), f"{name}_done", span)
        return result


def _leave_unless(condition: Expr) -> If:
    span = condition.span
    return If(build.logical_not(condition, span), (Break(span),), (), span)


def _is_expression(body: tuple[Stmt, ...]) -> bool:
    return len(body) == 1 and isinstance(body[0], Return)


def _is_register_read(expr: Expr) -> bool:
    """A variable or a member of one: reading it twice costs nothing."""
    while isinstance(expr, Member):
        expr = expr.base
    return isinstance(expr, VarRef)


def _redeclared(body: tuple[Stmt, ...], fresh: dict[Variable, Variable]) -> tuple[Stmt, ...]:
    return tuple(_redeclare(s, fresh) for s in body)


def _redeclare(statement: Stmt, fresh: dict[Variable, Variable]) -> Stmt:
    def inner(block: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return _redeclared(block, fresh)

    if isinstance(statement, Declare):
        return replace(statement, variable=fresh[statement.variable])
    if isinstance(statement, If):
        return replace(statement, then=inner(statement.then), otherwise=inner(statement.otherwise))
    if isinstance(statement, For):
        return replace(
            statement, init=inner(statement.init), body=inner(statement.body), step=inner(statement.step)
        )
    return replace(statement, body=inner(statement.body)) if isinstance(statement, While) else statement
