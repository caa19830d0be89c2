"""Element types: C names, exact conversion, distances in units in the last place."""

import numpy as np
import pytest

from porter.harness.dtypes import (
    BF16,
    BOOL,
    F16,
    F32,
    F64,
    I32,
    I64,
    U8,
    U32,
    U64,
    ElementType,
    element_type,
    ulp_distance,
)


@pytest.mark.parametrize(
    ("c_type", "expected"),
    [
        ("float*", F32),
        ("const float *", F32),
        ("float const * __restrict__", F32),
        ("double2*", F64),
        ("const float4*", F32),
        ("__half2 *", F16),
        ("__nv_bfloat16*", BF16),
        ("unsigned char *", U8),
        ("unsigned*", U32),
        ("unsigned int", U32),
        ("long long unsigned int", U64),
        ("long int", I64),
        ("std::int32_t *", I32),
        ("uint3", U32),
        ("longlong2*", I64),
        ("bool*", BOOL),
        ("size_t", U64),
    ],
)
def test_c_names(c_type: str, expected: ElementType) -> None:
    assert element_type(c_type) is expected


@pytest.mark.parametrize("c_type", ["void*", "Params", "struct Node *", "", "float5*", "floaty*"])
def test_names_that_are_no_element(c_type: str) -> None:
    assert element_type(c_type) is None


def test_bfloat16_rounds_to_nearest_even() -> None:
    values = np.array([1.0, 1.0 + 2**-8, 1.0 + 3 * 2**-8, -2.5, 1e39])
    assert BF16.to_double(BF16.from_double(values)).tolist() == [1.0, 1.0, 1.015625, -2.5, np.inf]
    assert np.isnan(BF16.to_double(BF16.from_double(np.array([np.nan])))[0])


@pytest.mark.parametrize("dtype", [F16, F32, F64, BF16])
def test_neighbours_are_one_ulp_apart(dtype: ElementType) -> None:
    one = dtype.from_double(np.array([1.0]))
    following = dtype.from_double(np.array([1.0 + dtype.epsilon]))
    assert ulp_distance(one, following, dtype).tolist() == [1.0]


@pytest.mark.parametrize("dtype", [F16, F32, F64, BF16])
def test_distance_crosses_zero(dtype: ElementType) -> None:
    least = np.array([1], dtype=f"<u{dtype.size_bytes}").view(dtype.storage)
    sign = np.array([(1 << (8 * dtype.size_bytes - 1)) + 1], dtype=f"<u{dtype.size_bytes}").view(
        dtype.storage
    )
    assert ulp_distance(least, sign, dtype).tolist() == [2.0]
    zeros = dtype.from_double(np.array([0.0, -0.0]))
    assert ulp_distance(zeros[:1], zeros[1:], dtype).tolist() == [0.0]


def test_nan_is_near_nan_only() -> None:
    left = np.array([np.nan, np.nan, 1.0], dtype=np.float32)
    right = np.array([np.nan, 1.0, np.nan], dtype=np.float32)
    assert ulp_distance(left, right, F32).tolist() == [0.0, np.inf, np.inf]


def test_far_apart_doubles_do_not_wrap() -> None:
    distance = ulp_distance(np.array([-1e308]), np.array([1e308]), F64)
    assert distance[0] > 2.0**63


def test_decode_leaves_out_a_partial_element() -> None:
    assert I32.decode(b"\1\0\0\0\2\0\0").tolist() == [1]
