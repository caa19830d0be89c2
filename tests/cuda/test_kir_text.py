"""The kernel IR's text says everything: what is printed can be read back and means the same."""

import pytest

from porter.core.span import Span
from porter.cuda.kir import (
    BFLOAT16,
    BOOL,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    UINT64,
    AddressOf,
    Array,
    Assign,
    Binary,
    Bitcast,
    Break,
    Call,
    Cast,
    Const,
    Declare,
    Evaluate,
    Expr,
    For,
    If,
    Index,
    Kernel,
    Pointer,
    Scalar,
    Stmt,
    Storage,
    Struct,
    Type,
    Unary,
    Variable,
    VarRef,
    Void,
    While,
)
from porter.cuda.kir_parser import KernelTextError, parse_kernel
from porter.cuda.kir_printer import print_expression, print_kernel
from porter.cuda.kir_verifier import verify_kernel
from tests.cuda.lowering import only_kernel

AT = Span("k.cu", 3, 4, 1, 4)
N = Variable("n", INT32, Storage.PARAMETER, AT)
X = Variable("x", Pointer(FLOAT32), Storage.PARAMETER, AT)
N_REF = VarRef(N, INT32, AT)
X_REF = VarRef(X, Pointer(FLOAT32), AT)
SLOT = Index(X_REF, N_REF, FLOAT32, AT)


def kernel(*body: Stmt, globals_: tuple[Variable, ...] = ()) -> Kernel:
    return Kernel("k", (), (N, X), body, AT, globals=globals_)


def local(name: str, type_: Type, initial: tuple[int | float, ...] | None = None) -> Variable:
    return Variable(name, type_, Storage.LOCAL, AT, initial)


def reread(text: str) -> Kernel:
    """The kernel of a text that is printed again just as it is."""
    parsed = parse_kernel(text)
    assert print_kernel(parsed) == text
    return parsed


NUMBERS = [
    (Const(3, INT32, AT), "3"),
    (Const(-3, Scalar("int", 8), AT), "-3i8"),
    (Const(7, Scalar("uint", 16), AT), "7u16"),
    (Const(-1, INT64, AT), "-1l"),
    (Const(2**64 - 1, UINT64, AT), "18446744073709551615ul"),
    (Const(True, BOOL, AT), "true"),
    (Const(0.1, FLOAT64, AT), "0.1"),
    (Const(2, FLOAT64, AT), "2.0"),
    (Const(1e-05, FLOAT64, AT), "1e-05"),
    (Const(0.5, FLOAT16, AT), "0.5h"),
    (Const(float("-inf"), FLOAT32, AT), "-inff"),
    (Const(float("inf"), BFLOAT16, AT), "infb"),
    (Const(-0.0, FLOAT32, AT), "-0.0f"),
    (Const(0, Pointer(INT32), AT), "*int32(null)"),
    (Const(0, Array(FLOAT32, (4, 2)), AT), "float32[4, 2](0)"),
    (Cast(N_REF, Pointer(Array(FLOAT32, (4,))), AT), "*(float32[4])(n)"),
    (Bitcast(N_REF, FLOAT32, AT), "bits_as_float32(n)"),
    (Unary("-", Const(1, INT32, AT), INT32, AT), "-(1)"),
    (Unary("-", Const(-1, INT32, AT), INT32, AT), "--1"),
    (Binary("-", N_REF, Unary("-", N_REF, INT32, AT), INT32, AT), "n - -n"),
    (Binary("!=", X_REF, Const(0, X.type, AT), BOOL, AT), "x != null"),
    (Binary("<", N_REF, Cast(SLOT, INT32, AT), BOOL, AT), "n < int32(x[n])"),
    (Call("isnan", (SLOT,), BOOL, AT), "isnan(x[n])"),
    (Call("isnan", (SLOT,), INT32, AT), "isnan<int32>(x[n])"),
    (Call("lround", (SLOT,), INT64, AT), "lround<int64>(x[n])"),
]  # fmt: skip


