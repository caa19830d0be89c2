"""Whether a Triton module launches one kernel here and another one elsewhere.

The judge sees a port on the CPU. A port that asks for the GPU, or for what Triton does, and takes another
kernel by the answer has shown nothing of that one. Configurations may depend on the GPU: all of them are run.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator

from porter.harness.triton_module import ModuleShape, executed_statements, names_in

_ATTRIBUTES = frozenset({"is_cuda", "is_cpu", "is_meta", "is_xpu", "hip", "is_available", "type"})
_ROOTS = frozenset({"cuda", "version"})
_TOLD = frozenset(
    {"device", "get_device", "data_ptr", "target_info", "current_target", "cuda_capability_geq", "is_cuda"}
    | {"is_hip", "is_hip_cdna2", "is_hip_cdna3", "is_hip_cdna4", "__version__", "version"}
    | {"best_config", "configs_timings", "bench_time"}
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

    New memory may be on a tensor's device, and a launcher may refuse to work elsewhere. How many wavefronts
    AMD's compiler plans for may be among the configurations: it changes no result.
    """
    executed = [s for s in executed_statements(shape.tree) if not _is_occupancy(s, shape.tree)]
    for node in (*executed, *(shape.functions[name] for name in sorted(reached))):
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


_OCCUPANCY = "waves_per_eu"


def _is_occupancy(statement: ast.stmt, tree: ast.Module) -> bool:
    """`NAME = ({}, {"waves_per_eu": 2}) if torch.version.hip else ({},)`, as `--autotune` writes it.

    Nothing but configurations may read it, and no kernel may have a parameter of that name: it would be told.
    """
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.IfExp(test=test, body=body, orelse=other)):
            is_plan = ast.unparse(test) == "torch.version.hip" and _plans(body) and _plans(other)
            return is_plan and _only_configures(name, tree)
    return False


def _plans(node: ast.expr) -> bool:
    return isinstance(node, ast.Tuple) and all(
        isinstance(each, ast.Dict)
        and all(isinstance(key, ast.Constant) and key.value == _OCCUPANCY for key in each.keys)
        and all(isinstance(value, ast.Constant) for value in each.values)
        for each in node.elts
    )


def _only_configures(name: str, tree: ast.Module) -> bool:
    """Whether `name` is assigned once, and else only read by autotuned kernels, which are only launched."""
    nodes = list(ast.walk(tree))
    if any(isinstance(n, ast.arg) and n.arg in (name, _OCCUPANCY) for n in nodes):
        return False
    functions = (n for n in nodes if isinstance(n, ast.FunctionDef))
    tuned = {f.name for f in functions if _configures(f.decorator_list, name)}
    used = Counter(n.id for n in nodes if isinstance(n, ast.Name))
    launched = Counter(
        n.func.value.id
        for n in nodes
        if isinstance(n, ast.Call)
        and isinstance(n.func, ast.Subscript)
        and isinstance(n.func.value, ast.Name)
    )
    return used[name] == len(tuned) + 1 and all(used[kernel] == launched[kernel] for kernel in tuned)


def _configures(decorators: list[ast.expr], name: str) -> bool:
    """`@triton.autotune(configs=[triton.Config({**x}) for x in name], key=…)` over `@triton.jit`.

    Hooks, heuristics and functions that prune would be shown the options.
    """
    if len(decorators) != 2 or ast.unparse(decorators[1]) != "triton.jit":
        return False
    match decorators[0]:
        case ast.Call(
            func=tuner,
            args=[],
            keywords=[ast.keyword("configs", ast.ListComp(elt, generators)), *others],
        ):
            (*_, last) = generators
            return (
                ast.unparse(tuner) == "triton.autotune"
                and {other.arg for other in others} <= {"key", "restore_value"}
                and ast.unparse(last.iter) == name
                and isinstance(last.target, ast.Name)
                and _only_spread(last.target.id, elt)
                and not last.ifs
            )
    return False


def _only_spread(variable: str, config: ast.expr) -> bool:
    """Whether `triton.Config({…, **variable}, num_warps=…)` has the variable nowhere else."""
    match config:
        case ast.Call(func=called, args=[ast.Dict(keys, values)], keywords=keywords):
            names = [n for n in ast.walk(config) if isinstance(n, ast.Name) and n.id == variable]
            return (
                ast.unparse(called) == "triton.Config"
                and {keyword.arg for keyword in keywords} <= {"num_warps", "num_stages"}
                and keys[-1:] == [None]
                and names == [values[-1]]
            )
    return False


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
