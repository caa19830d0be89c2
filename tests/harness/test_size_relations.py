"""Formulas of grids and lengths, from launches that are made by a formula that the test knows."""

from collections.abc import Callable

import pytest

from porter.harness.capture import Allocation, Launch, ScalarArgument
from porter.harness.size_relations import Formula, Relations, relate, values_of
from tests.harness.captures import allocation, integer, launch_of, pointer

Memory = dict[int, Allocation]


def ceil(a: int, b: int) -> int:
    return -(-a // b)


def related(
    sizes: list[tuple[int, ...]],
    grid: Callable[..., tuple[int, int, int]],
    length: Callable[..., int],
    block: tuple[int, int, int] = (256, 1, 1),
) -> Relations:
    """The relations of a kernel (float*, int...) launched once for each tuple of sizes."""
    memory: Memory = {}
    launches: list[Launch] = []
    for index, values in enumerate(sizes):
        memory |= allocation(index, 4 * length(*values))
        arguments = (pointer("float*", index), *map(integer, values))
        launches.append(launch_of(*arguments, grid=grid(*values), block=block, index=index))
    return relate(launches, memory)


def predicted(relations: Relations, values: tuple[int, ...], block: tuple[int, int, int]) -> dict[str, int]:
    launch = launch_of(pointer("float*"), *map(integer, values), grid=(1, 1, 1), block=block)
    known = values_of(launch, relations.sizes)
    known |= {side: formula.of(known) for side, formula in relations.grid.items()}
    return {"grid.x": known["grid.x"], "length": relations.lengths["a0"].of(known)}


@pytest.mark.parametrize(
    ("grid", "length", "block"),
    [
        (lambda n: ceil(n, 256), lambda n: n, (256, 1, 1)),
        (lambda n: n, lambda n: n, (128, 1, 1)),
        (lambda n: ceil(n, 1024), lambda n: n, (256, 1, 1)),
        (lambda n: ceil(n, 8), lambda n: n + 1, (256, 1, 1)),
        (lambda n: min(ceil(n, 256), 64), lambda n: 3 * n, (256, 1, 1)),
        (lambda n: ceil(n, 128), lambda n: ceil(n, 32), (128, 1, 1)),
        (lambda n: ceil(n, 256), lambda n: 4 * n + 4, (256, 1, 1)),
    ],
)
def test_one_size_in_three_launches(
    grid: Callable[[int], int], length: Callable[[int], int], block: tuple[int, int, int]
) -> None:
    relations = related([(1,), (1000,), (100003,)], lambda n: (grid(n), 1, 1), length, block)
    for n in (2, 777, 50001):
        assert predicted(relations, (n,), block) == {"grid.x": grid(n), "length": length(n)}


def test_a_matrix_in_two_dimensions() -> None:
    relations = related(
        [(93, 70), (64, 31)], lambda m, n: (ceil(n, 16), ceil(m, 16), 1), lambda m, n: m * n, (16, 16, 1)
    )
    assert relations.grid["grid.x"] == Formula(("a2",), divisor="block.x")
    assert relations.grid["grid.y"] == Formula(("a1",), divisor="block.y")
    assert relations.lengths["a0"] == Formula(("a1", "a2"))


def test_a_grid_that_is_a_size_of_its_own() -> None:
    """One block a row: how many rows there are, no argument says."""
    memory = allocation(0, 4 * 17 * 61) | allocation(1, 4 * 40 * 509)
    launches = [
        launch_of(pointer("float*", k), integer(cols), grid=(rows, 1, 1), index=k)
        for k, (rows, cols) in enumerate([(17, 61), (40, 509)])
    ]
    relations = relate(launches, memory)
    assert not relations.grid
    assert relations.lengths["a0"].product == ("a1", "grid.x")
    assert relations.told == {"a1", "grid.x"}


def test_arguments_that_are_always_equal_are_one_size() -> None:
    relations = related(
        [(64, 64), (96, 96)], lambda m, n: (ceil(n, 16), 1, 1), lambda m, n: m * n, (16, 16, 1)
    )
    assert relations.sizes == {"a1": (1, 2)}
    assert relations.lengths["a0"] == Formula(("a1", "a1"))


def test_a_byte_is_no_size() -> None:
    level = ScalarArgument("unsigned char", b"\x80")
    launches = [launch_of(pointer("float*"), integer(n), level, grid=(n, 1, 1)) for n in (4, 7)]
    assert relate(launches, allocation(0, 4096)).sizes == {"a1": (1,)}


def test_a_length_that_never_changes_has_no_formula_and_needs_none() -> None:
    relations = related([(1000,), (5000,)], lambda n: (ceil(n, 256), 1, 1), lambda n: 256)
    assert "a0" not in relations.lengths
    assert not relations.unrelated


def test_a_length_that_follows_from_nothing_is_told() -> None:
    lengths = {1000: 4711, 5000: 815}
    relations = related([(1000,), (5000,)], lambda n: (ceil(n, 256), 1, 1), lambda n: lengths[n])
    assert relations.unrelated == {"a0": "its length follows from no integer argument"}


def test_a_shared_allocation_is_told() -> None:
    launch = launch_of(pointer("float*", 1), pointer("float*", 1, 400), integer(100))
    relations = relate([launch], allocation(1, 800))
    assert set(relations.unrelated) == {"a0", "a1"}


def test_a_grid_of_one_block_stays() -> None:
    relations = related([(100,), (200,)], lambda n: (1, 1, 1), lambda n: n)
    assert relations.grid == {}
