"""What the checks cost: CPU time of the kernels of simulator_speed.cu with checks, over that without.

`python benchmarks/simulator_checks.py` prints a ratio for each kernel and choice of checks, all from one run.
"""

from __future__ import annotations

from pathlib import Path

from porter.simulator.build import build_program
from porter.simulator.checks import ALL_CHECKS, Check
from porter.simulator.options import Face
from porter.simulator.run import run_program

SOURCE = Path(__file__).with_name("simulator_speed.cu")
CHOICES = {
    "memory": frozenset({Check.MEMORY}),
    "race": frozenset({Check.RACE}),
    "all": ALL_CHECKS,
}


def cpu_milliseconds(checks: frozenset[Check]) -> dict[str, float]:
    result = run_program(build_program([SOURCE], face=Face.CUDA, checks=checks))
    if not result.ok:
        reason = "it ran out of time" if result.timed_out else result.stderr.decode()
        raise SystemExit(f"{SOURCE.name} with {sorted(checks)}: {reason}")
    rows = (line.split() for line in result.stdout.decode().splitlines())
    return {name: float(times[1]) for name, *times in rows if len(times) == 3}


def main() -> None:
    plain = cpu_milliseconds(frozenset())
    checked = {name: cpu_milliseconds(checks) for name, checks in CHOICES.items()}
    print(f"{'kernel':20}{'plain ms':>10}" + "".join(f"{name:>10}" for name in CHOICES))
    for kernel, milliseconds in plain.items():
        ratios = (times[kernel] / milliseconds for times in checked.values())
        print(f"{kernel:20}{milliseconds:10.2f}" + "".join(f"{ratio:9.1f}x" for ratio in ratios))


if __name__ == "__main__":
    main()
