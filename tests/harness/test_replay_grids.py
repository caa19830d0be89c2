"""The grid that a port with blocks of another length gets in a case; figures from counting threads."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from porter.harness.hip_replay import _grid_of

Grid = tuple[int, int, int]


def grid_of(
    own: Grid | None, *, port: tuple[Grid, Grid], raised: bool = False, block: Grid | None = None
) -> Grid | None:
    """For a launch of 53 blocks of 96 threads (5,088), as for 5,000 elements; `port` is grid and block."""
    launch = SimpleNamespace(grid=(53, 1, 1), block=(96, 1, 1))
    case = SimpleNamespace(grid=own, block=block, raised=raised)
    twin = SimpleNamespace(grid=port[0], block=port[1])
    judged = SimpleNamespace(planned=SimpleNamespace(case=case, launch=launch))
    return _grid_of(judged, twin)  # type: ignore[arg-type]


WIDER = ((40, 1, 1), (128, 1, 1))  # 5,120 threads, as many rounded up


@pytest.mark.parametrize(
    ("own", "raised", "expected"),
    [
        (None, False, None),  # the port's own
        ((53, 1, 1), False, (40, 1, 1)),  # as captured: the port's own
        ((16, 1, 1), False, (12, 1, 1)),  # 1,536 threads in both
        ((14, 1, 1), False, None),  # 1,344 threads are no whole blocks of 128
        ((105, 1, 1), True, (79, 1, 1)),  # 10,080 threads for 10,000 elements; 78.75 blocks
        ((16, 2, 1), True, None),
    ],
)
def test_as_many_threads_as_the_original(own: Grid | None, raised: bool, expected: Grid | None) -> None:
    assert grid_of(own, raised=raised, port=WIDER) == expected


@pytest.mark.parametrize("grid", [(41, 1, 1), (20, 2, 1), (39, 1, 1)])
def test_a_port_that_covers_otherwise_as_captured_is_not_guessed(grid: Grid) -> None:
    assert grid_of((16, 1, 1), port=(grid, (128, 1, 1))) is None


def test_a_case_with_its_own_block_needs_the_same_grid() -> None:
    assert grid_of((16, 1, 1), port=WIDER, block=(64, 1, 1)) is None
    assert grid_of((16, 1, 1), port=((53, 1, 1), (64, 1, 1)), block=(64, 1, 1)) == (16, 1, 1)
