"""A number of different kernels from a seed, the same ones every time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count as count_from
from itertools import islice
from unittest import mock

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.internal.conjecture import providers

from tests.tile.random_kernels.kernels import RandomKernel, kernels

_A_SEED = 40
"""Hypothesis varies what it has made before: many seeds give more kinds of kernels than one."""


def examples(count: int, first_seed: int) -> list[RandomKernel]:
    """`count` kernels, no two of them the same but for numbers."""
    return list(islice(all_examples(first_seed), count))


def all_examples(first_seed: int) -> Iterator[RandomKernel]:
    """Without end, as they are made."""
    known: set[str] = set()
    for number in count_from(first_seed * 100_000):
        for kernel in _of_seed(number):
            shape = re.sub(r"\d+", "0", kernel.text("k"))
            if shape not in known:
                known.add(shape)
                yield kernel


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

    with _no_constants_of_modules():
        make()
    return made


@contextmanager
def _no_constants_of_modules() -> Iterator[None]:
    """Hypothesis draws numbers that stand in the imported modules too: a seed would mean others in each."""
    fresh = type(providers.CONSTANTS_CACHE)(1024)
    with (
        mock.patch.object(providers, "_get_local_constants", providers.Constants),
        mock.patch.object(providers, "CONSTANTS_CACHE", fresh),
    ):
        yield
