"""`--warps widen`: which kernels become wavefronts, with what text, and which keep their groups and why."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porter.analysis.effects.collectives import WAVEFRONT_SIZE
from porter.core.span import SourceText
from porter.cuda.lower_kernel import LoweredKernel, lower_kernels
from porter.cuda.translation_unit import read_translation_unit
from porter.hip.translate import translate_hip
from porter.hip.widen.records import Widening, finding_of
from porter.hip.widen.widen import widen
from porter.simulator.build import build_program
from porter.simulator.options import Face
from porter.simulator.run import run_program

FOLDER = Path(__file__).parent / "widening"


def lower(source: SourceText) -> tuple[LoweredKernel, ...]:
    launches = read_translation_unit(source).launches
    return lower_kernels(source, launches, largest_tile=WAVEFRONT_SIZE)


def widened(source: SourceText, without: frozenset[str] = frozenset()) -> Widening:
    unit = read_translation_unit(source)
    return widen(unit, lower_kernels(source, unit.launches), lower, without=without)


def of_text(text: str) -> Widening:
    return widened(SourceText("k.cu", text.encode()))


# --- a program of kernels that can be widened ---


@pytest.fixture(scope="module")
def program() -> Widening:
    return widened(SourceText.read(FOLDER / "widened.cu"))


def test_every_kernel_of_the_program_is_widened(program: Widening) -> None:
    kernels = [k.name for k in read_translation_unit(SourceText.read(FOLDER / "widened.cu")).kernels]
    assert [k.reason for k in program.kept] == []
    assert sorted(program.kernels) == sorted(kernels)


LINES = {
    "a loop over offsets": "for (int offset = 32; offset > 0; offset /= 2) v += __shfl_down_sync(",
    "lane and warp": "int lane = threadIdx.x & 63, warp = threadIdx.x >> 6;",
    "slots for any number of warps": "__shared__ int slots[32];",
    "as many partial sums": "v = threadIdx.x < blockDim.x / 64 ? slots[lane] : 0;",
    "a macro that only they use": "#define LANES 64",
    "the last lane": "if (lane == 63) totals[warp] = v;",
    "a scan": "for (int o = 1; o < 64; o *= 2) {",
    "a constant that the host uses too": "constexpr int kWarp = 32;",
    "its uses in the kernel": "for (int c = lane; c < columns; c += 64) v += x[row * columns + c];",
    "twice the blocks": "row_sum<<<2 * ((kRows * kWarp + 127) / 128), 128>>>",
    "twice a dim3": "tile_sum<<<dim3(2 * grid.x, grid.y, grid.z), 128>>>",
    "a wider block": "dim3 block(64, 4);",
    "a ballot": "unsigned long long odd = porter_ballot_wavefront(x[i] & 1);",
    "its count": "if (lane == 0) counts[warp] = __popcll(odd);",
    "masks below a lane": "(unsigned long long mask, int lane) { return __popcll(mask & ((1ull",
    "a vote": "int found = porter_any_wavefront(",
    "a tile": "cg::tiled_partition<64>(cg::this_thread_block())",
    "the logarithm": "constexpr int kLog = 6;",
    "what is computed from it": "constexpr int kSize = 1 << kLog;",
    "the language's own width": "if (threadIdx.x % 64 == 0) slots[threadIdx.x / 64] = v;",
    "vectors": "for (int c = 4 * lane; c < columns; c += 4 * 64) {",
    "smaller groups": "eight += __shfl_xor_sync(FULL, eight, o, 8);",
}


@pytest.mark.parametrize("what", LINES)
def test_text(program: Widening, what: str) -> None:
    assert LINES[what] in program.unit.source.text


def test_hosts_of_launches_with_twice_the_blocks(program: Widening) -> None:
    scaled = {w.kernel for w in program.widened if w.grid_scale == 2}
    assert scaled == {"row_sum", "rows_in_turn", "tile_sum", "four_a_lane"}


def test_the_port_calls_wavefront_operations(program: Widening) -> None:
    text = translate_hip(program.unit, called=program.shims).text.decode()
    assert "__shfl_down(v, offset, 64)" in text
    assert "return __ballot(predicate)" in text
    assert "__shfl_xor(eight, o, 8)" in text
    assert text.count(", 32)") == 0


@pytest.mark.slow
def test_the_port_at_64_lanes_prints_what_the_original_prints(program: Widening, tmp_path: Path) -> None:
    result = translate_hip(program.unit, called=program.shims)
    port = tmp_path / "widened.hip"
    port.write_bytes(result.text)
    original = run_program(build_program([FOLDER / "widened.cu"], face=Face.CUDA))
    ported = run_program(build_program([port], face=Face.HIP))
    assert (ported.returncode, ported.stdout, ported.errors) == (0, original.stdout, ())
    assert len(original.stdout.splitlines()) == 15


# --- a program of kernels that cannot ---

KEPT = FOLDER / "kept.cu"


@pytest.fixture(scope="module")
def kept() -> Widening:
    return widened(SourceText.read(KEPT))


def expectations() -> list[tuple[int, str]]:
    lines = KEPT.read_text().splitlines()[1:]
    found = [(i, re.search(r"// kept: (.*)$", line)) for i, line in enumerate(lines, 2)]
    return [(line, match[1]) for line, match in found if match]


def test_nothing_of_that_program_changes(kept: Widening) -> None:
    assert kept.unit.source.data == KEPT.read_bytes()
    assert not kept.widened


def test_there_is_a_finding_for_each_kernel(kept: Widening) -> None:
    assert len(kept.kept) == len(expectations()) >= 24
    assert all(f.code == "WAV021" and f.hint for f in map(finding_of, kept.kept))


@pytest.mark.parametrize(("line", "reason"), expectations(), ids=lambda v: str(v).replace(" ", "-"))
def test_a_kernel_keeps_its_groups_and_says_why(kept: Widening, line: int, reason: str) -> None:
    found = [finding_of(k) for k in kept.kept if k.span.line == line]
    assert found, sorted((k.span.line, k.kernel, k.reason) for k in kept.kept)
    assert reason in found[0].message
