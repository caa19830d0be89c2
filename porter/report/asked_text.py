"""What models were asked, for a person: a line for each port that was searched for, then the sum."""

from __future__ import annotations

from porter.core.asked import Asked, AskedFor, ModelCost


def asked_lines(asked: Asked) -> list[str]:
    lines = [line for work in asked.work for line in _work(work)]
    if any(work.conversations for work in asked.work):
        lines.append(f"asked in all: {cost_text(asked.cost)}")
    return lines


def _work(work: AskedFor) -> list[str]:
    whose = f"{work.taken}'s port taken: " if work.taken else ""
    asked = f" ({len(work.conversations)} asked, {cost_text(work.cost)})" if work.conversations else ""
    return [f"{', '.join(work.kernels)}: {whose}{work.why}{asked}"]


def cost_text(cost: ModelCost) -> str:
    money = "price not known" if cost.cost_usd is None else f"${cost.cost_usd:.4f}"
    requests = f"{cost.requests} request{'s' * (cost.requests != 1)}"
    return f"{requests}, {cost.tokens:,} tokens, {money}"
