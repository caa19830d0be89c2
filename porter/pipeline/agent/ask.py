"""One search: the model is asked for some kernels of a file, and its best port stands against the compiler's.

The kernels are those of a whole file for HIP, one for Triton.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

from porter.agent.budget import Account
from porter.agent.loop import Accepted, GaveUp
from porter.agent.quoting import readable
from porter.agent.search import Candidate, Found, Problem, Question, Seat, Tried, search
from porter.core.asked import AskedFor, AskedOnce, ModelCost
from porter.core.outcome import Declined, Failed, Outcome, Ported, Producer, Target
from porter.harness.isa.decode import has_decoder
from porter.pipeline.agent import tasks
from porter.pipeline.agent.judge import CandidateJudge
from porter.pipeline.agent.ladder import Ladder
from porter.pipeline.agent.strategy import Strategy
from porter.pipeline.agent.tasks import Task
from porter.pipeline.agent.tools import tools_for
from porter.pipeline.check import CheckDraft
from porter.pipeline.decide import Checked
from porter.pipeline.draft import Draft

_NOTHING_LEFT = 1.05
"""Share of the floor at which a port is as good as the model can tell."""


@dataclass(frozen=True)
class Asking:
    """What all searches of a run share."""

    seats: tuple[Seat, ...]
    strategy: Strategy
    check: CheckDraft
    ledger: Account
    gate: threading.RLock


@dataclass(frozen=True)
class Answer:
    """`text` is the model's port where it is taken, else None; `checked` goes with it."""

    text: str | None
    checked: Checked | None
    asked: AskedFor


def ask(asking: Asking, ladder: Ladder, kernels: tuple[str, ...], draft: Draft) -> Answer:
    """Asks for a port of `kernels`; `draft` is the deterministic port of just these."""
    ranked = asking.strategy is Strategy.RACE or len(asking.seats) > 1
    request = replace(ladder.request, on_isa=True) if ranked and has_decoder() else ladder.request
    judge = CandidateJudge(
        request,
        ladder.unit,
        ladder.lowered,
        ladder.original,
        ladder.folder,
        asking.check,
        kernels,
        draft,
        asking.gate,
    )
    outcomes = ladder.outcomes(kernels)
    text = draft.text.decode("utf-8", "surrogateescape")
    deterministic = text if asking.strategy is Strategy.RACE and _all_ported(outcomes) else ""
    if deterministic and draft == ladder.checked.draft and request == ladder.request:
        judge.know(deterministic, ladder.checked)
    problem = _problem(asking, ladder, judge, outcomes, text, deterministic)
    found = search(problem, asking.seats, asking.ledger, ladder.folder.trajectories)
    taken, why = _choice(found, problem.start, outcomes, asking.strategy)
    asked = AskedFor(kernels, tuple(map(_asked_once, found.tried)), taken, why)
    if taken is not Producer.AGENT or found.best is None:
        return Answer(None, None, asked)
    return Answer(found.best.text, judge.checked(found.best.text), asked)


def _problem(
    asking: Asking,
    ladder: Ladder,
    judge: CandidateJudge,
    outcomes: tuple[Outcome, ...],
    draft: str,
    deterministic: str,
) -> Problem:
    shown = asking.strategy is Strategy.COMPILER
    reasons = tuple(judge.reason(o) for o in outcomes if not isinstance(o, Ported)) if shown else ()
    task = Task(
        ladder.request,
        ladder.unit,
        ladder.lowered,
        ladder.original,
        judge.kernels,
        reasons,
        readable(draft.encode("utf-8", "surrogateescape")) if shown else "",
    )
    start = None
    if deterministic and (time := judge.busy_time(deterministic)) is not None:
        start = Candidate(deterministic, time.busy_us)
    elif deterministic:
        start = Candidate(deterministic, None)

    def improve(candidate: Candidate) -> Question | None:
        time = judge.busy_time(candidate.text)
        if time is None or time.busy_us <= _NOTHING_LEFT * time.floor_us:
            return None
        figures = f"{judge.figures(candidate.text)}\n{time}"
        text = readable(candidate.text.encode("utf-8", "surrogateescape"))
        if candidate.text == deterministic and ladder.request.target is Target.TRITON:
            return Question("raise_kernel", tasks.raise_kernel(task, text, figures))
        return Question("tune", tasks.tune(task, text, figures))

    label = judge.kernels[0] if len(judge.kernels) == 1 else ladder.request.source.stem
    first = _first(task, ladder.checked, outcomes) if shown else Question("port", tasks.port(task))
    return Problem(f"{label}-{ladder.request.target}", first, improve, tools_for(task, judge), judge, start)


