"""`porter migrate --plan`: what would be done, and what it may cost. Nothing is written."""

from __future__ import annotations

from collections import Counter

from porter.agent.protocols import Message, Request, Role
from porter.cli.console import err
from porter.core.errors import ExitCode
from porter.core.outcome import Target
from porter.migrate.discovery import Tree
from porter.migrate.repository.planning import kernels_in, plan
from porter.migrate.repository.units import Kind
from porter.pipeline.agent.agent import Agent
from porter.report.check.shown import counted, one_line


def print_plan(tree: Tree, target: Target, agent: Agent | None) -> int:
    counts: Counter[str] = Counter()
    kernels = 0
    for unit in plan(tree, target):
        counts[unit.kind.value] += 1
        kernels += kernels_in(tree.root / unit.name) if unit.kind is not Kind.BUILD else 0
        print(f"{unit.kind.value:8s} {one_line(unit.name)}")
    total = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) or "nothing of CUDA"
    err().print(f"{counts.total()} files: {total}; {counted(kernels, 'kernel')}", markup=False)
    if agent is not None:
        err().print(_most_asked(agent, kernels), markup=False)
    return ExitCode.OK if counts else ExitCode.FINDINGS


_USUAL_REQUEST = 10_000
"""Characters of a first request (docs/agent.md)."""


def _most_asked(agent: Agent, kernels: int) -> str:
    """A bound: the compilers' own ports are known only after their work."""
    usual = Request("", (Message(Role.USER, " " * _USUAL_REQUEST),))
    costs = [cost for model in agent.models if (cost := model.most_cost_usd(usual)) is not None]
    price = f"at most ${max(costs):.2f} a request of usual size" if costs else "price not known"
    budget = agent.account.budget
    limits = [f"{budget.tokens:,} tokens" if budget.tokens is not None else ""]
    limits += [f"${budget.usd:.2f}" if budget.usd is not None else ""]
    bound = " and ".join(filter(None, limits)) or "no limit"
    each = f"{counted(agent.candidates, 'conversation')} each of up to {counted(budget.steps, 'request')}"
    return f"models: up to {counted(kernels, 'kernel')}, {each}; {price}; budget: {bound}"
