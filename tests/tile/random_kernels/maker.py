"""What a generator of code holds: Hypothesis's choices, the names in scope, what may be called and read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from hypothesis import strategies as st

from tests.tile.random_kernels.values import CType, Variable

T = TypeVar("T")


@dataclass(frozen=True)
class Array:
    """Memory with elements of one type, all in a range: a buffer, a local or a shared array, a pointer.

    `constant` memory is never written while the kernel runs; `length` counts what may be read from its start.
    """

    name: str
    type: CType
    length: int
    low: int
    high: int
    scale: int = 0
    constant: bool = True


@dataclass(frozen=True)
class Function:
    """A device function: parameters as variables of its body, and the range of what it returns."""

    name: str
    parameters: tuple[Variable, ...]
    returns: Variable
    text: str


@dataclass(frozen=True)
class Counter:
    """An array that threads change by one atomic operation only."""

    name: str
    type: CType
    length: int
    operation: str


@dataclass
class Maker:
    """`free` is how many more statements may be made; `leave` makes what ends the function early."""

    draw: Callable[[Any], Any]
    free: int = 24
    scopes: list[list[Variable]] = field(default_factory=lambda: [[]])
    arrays: list[Array] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    counters: list[Counter] = field(default_factory=list)
    hidden: set[str] = field(default_factory=set)
    numbers: dict[str, int] = field(default_factory=dict)
    loops: int = 0
    in_switch: bool = False
    leave: Callable[[Maker], str] | None = None

    def integer(self, low: int, high: int) -> int:
        return int(self.draw(st.integers(low, high)))

    def pick(self, options: Sequence[T]) -> T:
        return options[self.integer(0, len(options) - 1)]

    def chance(self, percent: int) -> bool:
        """Hypothesis shrinks towards 0: the plain case is the one that is not taken."""
        return self.integer(0, 99) >= 100 - percent

    def fresh(self, stem: str) -> str:
        number = self.numbers.get(stem, 0)
        self.numbers[stem] = number + 1
        return f"{stem}{number}"

    def declare(self, variable: Variable) -> Variable:
        self.scopes[-1].append(variable)
        return variable

    def variables(self, wanted: Callable[[Variable], bool]) -> list[Variable]:
        return [v for scope in self.scopes for v in scope if v.name not in self.hidden and wanted(v)]

    @contextmanager
    def nested(self) -> Iterator[None]:
        self.scopes.append([])
        arrays = list(self.arrays)
        yield
        self.arrays = arrays
        self.scopes.pop()

    @contextmanager
    def hiding(self, name: str) -> Iterator[None]:
        """While an expression has an effect on a variable nothing else in it may read the variable."""
        self.hidden.add(name)
        yield
        self.hidden.discard(name)
