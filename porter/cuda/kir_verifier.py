"""Checks the invariants of the kernel IR; a violation is a defect of the lowering, told with its place."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from porter.core.span import Span
from porter.cuda.kir import (
    BOOL,
    SHARED_STORAGE,
    AddressOf,
    Array,
    Assign,
    Binary,
    Break,
    Builtin,
    Call,
    CallFunction,
    Cast,
    Const,
    Continue,
    Declare,
    Evaluate,
    Expr,
    Extension,
    For,
    Function,
    If,
    Index,
    Kernel,
    MakeVector,
    Member,
    Pointer,
    Return,
    Scalar,
    Select,
    Stmt,
    Storage,
    Struct,
    Type,
    Unary,
    Variable,
    VarRef,
    Vector,
    Void,
    While,
)
from porter.cuda.kir_build import element_type, same_type
from porter.cuda.kir_effects import is_effect_call
from porter.cuda.kir_results import builtin_type
from porter.cuda.kir_walk import (
    blocks,
    extension_fields,
    operands,
    statement_expressions,
    subexpressions,
)

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class InvalidKernel(Exception):
    """The first invariant that does not hold."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


def verify_kernel(kernel: Kernel, versions: Collection[Variable] = ()) -> None:
    """Raises InvalidKernel for the first violation in the kernel or one of its functions.

    `versions` are variables that their first assignment declares, since they take over from others.
    """
    shared = _shared(kernel.body)
    for function in kernel.functions.values():
        _verify_function(kernel, function, shared)
    scope = {*kernel.parameters, *kernel.globals}
    _Verifier(kernel, Void(), versions).block(kernel.body, scope, in_loop=False)


def _shared(body: Iterable[Stmt]) -> set[Variable]:
    return {s.variable for s in body if isinstance(s, Declare) and s.variable.storage in SHARED_STORAGE}


def _verify_function(kernel: Kernel, function: Function, shared: set[Variable]) -> None:
    scope = {*function.parameters, *kernel.globals, *shared}
    _Verifier(kernel, function.returns).block(function.body, scope, in_loop=False)


