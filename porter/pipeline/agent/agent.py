"""The model's part of the ladder: whom to ask for which kernels, and one port made of all that is taken.

Whatever the model says counts nothing: its text goes through the same build and the same comparison as a
deterministic draft, alone first and then in the file that is handed out.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from porter.agent.budget import Account
from porter.agent.protocols import Model
from porter.agent.search import seats_for
from porter.core.asked import Asked, AskedFor
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.outcome import Ported, Producer, Target
from porter.core.together import together
from porter.pipeline.agent.ask import Answer, Asking, ask
from porter.pipeline.agent.ladder import Ladder
from porter.pipeline.agent.merge import CannotMerge, merge_module
from porter.pipeline.agent.strategy import Strategy
from porter.pipeline.agent.unseen import cases_of, with_cases
from porter.pipeline.build import NOTHING_BUILT
from porter.pipeline.check import CheckDraft, check, write_draft
from porter.pipeline.decide import Checked, decide_rows
from porter.pipeline.draft import Draft
from porter.pipeline.read import reported_kernels
from porter.pipeline.translate import translate

NOT_ACCEPTED = "VER020"
_NO_CASES = "not asked: no run of the original gives a case of it, so that no port could be verified"

_HANDLES = (
    "not asked: a Triton module is given memory and numbers, no textures or surfaces ({}); port it to HIP, "
    "or pass the memory as a pointer"
)


@dataclass(frozen=True)
class Answered:
    """The port that stands after the model was asked, and what it was asked."""

    checked: Checked
    asked: Asked


@dataclass(frozen=True)
class Agent:
    """`models` in their order write `candidates` ports of each task, and `account` is that of the whole run,
    however many files it has. `workers` kernels of a Triton module are
    asked for at once; `check` is the ladder's step that builds and compares."""

    models: tuple[Model, ...]
    account: Account
    strategy: Strategy = Strategy.COMPILER
    candidates: int = 1
    workers: int = 4
    check: CheckDraft = check

    def ask(self, ladder: Ladder) -> Answered:
        """Asks for what the strategy wants of the file, and takes what is verified and better."""
        kernels = self._wanted(ladder)
        seats = seats_for(self.models, self.candidates)
        asking = Asking(seats, self.strategy, self.check, self.account, threading.RLock())
        answers: tuple[Answer, ...]
        if not kernels:
            checked, answers = self._without_answers(ladder), ()
        elif ladder.request.target is Target.HIP:
            answers = (ask(asking, ladder, kernels, ladder.checked.draft),)
            checked = answers[0].checked or self._without_answers(ladder, answers)
            write_draft(checked.draft, ladder.folder)
        else:
            answers = together(partial(_ask_alone, asking, ladder), kernels, self.workers)
            checked, answers = self._merged(ladder, answers)
        work = (*(a.asked for a in answers), *_not_asked(ladder))
        return Answered(checked, Asked(str(self.strategy), work))

    def _wanted(self, ladder: Ladder) -> tuple[str, ...]:
        open_ = tuple(k for k in ladder.kernels if not ladder.is_ported((k,)))
        if self.strategy is not Strategy.COMPILER or (open_ and ladder.request.target is Target.HIP):
            return ladder.kernels
        return open_

    def _merged(self, ladder: Ladder, answers: tuple[Answer, ...]) -> tuple[Checked, tuple[Answer, ...]]:
        """One module, checked as a whole. What does not hold there is left out, and the reason is told."""
        taken = {a.asked.kernels[0]: a.text for a in answers if a.text is not None}
        refused: dict[str, str] = {}
        while True:
            told = tuple(self._told(ladder, a, refused) for a in answers)
            checked, failed = self._attempt(ladder, taken, told)
            refused |= failed
            taken = {k: text for k, text in taken.items() if k not in failed}
            if not failed:
                alone = [a.checked for a in told if a.checked is not None]
                return with_cases(checked, dict(c for a in alone for c in cases_of(a).items())), told

    def _told(self, ladder: Ladder, answer: Answer, refused: Mapping[str, str]) -> Answer:
        reason = refused.get(answer.asked.kernels[0])
        if reason is None:
            return answer
        stays = self.strategy is not Strategy.AGENT and ladder.is_ported(answer.asked.kernels)
        taken = ladder.checked.draft.producer if stays else None
        asked = replace(answer.asked, taken=taken, why=f"{answer.asked.why}; not taken: {reason}")
        return Answer(None, None, asked)

    def _attempt(
        self, ladder: Ladder, taken: Mapping[str, str], answers: tuple[Answer, ...]
    ) -> tuple[Checked, dict[str, str]]:
        """The port with `taken` in it, and which of them cannot stay, with the reasons."""
        if not taken:
            return self._without_answers(ladder, answers), {}
        base = self._base(ladder, frozenset(taken))
        text = base.text.decode()
        for kernel, module in taken.items():
            try:
                text = merge_module(text, kernel, module)
            except CannotMerge as error:
                return ladder.checked, {kernel: f"it cannot stand in one module with the others: {error}"}
        draft = replace(
            base,
            text=text.encode(),
            declined=self._declined(ladder, frozenset(taken), answers),
            translated=tuple(dict.fromkeys((*base.translated, *taken))),
            by_agent=frozenset(taken),
        )
        checked = self.check(ladder.request, ladder.unit, draft, ladder.original, ladder.folder)
        reason = "in one module with the others it is not verified"
        return checked, {k: f"{reason}: {why}" for k, why in _worse(ladder, checked, taken).items()}

    def _base(self, ladder: Ladder, taken: frozenset[str]) -> Draft:
        """The compiler's module of the kernels that stay its own."""
        draft = ladder.checked.draft
        kept = tuple(k for k in draft.translated if k not in taken)
        if self.strategy is Strategy.AGENT or not kept:
            return replace(draft, text=b"", translated=(), idioms={}, notes={})
        if len(kept) == len(draft.translated):
            return draft
        request = replace(ladder.request, kernels=kept)
        return translate(request, ladder.unit, ladder.lowered, ladder.original)

    def _declined(
        self, ladder: Ladder, taken: frozenset[str], answers: tuple[Answer, ...]
    ) -> dict[str, Diagnostic]:
        declined = dict(ladder.checked.draft.declined)
        if self.strategy is Strategy.AGENT:
            names = reported_kernels(ladder.request, ladder.unit, ladder.lowered)
            declined = {name: _not_accepted(ladder, name, answers) for name in names}
        return {k: why for k, why in declined.items() if k not in taken}

    def _without_answers(self, ladder: Ladder, answers: tuple[Answer, ...] = ()) -> Checked:
        """Without a port of the model: the deterministic one, or none at all where the model writes all."""
        if self.strategy is not Strategy.AGENT:
            write_draft(ladder.checked.draft, ladder.folder)
            return ladder.checked
        declined = self._declined(ladder, frozenset(), answers)
        draft = Draft(ladder.request.target, Producer.AGENT, b"", declined)
        whys = dict.fromkeys(answer.asked.why for answer in answers)
        return Checked(draft, "", NOTHING_BUILT, None, "; ".join(whys) or _NO_CASES)


