"""What the vectoriser carries along: the layout, the facts, the names, and the block being written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from porter.analysis.ranges import Interval, Ranges
from porter.analysis.uniformity import Uniformity
from porter.cuda import kir
from porter.tile import ir
from porter.tile.arithmetic import named
from porter.tile.layout import Layout
from porter.tile.masks import MaskStack
from porter.tile.names import NameScope
from porter.tile.printer import dtype_name
from porter.tile.python_numbers import interval_of


@dataclass(frozen=True)
class Binding:
    """The Python name of a variable and the type its value has there.

    `exact`: a scalar argument whose width Triton derives from its value, so arithmetic has to convert it.
    """

    name: str
    type: ir.TileType
    weak: bool = False
    exact: bool = False


Lower: TypeAlias = "Callable[[Context, kir.Expr], ir.Expr]"


@dataclass
class Context:
    """`lower` is the lowering of any expression, which addresses and widths need in turn."""

    kernel: kir.Kernel
    layout: Layout
    uniformity: Uniformity
    ranges: Ranges
    masks: MaskStack
    names: NameScope
    lower: Lower
    bindings: dict[kir.Variable, Binding] = field(default_factory=dict)
    buffers: dict[kir.Variable, Buffer] = field(default_factory=dict)
    mutable: set[kir.Variable] = field(default_factory=set)
    prologue: dict[str, ir.Stmt] = field(default_factory=dict)
    parameters: dict[str, ir.Parameter] = field(default_factory=dict)
    depth: dict[kir.Variable, int] = field(default_factory=dict)
    loads: dict[ir.Expr, ir.Name] = field(default_factory=dict)
    values: dict[ir.Expr, ir.Name] = field(default_factory=dict)
    numbers: dict[str, Interval] = field(default_factory=dict)
    entered: dict[int, frozenset[str]] = field(default_factory=dict)
    aliases: dict[kir.Variable, kir.Variable] = field(default_factory=dict)
    versions: dict[kir.Variable, kir.Variable] = field(default_factory=dict)
    functions: set[str] = field(default_factory=set)
    pointer_targets: dict[kir.Variable, tuple[kir.Scalar, str]] = field(default_factory=dict)
    index_names: dict[str, str] = field(default_factory=dict)
    shares_memory: bool = False
    allow_tf32: bool = False
    inline_loads: bool = False
    wanted_name: str = ""
    grid_dimensions: set[str] = field(default_factory=lambda: {"x"})
    block: list[ir.Stmt] = field(default_factory=list)

    def emit(self, statement: ir.Stmt) -> None:
        self.block.append(statement)

    def let(self, wanted: str, value: ir.Expr) -> ir.Name:
        """Names a value; the name is fresh."""
        name, value = self.names.fresh(wanted), named(value)
        self.emit(ir.Let(name, value))
        self.note_number(name, value)
        return ir.Name(name, value.type, ir.is_weak(value))

    @contextmanager
    def nested(self) -> Iterator[list[ir.Stmt]]:
        """Statements emitted inside go to a new block, which is what the manager gives."""
        outer, self.block = self.block, []
        self.entered[id(self.block)] = frozenset(self.names.taken)
        known = dict(self.values)
        self.loads.clear()
        try:
            yield self.block
        finally:
            self.block = outer
            self.values = known
            self.loads.clear()

    def release(self, *blocks: list[ir.Stmt]) -> None:
        """Names made inside a loop or a branch mean nothing after it and can be used again."""
        for block in blocks:
            before = self.entered[id(block)]
            for statement in ir.all_statements(tuple(block)):
                name = statement.target if isinstance(statement, ir.Let) else ""
                name = statement.variable if isinstance(statement, ir.ForRange) else name
                if name not in before:
                    self.free(name)

    def free(self, name: str) -> None:
        """The name means nothing from here on."""
        self.names.taken.discard(name)
        self.numbers.pop(name, None)

    def note_number(self, name: str, value: ir.Expr | None) -> None:
        """The name has this value, of which the range matters if it is a Python number; None: any value."""
        found = None
        if value is not None and ir.is_weak(value):
            found = interval_of(value, self.numbers)
        self.numbers.pop(name, None)
        if found is not None:
            self.numbers[name] = found

    def same(self, wanted: str, value: ir.Expr) -> ir.Name:
        """A name for a value without memory reads or changing variables: the one it has, or a new one."""
        if value in self.values:
            return self.values[value]
        name = self.let(wanted, value)
        if not self._changes(value):
            self.values[value] = name
        return name

    def holds_variable(self, name: ir.Name) -> bool:
        """Whether the name may get another value later."""
        return any(b.name == name.name for v, b in self.bindings.items() if v in self.mutable)

    def _changes(self, value: ir.Expr) -> bool:
        if isinstance(value, ir.Name):
            return self.holds_variable(value)
        if isinstance(value, ir.Invoke) and value.function.startswith(("tl.load", "tl.atomic")):
            return True
        return any(self._changes(operand) for operand in ir.operands(value))

    def axes(self, expr: kir.Expr) -> ir.Axes:
        return self.uniformity.axes(expr)

    def dtype_text(self, dtype: kir.Scalar) -> str:
        return dtype_name(dtype)

    def shape(self, axes: ir.Axes) -> ir.Text:
        """The shape of a tensor over `axes`; its sizes become parameters of the kernel."""
        for axis in self.layout.axes:
            if axis.name in axes:
                self.constexpr(axis.constant, axis.padded)
        return ir.Text(self.layout.shape(axes))

    def constexpr(self, name: str, value: int) -> ir.Name:
        """A compile-time parameter of the kernel."""
        self.parameters.setdefault(name, ir.Parameter(name, "constexpr", None, value))
        self.names.taken.add(name)
        self.numbers[name] = Interval(value, value)
        return ir.Name(name, ir.TileType(kir.INT32), weak=True)


@dataclass(frozen=True)
class Buffer:
    """A shared or local array in scratch memory: `base` points to this program's part.

    `element` is what is stored; `shape` the C array's, `size` its number of elements.
    """

    base: str
    element: kir.Scalar
    shape: tuple[int, ...]
    size: int