def _first(task: Task, checked: Checked, outcomes: tuple[Outcome, ...]) -> Question:
    """A port that is wrong is repaired, one that is not there is written."""
    if not task.draft or any(isinstance(o, Declined) for o in outcomes):
        return Question("port", tasks.port(task))
    if checked.builds.failure is not None:
        return Question("repair_build", tasks.repair_build(task))
    if any(isinstance(o, Failed) for o in outcomes):
        return Question("repair_numbers", tasks.repair_numbers(task))
    return Question("port", tasks.port(task))


def _all_ported(outcomes: tuple[Outcome, ...]) -> bool:
    return bool(outcomes) and all(isinstance(o, Ported) for o in outcomes)


def _why_none(found: Found) -> str:
    """Why no port of the model is there: it wrote none, or none that was accepted."""
    reasons = dict.fromkeys(t.attempt.reason for t in found.tried if isinstance(t.attempt, GaveUp))
    answered = any(t.attempt.conversation.spent.requests for t in found.tried)
    what = "no candidate of the model was accepted" if answered else "the model gave no answer"
    return f"{what}: {'; '.join(reasons)}"


def _choice(
    found: Found, start: Candidate | None, outcomes: tuple[Outcome, ...], strategy: Strategy
) -> tuple[Producer | None, str]:
    """Whose port is taken, and why; the compiler's, once it is verified, only gives way to a better one."""
    other = _producer(outcomes)
    if found.best is None:
        return (other if strategy is not Strategy.AGENT else None), _why_none(found)
    if strategy is Strategy.AGENT:
        return Producer.AGENT, f"verified; {found.end}"
    if start is None:
        return Producer.AGENT, f"verified, which the deterministic port is not; {found.end}"
    ours, theirs = found.best.predicted_us, start.predicted_us
    if ours is None or theirs is None:
        return other, "both are verified, and nothing tells whose is faster (--on isa executes both)"
    compared = f"{_us(ours)} of the GPU for the model's port, {_us(theirs)} for the deterministic one"
    if found.best.is_better_than(start):
        return (
            Producer.AGENT,
            f"both are verified; {compared}, {theirs / ours:.2f} times as fast; {found.end}",
        )
    return other, f"both are verified; {compared}; {found.end}"


def _producer(outcomes: tuple[Outcome, ...]) -> Producer | None:
    """Who wrote the deterministic port; None where it is not there or wrong."""
    if not _all_ported(outcomes):
        return None
    (first, *_) = outcomes
    return first.producer if isinstance(first, Ported) else None


def _us(time: float) -> str:
    return f"{time:.3g} us"


def _asked_once(tried: Tried) -> AskedOnce:
    attempt, spent = tried.attempt, tried.attempt.conversation.spent
    usage = spent.usage
    cost = ModelCost(
        spent.requests,
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
        spent.cost_usd,
    )
    return AskedOnce(
        tried.question.task,
        tried.seat.model.name,
        tried.seat.sample,
        isinstance(attempt, Accepted),
        "" if isinstance(attempt, Accepted) else attempt.reason,
        tried.candidate.predicted_us if tried.candidate is not None else None,
        cost,
        str(tried.trajectory),
        isinstance(attempt, GaveUp) and attempt.unanswered,
    )
