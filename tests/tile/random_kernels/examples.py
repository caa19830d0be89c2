"""A number of different kernels from a seed, the same ones every time."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.tile.random_kernels.kernels import RandomKernel, kernels

_A_SEED = 40
"""Hypothesis varies what it has made before: many seeds give more kinds of kernels than one."""


def examples(count: int, first_seed: int) -> list[RandomKernel]:
    """`count` kernels, no two of them the same but for numbers."""
    found: dict[str, RandomKernel] = {}
    number = first_seed * 100_000
    while len(found) < count:
        for kernel in _of_seed(number):
            found.setdefault(re.sub(r"\d+", "0", kernel.text("k")), kernel)
        number += 1
    return list(found.values())[:count]


def _of_seed(number: int) -> list[RandomKernel]:
    made: list[RandomKernel] = []

    @seed(number)
    @settings(
        max_examples=_A_SEED,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(kernels())
    def make(kernel: RandomKernel) -> None:
        made.append(kernel)

    make()
    return made
