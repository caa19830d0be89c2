"""Whether a Triton module does its work in Triton kernels: a check of its text before it is run.

What counts is the code a launcher reaches. The `if __name__ == "__main__":` block and functions only it
uses may do as they please. The check is on purpose narrower than Python: a port has no need to import
`os`, to assign to another module, or to multiply matrices with torch. What it cannot see it refuses: a module
is used by `module.name` only, so that no other name can stand for one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import SourceText, Span
from porter.harness.triton_machine import asks_the_machine, chosen_by_the_machine
from porter.harness.triton_module import (
    LANGUAGE,
    TRITON,
    ModuleShape,
    executed_statements,
    imported_statements,
    names_in,
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TORCH = _words("""
    Tensor Size dtype device float16 bfloat16 float32 float64 half float double int8 int16 int32 int64
    uint8 uint16 uint32 uint64 int long short bool empty empty_like empty_strided zeros zeros_like ones
    full full_like tensor as_tensor arange cuda finfo iinfo no_grad version float8_e4m3fn float8_e5m2
    float8_e4m3fnuz float8_e5m2fnuz get_default_device is_tensor
""")
_TRITON = _words("""
    jit cdiv next_power_of_2 Config autotune heuristics language constexpr_function
    TRITON_MAX_TENSOR_NUMEL __version__ set_allocator
""")
# What these modules offer to others, without what reads text as code or imports by name.
_PUBLIC = {
    "__future__": _words("annotations"),
    "typing": _words("""
        Any Callable Dict List Optional Sequence Tuple Union NamedTuple Literal Iterable Mapping Final
        TYPE_CHECKING Protocol TypeAlias ClassVar
    """),
    "dataclasses": _words("dataclass field replace"),
    "functools": _words("partial reduce"),
    "enum": _words("Enum IntEnum IntFlag Flag auto"),
    "collections": _words("namedtuple OrderedDict defaultdict"),
}
_MODULES = frozenset(_PUBLIC) | {"torch", TRITON, "math"}
# Modules that triton.language has inside, and from which the rest of Python is in reach.
_INSIDE_LANGUAGE = _words("core standard semantic builtins")
_COMPUTING_METHODS = _words("""
    abs add add_ addmm addmm_ argmax argmin argsort baddbmm bincount bmm clamp clamp_ conv1d conv2d cos
    cosh cumprod cumsum cumsum_ diff div div_ dot einsum erf exp exp_ flip gather gelu histc index_add
    index_add_ index_copy_ index_select layer_norm log log_softmax log1p logsumexp lu masked_fill
    masked_fill_ masked_select matmul mean mm mul mul_ multiply mv neg nonzero norm numpy outer pow pow_
    prod put_ reciprocal relu relu_ roll rsqrt scatter scatter_ scatter_add scatter_add_ sigmoid sin
    softmax sort sqrt std sub sub_ sum take tan tanh tensordot topk tril triu unique var where apply_ map_
    tolist
""")
_BUILTINS = _words("""
    open exec eval compile __import__ globals locals vars setattr delattr getattr hasattr breakpoint input
    memoryview __builtins__ dir help exit quit super
