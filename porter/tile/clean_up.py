"""Makes the printed kernel read well: what is never used goes, ids used once stand where they are used,
and the source's name wins where it is another name for an id."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from porter.cuda.kir import FLOAT64
from porter.tile import ir
from porter.tile.merge_masks import merge_masks

_PURE_PREFIX = "tl.atomic"
_EFFECTS = frozenset({"tl.store", "tl.debug_barrier"})
_IDS = ("tl.program_id", "tl.arange", "tl.num_programs")


def clean_up(kernel: ir.TileKernel) -> ir.TileKernel:
    """The same kernel, with the same effects in the same order."""
    body = tuple(ir.map_expressions(s, exact_doubles) for s in kernel.body)
    body = _prefer_source_names(body)
    body = _drop_dead(body)
    body = tuple(ir.map_expressions(s, _negated_once) for s in merge_masks(body))
    body = _inline_ids(body)
    used = _names_of(body)
    parameters = tuple(p for p in kernel.parameters if p.role != "constexpr" or p.name in used)
    return replace(kernel, body=body, parameters=parameters)


def _negated_once(expr: ir.Expr) -> ir.Expr:
    """`~~x` is `x`."""
    match expr:
        case ir.Prefix("~" | "not" as op, ir.Prefix(inner, operand)) if inner == op:
            return operand
    return expr


def exact_doubles(expr: ir.Expr) -> ir.Expr:
    """Functions of `tl` take a Python float for a float32: float64 arguments are made float64 first."""
    if not isinstance(expr, ir.Invoke) or expr.function == "tl.full":
        return expr
    arguments = tuple(_as_double(argument) for argument in expr.arguments)
    return replace(expr, arguments=arguments)


def _as_double(argument: ir.Expr) -> ir.Expr:
    if isinstance(argument, ir.Text) or argument.type.dtype != FLOAT64 or not ir.is_weak(argument):
        return argument
    if (
        isinstance(argument, ir.Literal)
        and float(argument.value).is_integer()
        and abs(argument.value) < 1 << 24
    ):
        return argument
    return ir.Convert(argument, argument.type)


# --- names -----------------------------------------------------------------------------------------


def _prefer_source_names(body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
    """`pid = tl.program_id(0); row = pid` is `row = tl.program_id(0)`."""
    assigned = Counter(_assigned(body))
    ids = {s.target for s in body if isinstance(s, ir.Let) and _is_id(s.value) and assigned[s.target] == 1}
    renamed: dict[str, str] = {}
    comments: dict[str, tuple[str, ...]] = {}
    for statement in body:
        match statement:
            case ir.Let(target, ir.Name(source), words) if source in ids and source not in renamed:
                if assigned[target] == 1:
                    renamed[source] = target
                    comments[target] = words
    if not renamed:
        return body
    out: list[ir.Stmt] = []
    for statement in body:
        if isinstance(statement, ir.Let) and statement.target in renamed.values():
            continue
        changed = ir.map_expressions(statement, lambda e: _renamed(e, renamed))
        if isinstance(changed, ir.Let) and changed.target in renamed:
            name = renamed[changed.target]
            changed = ir.Let(name, changed.value, comments[name])
        out.append(changed)
    return tuple(out)


def _renamed(expr: ir.Expr, names: dict[str, str]) -> ir.Expr:
    return replace(expr, name=names[expr.name]) if isinstance(expr, ir.Name) and expr.name in names else expr


def _is_id(expr: ir.Expr) -> bool:
    inner = expr.operand if isinstance(expr, ir.Suffix) else expr
    return isinstance(inner, ir.Invoke) and inner.function in _IDS


# --- ids used once ---------------------------------------------------------------------------------


def _inline_ids(body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
    """`pid * BLOCK + tl.arange(0, BLOCK)` rather than a name for a range that is used once."""
    uses = Counter(_reads(body))
    single: dict[str, ir.Expr] = {}
    assigned = Counter(_assigned(body))
    for statement in body:
        if isinstance(statement, ir.Let) and not statement.comments and assigned[statement.target] == 1:
            once = uses[statement.target] == 1 and statement.target in (
                "tid",
                "thread",
                "pid",
                "tx",
                "ty",
                "tz",
            )
            if once and _is_id(statement.value) and statement.target != "pid":
                single[statement.target] = statement.value
    kept = tuple(s for s in body if not (isinstance(s, ir.Let) and s.target in single))
    return tuple(ir.map_expressions(s, lambda e: _inlined(e, single)) for s in kept)


def _inlined(expr: ir.Expr, values: dict[str, ir.Expr]) -> ir.Expr:
    return values[expr.name] if isinstance(expr, ir.Name) and expr.name in values else expr


# --- dead assignments ------------------------------------------------------------------------------


def _drop_dead(body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
    """Assignments nobody reads, until none is left. A variable that only feeds itself is dead too."""
    while True:
        live = _live_names(body)
        kept = _without(body, live)
        if kept == body:
            return body
        body = kept


def _live_names(body: tuple[ir.Stmt, ...]) -> set[str]:
    """Names read by anything but an assignment to themselves."""
    live: set[str] = set()
    for statement in ir.all_statements(body):
        own = statement.target if isinstance(statement, ir.Let) else None
        for expr in ir.own_expressions(statement):
            live |= {name for name in ir.names_in(expr) if name != own or _has_effect(expr)}
    return live


def _without(body: tuple[ir.Stmt, ...], live: set[str]) -> tuple[ir.Stmt, ...]:
    out: list[ir.Stmt] = []
    for statement in body:
        if isinstance(statement, ir.Let) and statement.target not in live:
            if _has_effect(statement.value):
                out.append(ir.Do(statement.value, statement.comments))
            continue
        changed = ir.with_bodies(statement, lambda inner: _without(inner, live))
        if not _is_empty(changed):
            out.append(changed)
    return tuple(out)


def _is_empty(statement: ir.Stmt) -> bool:
    if isinstance(statement, ir.IfElse):
        return not _code(statement.then) and not _code(statement.otherwise)
    return isinstance(statement, ir.ForRange) and not _code(statement.body)


def _code(body: tuple[ir.Stmt, ...]) -> bool:
    return any(not isinstance(s, ir.Comment) for s in body)


def _has_effect(expr: ir.Expr) -> bool:
    if isinstance(expr, ir.Invoke) and (expr.function in _EFFECTS or expr.function.startswith(_PURE_PREFIX)):
        return True
    return any(_has_effect(operand) for operand in ir.operands(expr))


# --- walking ---------------------------------------------------------------------------------------


def _assigned(body: tuple[ir.Stmt, ...]) -> list[str]:
    return [s.target for s in ir.all_statements(body) if isinstance(s, ir.Let)]


def _reads(body: tuple[ir.Stmt, ...]) -> list[str]:
    return [name for s in ir.all_statements(body) for e in ir.own_expressions(s) for name in ir.names_in(e)]


def _names_of(body: tuple[ir.Stmt, ...]) -> set[str]:
    """Names read, those inside shapes and subscripts included."""
    return set(_reads(body))
