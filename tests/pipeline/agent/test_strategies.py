"""Strategies with scripted models and checks: who is asked for what, and whose port is taken."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from porter.agent.budget import Budget, Ledger
from porter.agent.protocols import Request
from porter.core.outcome import Declined, Outcome, Ported, Producer, Target
from porter.cuda.lower_kernel import lower_kernels
from porter.pipeline.agent.agent import Agent, Answered
from porter.pipeline.agent.ladder import Ladder
from porter.pipeline.agent.strategy import Strategy
from porter.pipeline.decide import decide
from porter.pipeline.read import read
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory
from porter.pipeline.translate import translate
from tests.pipeline.agent.scripted import Marked, Scripted, hip_file, module, original, write_program

KERNELS = ("k00", "k01")
TIMES = {"compiler": 256, "right": 128, "slow": 300, "same": 255, "best": 1}


@dataclass(frozen=True)
class Result:
    answered: Answered
    outcomes: dict[str, Outcome]

    def work_of(self, kernel: str) -> tuple[Producer | None, str, list[str]]:
        (work,) = (w for w in self.answered.asked.work if kernel in w.kernels)
        return work.taken, work.why, [c.task for c in work.conversations]

    @property
    def ported(self) -> set[str]:
        return {name for name, outcome in self.outcomes.items() if isinstance(outcome, Ported)}

    @property
    def text(self) -> bytes:
        return self.answered.checked.draft.text


def ask(
    folder: Path,
    model: Scripted,
    strategy: Strategy,
    *,
    candidates: int = 1,
    plain: bool = True,
    steps: int = 2,
    known: tuple[str, ...] = KERNELS,
    check: Marked | None = None,
    target: Target = Target.TRITON,
    text: str = "",
) -> Result:
    """The compiler's module is checked by the same script as the model's."""
    check = check or Marked(TIMES)
    request = PortRequest(write_program(folder, KERNELS, plain=plain), target)
    if text:
        request.source.write_text(text)
    unit = read(request)
    lowered = lower_kernels(unit.source, unit.launches)
    judged = original(known)
    run = RunDirectory.create(folder / ".porter", "translate", b"").unit("program")
    draft = translate(request, unit, lowered, judged)
    ladder = Ladder(request, unit, lowered, judged, check(request, unit, draft, judged, run), run)
    answered = Agent((model,), Ledger(Budget(steps=steps)), strategy, candidates, check=check).ask(ladder)
    return Result(answered, {k: decide(k, answered.checked, ()) for k in KERNELS})


def always(mark: str) -> Scripted:
    return Scripted(lambda kernel, turn, request: module(kernel, mark))


def test_what_no_case_can_verify_is_not_asked_for(tmp_path: Path) -> None:
    model = always("right")
    result = ask(tmp_path, model, Strategy.COMPILER, plain=False, known=("k01",))
    assert len(model.asked) == 1
    assert result.work_of("k00") == (None, result.work_of("k00")[1], [])
    assert result.work_of("k00")[1].startswith("not asked: no run of the original gives a case")
    assert result.work_of("k01")[0] is Producer.AGENT


def test_a_texture_is_nothing_that_a_triton_module_can_be_given(tmp_path: Path) -> None:
    model = always("right")
    plain = write_program(tmp_path, KERNELS).read_text()
    text = plain.replace("k00(int* out)", "k00(int* out, cudaTextureObject_t image)")
    result = ask(tmp_path, model, Strategy.COMPILER, plain=False, text=text)
    assert "no textures or surfaces (image)" in result.work_of("k00")[1]
    assert result.work_of("k01")[0] is Producer.AGENT
    assert len(model.asked) == 1


@pytest.mark.parametrize("target", list(Target))
def test_where_the_model_was_never_asked_no_report_says_that_it_failed(
    target: Target, tmp_path: Path
) -> None:
    model = always("right")
    result = ask(tmp_path, model, Strategy.AGENT, steps=0, target=target)
    assert model.asked == []
    assert result.answered.asked.cost.requests == 0
    for kernel in KERNELS:
        [finding] = result.outcomes[kernel].findings
        assert finding.message == f"{kernel}: the model gave no answer: no request is allowed (0 steps)"


def test_a_kernel_that_stays_open_leaves_the_others_their_ports(tmp_path: Path) -> None:
    def answer(kernel: str, _turn: int, _request: Request) -> str:
        return module(kernel, "right" if kernel == "k00" else "wrong")

    result = ask(tmp_path, Scripted(answer), Strategy.COMPILER, plain=False)
    assert result.ported == {"k00"}
    assert isinstance(result.outcomes["k01"], Declined)
    taken, why, _ = result.work_of("k01")
    assert (taken, why) == (
        None,
        "no candidate of the model was accepted: no candidate was accepted in 2 steps",
    )
    assert b"def k00(" in result.text
    assert b"k01" not in result.text
    assert result.answered.asked.cost.requests == 3


def test_two_modules_that_hold_alone_and_not_together(tmp_path: Path) -> None:
    def answer(kernel: str, _turn: int, _request: Request) -> str:
        return f"import {'math' if kernel == 'k00' else 'triton'} as math\n{module(kernel)}"

    result = ask(tmp_path, Scripted(answer), Strategy.COMPILER, plain=False)
    assert result.ported == {"k00"}
    assert isinstance(result.outcomes["k01"], Declined)
    assert "`import triton as math` here and `import math as math` there" in result.work_of("k01")[1]


@pytest.mark.parametrize(
    ("mark", "producer", "why"),
    [
        (
            "right",
            Producer.AGENT,
            "both are verified; 0.000208 us of the GPU for the model's port, "
            "0.000417 us for the deterministic one, 2.00 times as fast",
        ),
        ("slow", Producer.COMPILER, "both are verified; 0.000488 us of the GPU for the model's port"),
        ("same", Producer.COMPILER, "both are verified; 0.000415 us of the GPU for the model's port"),
        ("wrong", Producer.COMPILER, "no candidate of the model was accepted"),
    ],
)
def test_a_race_is_won_by_the_better_one(mark: str, producer: Producer, why: str, tmp_path: Path) -> None:
    """256 CUs at 2400 MHz issue 614.4 instructions a ns: 256 of them take 0.000417 us."""
    result = ask(tmp_path, always(mark), Strategy.RACE)
    for kernel in KERNELS:
        taken, said, tasks = result.work_of(kernel)
        assert (taken, tasks) == (producer, ["port"])
        assert said.startswith(why)
    assert {o.producer for o in result.outcomes.values() if isinstance(o, Ported)} == {producer}


def test_without_a_time_a_verified_port_is_not_replaced(tmp_path: Path) -> None:
    """A kernel whose machine code was not executed has none."""
    result = ask(tmp_path, always("right"), Strategy.RACE, check=Marked({"compiler": 0, "right": 0}))
    taken, why, _ = result.work_of("k00")
    assert taken is Producer.COMPILER
    assert why.startswith("both are verified, and nothing tells whose is faster")


def test_several_candidates_are_improved_until_the_floor(tmp_path: Path) -> None:
    """The compiler's module is raised first; what the model makes of it is at the floor."""

    def answer(kernel: str, _turn: int, request: Request) -> str:
        raised = "is right, and literal" in request.messages[0].text
        return module(kernel, "best" if raised else "slow")

    model = Scripted(answer)
    result = ask(tmp_path, model, Strategy.RACE, candidates=2)
    taken, why, tasks = result.work_of("k00")
    assert (taken, tasks) == (Producer.AGENT, ["port", "port", "raise_kernel", "raise_kernel"])
    assert why.endswith("by the roofline model nothing is left to be gained")
    assert b"# best" in result.text