""")
# What makes a text of a value, or tells two kinds of kernel apart.
_ASKING = _words("str repr format type isinstance hash id print callable bool")
_DUNDERS = {"__version__"}
_HOOKS = {"__init__", "__post_init__"}
_DECORATORS = _words("jit autotune heuristics")


def check_module(
    source: SourceText, shape: ModuleShape, launchers: tuple[str, ...], *, strict: bool = False
) -> tuple[Diagnostic, ...]:
    """Every reason why the module cannot count as a port; empty when there is none.

    With `strict` it may not ask for the machine at all.
    """
    reached = shape.reachable(launchers)
    by_machine = asks_the_machine if strict else chosen_by_the_machine
    findings = [*_check_imports(shape), *by_machine(shape, reached)]
    findings += [(node, "VER005", f"defines {node.name} more than once") for node in shape.repeated]
    for statement in executed_statements(shape.tree):
        findings += _check_host(statement, shape)
    for name in sorted(reached):
        node = shape.functions[name]
        findings += _check_kernel(node, shape) if name in shape.kernels else _check_host(node, shape)
    for name in launchers:
        if name in shape.functions and not _reaches_a_launch(shape, name):
            findings.append((shape.functions[name], "VER002", f"{name} launches no Triton kernel"))
    ordered = sorted(set(findings), key=lambda f: (getattr(f[0], "lineno", 0), f[1], f[2]))
    return tuple(dict.fromkeys(_diagnostic(source, *finding) for finding in ordered))


_Finding = tuple[ast.AST, str, str]


def _diagnostic(source: SourceText, node: ast.AST, code: str, message: str) -> Diagnostic:
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
    return Diagnostic(code, Severity.ERROR, message, Span(source.path, 0, 0, line, column))


def _check_imports(shape: ModuleShape) -> Iterator[_Finding]:
    for statement in imported_statements(shape.tree):
        for node in ast.walk(statement):
            for name in _imported(node):
                yield node, "VER003", f"imports {name}, which a port has no use for"


def _imported(node: ast.AST) -> list[str]:
    """What a statement imports that a port may not have."""
    if isinstance(node, ast.Import):
        return [a.name for a in node.names if a.name not in _MODULES | {LANGUAGE}]
    if not isinstance(node, ast.ImportFrom):
        return []
    module = node.module or "."
    if node.level or (module not in _MODULES and not f"{module}.".startswith(f"{LANGUAGE}.")):
        return [module]
    return [f"{module}.{a.name}" for a in node.names if not _is_public(module, a.name)]


def _is_public(module: str, name: str) -> bool:
    """Whether a port may use this name of a module that it may import."""
    if name.startswith("_") and name not in _DUNDERS:
        return False
    if module == "torch":
        return name in _TORCH
    if module == TRITON:
        return name in _TRITON
    if module == "math":
        return True
    return name in _PUBLIC[module] if module in _PUBLIC else name not in _INSIDE_LANGUAGE


def _check_host(node: ast.AST, shape: ModuleShape) -> Iterator[_Finding]:
    """Host code may allocate, view and launch."""
    yield from _check_common(node, shape)
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute) and _computes(inner, shape):
            yield inner, "VER004", f"computes with .{inner.attr}() outside a Triton kernel"
        if isinstance(inner, (ast.BinOp, ast.AugAssign)) and isinstance(inner.op, ast.MatMult):
            yield inner, "VER004", "multiplies matrices outside a Triton kernel"
        yield from _check_stores(inner)


def _computes(attribute: ast.Attribute, shape: ModuleShape) -> bool:
    """A tensor's method that computes; `math.exp` of a scalar is none."""
    of_module = isinstance(attribute.value, ast.Name) and attribute.value.id in shape.modules
    return attribute.attr in _COMPUTING_METHODS and not of_module


def _check_stores(node: ast.AST) -> Iterator[_Finding]:
    """An element may be set to a constant: `out[0] = 0`."""
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
        plain = {id(t) for t in node.targets if isinstance(t, ast.Subscript)}
        targets = [t for t in node.targets if id(t) not in plain]
    elif isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.For, ast.comprehension, ast.NamedExpr)):
        targets = [node.target]
    elif isinstance(node, ast.withitem):
        targets = [node.optional_vars] if node.optional_vars else []
    elif isinstance(node, ast.Delete):
        targets = node.targets
    else:
        return
    for target in targets:
        for inner in ast.walk(target):
            if isinstance(inner, ast.Attribute) and not isinstance(inner.ctx, ast.Load):
                yield inner, "VER005", f"assigns to {ast.unparse(inner)}, which is not its own"
            elif isinstance(inner, ast.Subscript) and not isinstance(inner.ctx, ast.Load):
                yield inner, "VER004", f"stores into {ast.unparse(inner)} outside a Triton kernel"


def _check_kernel(node: ast.FunctionDef, shape: ModuleShape) -> Iterator[_Finding]:
    """The interpreter runs a kernel as Python, so torch would work in one; on a GPU it would not."""
    yield from _check_common(node, shape)
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if name not in _DECORATORS or (isinstance(called, ast.Name) and name in shape.functions):
            yield decorator, "VER005", f"replaces the kernel {node.name} by {ast.unparse(decorator)}"
    for inner in (i for statement in node.body for i in ast.walk(statement)):
        if isinstance(inner, ast.Name) and shape.modules.get(inner.id) in ("torch", "math"):
            yield inner, "VER006", f"uses {inner.id} inside a Triton kernel"
        if isinstance(inner, ast.Attribute) and inner.attr in ("handle", "data", "numpy", "tolist"):
            yield inner, "VER006", f"reads .{inner.attr} inside a Triton kernel"
        if isinstance(inner, (ast.Import, ast.ImportFrom, ast.Try, ast.With, ast.ClassDef, ast.Lambda)):
            yield inner, "VER006", f"has a {type(inner).__name__.lower()} statement inside a Triton kernel"


