"""Arrays of structs in memory: each number is compared by its type, padding not at all."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from porter.harness.capture import PointerArgument, read_capture
from porter.harness.compare import compare_buffer
from porter.harness.dtypes import F32, F64, I32, U8, Layout
from porter.harness.regions import buffers_of
from porter.harness.struct_fields import with_layouts
from porter.harness.tolerance import Order, Truth
from porter.harness.verdict import VerifyOptions
from tests.harness.captures import PROGRAM, allocation, launch_of, write_events

DTYPE = np.dtype(
    {"names": ["x", "n", "d"], "formats": ["<f4", "<i4", "<f8"], "offsets": [0, 4, 16], "itemsize": 24}
)
LAYOUT = Layout(24, ((0, F32), (4, I32), (16, F64)))


def rows() -> np.ndarray:
    found = np.zeros(64, DTYPE)
    found["x"] = np.linspace(1, 9, 64, dtype=np.float32)
    found["n"] = np.arange(64)
    found["d"] = np.linspace(-3, 5, 64)
    return found


def compared(actual: np.ndarray, order: Order = Order.FIXED):
    expected = rows().view(np.uint8)
    truth = Truth("a0", U8, expected, None, 0.0, 0.0, order, LAYOUT)
    return compare_buffer(truth, actual.view(np.uint8), "case")


def test_a_rounding_is_within_the_tolerance_of_its_type():
    own = rows()
    own["x"] = np.nextafter(own["x"], np.float32(100))
    own["d"] *= 1 + 2**-51
    difference = compared(own)
    assert difference.n_mismatch == 0
    assert difference.n_elements == 3 * 64
    assert difference.max_ulp == pytest.approx(3, abs=2)


def test_padding_is_nobodys():
    own = rows().view(np.uint8).reshape(64, 24).copy()
    own[:, 8:16] = 7
    assert compared(own.ravel()).n_mismatch == 0


@pytest.mark.parametrize(("name", "offset"), [("x", 0), ("n", 4), ("d", 16)])
def test_a_wrong_number_is_told_by_its_place_in_bytes(name, offset):
    own = rows()
    own[name][5] += 1
    difference = compared(own)
    assert difference.n_mismatch == 1
    (first,) = difference.mismatches
    assert (first.buffer, first.index) == ("a0", 5 * 24 + offset)
    assert first.actual == first.expected + 1


def test_a_float_that_nobody_set_hides_no_difference():
    own, expected = rows(), rows()
    own["x"][0] = expected["x"][0] = np.float32(3e38)
    own["x"][9] += 1
    truth = Truth("a0", U8, expected.view(np.uint8), None, 0.0, 0.0, Order.FIXED, LAYOUT)
    assert compare_buffer(truth, own.view(np.uint8), "case").n_mismatch == 1


def test_any_order_is_compared_as_bytes():
    own = rows()
    own["n"][5] += 1
    assert compared(own, Order.PERMUTED).n_mismatch > 0


def test_the_source_tells_the_layout(tmp_path: Path):
    source = tmp_path / "k.cu"
    source.write_text("""
struct P { float x; int n; alignas(16) double d; };
struct Q { float* to; };
__global__ void k(P* p, Q* q) { p->x = 1; }
void run(P* p, Q* q) { k<<<1, 64>>>(p, q); }
""")
    write_events(tmp_path, PROGRAM)
    capture = read_capture(tmp_path)
    launch = launch_of(PointerArgument("P*", False, 1, 0), PointerArgument("Q*", False, 2, 0))
    captured = with_layouts(replace(capture, launches=(launch,)), source, VerifyOptions())
    first, second = captured.launches[0].arguments
    assert isinstance(first, PointerArgument)
    assert isinstance(second, PointerArgument)
    assert first.layout == Layout(32, ((0, F32), (4, I32), (16, F64)))
    assert second.layout is None
    (buffer,) = buffers_of(captured.launches[0], allocation(1, 320))
    assert (buffer.dtype, buffer.layout) == (U8, first.layout)
