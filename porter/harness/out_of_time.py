"""What a port that ran out of time has shown: that it hangs, or nothing.

Only processor time counts: on a busy machine a right program takes long. A port hangs where it used many
times what the original needed to come to its end.
"""

from __future__ import annotations

from dataclasses import dataclass

SIMULATED_SLOWDOWN = 8.0
"""How many times as long as the original a right port may take where both run in the simulator."""
INTERPRETED_SLOWDOWN = 10_000.0
"""The same for a port in Triton's interpreter, which runs Python code for every operation of a block: some
2000 to 4000 times for loops in small blocks (mandelbrot, csr_spmv, opcode_switch of the fixtures)."""
_CLOCK_SECONDS = 0.001
"""What starting a case takes; below this nothing is said of its kernel."""
BUSY = "it waits for something, or the machine is busy; run it again on an idle machine"


@dataclass(frozen=True)
class NotShown:
    """The port is neither right nor wrong by what was seen of it; `reason` is the end of a sentence."""

    reason: str


@dataclass(frozen=True)
class Hangs:
    """The port does not end where the original does; `reason` is the end of a sentence."""

    reason: str


def out_of_time(
    used_seconds: float | None,
    original_seconds: float | None,
    slowdown: float,
    *,
    starved: bool = False,
    limit: str = "time limit",
) -> Hangs | NotShown:
    """Of a port that was stopped after `used_seconds` of processor time, where the original took
    `original_seconds`.

    None stands for times that nobody measured. `starved`: the port never had the processor time of its limit.
    """
    late = f"does not end within the {limit}"
    if starved:
        had = f", of which it had {used_seconds:.1f} s of a processor" if used_seconds is not None else ""
        return NotShown(f"{late}{had}: {BUSY}")
    if used_seconds is None or original_seconds is None:
        return NotShown(f"{late}, and it is not known how long the original takes")
    times = (
        f"stopped after {used_seconds:.1f} s of processor time, the original takes {original_seconds:.3f} s"
    )
    if used_seconds >= slowdown * max(original_seconds, _CLOCK_SECONDS):
        return Hangs(f"{late} ({times})")
    return NotShown(f"{late} ({times}): it may be slow only; a smaller problem would show it")