@pytest.mark.parametrize(("expr", "text"), NUMBERS)
def test_expressions_keep_their_types(expr: Expr, text: str) -> None:
    assert print_expression(expr) == text
    declared = Declare(local("v", expr.type), expr, AT)
    (back,) = reread(print_kernel(kernel(declared))).body
    assert isinstance(back, Declare)
    assert back.value is not None
    assert type(back.value) is type(expr)
    assert (back.variable.type, back.value.type) == (expr.type, expr.type)
    if isinstance(expr, Const):
        assert isinstance(back.value, Const)
        assert repr(float(back.value.value)) == repr(float(expr.value))


def test_visible_variables_of_one_name_are_numbered() -> None:
    text = """\
kernel k(n: int32, x: *float32) {
  if n < 3 {
    n#2: int32 = n + 1
    x[n#2] = 0.0f
    x#2: float32 = x[n]
  } else {
    n#2: int32 = n
  }
}
"""
    branch = reread(text).body[0]
    assert isinstance(branch, If)
    inner, store = branch.then[:2]
    assert isinstance(inner, Declare)
    assert inner.variable.name == "n"
    assert isinstance(store, Assign)
    assert isinstance(store.target, Index)
    assert isinstance(store.target.index, VarRef)
    assert store.target.index.variable is inner.variable


def test_a_name_with_another_meaning_is_quoted() -> None:
    odd = [local(name, INT32) for name in ("null", "int32", "threadIdx", "bits_as_x", "a b", "shared", "inf")]
    body = [Declare(v, N_REF, AT) for v in odd]
    text = print_kernel(kernel(*body, Assign(VarRef(odd[5], INT32, AT), VarRef(odd[1], INT32, AT), AT)))
    assert "`null`: int32 = n" in text
    assert "`a b`: int32 = n" in text
    assert "shared = `int32`" in text
    declared = [s.variable.name for s in reread(text).body if isinstance(s, Declare)]
    assert declared == [v.name for v in odd]


def test_records_have_their_layout_and_do_not_share_a_name() -> None:
    opaque = Struct("Node<int, 2>", ())
    node = Struct("Node<int, 2>", (("next", Pointer(opaque)), ("value", FLOAT32)), 16, (0, 8))
    nodes = Variable("nodes", Pointer(node, is_const=True), Storage.PARAMETER, AT)
    text = print_kernel(
        Kernel("ns::k", ("Node<int, 2>", "-1", "(a > b)"), (nodes,), (), AT, launch_bounds=(64, 2))
    )
    assert text.splitlines() == [
        "struct `Node<int, 2>` {}",
        "struct `Node<int, 2>`#2 {next: *`Node<int, 2>` at 0, value: float32 at 8} of 16 bytes",
        "kernel ns::k<Node<int, 2>, -1, `(a > b)`>(nodes: *const `Node<int, 2>`#2) launch_bounds(64, 2) {",
        "}",
    ]
    back = reread(text)
    assert back.parameters[0].type == nodes.type
    assert back.template_arguments == ("Node<int, 2>", "-1", "(a > b)")


def test_long_constant_arrays_are_complete() -> None:
    table = Variable("table", Array(INT32, (40,)), Storage.CONSTANT, AT, tuple(range(-20, 20)))
    weights = local("weights", Array(FLOAT64, (2,)), (0.5, float("-inf")))
    text = print_kernel(kernel(Declare(weights, None, AT), globals_=(table,)))
    assert len(text.splitlines()[1].split(",")) == 17  # sixteen numbers and a comma at the end
    back = reread(text)
    assert back.globals[0].initial == tuple(range(-20, 20))
    (declared,) = back.body
    assert isinstance(declared, Declare)
    assert declared.variable.initial == (0.5, float("-inf"))


