"""Step 7 of the ladder for ports that exist: the fastest of those that verify.

Every port is built and compared like any other; what does not verify is out, however fast. Those that do are
ordered by the time that `porter.pipeline.agent.rank` predicts, which needs their machine code executed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from porter.core.outcome import Declined, Failed, Outcome, Partial, Ported, Producer
from porter.cuda.input import check_input
from porter.pipeline.agent.rank import busy_time
from porter.pipeline.check import check_file
from porter.pipeline.decide import decide_rows
from porter.pipeline.draft import Draft
from porter.pipeline.launches import judged_program
from porter.pipeline.parameter_names import with_parameter_names
from porter.pipeline.read import kernel_names, lower, read
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory

_NOTHING = "none of the ports verifies"
_UNRANKED = "of those that verify, none has a predicted time: the first is taken"


@dataclass(frozen=True)
class Rated:
    """A port with what was found out; `busy_us` is None where nothing predicts its time."""

    port: Path
    outcomes: tuple[Outcome, ...]
    busy_us: float | None

    @property
    def verified(self) -> bool:
        return bool(self.outcomes) and all(isinstance(o, Ported) for o in self.outcomes)

    @staticmethod
    def status(outcome: Outcome) -> str:
        match outcome:
            case Ported():
                return "ported"
            case Partial(reason=reason) | Failed(reason=reason) | Declined(reason=reason):
                return reason


@dataclass(frozen=True)
class SelectedPort:
    """`selected` is None where no port verifies; `ports` are all of them, in the order given."""

    selected: Path | None
    why: str
    ports: tuple[Rated, ...]


def select_port(request: PortRequest, ports: Sequence[Path], run: RunDirectory) -> SelectedPort:
    """Raises PorterError for an original or a port that cannot be read. The original is judged once."""
    unit = read(request)
    lowered = lower(request, unit)
    folder = run.unit(str(request.source))
    folder.write("00-source.cu", unit.source.data)
    program = judged_program(replace(request, on_isa=True), unit, lambda: lowered, folder)
    request, unit, original = program.request, program.unit, program.original
    rated: list[Rated] = []
    for port in ports:
        draft = Draft(request.target, Producer.HAND, check_input(port).data)
        checked = check_file(request, unit, draft, port, original, folder)
        outcomes = tuple(
            with_parameter_names(outcome, unit)
            for name in kernel_names(request, unit)
            for outcome in decide_rows(name, checked, ())
        )
        time = busy_time(outcomes, lowered, original, checked.builds, request.arch)
        rated.append(Rated(port, outcomes, time.busy_us if time else None))
    selected = _selected(tuple(rated))
    chosen = str(selected.selected) if selected.selected else None
    folder.write("selection.json", json.dumps({"selected": chosen, "why": selected.why}))
    return selected


def _selected(ports: tuple[Rated, ...]) -> SelectedPort:
    good = [p for p in ports if p.verified]
    if not good:
        return SelectedPort(None, _NOTHING, ports)
    ranked = sorted((p.busy_us, k) for k, p in enumerate(good) if p.busy_us is not None)
    if not ranked:
        return SelectedPort(good[0].port, _UNRANKED, ports)
    least, best = ranked[0]
    others = f"; the next takes {ranked[1][0]:.3g} us" if len(ranked) > 1 else ""
    return SelectedPort(good[best].port, f"verified, with {least:.3g} us predicted{others}", ports)
