"""Typed kernel IR: what a CUDA kernel computes, after templates, macros and overloads are resolved.

Invariants, checked by `verify_kernel`:

- Expressions are pure. Every call with an effect (atomics, shuffles, votes, device functions that
  store) is the whole right-hand side of a `Declare` or `Assign`, or the call of an `Evaluate`; the
  lowering introduces temporaries for this. `&&`, `||` and `?:` whose operands have effects become `If`.
- Every conversion is an explicit `Cast`, so both operands of an arithmetic `Binary` have its type and
  both operands of a comparison have one type.
- Compound assignment and `++` are `Assign(lhs, Binary(op, lhs, rhs))`.
- A variable is used where it is visible: a parameter, a global, or declared before in the block or around it.
- A builtin and the call of a device function have the type that `kir_results.builtin_type` and the function
  tell.
- An lvalue (`VarRef`, `Index`, `Member`) in value position is a read of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, TypeAlias

from porter.core.span import Span

# --- types -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scalar:
    """`kind` is "bool", "int", "uint", "float" or "bfloat"; char, short, long are ints of their width."""

    kind: str
    bits: int

    def __str__(self) -> str:
        return "bool" if self.kind == "bool" else f"{self.kind}{self.bits}"


@dataclass(frozen=True)
class Vector:
    """CUDA's built-in vectors (`float4`, `int2`, `uchar4`); members are x, y, z, w."""

    element: Scalar
    lanes: int

    def __str__(self) -> str:
        return f"{self.element}x{self.lanes}"


@dataclass(frozen=True)
class Struct:
    name: str
    fields: tuple[tuple[str, Type], ...]
    size_bytes: int = 0
    offsets_bytes: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Array:
    """A C array; `shape` has every dimension, outermost first; 0 for `extern __shared__ T x[]`."""

    element: Type
    shape: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.element}[{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True)
class Pointer:
    pointee: Type
    is_const: bool = False

    def __str__(self) -> str:
        return f"*{'const ' if self.is_const else ''}{self.pointee}"


@dataclass(frozen=True)
class Void:
    def __str__(self) -> str:
        return "void"


Type: TypeAlias = Scalar | Vector | Struct | Array | Pointer | Void

BOOL = Scalar("bool", 8)
INT32 = Scalar("int", 32)
INT64 = Scalar("int", 64)
UINT32 = Scalar("uint", 32)
UINT64 = Scalar("uint", 64)
FLOAT16 = Scalar("float", 16)
BFLOAT16 = Scalar("bfloat", 16)
FLOAT32 = Scalar("float", 32)
FLOAT64 = Scalar("float", 64)

# --- variables -------------------------------------------------------------------------------------


class Storage(Enum):
    PARAMETER = "parameter"
    LOCAL = "local"
    SHARED = "shared"
    DYNAMIC_SHARED = "dynamic_shared"
    CONSTANT = "constant"
    GLOBAL = "global"


SHARED_STORAGE = (Storage.SHARED, Storage.DYNAMIC_SHARED)
"""Where a block has one variable for all its threads."""


@dataclass(frozen=True, eq=False)
class Variable:
    """One variable; compared by identity, so shadowing and inlining cannot confuse two of a name.

    `initial` holds the elements of a `__constant__` or `const` array with a constant initialiser. With
    `restrict` a pointer parameter is the only way to what is stored through it or next to it.
    """

    name: str
    type: Type
    storage: Storage
    span: Span
    initial: tuple[int | float, ...] | None = None
    restrict: bool = False

    def __repr__(self) -> str:
        return f"{self.name}#{id(self) & 0xFFFF:04x}"


# --- expressions -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Const:
    value: int | float | bool
    type: Type
    span: Span


@dataclass(frozen=True)
class VarRef:
    variable: Variable
    type: Type
    span: Span


@dataclass(frozen=True)
class Builtin:
    """`name` is threadIdx, blockIdx, blockDim, gridDim (with `axis` x, y, z) or warpSize (axis "")."""

    name: str
    axis: str
    type: Type
    span: Span


@dataclass(frozen=True)
class Unary:
    """`op` is one of `- ~ !`."""

    op: str
    operand: Expr
    type: Type
    span: Span


@dataclass(frozen=True)
class Binary:
    """`op` is C's: `+ - * / % << >> & | ^ < <= > >= == != && ||`.

    Pointer arithmetic is `Binary("+", pointer, integer)` in elements; a pointer difference has type int64.
    `/` and `%` on ints truncate as in C; `>>` on ints is arithmetic.
    """

    op: str
    left: Expr
    right: Expr
    type: Type
    span: Span


@dataclass(frozen=True)
class Cast:
    """A value conversion (or a pointer cast, where both types are `Pointer`)."""

    operand: Expr
    type: Type
    span: Span


@dataclass(frozen=True)
class Bitcast:
    """Same bits, other type: `__float_as_int`, `__int_as_float`, `__half_as_ushort` …"""

    operand: Expr
    type: Type
    span: Span


@dataclass(frozen=True)
class Select:
    condition: Expr
    if_true: Expr
    if_false: Expr
    type: Type
    span: Span


@dataclass(frozen=True)
class Index:
    """`base[index]`: base is a pointer or an array; `*p` is `Index(p, 0)`. Multi-dimensional arrays nest."""

    base: Expr
    index: Expr
    type: Type
    span: Span


@dataclass(frozen=True)
class Member:
    """`base.field`, of a Struct or a Vector (x, y, z, w)."""

    base: Expr
    field: str
    type: Type
    span: Span


@dataclass(frozen=True)
class AddressOf:
    """`&lvalue`, and an array decaying to a pointer (`AddressOf(Index(array, 0))`)."""

    lvalue: Lvalue
    type: Type
    span: Span


@dataclass(frozen=True)
class MakeVector:
    """`make_float4(a, b, c, d)`; `T{a, b}` of a struct; the rows of an array, which a member may be."""

    elements: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True)
