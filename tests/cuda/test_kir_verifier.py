"""Each invariant, broken on purpose."""

from dataclasses import dataclass, replace

import pytest

from porter.core.span import Span
from porter.cuda.kir import (
    BOOL,
    FLOAT32,
    INT32,
    Assign,
    Binary,
    Break,
    Builtin,
    Call,
    CallFunction,
    Cast,
    Const,
    Declare,
    Evaluate,
    Expr,
    Extension,
    Function,
    If,
    Index,
    Kernel,
    MakeVector,
    Member,
    Pointer,
    Return,
    Select,
    Stmt,
    Storage,
    Type,
    Unary,
    Variable,
    VarRef,
    Vector,
    Void,
    While,
)
from porter.cuda.kir_verifier import InvalidKernel, verify_kernel

AT = Span("k.cu", 3, 4, 1, 4)
N = Variable("n", INT32, Storage.PARAMETER, AT)
X = Variable("x", Pointer(FLOAT32), Storage.PARAMETER, AT)
LOCAL = Variable("v", FLOAT32, Storage.LOCAL, AT)
ONE = Const(1, INT32, AT)
N_REF = VarRef(N, INT32, AT)
V_REF = VarRef(LOCAL, FLOAT32, AT)
HALF = Const(0.5, FLOAT32, AT)
TRUE = Const(True, BOOL, AT)
ATOMIC = Call("atomicAdd", (VarRef(X, Pointer(FLOAT32), AT), HALF), FLOAT32, AT)
SLOT = Index(VarRef(X, Pointer(FLOAT32), AT), N_REF, FLOAT32, AT)


TILE = Variable("tile", FLOAT32, Storage.SHARED, AT)
LANE = Variable("lane", INT32, Storage.LOCAL, AT)
LANE_REF = VarRef(LANE, INT32, AT)


@dataclass(frozen=True)
class Collective(Extension):
    """A statement of a later stage: `lane` is its own, `target` may be declared by it."""

    target: Variable
    value: Expr
    lane: Variable | None
    body: tuple[Stmt, ...]
    span: Span
    comments: tuple[str, ...] = ()
    bound = ("lane",)

    def agreements(self) -> tuple[tuple[str, Type, Type], ...]:
        return (("the value", FLOAT32, self.value.type),)


def kernel(*body: Stmt) -> Kernel:
    return Kernel("k", (), (N, X), body, AT)


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        (Assign(N_REF, HALF, AT), "an assignment has float32 where int32 belongs"),
        (Assign(N_REF, Binary("+", ONE, HALF, INT32, AT), AT), "the right of `+`"),
        (Assign(N_REF, Binary("<", ONE, ONE, INT32, AT), AT), "a comparison"),
        (Assign(N_REF, Binary("&&", ONE, TRUE, BOOL, AT), AT), "&& has int32"),
        (Assign(N_REF, Select(ONE, ONE, ONE, INT32, AT), AT), "the condition of `?:`"),
        (Assign(N_REF, Unary("-", HALF, INT32, AT), AT), "`-`"),
        (Assign(N_REF, Const(1.5, INT32, AT), AT), "the constant 1.5"),
        (Assign(N_REF, VarRef(N, FLOAT32, AT), AT), "a variable"),
        (Assign(SLOT, Binary("+", ATOMIC, HALF, FLOAT32, AT), AT), "`atomicAdd` has an effect"),
        (If(ONE, (), (), AT), "a condition"),
        (While(Binary("<", ATOMIC, HALF, BOOL, AT), (), AT), "`atomicAdd` has an effect"),
        (Assign(V_REF, HALF, AT), "`v` is used outside its scope"),
        (Break(AT), "outside a loop"),
        (Return(ONE, AT), "a return"),
        (Evaluate(CallFunction("f", (), Void(), AT), AT), "the function `f`"),
        (Assign(SLOT, Index(N_REF, ONE, FLOAT32, AT), AT), "int32 is indexed"),
        (Assign(SLOT, Index(SLOT.base, HALF, FLOAT32, AT), AT), "an index of type float32"),
        (Assign(SLOT, Member(N_REF, "x", FLOAT32, AT), AT), "int32 has no members"),
        (Assign(N_REF, Builtin("threadIdx", "x", INT32, AT), AT), "`threadIdx` has int32"),
        (Collective(LOCAL, N_REF, None, (), AT), "the value has int32 where float32 belongs"),
        (Collective(LOCAL, V_REF, None, (), AT), "`v` is used outside its scope"),
        (Collective(LOCAL, ATOMIC, None, (), AT), "`atomicAdd` has an effect"),
        (Collective(LOCAL, HALF, N, (), AT), "`n` is declared twice"),
        (Collective(TILE, HALF, None, (), AT), "`tile` is not declared and not local"),
        (Collective(LOCAL, HALF, None, (Break(AT),), AT), "outside a loop"),
        (Declare(Variable("q", Vector(FLOAT32, 2), Storage.LOCAL, AT),
                 MakeVector((HALF,), Vector(FLOAT32, 2), AT), AT), "1 elements for float32x2"),
    ],
)  # fmt: skip
def test_violations_are_named(statement: Stmt, problem: str) -> None:
    with pytest.raises(InvalidKernel) as caught:
        verify_kernel(kernel(statement))
    assert problem in str(caught.value)
    assert caught.value.span == AT