def _check_common(node: ast.AST, shape: ModuleShape) -> Iterator[_Finding]:
    bases = {id(n.value) for n in ast.walk(node) if isinstance(n, ast.Attribute)}
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            yield from _check_name(inner, shape, is_base=id(inner) in bases)
        elif isinstance(inner, ast.Attribute):
            yield from _check_attribute(inner, shape)
        elif isinstance(inner, ast.MatchClass) and inner.kwd_attrs:
            yield inner, "VER005", "reads attributes in a pattern"
        elif isinstance(inner, (ast.Global, ast.Nonlocal)):
            yield inner, "VER005", "keeps state between launches"
        elif isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from _check_definition(inner)
        elif isinstance(inner, (ast.Call, ast.FormattedValue)):
            yield from _check_question(inner, shape)


def _check_name(name: ast.Name, shape: ModuleShape, *, is_base: bool) -> Iterator[_Finding]:
    if name.id in _BUILTINS or name.id.startswith("__"):
        yield name, "VER005", f"uses {name.id}"
    elif name.id in shape.modules and not is_base:
        yield name, "VER005", f"uses the module {name.id} as a value"


def _check_attribute(node: ast.Attribute, shape: ModuleShape) -> Iterator[_Finding]:
    if node.attr.startswith("_") and node.attr not in _DUNDERS:
        yield node, "VER005", f"uses .{node.attr}"
        return
    path = _path(node, shape)
    if not path:
        return
    module, *names = path
    if module == LANGUAGE or names[:1] == ["language"]:
        if found := [n for n in names if n in _INSIDE_LANGUAGE]:
            yield node, "VER005", f"reaches into {module}.{found[0]}"
    elif len(names) == 1 and module in _MODULES and not _is_public(module, names[0]):
        code = "VER004" if module == "torch" else "VER005"
        does = "calls" if module == "torch" else "reaches into"
        yield node, code, f"{does} {module}.{names[0]} outside a Triton kernel"


def _path(node: ast.expr, shape: ModuleShape) -> list[str]:
    """`tl.math.exp` as `triton.language`, `math`, `exp`; empty where it does not begin with a module."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    module = shape.modules.get(node.id) if isinstance(node, ast.Name) else None
    return [module, *reversed(names)] if module else []


def _check_definition(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterator[_Finding]:
    if node.name.startswith("__") and node.name not in _HOOKS:
        yield node, "VER005", f"defines {node.name}, which Python calls by itself"
    if isinstance(node, ast.ClassDef):
        return
    for default in (*node.args.defaults, *node.args.kw_defaults):
        if isinstance(default, (ast.Dict, ast.List, ast.Set, ast.Call)):
            yield default, "VER005", "keeps state between launches"


def _check_question(node: ast.Call | ast.FormattedValue, shape: ModuleShape) -> Iterator[_Finding]:
    """A kernel that is interpreted is of another type than one that is compiled."""
    if isinstance(node, ast.FormattedValue):
        asked = names_in(node.value)
    elif isinstance(node.func, ast.Name) and node.func.id in _ASKING:
        asked = {n for argument in node.args for n in names_in(argument)}
        if node.func.id == "type" and len(node.args) != 1:
            yield node, "VER005", "makes a class by type()"
    else:
        return
    if kernels := asked & shape.launchable:
        yield node, "VER005", f"asks what {min(kernels)} is"


def _reaches_a_launch(shape: ModuleShape, name: str) -> bool:
    """`kernel[grid](…)` in the function itself or in one it calls; a kernel is its own launch."""
    if name in shape.kernels:
        return True
    reached = shape.reachable((name,)) - shape.kernels
    targets = (
        inner.func.value
        for function in reached
        for inner in ast.walk(shape.functions[function])
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Subscript)
    )
    return any(names_in(target) & shape.launchable for target in targets)
