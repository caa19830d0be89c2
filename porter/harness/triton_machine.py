"""Whether a Triton module launches one kernel here and another one elsewhere.

The judge sees a port on the CPU. A port that asks for the GPU, or for what Triton does, and takes another
kernel by the answer has shown nothing of that one. Configurations may depend on the GPU: all of them are run.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from porter.harness.triton_module import ModuleShape, executed_statements, names_in

_ATTRIBUTES = frozenset({"is_cuda", "is_cpu", "is_meta", "is_xpu", "hip", "is_available", "type"})
_ROOTS = frozenset({"cuda", "version"})
_TOLD = frozenset(
    {"device", "get_device", "data_ptr", "target_info", "current_target", "cuda_capability_geq", "is_cuda"}
    | {"is_hip", "is_hip_cdna2", "is_hip_cdna3", "is_hip_cdna4", "__version__", "version"}
)


def chosen_by_the_machine(shape: ModuleShape, reached: Collection[str]) -> Iterator[tuple[ast.AST, str, str]]:
    """Every condition on the machine with a launch, or a kernel's name, in a branch of it."""
    nodes: list[ast.AST] = [*executed_statements(shape.tree)]
    nodes += [shape.functions[name] for name in sorted(reached) if name not in shape.kernels]
    answers = _answers(nodes)
    for node in (inner for n in nodes for inner in ast.walk(n)):
        if isinstance(node, (ast.If, ast.IfExp, ast.While)) and _asks(node.test, answers):
            branches = _branches(node)
        elif isinstance(node, ast.Match) and _asks(node.subject, answers):
            branches = list(node.cases)
        elif isinstance(node, ast.Subscript) and _asks(node.slice, answers):
            branches = [node.value]
        elif isinstance(node, ast.BoolOp) and any(_asks(v, answers) for v in node.values):
            branches = list(node.values)
        else:
            continue
        if any(names_in(branch) & shape.launchable for branch in branches):
            yield node, "VER005", "chooses the kernel by the machine it runs on"


def asks_the_machine(shape: ModuleShape, reached: Collection[str]) -> Iterator[tuple[ast.AST, str, str]]:
    """Every question about the machine, in launchers and kernels alike: for ports that a model wrote.

    New memory may be on a tensor's device, and a launcher may refuse to work elsewhere.
    """
    for node in (*executed_statements(shape.tree), *(shape.functions[name] for name in sorted(reached))):
        allowed = {id(inner) for part in _harmless(node) for inner in ast.walk(part)}
        for inner in ast.walk(node):
            name = inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")
            if id(inner) not in allowed and (
                name in _TOLD or (isinstance(inner, ast.Attribute) and name in _ATTRIBUTES | _ROOTS)
            ):
                yield inner, "VER005", f"asks what machine it runs on ({name})"


def _harmless(node: ast.AST) -> Iterator[ast.AST]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.keyword) and inner.arg == "device":
            yield inner.value
        elif isinstance(inner, ast.Assert) or (isinstance(inner, ast.If) and _only_refuses(inner)):
            yield inner.test


def _only_refuses(node: ast.If) -> bool:
    return not node.orelse and all(isinstance(statement, ast.Raise) for statement in node.body)


def _branches(node: ast.If | ast.IfExp | ast.While) -> list[ast.AST]:
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    return [*node.body, *node.orelse]


def _answers(nodes: Collection[ast.AST]) -> set[str]:
    """Variables that hold what was said of the machine, or something chosen by it."""
    found: set[str] = set()
    assigned = [n for node in nodes for n in ast.walk(node) if isinstance(n, (ast.Assign, ast.NamedExpr))]
    while True:
        more = {name for n in assigned if _asks(n.value, found) for name in _targets(n)} - found
        if not more:
            return found
        found |= more


def _targets(node: ast.Assign | ast.NamedExpr) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {name for target in targets for name in names_in(target)}


def _asks(node: ast.AST, answers: Collection[str]) -> bool:
    return any(
        (isinstance(inner, ast.Attribute) and (inner.attr in _ATTRIBUTES or inner.attr in _ROOTS))
        or (isinstance(inner, ast.Name) and inner.id in answers)
        for inner in ast.walk(node)
    )
