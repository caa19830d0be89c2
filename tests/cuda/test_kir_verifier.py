"""Each invariant, broken on purpose."""

import pytest

from porter.core.span import Span
from porter.cuda.kir import (
    BOOL,
    FLOAT32,
    INT32,
    Assign,
    Binary,
    Break,
    Call,
    CallFunction,
    Cast,
    Const,
    Declare,
    Evaluate,
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