class _Verifier:
    def __init__(self, kernel: Kernel, returns: Type, versions: Collection[Variable] = ()) -> None:
        self.kernel = kernel
        self.returns = returns
        self.versions = versions

    # --- statements ---

    def block(self, body: Iterable[Stmt], outer: set[Variable], *, in_loop: bool) -> set[Variable]:
        scope = set(outer)
        for statement in body:
            self.statement(statement, scope, in_loop)
        return scope

    def statement(self, statement: Stmt, scope: set[Variable], in_loop: bool) -> None:
        if isinstance(statement, For):
            self.loop(statement, scope)
            return
        if isinstance(statement, Extension):
            self.extension(statement, scope)
            return
        if isinstance(statement, Assign) and isinstance(statement.target, VarRef):
            self.take_over(statement, statement.target.variable, scope)
        self.right_hand_sides(statement, scope)
        if isinstance(statement, Declare):
            self.declare(statement, scope)
        elif isinstance(statement, Assign):
            self.agree(statement.target.type, statement.value.type, "an assignment", statement.span)
        elif isinstance(statement, If):
            self.condition(statement.condition)
            self.block(statement.then, scope, in_loop=in_loop)
            self.block(statement.otherwise, scope, in_loop=in_loop)
        elif isinstance(statement, While):
            self.condition(statement.condition)
            self.block(statement.body, scope, in_loop=True)
        elif isinstance(statement, Return):
            self.returned(statement)
        elif isinstance(statement, (Break, Continue)) and not in_loop:
            raise InvalidKernel("a break or continue outside a loop", statement.span)

    def loop(self, statement: For, outer: set[Variable]) -> None:
        scope = self.block(statement.init, outer, in_loop=False)
        self.expression(statement.condition, scope)
        self.condition(statement.condition)
        self.block(statement.body, scope, in_loop=True)
        self.block(statement.step, scope, in_loop=False)

    def extension(self, statement: Extension, scope: set[Variable]) -> None:
        """Its expressions see what `bound` names, its blocks all its variables, what follows the others."""
        found = [(n, v) for n, v in extension_fields(statement).items() if isinstance(v, Variable)]
        inner = set(scope)
        for name, variable in found:
            if name in statement.bound:
                self.bind(variable, inner, statement)
        for expr in statement_expressions(statement):
            self.expression(expr, inner)
        for what, expected, actual in statement.agreements():
            self.agree(expected, actual, what, statement.span)
        for name, variable in found:
            if name not in statement.bound and variable not in scope:
                self.bind(variable, scope, statement)
        for body in blocks(statement):
            self.block(body, scope | inner, in_loop=False)

    def take_over(self, statement: Assign, variable: Variable, scope: set[Variable]) -> None:
        """The first assignment of a version is its declaration: its value cannot mention it."""
        if variable not in self.versions or variable in scope:
            return
        for node in subexpressions(statement.value):
            if isinstance(node, VarRef) and node.variable is variable:
                raise InvalidKernel(f"`{variable.name}` is used before its first value", node.span)
        scope.add(variable)

    def bind(self, variable: Variable, scope: set[Variable], statement: Stmt) -> None:
        """A variable that a later stage's statement declares."""
        if variable in scope:
            raise InvalidKernel(f"`{variable.name}` is declared twice", statement.span)
        if variable.storage is not Storage.LOCAL:
            raise InvalidKernel(f"`{variable.name}` is not declared and not local", statement.span)
        scope.add(variable)

    def declare(self, statement: Declare, scope: set[Variable]) -> None:
        variable, value = statement.variable, statement.value
        if variable in scope:
            raise InvalidKernel(f"`{variable.name}` is declared twice", statement.span)
        if value is not None:
            self.agree(variable.type, value.type, f"the declaration of `{variable.name}`", statement.span)
        scope.add(variable)

    def returned(self, statement: Return) -> None:
        actual: Type = Void() if statement.value is None else statement.value.type
        self.agree(self.returns, actual, "a return", statement.span)

    def condition(self, expr: Expr) -> None:
        self.agree(BOOL, expr.type, "a condition", expr.span)

    def agree(self, expected: Type, actual: Type, what: str, span: Span) -> None:
        if not same_type(expected, actual):
            raise InvalidKernel(f"{what} has {actual} where {expected} belongs", span)

    def right_hand_sides(self, statement: Stmt, scope: set[Variable]) -> None:
        """Checks a statement's expressions; the call of a whole right-hand side may have an effect."""
        for expr in statement_expressions(statement):
            is_whole = isinstance(statement, (Declare, Assign, Evaluate)) and isinstance(
                expr, (Call, CallFunction)
            )
            if is_whole:
                for operand in operands(expr):
                    self.expression(operand, scope)
                self.node(expr)
            else:
                self.expression(expr, scope)

    # --- expressions ---

    def expression(self, expr: Expr, scope: set[Variable]) -> None:
        for node in subexpressions(expr):
            if isinstance(node, VarRef) and node.variable not in scope:
                raise InvalidKernel(f"`{node.variable.name}` is used outside its scope", node.span)
            if isinstance(node, Call) and is_effect_call(node.name):
                raise InvalidKernel(f"`{node.name}` has an effect inside an expression", node.span)
            self.node(node)

    def node(self, expr: Expr) -> None:
        problem = _problem(expr)
        if problem:
            raise InvalidKernel(problem, expr.span)
        if isinstance(expr, CallFunction):
            self.call(expr)

    def call(self, expr: CallFunction) -> None:
        function = self.kernel.functions.get(expr.function)
        if function is None:
            raise InvalidKernel(f"the function `{expr.function}` is not there", expr.span)
        self.agree(function.returns, expr.type, "a call", expr.span)


