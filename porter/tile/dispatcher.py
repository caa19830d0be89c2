"""The plain name of a template kernel: calls the instantiation that the tensors or the block ask for."""

from __future__ import annotations

from porter.cuda import kir
from porter.tile.element_types import element_of, storage_type
from porter.tile.launcher import SHARED_BYTES, LauncherPlan, has_default_grid, torch_dtype
from porter.tile.names import legal
from porter.tile.printer import INDENT


def print_dispatcher(name: str, plans: tuple[LauncherPlan, ...]) -> list[str]:
    """A function over several instantiations; with nothing to tell them apart, a name for the first."""
    conditions = [_conditions(plan, plans) for plan in plans]
    if len(plans) == 1 or len(set(conditions)) != len(plans):
        return [f"{name} = {plans[0].name}"]
    names = [legal(v.name) for v in (*plans[0].parameters, *plans[0].globals_)]
    grid = "grid=None" if all(has_default_grid(plan) for plan in plans) else "grid"
    block = "block" if any(plan.needs_block for plan in plans) else f"block={plans[0].block}"
    shared = [SHARED_BYTES] if any(plan.takes_shared_bytes for plan in plans) else []
    lines = [
        f"def {name}({', '.join([*names, '*', grid, block, *shared])}):",
        f'{INDENT}"""Runs the instantiation of `{plans[0].kernel_name}` for these arguments."""',
    ]
    for plan, condition in zip(plans, conditions, strict=True):
        keywords = ["grid=grid"] if plan.is_fixed else ["grid=grid", "block=block"]
        keywords += [f"{SHARED_BYTES}={SHARED_BYTES}"] if plan.takes_shared_bytes else []
        lines += [
            f"{INDENT}if {condition}:",
            f"{INDENT * 2}return {plan.name}({', '.join([*names, *keywords])})",
        ]
    return [*lines, f'{INDENT}raise ValueError("the original has no instantiation for these arguments")']


def _conditions(plan: LauncherPlan, plans: tuple[LauncherPlan, ...]) -> str:
    """What singles the instantiation out, as Python."""
    parts = [
        f"{legal(variable.name)}.dtype == {own}"
        for position, variable in enumerate(plan.parameters)
        if (own := _dtype(variable)) and len({_dtype_at(p, position) for p in plans}) > 1
    ][:1]
    fixed = [p.block for p in plans if p.is_fixed]
    if len(fixed) == len(plans) and len(set(fixed)) > 1:
        parts.append(f"tuple(block) == {plan.block}")
    return " and ".join(parts) or "True"


def _dtype_at(plan: LauncherPlan, position: int) -> str:
    return _dtype(plan.parameters[position]) if position < len(plan.parameters) else ""


def _dtype(variable: kir.Variable) -> str:
    if not isinstance(variable.type, kir.Pointer):
        return ""
    return torch_dtype(storage_type(element_of(variable.type, variable.span)))
