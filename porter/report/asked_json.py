"""What models were asked, as the report's document has it: the field `agent` of `porter-report-1`."""

from __future__ import annotations

from typing import Any

from porter.core.asked import Asked, AskedFor, AskedOnce, ModelCost


def asked_document(asked: Asked) -> dict[str, Any]:
    return {
        "strategy": asked.strategy,
        "cost": _cost(asked.cost),
        "work": [_work(work) for work in asked.work],
    }


def _work(work: AskedFor) -> dict[str, Any]:
    return {
        "kernels": list(work.kernels),
        "taken": str(work.taken) if work.taken else None,
        "why": work.why,
        "cost": _cost(work.cost),
        "conversations": [_conversation(c) for c in work.conversations],
    }


def _conversation(once: AskedOnce) -> dict[str, Any]:
    return {
        "task": once.task,
        "model": once.model,
        "sample": once.sample,
        "accepted": once.accepted,
        "result": once.result,
        "busy_us": once.busy_us,
        "cost": _cost(once.cost),
        "trajectory": once.trajectory,
        "unanswered": once.unanswered,
    }


def _cost(cost: ModelCost) -> dict[str, Any]:
    return {
        "requests": cost.requests,
        "input_tokens": cost.input_tokens,
        "output_tokens": cost.output_tokens,
        "cache_read_tokens": cost.cache_read_tokens,
        "cache_write_tokens": cost.cache_write_tokens,
        "usd": cost.cost_usd,
    }
