"""The roofline, by hand-computed cases and against times measured on an H200."""

from __future__ import annotations

import pytest

from porter.hardware.gpu import load_gpu
from porter.perf.estimate import CannotLaunch, Estimate, Resources, estimate
from porter.perf.work import Work


def work(**changes: object) -> Work:
    base: dict[str, object] = {
        "bytes_read": 0.0,
        "bytes_written": 0.0,
        "flops_by_dtype": {},
        "grid": (1024, 1, 1),
        "block": (256, 1, 1),
    }
    return Work(**{**base, **changes})  # type: ignore[arg-type]


def predicted(work_: Work, gpu: str, resources: Resources | None = None) -> Estimate:
    found = estimate(work_, load_gpu(gpu), resources)
    assert isinstance(found, Estimate), found
    return found


def test_memory_bound() -> None:
    found = predicted(work(bytes_read=6e9, bytes_written=2e9, flops_by_dtype={"f32": 1e9}), "MI355X")
    assert found.bound == "memory"
    assert found.time_us == found.memory_us == pytest.approx(1000.0)
    assert found.arithmetic_is_hidden


def test_compute_bound() -> None:
    """157.3e12 operations in whole rounds of 256 compute units: one second."""
    found = predicted(work(flops_by_dtype={"f32": 157.3e12}), "MI355X")
    assert (found.bound, found.rounds, found.tail) == ("compute", 4, 0.0)
    assert found.time_us == pytest.approx(1e6)


def test_an_empty_launch_still_takes_a_launch() -> None:
    found = predicted(work(bytes_read=100), "gfx942")
    assert (found.bound, found.time_us) == ("launch", load_gpu("gfx942").launch_us)


def test_one_workgroup_has_one_compute_unit() -> None:
    flops = {"f32": 1e9}
    one = predicted(work(flops_by_dtype=flops, grid=(1, 1, 1)), "gfx950")
    full = predicted(work(flops_by_dtype=flops, grid=(256, 1, 1)), "gfx950")
    assert one.compute_us == pytest.approx(256 * full.compute_us)
    assert one.tail == pytest.approx(255 / 256)


def test_a_started_round_takes_a_whole_one() -> None:
    per_group = 1e6
    even = predicted(work(flops_by_dtype={"f32": 256 * per_group}, grid=(256, 1, 1)), "gfx950")
    odd = predicted(work(flops_by_dtype={"f32": 257 * per_group}, grid=(257, 1, 1)), "gfx950")
    assert odd.compute_us == pytest.approx(2 * even.compute_us)
    assert odd.tail == pytest.approx(255 / 512)


def test_matrix_and_vector_units_overlap() -> None:
    both = work(flops_by_dtype={"f32": 157.3e12}, matrix_flops_by_dtype={"bf16": 2516.6e12 / 2})
    assert predicted(both, "MI355X").compute_us == pytest.approx(1e6)
    mostly_matrix = work(flops_by_dtype={"f32": 1e12}, matrix_flops_by_dtype={"bf16": 2516.6e12})
    assert predicted(mostly_matrix, "MI355X").compute_us == pytest.approx(1e6)


def test_bf16_on_a_vector_unit_is_float() -> None:
    as_float = predicted(work(flops_by_dtype={"f32": 1e12}), "gfx942")
    assert predicted(work(flops_by_dtype={"bf16": 1e12}), "gfx942").compute_us == as_float.compute_us


def test_a_dtype_the_matrix_unit_lacks_is_an_error() -> None:
    with pytest.raises(KeyError):
        estimate(work(matrix_flops_by_dtype={"fp4": 1.0}), load_gpu("gfx942"))


def test_occupancy_is_stated_where_resources_are_known() -> None:
    assert predicted(work(), "gfx942").occupancy is None
    found = predicted(work(), "gfx942", Resources(vgprs=128, lds_bytes=0)).occupancy
    assert found is not None
    assert (found.waves_per_simd, found.limited_by) == (4, "vgpr")


@pytest.mark.parametrize(
    ("changes", "resources", "reason"),
    [
        ({"block": (2048, 1, 1)}, None, "2048 threads"),
        ({}, Resources(8, 65537), "65537 bytes of LDS"),
        ({"block": (1024, 1, 1)}, Resources(256, 0), "no room for a block of 1024"),
    ],
)
def test_what_cannot_be_launched(
    changes: dict[str, object], resources: Resources | None, reason: str
) -> None:
    found = estimate(work(**changes), load_gpu("gfx942"), resources)
    assert isinstance(found, CannotLaunch)
    assert reason in found.reason


_N = 1 << 26


@pytest.mark.parametrize(
    ("what", "measured_us"),
    [
        (work(bytes_read=8.0 * _N, bytes_written=4.0 * _N, flops_by_dtype={"f32": 2.0 * _N}), 189),
        (work(bytes_read=4.0 * _N, flops_by_dtype={"f32": 1.0 * _N}), 207),
        (work(flops_by_dtype={"f32": 2.0 * 4096**3}, bytes_read=2 * 4096**2 * 4.0), 3140),
        (work(bytes_read=2.0**27, bytes_written=2.0**27), 69),
    ],
    ids=["saxpy", "reduction", "sgemm", "softmax"],
)
def test_never_above_what_an_h200_was_measured_at(what: Work, measured_us: float) -> None:
    found = predicted(what, "H200")
    assert 0.25 * measured_us < found.time_us < measured_us


def test_arithmetic_intensity() -> None:
    assert work(bytes_read=4, flops_by_dtype={"f32": 8.0}).arithmetic_intensity == 2.0
    assert work(flops_by_dtype={"f32": 8.0}).arithmetic_intensity == float("inf")


def test_assumptions_are_carried_along() -> None:
    assert predicted(work(assumptions=("x",)), "gfx942").assumptions == ("caches are cold", "x")
