"""Whether a Triton module does its work in Triton kernels: a check of its text before it is run.

What counts is the code a launcher reaches. The `if __name__ == "__main__":` block and functions only it
uses may do as they please. The check is on purpose narrower than Python: a port has no need to import
`os`, to assign to another module, or to multiply matrices with torch.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import SourceText, Span


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MODULES = {
    "__future__",
    "torch",
    "triton",
    "math",
    "typing",
    "dataclasses",
    "functools",
    "enum",
    "collections",
}
_TORCH = _words("""
    Tensor Size dtype device float16 bfloat16 float32 float64 half float double int8 int16 int32 int64
    uint8 uint16 uint32 uint64 int long short bool empty empty_like empty_strided zeros zeros_like ones
    full full_like tensor as_tensor arange cuda finfo iinfo no_grad version float8_e4m3fn float8_e5m2
    float8_e4m3fnuz float8_e5m2fnuz get_default_device is_tensor
""")
_TRITON = _words("""
    jit cdiv next_power_of_2 Config autotune heuristics language constexpr_function testing
    TRITON_MAX_TENSOR_NUMEL knobs __version__ set_allocator
""")
_COMPUTING_METHODS = _words("""
    abs add add_ addmm addmm_ argmax argmin argsort baddbmm bincount bmm clamp clamp_ conv1d conv2d cos
    cosh cumprod cumsum cumsum_ diff div div_ dot einsum erf exp exp_ flip gather gelu histc index_add
    index_add_ index_copy_ index_select layer_norm log log_softmax log1p logsumexp lu masked_fill
    masked_fill_ masked_select matmul mean mm mul mul_ multiply mv neg nonzero norm numpy outer pow pow_
    prod put_ reciprocal relu relu_ roll rsqrt scatter scatter_ scatter_add scatter_add_ sigmoid sin
    softmax sort sqrt std sub sub_ sum take tan tanh tensordot topk tril triu unique var where apply_ map_
    tolist __array__
""")
_BUILTINS = _words("""
    open exec eval compile __import__ globals locals vars setattr delattr getattr breakpoint input
    memoryview __builtins__
""")
_DUNDERS = {"__name__", "__version__", "__doc__"}


@dataclass(frozen=True)
class ModuleShape:
    """Top-level definitions: `launchers` are plain functions, `kernels` carry `@triton.jit`."""

    tree: ast.Module
    functions: dict[str, ast.FunctionDef]
    kernels: frozenset[str]

    def parameters(self, function: str) -> tuple[str, ...]:
        found = self.functions.get(function)
        if found is None:
            return ()
        arguments = found.args
        return tuple(a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))


def read_module(source: SourceText) -> ModuleShape | Diagnostic:
    """The module's shape, or where its syntax is wrong."""
    try:
        tree = ast.parse(source.data)
    except (SyntaxError, ValueError) as error:
        line, column = getattr(error, "lineno", None) or 1, getattr(error, "offset", None) or 1
        place = Span(source.path, 0, 0, line, column)
        return Diagnostic("VER001", Severity.ERROR, f"not a Python module: {error}", place)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    functions |= _second_names(tree, functions)
    kernels = frozenset(name for name, node in functions.items() if _is_jit(node))
    return ModuleShape(tree, functions, kernels)


def _second_names(tree: ast.Module, functions: dict[str, ast.FunctionDef]) -> dict[str, ast.FunctionDef]:
    """`name = function` at the top level."""
    return {
        target.id: functions[statement.value.id]
        for statement in tree.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Name)
        for target in statement.targets
        if isinstance(target, ast.Name) and statement.value.id in functions
    }


def _is_jit(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(d).split("(")[0] in ("triton.jit", "jit") for d in node.decorator_list)


def check_module(
    source: SourceText, shape: ModuleShape, launchers: tuple[str, ...]
) -> tuple[Diagnostic, ...]:
    """Every reason why the module cannot count as a port; empty when there is none."""
    reached = _reachable(shape, launchers)
    findings = [*_check_imports(shape.tree), *_check_top_level(shape.tree)]
    for name in sorted(reached):
        node = shape.functions[name]
        findings += _check_kernel(node) if name in shape.kernels else _check_host(node)
    for name in launchers:
        if name in shape.functions and not _reaches_a_launch(shape, name):
            findings.append((shape.functions[name], "VER002", f"{name} launches no Triton kernel"))
    ordered = sorted(findings, key=lambda f: (getattr(f[0], "lineno", 0), f[1], f[2]))
    return tuple(_diagnostic(source, *finding) for finding in ordered)


_Finding = tuple[ast.AST, str, str]


def _diagnostic(source: SourceText, node: ast.AST, code: str, message: str) -> Diagnostic:
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
    return Diagnostic(code, Severity.ERROR, message, Span(source.path, 0, 0, line, column))


