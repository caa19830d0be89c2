"""Other names for what a Python module defines at its top level, in the text of one definition."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class CannotRename(Exception):
    """The text says which name has a meaning that cannot be followed."""


def renamed(definition: str, new_names: Mapping[str, str]) -> str:
    """`definition` (one statement of the top level) with `new_names` where it means the module's names.

    A parameter of the same name hides the module's in its function. Names of keywords and attributes are
    never the module's. Raises CannotRename.
    """
    (node,) = ast.parse(definition).body
    lines = definition.encode().splitlines(keepends=True)
    if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in new_names:
        pattern = rb"\b" + re.escape(node.name.encode()) + rb"\b"
        line = lines[node.lineno - 1]
        lines[node.lineno - 1] = re.sub(pattern, new_names[node.name].encode(), line, count=1)
        shift = len(new_names[node.name].encode()) - len(node.name.encode())
    else:
        shift = 0
    uses = {(n.lineno, n.col_offset): n.id for n in _uses(node, frozenset(new_names), is_top=True)}
    for (number, column), name in sorted(uses.items(), reverse=True):
        text = lines[number - 1]
        start = column + (shift if number == node.lineno else 0)
        lines[number - 1] = text[:start] + new_names[name].encode() + text[start + len(name.encode()) :]
    return b"".join(lines).decode()


def _uses(node: ast.AST, names: frozenset[str], *, is_top: bool = False) -> Iterator[ast.Name]:
    """The names below `node` that mean the module's `names`."""
    if isinstance(node, ast.Name):
        if node.id in names:
            yield node
        return
    _refuse_other_bindings(node, names, is_top=is_top)
    inner = names - {a.arg for a in _parameters(node)} if isinstance(node, _Function) else names
    inside = set(map(id, _body(node)))
    for child in ast.iter_child_nodes(node):
        yield from _uses(child, inner if id(child) in inside else names)


def _parameters(node: _Function) -> list[ast.arg]:
    a = node.args
    return [*a.posonlyargs, *a.args, *a.kwonlyargs, *(x for x in (a.vararg, a.kwarg) if x is not None)]


def _body(node: ast.AST) -> list[ast.AST]:
    """Where a function's parameters are seen."""
    if isinstance(node, ast.Lambda):
        return [node.body]
    return list(node.body) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []


def _refuse_other_bindings(node: ast.AST, names: frozenset[str], *, is_top: bool) -> None:
    """Names that stand in no ast.Name, such as those of imports and of functions in functions."""
    if isinstance(node, ast.Attribute | ast.keyword | ast.Constant | ast.arg) or is_top:
        return
    found: set[str] = set()
    for _, value in ast.iter_fields(node):
        found |= {v for v in (value if isinstance(value, list) else [value]) if isinstance(v, str)}
    if clash := found & names:
        raise CannotRename(f"{min(clash)} is bound in a way that cannot be followed")