def _problem(expr: Expr) -> str:
    """What is wrong with the types of one node; empty for nothing."""
    if isinstance(expr, Binary):
        return _binary(expr)
    if isinstance(expr, VarRef):
        return _differ(expr.variable.type, expr.type, "a variable")
    if isinstance(expr, Builtin):
        return _differ(builtin_type(expr.name), expr.type, f"`{expr.name}`")
    if isinstance(expr, Unary):
        return _differ(expr.type, expr.operand.type, f"`{expr.op}`")
    if isinstance(expr, Select):
        return _select(expr)
    if isinstance(expr, Index):
        return _index(expr)
    if isinstance(expr, Member):
        return _member(expr)
    if isinstance(expr, AddressOf):
        return _differ(expr.type, Pointer(expr.lvalue.type), "an address")
    if isinstance(expr, MakeVector):
        return _make(expr)
    return _constant(expr) if isinstance(expr, Const) else _cast(expr)


def _differ(expected: Type, actual: Type, what: str) -> str:
    return "" if same_type(expected, actual) else f"{what} has {actual} where {expected} belongs"


def _binary(expr: Binary) -> str:
    left, right = expr.left.type, expr.right.type
    if expr.op in _COMPARISONS:
        return _differ(left, right, f"the right of `{expr.op}`") or _differ(BOOL, expr.type, "a comparison")
    if isinstance(left, Pointer):
        if isinstance(right, Pointer):
            return "" if expr.op == "-" else f"`{expr.op}` on two pointers"
        return "" if isinstance(right, Scalar) and expr.op == "+" else f"`{expr.op}` on a pointer"
    if expr.op in ("&&", "||"):
        return _differ(BOOL, left, expr.op) or _differ(BOOL, right, expr.op)
    return _differ(expr.type, left, f"the left of `{expr.op}`") or _differ(
        expr.type, right, f"the right of `{expr.op}`"
    )


def _select(expr: Select) -> str:
    return (
        _differ(BOOL, expr.condition.type, "the condition of `?:`")
        or _differ(expr.type, expr.if_true.type, "`?:`")
        or _differ(expr.type, expr.if_false.type, "`?:`")
    )


def _index(expr: Index) -> str:
    if not isinstance(expr.base.type, (Pointer, Array)):
        return f"{expr.base.type} is indexed"
    if not isinstance(expr.index.type, Scalar) or expr.index.type.kind not in ("int", "uint", "bool"):
        return f"an index of type {expr.index.type}"
    return _differ(element_type(expr.base), expr.type, "an element")


def _member(expr: Member) -> str:
    base = expr.base.type
    if isinstance(base, Vector):
        return _differ(base.element, expr.type, "a member")
    if isinstance(base, Struct):
        found = dict(base.fields).get(expr.field)
        return f"{base} has no `{expr.field}`" if found is None else _differ(found, expr.type, "a member")
    return f"{base} has no members"


def _make(expr: MakeVector) -> str:
    if isinstance(expr.type, Vector):
        wanted: tuple[Type, ...] = (expr.type.element,) * expr.type.lanes
    elif isinstance(expr.type, Struct):
        wanted = tuple(t for _, t in expr.type.fields)
    elif isinstance(expr.type, Array):
        rest = expr.type.shape[1:]
        wanted = (Array(expr.type.element, rest) if rest else expr.type.element,) * expr.type.shape[0]
    else:
        return f"an aggregate of type {expr.type}"
    if len(wanted) != len(expr.elements):
        return f"{len(expr.elements)} elements for {expr.type}"
    return next(
        (p for t, e in zip(wanted, expr.elements, strict=True) if (p := _differ(t, e.type, "an element"))), ""
    )


def _constant(expr: Const) -> str:
    if isinstance(expr.type, Scalar) and expr.type.kind in ("int", "uint") and isinstance(expr.value, float):
        return f"the constant {expr.value} of type {expr.type}"
    return ""


def _cast(expr: Expr) -> str:
    if not isinstance(expr, Cast):
        return ""
    pointers = isinstance(expr.type, Pointer), isinstance(expr.operand.type, Pointer)
    return "" if isinstance(expr.type, (Scalar, Pointer)) or all(pointers) else f"a cast to {expr.type}"