def _reachable(shape: ModuleShape, roots: tuple[str, ...]) -> set[str]:
    """Functions used by the launchers, by the module's own statements, or by these in turn."""
    pending = [name for name in roots if name in shape.functions]
    for statement in _executed_statements(shape.tree):
        pending += [name for name in _names(statement) if name in shape.functions]
    reached: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending += [n for n in _names(shape.functions[name]) if n in shape.functions]
    return reached


def _executed_statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """What runs on import, besides definitions of functions and imports."""
    for statement in tree.body:
        if isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test):
            continue
        if not isinstance(statement, (ast.FunctionDef, ast.Import, ast.ImportFrom)):
            yield statement


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _check_imports(tree: ast.Module) -> Iterator[_Finding]:
    outside_main = [s for s in tree.body if not (isinstance(s, ast.If) and "__name__" in ast.unparse(s.test))]
    for statement in outside_main:
        for node in ast.walk(statement):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or "."]
                if node.module == "torch":
                    names += [f"torch.{a.name}" for a in node.names if a.name not in _TORCH]
            for name in names:
                if name.split(".")[0] not in _MODULES or _is_inner(name):
                    yield node, "VER003", f"imports {name}, which a port has no use for"


def _is_inner(name: str) -> bool:
    """Parts of torch and triton that compute, compile or run."""
    if name.startswith("triton."):
        return not name.startswith("triton.language")
    return name.startswith("torch.")


def _check_top_level(tree: ast.Module) -> Iterator[_Finding]:
    for statement in _executed_statements(tree):
        yield from _check_host(statement)


def _check_host(node: ast.AST) -> Iterator[_Finding]:
    """Host code may allocate, view and launch."""
    yield from _check_common(node)
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name):
            if inner.value.id == "torch" and inner.attr not in _TORCH:
                yield inner, "VER004", f"calls torch.{inner.attr} outside a Triton kernel"
            elif inner.value.id == "triton" and inner.attr not in _TRITON:
                yield inner, "VER005", f"reaches into triton.{inner.attr}"
        if isinstance(inner, ast.Call) and (method := _computing_method(inner.func)):
            yield inner, "VER004", f"computes with .{method}() outside a Triton kernel"
        if isinstance(inner, (ast.BinOp, ast.AugAssign)) and isinstance(inner.op, ast.MatMult):
            yield inner, "VER004", "multiplies matrices outside a Triton kernel"
        if isinstance(inner, (ast.Assign, ast.AugAssign)):
            yield from _check_targets(inner)


def _computing_method(function: ast.expr) -> str:
    """The name of a tensor method that computes; `math.exp` of a scalar is none."""
    if not isinstance(function, ast.Attribute) or function.attr not in _COMPUTING_METHODS:
        return ""
    of_math = isinstance(function.value, ast.Name) and function.value.id == "math"
    return "" if of_math else function.attr


def _check_targets(node: ast.Assign | ast.AugAssign) -> Iterator[_Finding]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        if isinstance(target, ast.Attribute):
            yield target, "VER005", f"assigns to {ast.unparse(target)}, which is not its own"
        elif isinstance(target, ast.Subscript) and not isinstance(node.value, ast.Constant):
            yield target, "VER004", f"stores into {ast.unparse(target)} outside a Triton kernel"


def _check_kernel(node: ast.FunctionDef) -> Iterator[_Finding]:
    """The interpreter runs a kernel as Python, so torch would work in one; on a GPU it would not."""
    yield from _check_common(node)
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and inner.id in ("torch", "math"):
            yield inner, "VER006", f"uses {inner.id} inside a Triton kernel"
        if isinstance(inner, (ast.Import, ast.ImportFrom, ast.Try, ast.With)):
            yield inner, "VER006", f"has a {type(inner).__name__.lower()} statement inside a Triton kernel"


def _check_common(node: ast.AST) -> Iterator[_Finding]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and inner.id in _BUILTINS:
            yield inner, "VER005", f"uses {inner.id}"
        elif isinstance(inner, ast.Attribute) and inner.attr.startswith("__") and inner.attr not in _DUNDERS:
            yield inner, "VER005", f"uses .{inner.attr}"
        elif isinstance(inner, (ast.Global, ast.Nonlocal)):
            yield inner, "VER005", "keeps state between launches"


def _reaches_a_launch(shape: ModuleShape, name: str) -> bool:
    """`kernel[grid](…)` in the function itself or in one it calls; a kernel is its own launch."""
    if name in shape.kernels:
        return True
    reached = _reachable(shape, (name,)) - shape.kernels
    targets = (
        inner.func.value
        for function in reached
        for inner in ast.walk(shape.functions[function])
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Subscript)
    )
    return any(_names(target) & _kernel_names(shape) for target in targets)


def _kernel_names(shape: ModuleShape) -> set[str]:
    """Kernels, and module variables made from one (`tuned = triton.autotune(…)(kernel)`)."""
    names = set(shape.kernels)
    for statement in shape.tree.body:
        if isinstance(statement, ast.Assign) and _names(statement.value) & names:
            names |= {t.id for t in statement.targets if isinstance(t, ast.Name)}
    return names