def test_a_variable_ends_with_its_block() -> None:
    inner = If(TRUE, (Declare(LOCAL, HALF, AT),), (), AT)
    with pytest.raises(InvalidKernel, match="outside its scope"):
        verify_kernel(kernel(inner, Assign(SLOT, V_REF, AT)))


def test_declared_twice() -> None:
    with pytest.raises(InvalidKernel, match="declared twice"):
        verify_kernel(kernel(Declare(LOCAL, HALF, AT), Declare(LOCAL, HALF, AT)))


def test_valid_kernel_passes() -> None:
    verify_kernel(
        kernel(
            Declare(LOCAL, ATOMIC, AT),
            While(TRUE, (Break(AT),), AT),
            Assign(SLOT, Binary("*", V_REF, Cast(N_REF, FLOAT32, AT), FLOAT32, AT), AT),
            Evaluate(ATOMIC, AT),
            Return(None, AT),
        )
    )


def test_what_a_later_statement_declares() -> None:
    """Its target for what follows, its own variable for its expressions and blocks."""
    value = Cast(LANE_REF, FLOAT32, AT)
    store = Assign(SLOT, Binary("*", V_REF, value, FLOAT32, AT), AT)
    verify_kernel(kernel(Collective(LOCAL, value, LANE, (store,), AT), Assign(SLOT, V_REF, AT)))
    with pytest.raises(InvalidKernel, match="`lane` is used outside its scope"):
        verify_kernel(kernel(Collective(LOCAL, value, LANE, (), AT), store))


def test_a_version_is_declared_by_its_first_assignment() -> None:
    first = Assign(V_REF, HALF, AT)
    again = Assign(V_REF, Binary("*", V_REF, HALF, FLOAT32, AT), AT)
    verify_kernel(kernel(first, again), {LOCAL})
    with pytest.raises(InvalidKernel, match="`v` is used outside its scope"):
        verify_kernel(kernel(first, again))
    with pytest.raises(InvalidKernel, match="`v` is used before its first value"):
        verify_kernel(kernel(again), {LOCAL})
    with pytest.raises(InvalidKernel, match="`v` is used outside its scope"):
        verify_kernel(kernel(If(TRUE, (first,), (), AT), Assign(SLOT, V_REF, AT)), {LOCAL})


def test_the_call_of_a_function_has_its_type() -> None:
    function = Function("f", (), FLOAT32, (Return(HALF, AT),), AT)
    called = Declare(LOCAL, CallFunction("f", (), FLOAT32, AT), AT)
    valid = kernel(called)
    verify_kernel(replace(valid, functions={"f": function}))
    wrong = kernel(Assign(N_REF, CallFunction("f", (), INT32, AT), AT))
    with pytest.raises(InvalidKernel, match="a call has int32 where float32 belongs"):
        verify_kernel(replace(wrong, functions={"f": function}))
