"""The kernel IR is checked after every pass, and its statements of later stages have a text."""

from dataclasses import replace

import pytest

from porter.core.span import Span
from porter.cuda.kir import (
    FLOAT32,
    INT32,
    Assign,
    Const,
    Declare,
    Kernel,
    Storage,
    Variable,
    VarRef,
)
from porter.cuda.kir_parser import KernelTextError, parse_kernel
from porter.cuda.kir_printer import print_kernel
from porter.cuda.kir_verifier import InvalidKernel, verify_kernel
from porter.tile.api import Declined, KernelLaunch, TileOptions
from porter.tile.guard_loads import linear_thread
from porter.tile.idioms import CountBins, DeclareBins, Dot, ForEachBin, GroupBroadcast, GroupReduce, GroupScan
from porter.tile.lower import translate_triton
from porter.tile.raise_idioms import raise_idioms
from porter.tile.split_variables import split_variables
from porter.tile.verify_passes import SWITCH, run_pass
from tests.cuda.lowering import only_kernel

EXTENSIONS = (GroupReduce, GroupScan, GroupBroadcast, Dot, DeclareBins, CountBins, ForEachBin)
BLOCK = (64, 1, 1)
SUMS = """
#define N 64
__device__ float total(float v) { __shared__ float s[N]; s[threadIdx.x] = v; __syncthreads();
    for (int d = N / 2; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads(); }
    return s[0]; }
__global__ void k(const float *x, float *y) {
    float v = total(x[threadIdx.x]);
    if (threadIdx.x == 0) y[0] = v; }
int main() { k<<<1, 64>>>(nullptr, nullptr); }
"""
EVERY_EXTENSION = """\
kernel k(n: int32, x: *float32) {
  GroupReduce target=total: float32 value=x[n] op="+" group=32 valid=n < 3 element=float32
  GroupScan target=total value=total op="max" group=none inclusive=true valid=none element=float32
  # of lane 0
  GroupBroadcast target=first: float32 value=total group=32 lane=0 element=float32
  Dot target=first k=k: int32 left=x[k] right=x[n + k] extent=16 element=float32
  k: int32 = n
  DeclareBins bins=bins: int32[64]
  CountBins bins=bins index=k valid=none
  ForEachBin bins=bins index=bin: int32 count=count: int32 {
    x[bin] = float32(count)
  }
  bin: int32 = 1
}
"""


def broken(kernel: Kernel) -> Kernel:
    """A pass with a mistake: it assigns an integer to a float."""
    variable = Variable("v", FLOAT32, Storage.LOCAL, kernel.span)
    wrong = Assign(VarRef(variable, FLOAT32, kernel.span), Const(1, INT32, kernel.span), kernel.span)
    return replace(kernel, body=(Declare(variable, None, kernel.span), wrong))


def test_a_mistake_is_told_with_the_pass() -> None:
    kernel = parse_kernel("kernel k(n: int32) {\n}\n", "k.kir")
    with pytest.raises(Declined) as caught:
        run_pass(broken, kernel)
    diagnostic = caught.value.diagnostic
    assert diagnostic.code == "TIL059"
    assert "the pass broken left a kernel that is not valid" in diagnostic.message
    assert "an assignment has int32 where float32 belongs" in diagnostic.message
    assert diagnostic.span == kernel.span


def test_users_do_not_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SWITCH)
    kernel = parse_kernel("kernel k(n: int32) {\n}\n")
    assert len(run_pass(broken, kernel).body) == 2


def test_every_statement_of_later_stages_has_a_text() -> None:
    kernel = parse_kernel(EVERY_EXTENSION, extensions=EXTENSIONS)
    verify_kernel(kernel)
    assert print_kernel(kernel) == EVERY_EXTENSION
    assert tuple(type(s) for s in kernel.body if not isinstance(s, Declare)) == EXTENSIONS
    scan, dot = kernel.body[1], kernel.body[3]
    assert isinstance(scan, GroupScan)
    assert (scan.op.value, scan.group, scan.inclusive, scan.valid) == ("max", None, True, None)
    assert isinstance(dot, Dot)
    assert dot.k.name == "k"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("GroupReduce target=other value=n", "`other` is not declared here"),
        ("GroupReduce target=t: int32 size=3", "GroupReduce has no `size`"),
        ("ForEachBin bins=n index=i: int32 count=c: int32", "`{` is expected"),
        ("GroupReduce target=t: int32 value=n", "GroupReduce needs `op`"),
        ('GroupReduce target=t: int32 value=n op="-"', '"-" is none of +, *, min, max, &, |, ^'),
    ],
)
def test_errors_in_them_have_a_place(line: str, message: str) -> None:
    with pytest.raises(KernelTextError) as caught:
        parse_kernel(f"kernel k(n: int32) {{\n  {line}\n}}\n", extensions=EXTENSIONS)
    assert message in str(caught.value)
    assert "line 2" in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            'GroupReduce target=t: float32 value=n op="+" group=none valid=none element=int32',
            "`t` has float32",
        ),
        (
            'GroupReduce target=t: int32 value=n op="+" group=none valid=n element=int32',
            "the condition has int32",
        ),
        ("Dot target=t: int32 k=k: float32 left=n right=n extent=4 element=int32", "`k` has float32"),
        ("CountBins bins=n index=n valid=n", "the condition has int32"),
    ],
)
def test_their_types_have_to_agree(line: str, message: str) -> None:
    kernel = parse_kernel(f"kernel k(n: int32) {{\n  {line}\n}}\n", extensions=EXTENSIONS)
    with pytest.raises(InvalidKernel, match=message):
        verify_kernel(kernel)


def test_raising_leaves_no_function_whose_array_is_gone() -> None:
    raising = raise_idioms(only_kernel(SUMS), BLOCK)
    assert raising.raised
    assert not raising.kernel.functions
    verify_kernel(raising.kernel)
    text = print_kernel(raising.kernel)
    assert "GroupReduce target=" in text
    assert print_kernel(parse_kernel(text, extensions=EXTENSIONS)) == text


def test_the_number_of_a_thread_is_an_integer_of_unsigned_parts() -> None:
    at = Span("k.cu", 0, 1, 1, 1)
    number = Variable("number", INT32, Storage.LOCAL, at)
    kernel = Kernel("k", (), (), (Declare(number, linear_thread((8, 4, 2), at), at),), at)
    verify_kernel(kernel)
    shown = "number: int32 = int32(threadIdx.x) + int32(threadIdx.y) * 8 + int32(threadIdx.z) * 32"
    assert shown in print_kernel(kernel)


def test_a_new_version_reads_as_declared_where_it_takes_over() -> None:
    text = "kernel k(n: int32, x: *int32) {\n  v: int32 = n\n  x[0] = v\n  v = n + 1\n  x[1] = v\n}\n"
    kernel, versions = split_variables(parse_kernel(text))
    verify_kernel(kernel, versions)
    shown = print_kernel(kernel).splitlines()[1:-1]
    assert shown == ["  v: int32 = n", "  x[0] = v", "  v#2: int32 = n + 1", "  x[1] = v#2"]


def test_the_compiler_checks_itself_and_still_translates() -> None:
    launch = KernelLaunch(only_kernel(SUMS), None, BLOCK)
    result = translate_triton((launch,), TileOptions(), source_name="k.cu")
    assert not result.declined
    assert "tl.sum" in result.text