def test_loop_headers_may_need_lines() -> None:
    i = local("i", INT32)
    i_ref = VarRef(i, INT32, AT)
    step = If(Const(True, BOOL, AT), (Assign(i_ref, N_REF, AT),), (), AT, ("once more",))
    condition = Binary("<", i_ref, N_REF, BOOL, AT)
    start = Declare(i, Const(0, INT32, AT), AT)
    loop = For((start,), condition, (step,), (Break(AT),), AT)
    commented = For((Declare(i, N_REF, AT, ("from n",)),), condition, (), (Break(AT),), AT)
    text = print_kernel(kernel(loop, commented))
    assert "for i: int32 = 0; i < n; {" in text
    first, second = reread(text).body
    assert isinstance(first, For)
    assert isinstance(first.step[0], If)
    assert first.step[0].comments == ("once more",)
    assert isinstance(second, For)
    assert isinstance(second.init[0], Declare)
    assert second.init[0].comments == ("from n",)
    assert second.step == ()


def test_a_comment_in_an_else_stays() -> None:
    condition = Binary("<", N_REF, N_REF, BOOL, AT)
    nested = If(condition, (), (), AT, ("größer: otherwise",))
    text = print_kernel(kernel(If(condition, (), (nested,), AT), While(condition, (), AT, True)))
    outer = reread(text).body[0]
    assert isinstance(outer, If)
    assert isinstance(outer.otherwise[0], If)
    assert outer.otherwise[0].comments == ("größer: otherwise",)
    assert "} else if" not in text


def test_functions_see_the_shared_variables_they_mention() -> None:
    source = """
template <int N> __device__ float first(float v) { __shared__ float tile[N]; tile[threadIdx.x] = v;
    __syncthreads(); float tile2 = tile[0]; return tile2; }
__global__ void k(float *x) { float tile = x[0]; x[1] = first<32>(tile); }
"""
    original = only_kernel(source)
    parsed = reread(print_kernel(original))
    verify_kernel(parsed)
    assert list(parsed.functions) == list(original.functions)


def test_spans_are_places_in_the_text() -> None:
    text = "kernel k(n: int32) {\n  m: int32 = n +\tn\n}\n"
    (declared,) = parse_kernel(text, "my.kir").body
    assert isinstance(declared, Declare)
    assert declared.value is not None
    span = declared.value.span
    assert (span.path, span.line, span.column) == ("my.kir", 2, 14)
    assert text[span.start : span.end] == "n +\tn"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("m = 1", "line 2, column 3: `m` is not declared here"),
        ("n = 1 +", "line 2, column 10: an expression is expected, the end of the line is there"),
        ("m: int33x = 1", "column 6: a type is expected, `int33x` is there"),
        ("m: int32\n  m: int32 = 2", "line 3, column 3: `m` is declared twice"),
        ("n = @f(1)", "column 8: the function `f` is not there"),
        ("n = 1q", "column 7: `1q` is no number"),
        ("n = 1.5u", "column 7: `1.5u` is no whole number"),
        ("n + 1", "column 3: a statement is expected"),
        ("-n = 1", "column 3: only a variable, an element or a member"),
        ("n = x.y", "`y`"),
        ("n = n[0]", "int32 has no elements"),
        ("n = $", "`$` means nothing here"),
        ("n = 1 n = 2", "the end of the statement is expected, `n` is there"),
        ("if true {", "line 1, column 31: `}` is missing for this `{`"),
        ("n = n + null", "`null` where int32 belongs"),
    ],
)
def test_errors_have_a_place(body: str, message: str) -> None:
    with pytest.raises(KernelTextError) as caught:
        parse_kernel(f"kernel k(n: int32, x: *int32) {{\n  {body}\n}}\n")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"), [("", "no kernel"), ("kernel a() {\n}\nkernel b() {\n}", "second")]
)
def test_there_is_one_kernel(text: str, message: str) -> None:
    with pytest.raises(KernelTextError, match=message):
        parse_kernel(text)


def test_effects_and_addresses() -> None:
    place = AddressOf(SLOT, Pointer(FLOAT32), AT)
    add = Call("atomicAdd", (place, Const(1.0, FLOAT32, AT)), FLOAT32, AT)
    text = print_kernel(kernel(Evaluate(add, AT), Evaluate(Call("__trap", (), Void(), AT), AT)))
    assert "  atomicAdd(&x[n], 1.0f)\n  __trap()\n" in text
    verify_kernel(reread(text))
