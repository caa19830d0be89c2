"""Search over candidates: several conversations at once, then on from the best, until nothing is gained.

Only what the verifier accepts is a candidate, and only its predicted time ranks it. All that is random is in
the models' answers: the same answers give the same questions, so that a search is gone on with by asking them
again with the trajectories that it left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from porter.agent.budget import Account
from porter.agent.loop import Accepted, Attempt, solve
from porter.agent.protocols import Model, Request, Tools, Verifier
from porter.agent.trajectory import TrajectoryFile
from porter.core.cache import digest
from porter.core.together import together

_SPREAD = 1.0
_GAIN = 0.98
"""A candidate is better where it takes less than this share of the other's time: the model is no finer."""


@dataclass(frozen=True)
class Seat:
    """Who writes a candidate: a model, and what sets its answer apart from others to the same question."""

    model: Model
    temperature: float | None = None
    sample: int = 0


def seats_for(models: tuple[Model, ...], candidates: int) -> tuple[Seat, ...]:
    """The models in turn; one that answers a second time does so at a higher temperature."""
    seats = (divmod(i, len(models)) for i in range(max(candidates, len(models))))
    return tuple(Seat(models[m], _SPREAD if sample else None, sample) for sample, m in seats)


@dataclass(frozen=True)
class Question:
    """`task` names what is asked for: port, repair_build, repair_numbers, raise_kernel, tune."""

    task: str
    request: Request


@dataclass(frozen=True)
class Candidate:
    """A verified text; None for the time where nothing predicts it."""

    text: str
    predicted_us: float | None

    def is_better_than(self, other: Candidate | None) -> bool:
        if other is None:
            return True
        if self.predicted_us is None or other.predicted_us is None:
            return False
        return self.predicted_us < _GAIN * other.predicted_us


@dataclass(frozen=True)
class Problem:
    """What is searched for. `start` is a verified candidate that is there already. `improve` asks for a
    better one than the one given, and gives None where nothing is left to be gained; it is not called for
    a candidate without a predicted time."""

    label: str
    first: Question
    improve: Callable[[Candidate], Question | None]
    tools: Tools
    verifier: Verifier
    start: Candidate | None = None


@dataclass(frozen=True)
class Tried:
    """One conversation of a search."""

    question: Question
    seat: Seat
    attempt: Attempt
    trajectory: Path

    @property
    def candidate(self) -> Candidate | None:
        if not isinstance(self.attempt, Accepted):
            return None
        return Candidate(self.attempt.candidate, self.attempt.feedback.predicted_us)


@dataclass(frozen=True)
class Found:
    """`best` is a candidate of a model, the best of them by predicted time; None where none was accepted.
    `end` says in words why the search went no further."""

    best: Candidate | None
    tried: tuple[Tried, ...]
    end: str


def search(
    problem: Problem, seats: tuple[Seat, ...], ledger: Account, folder: Path, *, rounds: int = 4
) -> Found:
    """Asks all `seats` the first question, then for improvements of the best, at most `rounds` times.

    With one seat the first candidate that is accepted is taken as it is. Trajectories are kept in `folder`
    by their questions, so that no equal question is asked twice, by a later run neither.
    """
    tried = _ask(problem, problem.first, seats, ledger, folder)
    if len(seats) == 1:
        return Found(_best(tried), tried, "one candidate was asked for")
    for _ in range(rounds):
        leader = _leader(problem.start, tried)
        if leader is None:
            return Found(None, tried, "no candidate was accepted")
        if leader.predicted_us is None:
            return Found(_best(tried), tried, "no time is predicted, by which one could be preferred")
        question = problem.improve(leader)
        if question is None:
            return Found(_best(tried), tried, "by the roofline model nothing is left to be gained")
        tried = (*tried, *_ask(problem, question, seats, ledger, folder))
        if _leader(problem.start, tried) == leader:
            return Found(_best(tried), tried, "a further round brought nothing better")
    return Found(_best(tried), tried, f"{rounds} rounds of improvements were made")


def _ask(
    problem: Problem, question: Question, seats: tuple[Seat, ...], ledger: Account, folder: Path
) -> tuple[Tried, ...]:
    """All seats at once; the results in their order."""

    def ask(seat: Seat) -> Tried:
        request = replace(question.request, temperature=seat.temperature, sample=seat.sample)
        path = folder / f"{problem.label}-{_key(request, seat.model.name)}.traj.json"
        attempt = solve(request, seat.model, problem.tools, problem.verifier, TrajectoryFile(path), ledger)
        return Tried(question, seat, attempt, path)

    return together(ask, seats, len(seats))


def _key(request: Request, model: str) -> str:
    said = (part for m in request.messages for part in (m.role.value, m.text))
    return digest(model, request.system, *said, str(request.temperature), str(request.sample))[:12]


def _best(tried: tuple[Tried, ...]) -> Candidate | None:
    return _leader(None, tried)


def _leader(start: Candidate | None, tried: tuple[Tried, ...]) -> Candidate | None:
    """The earliest that no later one beats: who comes first need not be better, who comes later must."""
    leader = start
    for candidate in (t.candidate for t in tried):
        if candidate is not None and candidate.is_better_than(leader):
            leader = candidate
    return leader
