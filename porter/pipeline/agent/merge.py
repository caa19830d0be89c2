"""Triton modules of one kernel each become one module: the compiler's, with the model's kernels behind it.

A name that two modules give to different things is changed in the later one. What cannot be merged without
changing its meaning is refused: the kernel is then left as it was.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from porter.pipeline.agent.rename import CannotRename, renamed

_FUTURE = "from __future__"
_Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


class CannotMerge(Exception):
    """The text says why a module cannot stand beside the others."""


def merge_module(base: str, kernel: str, module: str) -> str:
    """`base` with the definitions of `module`, whose launcher has the name of `kernel`.

    Both have to be Python that can be parsed. The module's docstring, and what it does when it is run as a
    script, are left out. An empty base is no module: then `module` is the result. Raises CannotMerge.
    """
    if not base.strip():
        return module
    known, added = _parts(base), _parts(module)
    if added.others:
        raise CannotMerge(f"line {added.others[0].lineno} does something when the module is imported")
    fresh = [d for d in added.definitions if d.text not in {k.text for k in known.definitions}]
    taken = {name for d in fresh for name in d.names if name in known.bound}
    if found := {kernel, f"{kernel}_"} & taken:
        raise CannotMerge(f"there is a {found.pop()} already")
    bound = known.bound | added.bound
    new_names = {name: _free(f"{kernel}_{name.strip('_')}", bound) for name in sorted(taken)}
    imports = tuple(_missing_imports(known, added))
    try:
        bodies = [renamed(d.text, new_names) for d in fresh]
    except CannotRename as error:
        raise CannotMerge(str(error)) from error
    return _joined(known, imports, bodies)


@dataclass(frozen=True)
class _Part:
    """A node of the top level with the comments before it, and the names that it binds."""

    text: str
    names: tuple[str, ...]
    lineno: int


@dataclass(frozen=True)
class _Parts:
    """`before` are the lines up to the block that runs as a script, which is `script`. `others` are
    statements that bind no name in a way that can be moved."""

    before: tuple[str, ...]
    script: str
    imports: Mapping[str, str]
    definitions: tuple[_Part, ...]
    others: tuple[_Part, ...]
    last_import_line: int
    docstring_end: int

    @property
    def bound(self) -> frozenset[str]:
        names = {n for part in (*self.definitions, *self.others) for n in part.names}
        return frozenset(names | self.imports.keys())


def _parts(text: str) -> _Parts:
    tree, lines = ast.parse(text), text.splitlines()
    imports: dict[str, str] = {}
    definitions: list[_Part] = []
    others: list[_Part] = []
    end, last_import, script_line = 0, 0, len(lines)
    for node in tree.body:
        before, end = end, node.end_lineno or node.lineno
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports |= dict(_bound_by(node))
            last_import = end
        elif _is_script(node) and node is tree.body[-1]:
            script_line = before
        elif not _is_docstring(node) and not _is_script(node):
            part = _Part("\n".join(lines[before:end]).strip("\n"), tuple(_names(node)), node.lineno)
            (definitions if isinstance(node, _Definition) else others).append(part)
    script = "\n".join(lines[script_line:]).strip("\n")
    docstring = tree.body[0] if tree.body and _is_docstring(tree.body[0]) else None
    top = docstring.end_lineno or 0 if docstring is not None else 0
    own = tuple(definitions), tuple(others)
    return _Parts(tuple(lines[:script_line]), script, imports, *own, last_import, top)


def _bound_by(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Each name that is bound, with a line that imports it alone."""
    for alias in node.names:
        name = alias.asname or alias.name.split(".")[0]
        if isinstance(node, ast.Import):
            yield name, ast.unparse(ast.Import([alias]))
        else:
            yield name, ast.unparse(ast.ImportFrom(node.module, [alias], node.level))


def _names(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
        return
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            yield inner.id


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_script(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).startswith("__name__ == ")


def _missing_imports(known: _Parts, added: _Parts) -> Iterator[str]:
    for name, line in added.imports.items():
        there = known.imports.get(name)
        if there is None and name in known.bound:
            raise CannotMerge(f"{name} is imported here and defined there")
        if there is not None and _imported(there) != _imported(line):
            raise CannotMerge(f"{name} is `{line}` here and `{there}` there")
        if there is None:
            yield line


def _imported(line: str) -> str:
    """What a line of `_bound_by` binds, however it is spelled: `a.b` for `import a.b as c`, and for
    `from a import b as c`; without a new name `import a.b` binds `a`."""
    (node,) = ast.parse(line).body
    assert isinstance(node, ast.Import | ast.ImportFrom)
    (alias,) = node.names
    if isinstance(node, ast.ImportFrom):
        return f"{'.' * node.level}{node.module or ''}.{alias.name}"
    return alias.name if alias.asname else alias.name.split(".")[0]


def _free(name: str, bound: frozenset[str]) -> str:
    while name in bound:
        name += "_"
    return name


def _joined(known: _Parts, imports: tuple[str, ...], bodies: list[str]) -> str:
    """What comes from the future has to be imported first: the harness sees what it changes."""
    future = [line for line in imports if line.startswith(_FUTURE)]
    other = [line for line in imports if not line.startswith(_FUTURE)]
    lines, top = known.before, known.docstring_end
    at = max(top, known.last_import_line)
    head = [*lines[:top], *([""] if top and future else []), *future]
    before = "\n".join((*head, *lines[top:at], *other, *lines[at:])).rstrip()
    return "\n\n\n".join(part for part in (before, *bodies, known.script) if part) + "\n"
