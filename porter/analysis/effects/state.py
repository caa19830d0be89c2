"""What an execution of one block knows: its launch, its variables, its memory and its effects so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from porter.analysis.effects.conflicts import Place as Touched
from porter.analysis.effects.conflicts import Touch
from porter.analysis.effects.shared_cells import Access, SharedCells
from porter.analysis.effects.terms import Pool, Term
from porter.analysis.effects.values import Active, Guard, Value, here, of_thread
from porter.analysis.sizes import size_bytes
from porter.analysis.stop import Stop
from porter.core.span import Span
from porter.cuda.kir import Builtin, CallFunction, Function, Type, Variable
from porter.cuda.warp import WARP_SIZE

SUMMED = {
    "atomicAdd": "+",
    "atomicMin": "min",
    "atomicMax": "max",
    "atomicAnd": "&",
    "atomicOr": "|",
    "atomicXor": "^",
}
"""Atomics whose order does not matter where nobody takes the old value."""


@dataclass(frozen=True)
class BlockOf:
    """Block `scale * b + offset` of a grid that has `scale` times as many blocks as that of block `b`."""

    block: tuple[int, int, int]
    scale: int = 1
    offset: int = 0

    @property
    def threads(self) -> int:
        x, y, z = self.block
        return x * y * z


Place: TypeAlias = Variable | tuple[Variable, int]
"""A local variable, or one element of a local array."""

Effect: TypeAlias = tuple[str, Guard, tuple[object, ...]]
"""What is done, under which conditions, to what."""


@dataclass
class Effects:
    """Stores as a set: who stores a value does not matter. Atomics as sums of what they add.

    `times`: how often each lane's share of a loop with atomics is done.
    """

    stores: dict[Effect, Span] = field(default_factory=dict)
    atomics: dict[Effect, Counter[Term]] = field(default_factory=dict)
    spans: dict[Effect, Span] = field(default_factory=dict)
    times: Counter[Effect] = field(default_factory=Counter)
    touches: list[Touch] = field(default_factory=list)


@dataclass
class State:
    pool: Pool
    launch: BlockOf
    functions: Mapping[str, Function]
    call: Callable[[CallFunction, Active], Value]
    locals: dict[Place, Value] = field(default_factory=dict)
    shared: SharedCells = field(default_factory=SharedCells)
    effects: Effects = field(default_factory=Effects)
    parameters: dict[str, Variable] = field(default_factory=dict)
    arrays: dict[Variable, str] = field(default_factory=dict)
    array_bytes: dict[str, int] = field(default_factory=dict)
    stored: list[Variable | None] = field(default_factory=list)
    epoch: int = 0
    warp_epoch: int = 0
    loops: int = 0
    atomics: int = 0
    steps: int = 0

    def access(self, thread: int) -> Access:
        return Access(thread, self.epoch, self.warp_epoch)

    def record(
        self, kind: str, guard: Guard, what: tuple[object, ...], span: Span, *, counted: bool = False
    ) -> None:
        """A store or a loop's stores. Those that barriers order are told apart, since the last one counts."""
        effect = (kind, guard, (*what, f"epoch {self.epoch}"))
        self.effects.stores.setdefault(effect, span)
        if counted:
            self.effects.times[effect] += 1

    def touch(
        self,
        kind: str,
        buffers: set[Variable | None],
        type_: Type,
        where: Value,
        value: Value,
        active: Active,
        span: Span,
    ) -> None:
        """An access of global memory by all threads that are here."""
        threads = here(active)
        if not threads:
            return
        places = tuple(
            Touched(self.access(t), active[t] or frozenset(), of_thread(where, t), of_thread(value, t))
            for t in threads
        )
        buffer = next(iter(buffers)) if len(buffers) == 1 else None
        guards = frozenset(p.guard for p in places)
        self.effects.touches.append(Touch(kind, buffer, size_bytes(type_), self.epoch, span, guards, places))

    def touch_loop(self, kind: str, buffer: Variable | None, active: Active, span: Span) -> None:
        """An access of a loop whose trips are not known."""
        guards = frozenset(g for g in active if g is not None)
        if not guards:
            return
        self.effects.touches.append(Touch(kind, buffer, 0, self.epoch, span, guards, (), self.loops))

    def count(self, amount: int, span: Span) -> None:
        """Raises Stop where the execution takes too long."""
        self.steps += amount
        if self.steps > MAX_STEPS:
            raise Stop("too many steps to follow", span)

    def array(self, variable: Variable) -> str:
        """The name of a shared array, which no other has."""
        if variable not in self.arrays:
            name = f"{variable.name}#{len(self.arrays)}"
            self.arrays[variable] = name
            self.array_bytes[name] = size_bytes(variable.type)
        return self.arrays[variable]

    def block_index(self) -> Term:
        return self.pool.linear(self.launch.offset, {self.pool.symbol("blockIdx", "x"): self.launch.scale})

    def builtin(self, expr: Builtin) -> Value:
        x, y, z = self.launch.block
        pool, thread = self.pool, range(self.launch.threads)
        if expr.name == "threadIdx":
            places = [{"x": t % x, "y": t // x % y, "z": t // (x * y)}[expr.axis] for t in thread]
            return [pool.number(place) for place in places]
        if expr.name == "blockDim":
            return pool.number((x, y, z)["xyz".index(expr.axis)])
        if expr.name == "warpSize":
            return pool.number(WARP_SIZE)
        symbol = pool.symbol(expr.name, expr.axis)
        if expr.axis != "x":
            return symbol
        offset = self.launch.offset if expr.name == "blockIdx" else 0
        return pool.linear(offset, {symbol: self.launch.scale})


MAX_STEPS = 3_000_000
"""Thread-statements: about ten seconds."""