def test_the_model_writes_all_with_the_strategy_agent(tmp_path: Path) -> None:
    def answer(kernel: str, _turn: int, _request: Request) -> str:
        return module(kernel, "slow" if kernel == "k00" else "wrong")

    model = Scripted(answer)
    result = ask(tmp_path, model, Strategy.AGENT, steps=1)
    assert result.ported == {"k00"}
    assert isinstance(result.outcomes["k01"], Declined)
    assert b"k01" not in result.text
    [finding] = result.outcomes["k01"].findings
    assert finding.code == "VER020"
    assert finding.message == (
        "k01: no candidate of the model was accepted: no candidate was accepted in 1 steps"
    )
    assert all("threadIdx.x" in r.messages[0].text for r in model.asked)
    assert not any("_kernel(out_ptr" in r.messages[0].text for r in model.asked)


def test_a_hip_file_is_repaired_as_a_whole(tmp_path: Path) -> None:
    """One conversation for both kernels; the first answer has one of them right, which is not enough."""

    def answer(_kernel: str, turn: int, _request: Request) -> str:
        return hip_file({"k00": "right", "k01": "right" if turn else "wrong"})

    model = Scripted(answer)
    result = ask(tmp_path, model, Strategy.COMPILER, target=Target.HIP, check=Marked({"right": 1}))
    assert [w.kernels for w in result.answered.asked.work] == [KERNELS]
    assert result.work_of("k00") == (
        Producer.AGENT,
        "verified, which the deterministic port is not; one candidate was asked for",
        ["repair_numbers"],
    )
    assert {o.producer for o in result.outcomes.values() if isinstance(o, Ported)} == {Producer.AGENT}
    rejected = model.asked[1].messages[-1].text
    assert "k01: k01 is wrong" in rejected
    assert "k00" not in rejected


def test_a_hip_file_that_stays_wrong_is_left_as_it_was(tmp_path: Path) -> None:
    model = Scripted(lambda *_: hip_file({"k00": "right", "k01": "wrong"}))
    result = ask(tmp_path, model, Strategy.RACE, target=Target.HIP)
    assert result.work_of("k00")[0] is Producer.RULES
    assert {o.producer for o in result.outcomes.values() if isinstance(o, Ported)} == {Producer.RULES}
    alone = ask(tmp_path, model, Strategy.AGENT, target=Target.HIP)
    assert alone.work_of("k00")[0] is None
    assert all(isinstance(o, Declined) for o in alone.outcomes.values())


def test_what_is_ported_costs_nothing(tmp_path: Path) -> None:
    for target in Target:
        model = always("right")
        result = ask(tmp_path, model, Strategy.COMPILER, target=target)
        assert model.asked == []
        assert result.answered.asked.work == ()
        assert result.ported == set(KERNELS)