def _ask_alone(asking: Asking, ladder: Ladder, kernel: str) -> Answer:
    """One kernel in a module of its own."""
    alone = ladder.only(kernel)
    draft = translate(alone.request, alone.unit, alone.lowered, alone.original)
    return ask(asking, alone, (kernel,), draft)


def _worse(ladder: Ladder, checked: Checked, taken: Mapping[str, str]) -> dict[str, str]:
    """The kernels of `taken` that are not ported in the whole; all of them where another has suffered."""
    failed: dict[str, str] = {}
    for kernel in ladder.kernels:
        outcomes = decide_rows(kernel, checked, ())
        reasons = [o.reason for o in outcomes if not isinstance(o, Ported)]
        if reasons and kernel in taken:
            failed[kernel] = reasons[0]
        elif reasons and kernel in checked.draft.translated and ladder.is_ported((kernel,)):
            return dict.fromkeys(taken, f"{kernel}: {reasons[0]}")
    return failed


def _not_asked(ladder: Ladder) -> tuple[AskedFor, ...]:
    names = reported_kernels(ladder.request, ladder.unit, ladder.lowered)
    left = (name for name in names if name not in ladder.kernels)
    return tuple(AskedFor((name,), (), None, _why_not(ladder, name)) for name in left)


def _why_not(ladder: Ladder, kernel: str) -> str:
    if handles := ladder.handles(kernel):
        return _HANDLES.format(", ".join(handles))
    return _NO_CASES


def _not_accepted(ladder: Ladder, kernel: str, answers: tuple[Answer, ...]) -> Diagnostic:
    """Why the model's port of `kernel` is not there, in the words of what it was asked."""
    span = next((k.name_span for k in ladder.unit.all_kernels if k.name == kernel), None)
    why = next((a.asked.why for a in answers if kernel in a.asked.kernels), _why_not(ladder, kernel))
    return Diagnostic(
        NOT_ACCEPTED,
        Severity.ERROR,
        f"{kernel}: {' '.join(why.split())}",
        span or ladder.unit.all_kernels[0].name_span,
        "--strategy compiler or race keeps the compiler's port",
    )
