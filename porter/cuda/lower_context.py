"""What lowering knows while it walks a kernel: bindings, the statements built so far, the reason to decline.

The `lower_*` modules register what they lower (`@expression`, `@statement`, `@intrinsic`) and call each other
only through `Lowering`, so a new construct is a new function and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import Span
from porter.cuda.assigned_variables import assigned_declarations
from porter.cuda.clang_cursor import (
    ClangType,
    Cursor,
    Kind,
    declaration_key,
)
from porter.cuda.clang_unit import ClangUnit
from porter.cuda.kir import (
    AddressOf,
    Array,
    Assign,
    Barrier,
    Binary,
    Bitcast,
    Builtin,
    Call,
    CallFunction,
    Cast,
    Const,
    Declare,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    Index,
    Lvalue,
    Member,
    Stmt,
    Storage,
    Type,
    Unary,
    Variable,
    VarRef,
    Void,
    While,
)
from porter.cuda.lower_types import UnsupportedType, lower_type
from porter.cuda.source_comments import comment_map
from porter.cuda.warp import WARP_SIZE


class Decline(Exception):
    """The kernel cannot be said in the IR; `lower_kernels` turns it into `NotLowered`."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


# Other threads may store to everything else between two reads.
_THREADS_OWN = (Storage.LOCAL, Storage.PARAMETER, Storage.CONSTANT)
COMMENTED = (Declare, Assign, Evaluate, If, For, While, Barrier)

ExpressionLowering = Callable[["Lowering", Cursor], Expr]
StatementLowering = Callable[["Lowering", Cursor], None]
EXPRESSIONS: dict[Kind, ExpressionLowering] = {}
STATEMENTS: dict[Kind, StatementLowering] = {}
EFFECTS: dict[Kind, StatementLowering] = {}


def expression(*kinds: Kind) -> Callable[[ExpressionLowering], ExpressionLowering]:
    def register(function: ExpressionLowering) -> ExpressionLowering:
        EXPRESSIONS.update(dict.fromkeys(kinds, function))
        return function

    return register


def statement(*kinds: Kind) -> Callable[[StatementLowering], StatementLowering]:
    def register(function: StatementLowering) -> StatementLowering:
        STATEMENTS.update(dict.fromkeys(kinds, function))
        return function

    return register


def effect(*kinds: Kind) -> Callable[[StatementLowering], StatementLowering]:
    """For expressions whose value is not used."""

    def register(function: StatementLowering) -> StatementLowering:
        EFFECTS.update(dict.fromkeys(kinds, function))
        return function

    return register


@dataclass
class Program:
    """What one kernel collects while its functions are lowered."""

    unit: ClangUnit
    block_is_1d: bool = False
    largest_tile: int = WARP_SIZE
    functions: dict[str, Function] = field(default_factory=dict)
    function_names: dict[int, str] = field(default_factory=dict)
    impure_functions: set[str] = field(default_factory=set)
    taken_names: set[str] = field(default_factory=set)
    globals: dict[int, Variable] = field(default_factory=dict)
    shared: dict[int, Variable] = field(default_factory=dict)
    hoisted_shared: list[Stmt] = field(default_factory=list)
    active: list[int] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    n_inlined: int = 0
    call_results: set[Variable] = field(default_factory=set)
    mutable: set[Variable] = field(default_factory=set)
    assigned: dict[int, frozenset[int]] = field(default_factory=dict)

    def assigned_in(self, function: Cursor) -> frozenset[int]:
        """Keys of the variables `function` stores to, increments, or hands out by reference or address."""
        key = declaration_key(function)
        if key not in self.assigned:
            self.assigned[key] = assigned_declarations(function)
        return self.assigned[key]


