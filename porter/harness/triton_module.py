"""What a Triton module defines at its top level, read from its text."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import SourceText, Span

TRITON = "triton"
LANGUAGE = "triton.language"


@dataclass(frozen=True)
class ModuleShape:
    """Top-level definitions: `kernels` carry `@triton.jit`, the other `functions` are plain ones.

    `modules` maps the names that stand for modules to what they are (`tl` to `triton.language`); `repeated`
    are functions that are defined more than once.
    """

    tree: ast.Module
    functions: dict[str, ast.FunctionDef]
    kernels: frozenset[str]
    modules: Mapping[str, str]
    repeated: tuple[ast.FunctionDef, ...] = ()

    def parameters(self, function: str) -> tuple[str, ...]:
        found = self.functions.get(function)
        if found is None:
            return ()
        arguments = found.args
        return tuple(a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))

    @cached_property
    def launchable(self) -> frozenset[str]:
        """Kernels, and module variables made from one (`tuned = triton.autotune(…)(kernel)`)."""
        names = set(self.kernels)
        for statement in self.tree.body:
            if isinstance(statement, ast.Assign) and names_in(statement.value) & names:
                names |= {t.id for t in statement.targets if isinstance(t, ast.Name)}
        return frozenset(names)

    def reachable(self, roots: tuple[str, ...]) -> set[str]:
        """Functions used by `roots`, by the module's own statements, or by these in turn."""
        pending = [name for name in roots if name in self.functions]
        for statement in executed_statements(self.tree):
            pending += [name for name in names_in(statement) if name in self.functions]
        reached: set[str] = set()
        while pending:
            name = pending.pop()
            if name not in reached:
                reached.add(name)
                pending += [n for n in names_in(self.functions[name]) if n in self.functions]
        return reached

    def autotuned(self, launcher: str) -> frozenset[str]:
        """The kernels with several configurations that a launcher, or what it calls, launches."""
        used = _called(self, launcher)
        tuned = {name for name in self.kernels if _is_tuned(self.functions[name].decorator_list)}
        for statement in self.tree.body:
            if isinstance(statement, ast.Assign) and _is_tuned([statement.value]):
                targets = {t.id for t in statement.targets if isinstance(t, ast.Name)}
                if targets & used:
                    used |= names_in(statement.value)
                    tuned |= names_in(statement.value) & self.kernels
        return frozenset(self.functions[name].name for name in tuned & used)


def _called(shape: ModuleShape, launcher: str) -> set[str]:
    """Every name that a launcher and the functions it calls use."""
    pending, used = [launcher], {launcher}
    while pending:
        function = shape.functions.get(pending.pop())
        found = names_in(function) - used if function else set()
        used |= found
        pending += found
    return used


def _is_tuned(expressions: list[ast.expr]) -> bool:
    calls = (node for e in expressions for node in ast.walk(e) if isinstance(node, ast.Call))
    return any(isinstance(c.func, (ast.Attribute, ast.Name)) and _last(c.func) == "autotune" for c in calls)


def _last(function: ast.Attribute | ast.Name) -> str:
    return function.attr if isinstance(function, ast.Attribute) else function.id


def read_module(source: SourceText) -> ModuleShape | Diagnostic:
    """The module's shape, or where its syntax is wrong."""
    try:
        tree = ast.parse(source.data)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line, column = getattr(error, "lineno", None) or 1, getattr(error, "offset", None) or 1
        place = Span(source.path, 0, 0, line, column)
        return Diagnostic("VER001", Severity.ERROR, f"not a Python module: {error}", place)
    definitions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    functions = {node.name: node for node in definitions}
    counts = Counter(node.name for node in definitions)
    repeated = tuple(node for node in definitions if counts[node.name] > 1)
    functions |= _second_names(tree, functions)
    modules = _module_names(tree)
    kernels = frozenset(name for name, node in functions.items() if _is_jit(node, modules, tree))
    return ModuleShape(tree, functions, kernels, modules, repeated)


def _second_names(tree: ast.Module, functions: dict[str, ast.FunctionDef]) -> dict[str, ast.FunctionDef]:
    """`name = function` at the top level."""
    return {
        target.id: functions[statement.value.id]
        for statement in tree.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Name)
        for target in statement.targets
        if isinstance(target, ast.Name) and statement.value.id in functions
    }


def _module_names(tree: ast.Module) -> dict[str, str]:
    """The name of each imported module here, wherever it is imported."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                names[alias.asname or whole] = whole
        elif isinstance(node, ast.ImportFrom) and node.module == TRITON:
            for alias in node.names:
                if alias.name == "language":
                    names[alias.asname or alias.name] = LANGUAGE
    return names


def _is_jit(node: ast.FunctionDef, modules: Mapping[str, str], tree: ast.Module) -> bool:
    """`@triton.jit`, or `@jit` where that was imported from Triton."""
    imported = {
        alias.asname or alias.name
        for statement in tree.body
        if isinstance(statement, ast.ImportFrom) and statement.module == TRITON
        for alias in statement.names
        if alias.name == "jit"
    }
    return any(
        (isinstance(d, ast.Name) and d.id in imported)
        or (isinstance(d, ast.Attribute) and d.attr == "jit" and is_module(d.value, TRITON, modules))
        for d in map(_without_call, node.decorator_list)
    )


def _without_call(decorator: ast.expr) -> ast.expr:
    return decorator.func if isinstance(decorator, ast.Call) else decorator


def is_module(node: ast.AST, module: str, modules: Mapping[str, str]) -> bool:
    return isinstance(node, ast.Name) and modules.get(node.id) == module


def executed_statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """What runs on import, besides definitions of functions and imports."""
    for statement in imported_statements(tree):
        if not isinstance(statement, (ast.FunctionDef, ast.Import, ast.ImportFrom)):
            yield statement


def imported_statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """The module's statements without what runs only when it is the program."""
    for statement in tree.body:
        if isinstance(statement, ast.If) and _is_program_only(statement.test):
            yield from statement.orelse
        else:
            yield statement


def _is_program_only(test: ast.expr) -> bool:
    """`__name__ == "__main__"`, maybe with further conditions."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return _is_program_only(test.values[0])
    match test:
        case ast.Compare(
            left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant(value="__main__")]
        ):
            return True
    return False


def names_in(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
