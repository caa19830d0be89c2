"""Runs proposed launches with memory checks, each alone, and lengthens their arrays until none is left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from porter.core.errors import PorterError
from porter.core.process import Limits
from porter.harness.dtypes import element_type
from porter.harness.infer_launches import NotInferred
from porter.harness.launch_config import build_launching
from porter.harness.synthesise import Array, KernelCall, launching_program
from porter.harness.verdict import VerifyOptions
from porter.simulator.build import Program
from porter.simulator.options import Face
from porter.simulator.run import RunResult, run_program

MOST_LENGTHENED_ELEMS = 1 << 23
"""Of all arrays of a launch together: beyond it none is lengthened, and the launch is given up."""
_MOST_RUNS = 24
_SECONDS = 10.0
_OUTSIDE = re.compile(r"byte (-?\d+) of allocation \d+, which has (\d+) bytes")


def confirm_calls(
    source: Path, calls: Sequence[KernelCall], options: VerifyOptions
) -> tuple[KernelCall | NotInferred, ...]:
    """Each call with arrays that suffice, or why there are none; `source` has the kernels and no main().

    One program launches them all; where it does not build, each kernel has one of its own.
    """
    if not calls:
        return ()
    built = _build(source, calls, options)
    names = list(dict.fromkeys(call.name for call in calls))
    if not isinstance(built, NotInferred):
        return tuple(_confirmed(built, number, call) for number, call in enumerate(calls))
    if len(names) == 1:
        return (built,) * len(calls)
    groups = [[call for call in calls if call.name == name] for name in names]
    found = {n: iter(confirm_calls(source, g, options)) for n, g in zip(names, groups, strict=True)}
    return tuple(next(found[call.name]) for call in calls)


def _build(source: Path, calls: Sequence[KernelCall], options: VerifyOptions) -> Program | NotInferred:
    try:
        return build_launching(launching_program(source, calls, Face.CUDA), source, options)
    except PorterError as error:
        first = error.message.split("\n")[0]
        return NotInferred(f"a program that launches it does not build: {first}")


def _confirmed(program: Program, number: int, call: KernelCall) -> KernelCall | NotInferred:
    for _ in range(_MOST_RUNS):
        done = _run(program, number, call)
        if done.timed_out:
            return NotInferred(f"the launch proposed for it does not end within {_SECONDS:g} s")
        if done.ok:
            return call
        if not done.errors:
            return NotInferred(f"the launch proposed for it ends with exit code {done.returncode}")
        longer = _lengthened(call, done.errors[0].message)
        if longer is None:
            return NotInferred(f"the launch proposed for it fails: {done.errors[0]}")
        call = longer
    return NotInferred("its arrays have no length that suffices")


def _run(program: Program, number: int, call: KernelCall) -> RunResult:
    counts = " ".join(str(a.count) for a in call.arguments if isinstance(a, Array))
    environment = {"PORTER_LAUNCH": str(number), "PORTER_COUNTS": counts}
    return run_program(program, environment=environment, limits=Limits(wall_seconds=_SECONDS))


def _lengthened(call: KernelCall, message: str) -> KernelCall | None:
    """With the array that a message speaks of at least twice as long; None where no length helps."""
    found = _OUTSIDE.search(message)
    if found is None or int(found[1]) < 0:
        return None
    byte, size = int(found[1]), int(found[2])
    arguments = tuple(
        replace(a, count=_longer(a.count, byte, size)) if isinstance(a, Array) and _is_of(a, size) else a
        for a in call.arguments
    )
    grown = sum(a.count for a in arguments if isinstance(a, Array))
    if arguments == call.arguments or grown > MOST_LENGTHENED_ELEMS:
        return None
    return replace(call, arguments=arguments)


def _is_of(array: Array, size: int) -> bool:
    """Whether an allocation of `size` bytes can be this array's."""
    element = element_type(array.type)
    if element is not None:
        return size == array.count * element.size_bytes
    return size % array.count == 0


def _longer(count: int, byte: int, size: int) -> int:
    return max(2 * count, byte * count // size + 1)