@dataclass
class Lowering:
    """One function body being lowered. `bindings` maps declarations to what stands for them."""

    program: Program
    bindings: dict[int, Expr]
    assigned: frozenset[int]
    this: Expr | None = None
    in_kernel: bool = True
    out: list[Stmt] = field(default_factory=list)
    call_site: Span | None = None

    @property
    def unit(self) -> ClangUnit:
        return self.program.unit

    # --- places, types, reasons ---

    def span(self, cursor: Cursor) -> Span:
        span = self.unit.span(cursor)
        return self.call_site if span.start == 0 and span.end == 0 and self.call_site else span

    def decline(self, code: str, message: str, cursor: Cursor, hint: str = "") -> Decline:
        return Decline(Diagnostic(code, Severity.ERROR, message, self.span(cursor), hint))

    def type_of(self, type_: ClangType, at: Cursor) -> Type:
        """The KIR type; declines at `at` where there is none."""
        spelling = type_.spelling
        known = self.program.types.get(spelling)
        if known is not None and "type-parameter" not in spelling:
            return known
        try:
            lowered = lower_type(type_)
        except UnsupportedType as problem:
            raise self.decline(problem.code, str(problem), at) from None
        if type_.kind == type_.get_canonical().kind:
            self.program.types[spelling] = lowered
        return lowered

    def comments(self, cursor: Cursor) -> tuple[str, ...]:
        """The comments of a statement: those of the line it is the first on."""
        span = self.unit.span(cursor)
        source = self.unit.text_of(span)
        line_start = source.text.rfind("\n", 0, span.start) + 1
        if source.text[line_start : span.start].strip():
            return ()
        return comment_map(source).of_line(span.line)

    # --- dispatch ---

    def value(self, cursor: Cursor) -> Expr:
        """The value of an expression; effects it has are emitted first."""
        handler = EXPRESSIONS.get(cursor.kind)
        if handler is None:
            raise self.decline("TIL015", f"this expression ({_kind_name(cursor)}) is not supported", cursor)
        return handler(self, cursor)

    def lvalue(self, cursor: Cursor) -> Lvalue:
        lowered = self.value(cursor)
        if not isinstance(lowered, (VarRef, Index, Member)):
            raise self.decline("TIL017", "this place to store to cannot be followed", cursor)
        return lowered

    def run(self, cursor: Cursor) -> None:
        """A statement, or an expression whose value is not used."""
        handler = STATEMENTS.get(cursor.kind) or EFFECTS.get(cursor.kind)
        if handler is not None:
            handler(self, cursor)
        elif cursor.kind in EXPRESSIONS:
            self.value(cursor)
        else:
            raise self.decline("TIL016", f"this statement ({_kind_name(cursor)}) is not supported", cursor)

    # --- building ---

    def bind(self, declaration: Cursor, value: Expr) -> None:
        """Lets `declaration` stand for `value` from here on."""
        key = declaration_key(declaration)
        self.bindings[key] = value
        if key in self.assigned and isinstance(value, VarRef):
            self.program.mutable.add(value.variable)

    def emit(self, statement: Stmt) -> None:
        self.out.append(statement)

    def comment(self, position: int, comments: tuple[str, ...]) -> None:
        """Gives the statement emitted at `position` its comments, if it can carry any."""
        emitted = self.out[position]
        if isinstance(emitted, COMMENTED) and not emitted.comments:
            self.out[position] = replace(emitted, comments=comments)

    @contextmanager
    def block(self) -> Iterator[list[Stmt]]:
        """Collects what is emitted inside into a list of its own."""
        saved, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = saved

    def body(self, cursor: Cursor) -> tuple[Stmt, ...]:
        with self.block() as statements:
            self.run(cursor)
        return tuple(statements)

    def fresh(self, name: str, type_: Type, span: Span) -> Variable:
        """A temporary with a name no other temporary of the kernel has."""
        count = self.program.names.get(name, 0)
        self.program.names[name] = count + 1
        return Variable(name if count == 0 else f"{name}_{count + 1}", type_, Storage.LOCAL, span)

    def temporary(self, name: str, value: Expr, span: Span) -> VarRef:
        variable = self.fresh(name, value.type, span)
        self.emit(Declare(variable, value, span))
        return VarRef(variable, variable.type, span)

    def effect_call(self, call: Call | CallFunction, name: str) -> Expr:
        """Emits a call with an effect; its value is a temporary, or nothing for `void`."""
        if isinstance(call.type, Void):
            self.emit(Evaluate(call, call.span))
            return Const(0, call.type, call.span)
        result = self.temporary(name, call, call.span)
        self.program.call_results.add(result.variable)
        return result

    def direct(self, value: Expr) -> Expr:
        """`value`, or the call of the temporary emitted just before for it, which then disappears."""
        last = self.out[-1] if self.out else None
        if not isinstance(value, VarRef) or not isinstance(last, Declare) or last.value is None:
            return value
        if last.variable is not value.variable or value.variable not in self.program.call_results:
            return value
        self.out.pop()
        self._forget_name(last.variable.name)
        return last.value

    def _forget_name(self, name: str) -> None:
        stem, _, number = name.rpartition("_")
        base = stem if number.isdigit() and stem in self.program.names else name
        if self.program.names.get(base, 0) > 0:
            self.program.names[base] -= 1

    def assign(self, target: Lvalue, value: Expr, span: Span, comments: tuple[str, ...] = ()) -> None:
        self.emit(Assign(target, self.direct(value), span, comments))

    # --- stability: may an expression be evaluated later and still give the same value? ---

    def is_stable(self, value: Expr) -> bool:
        """No memory is read and no variable that the function assigns to."""
        if isinstance(value, (Const, Builtin)):
            return True
        if isinstance(value, VarRef):
            return isinstance(value.type, Array) or (
                value.variable.storage in _THREADS_OWN and value.variable not in self.program.mutable
            )
        if isinstance(value, (Unary, Cast, Bitcast)):
            return self.is_stable(value.operand)
        if isinstance(value, Binary):
            return self.is_stable(value.left) and self.is_stable(value.right)
        if isinstance(value, AddressOf):
            return self.is_stable_place(value.lvalue)
        return False

    def is_stable_place(self, place: Expr) -> bool:
        """Whether an lvalue names the same place however often it is evaluated."""
        if isinstance(place, VarRef):
            return True
        if isinstance(place, Member):
            return self.is_stable_place(place.base)
        if isinstance(place, Index):
            base_ok = (
                self.is_stable_place(place.base)
                if isinstance(place.base.type, Array)
                else self.is_stable(place.base)
            )
            return base_ok and self.is_stable(place.index)
        return False

    def freeze_place(self, place: Lvalue, name: str) -> Lvalue:
        """The same place with every part that could change copied into temporaries now."""
        if self.is_stable_place(place):
            return place
        if isinstance(place, Member):
            base = place.base
            if isinstance(base, (VarRef, Index, Member)):
                base = self.freeze_place(base, name)
            return Member(base, place.field, place.type, place.span)
        if isinstance(place, Index):
            return self._freeze_index(place, name)
        return place

    def _freeze_index(self, place: Index, name: str) -> Index:
        base = place.base
        if isinstance(base.type, Array):
            if isinstance(base, (VarRef, Index, Member)):
                base = self.freeze_place(base, name)
        elif isinstance(base, AddressOf) and isinstance(base.lvalue, (VarRef, Index, Member)):
            base = AddressOf(self.freeze_place(base.lvalue, name), base.type, base.span)
        else:
            base = self.freeze(base, f"{name}_base")
        return Index(base, self.freeze(place.index, f"{name}_index"), place.type, place.span)

    def freeze(self, value: Expr, name: str) -> Expr:
        """`value`, copied into a temporary unless it is stable."""
        if self.is_stable(value):
            return value
        if isinstance(value, AddressOf):
            return AddressOf(self.freeze_place(value.lvalue, name), value.type, value.span)
        return self.temporary(name, value, value.span)

    # --- frames ---

    def inner_frame(self, function: Cursor, this: Expr | None, call_site: Span) -> Lowering:
        """A frame for a function whose body is lowered in place: it sees the caller's bindings and output."""
        return Lowering(
            self.program,
            self.bindings,
            self.assigned | self.program.assigned_in(function),
            this,
            self.in_kernel,
            self.out,
            call_site,
        )


def _kind_name(cursor: Cursor) -> str:
    return str(cursor.kind.name).lower().replace("_", " ")