class Call:
    """A call of an intrinsic, by its canonical CUDA name.

    Pure ones are math functions under their C name for double (`exp`, `fmax`, `rsqrt`, `abs`): the operand
    type says the precision; `__expf`-like fast forms keep their own name. Effects: `atomicAdd` … (first
    argument a pointer), `__shfl_sync`, `__shfl_down_sync`, `__shfl_up_sync`, `__shfl_xor_sync` (mask, value,
    lane, width: always four arguments), `__ballot_sync`, `__any_sync`, `__all_sync`, `__activemask`,
    `__match_any_sync`, `__syncthreads_and/or/count`, `printf`, `assert`, `__trap`.
    """

    name: str
    arguments: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True)
class CallFunction:
    """A call of a device function of the program (`Kernel.functions` has its body)."""

    function: str
    arguments: tuple[Expr, ...]
    type: Type
    span: Span


Lvalue: TypeAlias = VarRef | Index | Member
Expr: TypeAlias = (
    Const
    | VarRef
    | Builtin
    | Unary
    | Binary
    | Cast
    | Bitcast
    | Select
    | Index
    | Member
    | AddressOf
    | MakeVector
    | Call
    | CallFunction
)

# --- statements ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Declare:
    """A local or shared variable; `value` is None for an uninitialised one and for shared arrays."""

    variable: Variable
    value: Expr | None
    span: Span
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Assign:
    target: Lvalue
    value: Expr
    span: Span
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evaluate:
    call: Call | CallFunction
    span: Span
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class If:
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]
    span: Span
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class For:
    """C's `for`: `init` runs once; `step` runs after the body and on `Continue`."""

    init: tuple[Stmt, ...]
    condition: Expr
    step: tuple[Stmt, ...]
    body: tuple[Stmt, ...]
    span: Span
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class While:
    condition: Expr
    body: tuple[Stmt, ...]
    span: Span
    do_while: bool = False
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Break:
    span: Span


@dataclass(frozen=True)
class Continue:
    span: Span


@dataclass(frozen=True)
class Return:
    value: Expr | None
    span: Span


@dataclass(frozen=True)
class Barrier:
    """`scope` is "block" (`__syncthreads`, `cg::sync(block)`), "warp" (`__syncwarp`) or "fence"."""

    scope: str
    span: Span
    comments: tuple[str, ...] = ()


class Extension:
    """A statement that a later stage adds (the idioms the Triton compiler raises); lowering makes none.

    A frozen dataclass of variables, expressions, types, numbers, enums, None and tuples of statements. A
    variable that is not visible yet is declared by it: for what follows, or, in a field that `bound` names,
    for the statement's own expressions and blocks. `changed` are the fields with the variables that it gives
    values.
    """

    span: Span
    bound: ClassVar[tuple[str, ...]] = ()
    changed: ClassVar[tuple[str, ...]] = ("target",)

    def agreements(self) -> tuple[tuple[str, Type, Type], ...]:
        """The types that have to agree: what it is about, the type that belongs there and the one there."""
        return ()


Stmt: TypeAlias = (
    Declare | Assign | Evaluate | If | For | While | Break | Continue | Return | Barrier | Extension
)

# --- kernels ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Function:
    """A device function, instantiated. `name` is unique in its kernel (`warp_sum<float>`)."""

    name: str
    parameters: tuple[Variable, ...]
    returns: Type
    body: tuple[Stmt, ...]
    span: Span
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kernel:
    """One instantiated kernel.

    `name` is the source name, `template_arguments` the instantiation (empty for no template);
    `functions` has every device function it reaches; `globals` the `__constant__`/`__device__` variables.
    """

    name: str
    template_arguments: tuple[str, ...]
    parameters: tuple[Variable, ...]
    body: tuple[Stmt, ...]
    span: Span
    functions: dict[str, Function] = field(default_factory=dict)
    globals: tuple[Variable, ...] = ()
    launch_bounds: tuple[int, ...] = ()
    comments: tuple[str, ...] = ()
