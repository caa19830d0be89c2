"""Readable text of KIR for goldens and debugging: one statement a line, types where they are declared.

`kir_parser.parse_kernel` reads it back; docs/kernel-ir.md has the grammar. Statements of later stages
(`Extension`) are written field by field.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from porter.cuda.kir import (
    Assign,
    Barrier,
    Break,
    Continue,
    Declare,
    Evaluate,
    Expr,
    Extension,
    For,
    Function,
    If,
    Kernel,
    Return,
    Stmt,
    Storage,
    Struct,
    Type,
    Variable,
    VarRef,
    While,
)
from porter.cuda.kir_expression_text import ExpressionText
from porter.cuda.kir_names import (
    TypeNames,
    format_number,
    numbered,
    quoted,
    quoted_function,
    quoted_qualified,
    template_argument,
)
from porter.cuda.kir_walk import extension_fields, is_expression, kernel_types, variables

_VALUES_PER_LINE = 16


def print_kernel(kernel: Kernel) -> str:
    """The kernel, its records, globals and functions, each ending with a newline."""
    types = TypeNames(kernel_types(kernel))
    printer = _Printer(types, {})
    shared = [line for v in kernel.globals for line in printer.variable(v)]
    head = printer.kernel_head(kernel)  # the kernel's names before those of functions that see its variables
    body = list(printer.statements(kernel.body))
    lines = [*(_record(s, name, types) for s, name in types.records.items()), *shared]
    for function in kernel.functions.values():
        lines += [*printer.function(function, kernel.globals), ""]
    lines += [f"# {c}" for c in kernel.comments]
    return "\n".join([*lines, head, *_indented(body), "}"]) + "\n"


def print_expression(expr: Expr) -> str:
    """An expression by itself, its variables by their own names."""
    return ExpressionText(TypeNames(), {}).of(expr)


def _record(record: Struct, name: str, types: TypeNames) -> str:
    fields = [f"{quoted(field)}: {types.text(type_)}" for field, type_ in record.fields]
    if record.offsets_bytes:
        fields = [f"{f} at {o}" for f, o in zip(fields, record.offsets_bytes, strict=True)]
    size = f" of {record.size_bytes} bytes" if record.size_bytes else ""
    return f"struct {name} {{{', '.join(fields)}}}{size}"


class _Printer:
    """`names` has the text of each variable that is visible where it prints."""

    def __init__(self, types: TypeNames, names: dict[Variable, str]) -> None:
        self.types = types
        self.names = names
        self.taken = {*names.values(), *types.records.values()}
        self.expressions = ExpressionText(types, names)

    def inside(self) -> _Printer:
        """For a block, whose names end with it."""
        return _Printer(self.types, dict(self.names))

    def introduce(self, variable: Variable, default: Storage) -> str:
        """`name: type`, with the storage where it is not what stands there by default."""
        name = numbered(quoted(variable.name), self.taken.__contains__)
        self.taken.add(name)
        self.names[variable] = name
        storage = "" if variable.storage is default else f"{variable.storage.value} "
        return f"{storage}{name}: {self.types.text(variable.type)}"

    # --- heads ---

    def variable(self, variable: Variable) -> Iterator[str]:
        """A variable of the whole program."""
        yield f"{variable.storage.value} {self.introduce(variable, variable.storage)}{_initial(variable)}"

    def kernel_head(self, kernel: Kernel) -> str:
        arguments = ", ".join(template_argument(a) for a in kernel.template_arguments)
        shown = f"<{arguments}>" if arguments else ""
        bounds = ", ".join(map(str, kernel.launch_bounds))
        name = quoted_qualified(kernel.name)
        head = f"kernel {name}{shown}({self.parameters(kernel.parameters)})"
        return f"{head} launch_bounds({bounds}) {{" if bounds else f"{head} {{"

    def parameters(self, parameters: Iterable[Variable]) -> str:
        return ", ".join(self.introduce(v, Storage.PARAMETER) for v in parameters)

    def function(self, function: Function, known: Iterable[Variable]) -> Iterator[str]:
        """A function sees the records, the globals and what it mentions of the kernel's shared variables."""
        seen = {*known, *variables(function.body)}
        inner = _Printer(self.types, {v: name for v, name in self.names.items() if v in seen})
        yield from (f"# {c}" for c in function.comments)
        head = f"function {quoted_function(function.name)}({inner.parameters(function.parameters)})"
        yield f"{head} -> {self.types.text(function.returns)} {{"
        yield from _indented(inner.statements(function.body))
        yield "}"

    # --- statements ---

    def statements(self, body: Iterable[Stmt]) -> Iterator[str]:
        """The lines of a statement list, without indentation of its own."""
        for statement in body:
            for comment in getattr(statement, "comments", ()):
                yield f"# {comment}"
            yield from self.statement(statement)

    def statement(self, statement: Stmt) -> Iterator[str]:
        if isinstance(statement, If):
            yield from self.branches(statement)
        elif isinstance(statement, For):
            yield from self.inside().loop(statement)
        elif isinstance(statement, While):
            yield from self.repeat(statement)
        elif isinstance(statement, Extension):
            yield from self.extension(statement)
        else:
            yield self.simple(statement)

    def simple(self, statement: Stmt) -> str:
        value = self.expressions.of
        if isinstance(statement, Declare):
            return self.declare(statement)
        if isinstance(statement, Assign):
            return self.assign(statement)
        if isinstance(statement, Evaluate):
            return value(statement.call)
        if isinstance(statement, Barrier):
            return f"barrier {statement.scope}"
        if isinstance(statement, Return):
            return "return" if statement.value is None else f"return {value(statement.value)}"
        return {Break: "break", Continue: "continue"}[type(statement)]

    def declare(self, statement: Declare) -> str:
        value = "" if statement.value is None else f" = {self.expressions.of(statement.value)}"
        return f"{self.introduce(statement.variable, Storage.LOCAL)}{value}{_initial(statement.variable)}"

    def assign(self, statement: Assign) -> str:
        """A variable that its first assignment declares is written as declared there."""
        value = self.expressions.of(statement.value)
        target = statement.target
        if isinstance(target, VarRef) and target.variable not in self.names:
            return f"{self.introduce(target.variable, Storage.LOCAL)} = {value}"
        return f"{self.expressions.of(target)} = {value}"

    def block(self, body: Iterable[Stmt]) -> Iterator[str]:
        yield from _indented(self.inside().statements(body))

    def branches(self, statement: If) -> Iterator[str]:
        yield f"if {self.expressions.of(statement.condition)} {{"
        yield from self.block(statement.then)
        while (following := _only_if(statement.otherwise)) is not None:
            statement = following
            yield f"}} else if {self.expressions.of(statement.condition)} {{"
            yield from self.block(statement.then)
        if statement.otherwise:
            yield "} else {"
            yield from self.block(statement.otherwise)
        yield "}"

    def loop(self, statement: For) -> Iterator[str]:
        """Called on a printer of its own: what `init` declares ends with the loop."""
        init = self.header(statement.init)
        condition = self.expressions.of(statement.condition)
        yield f"for {init}; {condition}; {self.inside().header(statement.step)} {{"
        yield from self.block(statement.body)
        yield "}"

    def header(self, body: tuple[Stmt, ...]) -> str:
        """Plain statements with commas between them; what needs lines of its own as a block."""
        if all(_is_plain(s) for s in body):
            return ", ".join(self.simple(s) for s in body)
        return "\n".join(["{", *_indented(self.statements(body)), "}"])

    def repeat(self, statement: While) -> Iterator[str]:
        condition = self.expressions.of(statement.condition)
        yield "do {" if statement.do_while else f"while {condition} {{"
        yield from self.block(statement.body)
        yield f"}} while {condition}" if statement.do_while else "}"

    # --- statements of later stages ---

    def extension(self, statement: Extension) -> Iterator[str]:
        """`GroupReduce target=total: float32 value=x op="+" …`: variables first, a block at the end."""
        fields = extension_fields(statement)
        inner = self.inside()
        parts: dict[str, str] = {}
        for name, value in fields.items():
            if isinstance(value, Variable):
                parts[name] = (inner if name in statement.bound else self).mention(value)
                inner.see(value, self.names)
        for name, value in fields.items():
            if not isinstance(value, (Variable, tuple)):
                parts[name] = inner.field(value)
        blocks = [value for value in fields.values() if isinstance(value, tuple)]
        head = " ".join([type(statement).__name__, *(f"{n}={t}" for n, t in parts.items())])
        yield f"{head} {{" if blocks else head
        for block in blocks:
            yield from inner.block(block)
            yield "}"

    def mention(self, variable: Variable) -> str:
        """The name of a visible variable; another one with its type, visible from here on."""
        return self.names.get(variable) or self.introduce(variable, Storage.LOCAL)

    def see(self, variable: Variable, names: dict[Variable, str]) -> None:
        """Takes over what was introduced outside."""
        if variable in names:
            self.names[variable] = names[variable]
            self.taken.add(names[variable])

    def field(self, value: object) -> str:
        if value is None:
            return "none"
        if isinstance(value, Enum):
            return f'"{value.value}"'
        if isinstance(value, Type):
            return self.types.text(value)
        if is_expression(value):
            return self.expressions.of(value)
        assert isinstance(value, (int, float))
        return format_number(value)


def _indented(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield from (f"  {part}" for part in line.split("\n"))


def _only_if(otherwise: tuple[Stmt, ...]) -> If | None:
    """The one `If` of an else branch, which may stand behind the `else`; its comments need a line."""
    only = otherwise[0] if len(otherwise) == 1 else None
    return only if isinstance(only, If) and not only.comments else None


def _is_plain(statement: Stmt) -> bool:
    compound = isinstance(statement, (If, For, While, Extension))
    return not compound and not getattr(statement, "comments", ())


def _initial(variable: Variable) -> str:
    """The elements on one line, or sixteen a line."""
    if variable.initial is None:
        return ""
    shown = [format_number(v) for v in variable.initial]
    if len(shown) <= _VALUES_PER_LINE:
        return f" = {{{', '.join(shown)}}}"
    starts = range(0, len(shown), _VALUES_PER_LINE)
    return " = {\n" + ",\n".join(f"  {', '.join(shown[i : i + _VALUES_PER_LINE])}" for i in starts) + "\n}"
