"""What `--tune` proposes and writes, and where it leaves a kernel alone; no program is run here."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from porter.core.span import SourceText
from porter.cuda.kir import Kernel
from porter.cuda.translation_unit import read_translation_unit
from porter.hip.options import HipOptions
from porter.hip.translate import translate_hip
from porter.hip.tune import block_order, propose
from porter.hip.tune.block_order import _piece
from porter.hip.tune.propose import tuned
from porter.hip.tune.records import Change, NotApplicable, Proposal
from tests.cuda.lowering import host_compiler
from tests.hip.tune_cases import NUMBER, found_in, only, program, proposed, reason, tuned_text

TEN = Path(__file__).parent / "tuning" / "ten_kernels.cu"


# --- each of the ten kernels has its waste, its fix and a better figure ---

EXPECTED = {
    "saxpy": ("MEM010", "accesses for 1024 elements", 32, 8),
    "leaky_relu": ("MEM010", "accesses for 1024 elements", 32, 8),
    "threshold": ("MEM010", "accesses for 1024 elements", 32, 2),
    # Per wavefront 32 lines each: pieces 0 to 3 loaded, 0, 1 and 3 stored; staged: 32 lines in and 32 out.
    "push": ("MEM011", "bytes moved by a block's accesses", 4 * 7 * 32 * 128, 2 * 256 * 64),
    "row_sums": ("MEM011", "bytes moved by a block's accesses", 2 * 4 * 32 * 128, 128 * 64),
    # 4 wavefronts of 2 rows: a line for each of 32 columns; then 8 threads down a column share one.
    "transpose": ("MEM011", "bytes moved by a block's access", 4 * 32 * 128, 32 * 128),
    "add_transposed": ("MEM011", "bytes moved by a block's access", 4 * 16 * 128, 16 * 128),
    "tiled_transpose": ("MEM012", "bank-conflict degree", 32, 1),
    "scale": ("LCH011", "lanes in use", 75, 100),
}


@pytest.fixture(scope="module")
def ten() -> tuple[Proposal, ...]:
    return found_in(SourceText.read(TEN), "gfx942")


@pytest.mark.parametrize("kernel", EXPECTED)
def test_the_waste_of_each_kernel_and_the_figures_of_its_fix(ten: tuple[Proposal, ...], kernel: str) -> None:
    code, what, before, after = EXPECTED[kernel]
    fix = only((p for p in ten if p.kernel == kernel), code).fix
    assert isinstance(fix, Change)
    (measure,) = [m for m in fix.measures if m.what == what]
    assert (measure.before, measure.after) == (before, after)


def test_blocks_that_share_a_row_come_to_one_die(ten: tuple[Proposal, ...]) -> None:
    """8 x 32 blocks in turn: every die gets one column of the grid, so all 32 rows and its one column."""
    fix = only((p for p in ten if p.kernel == "dot_rows"), "MEM013").fix
    assert isinstance(fix, Change)
    (measure,) = fix.measures
    assert (measure.before, measure.after) == (8 * (32 + 1), 8 * (4 + 8))


GRIDS = ((8, 1, 1), (9, 1, 1), (3, 5, 1), (64, 1, 1), (257, 1, 1), (4, 7, 2), (1, 3, 1))
EVERY_BLOCK = """#include <cstdio>
#include <initializer_list>
#define __device__
#define __forceinline__ inline
struct uint3 { unsigned x, y, z; };
static uint3 gridDim, blockIdx;
#include "%s"
int main() {
  for (uint3 grid : {%s}) {
    gridDim = grid;
    for (unsigned z = 0; z < grid.z; ++z)
      for (unsigned y = 0; y < grid.y; ++y)
        for (unsigned x = 0; x < grid.x; ++x) {
          blockIdx = {x, y, z};
          const uint3 block = porter_xcd_block<8>();
          std::printf("%%u %%u %%u ", block.x, block.y, block.z);
        }
    std::printf("\\n");
  }
}
"""


def test_the_new_order_of_blocks_is_a_permutation_that_the_model_knows(tmp_path: Path) -> None:
    """What `xcd_block.h` gives for every block, in the order of the blocks' numbers."""
    compiler = host_compiler()
    if compiler is None:
        pytest.skip("no C++ compiler")
    shim = Path(block_order.__file__).parents[1] / "shims" / "xcd_block.h"
    grids = ", ".join(f"uint3{{{x}, {y}, {z}}}" for x, y, z in GRIDS)
    source, binary = tmp_path / "order.cpp", tmp_path / "order"
    source.write_text(EVERY_BLOCK % (shim, grids))
    subprocess.run([*compiler, "-std=c++17", str(source), "-o", str(binary)], check=True)
    lines = subprocess.run([binary], check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == len(GRIDS)
    for (columns, rows, layers), line in zip(GRIDS, lines, strict=True):
        numbers = list(map(int, line.split()))
        blocks = list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))
        everyone = [(x, y, z) for z in range(layers) for y in range(rows) for x in range(columns)]
        assert sorted(blocks) == sorted(everyone)
        total = columns * rows
        flat = [y * columns + x for x, y, _ in blocks[:total]]
        assert [flat[die::8] for die in range(8)] == [list(_piece(die, 8, total)) for die in range(8)]


# --- vectors ---

SAXPY = (
    f"__global__ void saxpy(float a, const float* x, float* y, int n) "
    f"{{ {NUMBER} if (i < n) y[i] += a * x[i]; }}"
)


def test_a_block_of_a_quarter_of_the_threads_does_the_same_elements() -> None:
    text = tuned_text(program(SAXPY, "saxpy<<<8, 256>>>(1, 0, 0, 2048);"))
    assert "saxpy<<<8, (256) / 4>>>" in text
    assert "const unsigned porter_elements = 256;" in text
    assert "porter_load_vector<4>(x + porter_begin + porter_at)" in text
    assert text.count("porter_store_vector<4>(y") == 1
    assert "y[i] += a * x[i]" in text  # the fallback


@pytest.mark.parametrize(
    "launches",
    [
        "saxpy<<<8, 128>>>(1, 0, 0, 1024);",  # 32 threads are no wavefront
        "saxpy<<<8, 256>>>(1, 0, 0, 1024); saxpy<<<8, 512>>>(1, 0, 0, 1024);",
        "auto k = saxpy; k<<<8, 256>>>(1, 0, 0, 1024); saxpy<<<8, 256>>>(1, 0, 0, 1024);",
    ],
)
def test_launches_stay_where_not_all_are_alike_and_seen(launches: str) -> None:
    text = tuned_text(program(SAXPY, launches))
    assert launches in text
    assert "const unsigned porter_elements = blockDim.x;" in text


def test_overlap_is_tested_at_run_time_unless_restrict_says_it() -> None:
    assert "porter_are_separate" in tuned_text(program(SAXPY, ""))
    restrict = SAXPY.replace("float* x", "float* __restrict__ x").replace("float* y", "float* __restrict__ y")
    assert "porter_are_separate" not in tuned_text(program(restrict, ""))


def test_a_load_behind_a_store_forbids_one_buffer_for_both() -> None:
    kernel = f"__global__ void k(float* a, float* b) {{ {NUMBER} a[i] = 1; b[i] = a[i] + b[i]; }}"
    assert re.search(r"porter_are_separate\([^)]*, false\)", tuned_text(program(kernel, "")))


def test_a_store_in_both_branches_is_certain() -> None:
    kernel = (
        f"__global__ void k(const float* a, float* b, int n) "
        f"{{ {NUMBER} if (i >= n) return; float v = a[i]; if (v > 0) b[i] = v; else b[i] = -v; }}"
    )
    assert tuned_text(program(kernel, "")).count("porter_b.v[porter_k]") == 2


def test_gathers_stay_as_they_are() -> None:
    kernel = f"__global__ void k(const int* at, const float* a, float* b) {{ {NUMBER} b[i] = a[at[i]]; }}"
    text = tuned_text(program(kernel, ""))
    assert "porter_b.v[porter_k] = a[porter_at.v[porter_k]]" in text


@pytest.mark.parametrize(
    ("kernel", "why"),
    [
        (f"__global__ void k(const int* at, float* x) {{ {NUMBER} x[at[i]] = x[i]; }}", "other threads"),
        (
            f"__global__ void k(float* x, int n) "
            f"{{ {NUMBER} if (i < n) {{ if (i % 2) return; x[i] = 1; }} }}",
            "in every thread",
        ),
        (
            f"__global__ void k(float* x, int n) {{ {NUMBER} if (i < n) for (int j = 0; j < n; ++j) "
            "{ x[i] += 1; if (x[i] > 9) return; } }",
            "in every thread",
        ),
        (
            f"__global__ void k(const float* a, float* b) "
            f"{{ {NUMBER} float v = a[i]; if (v > 0) b[i] = v; }}",
            "would spread it",
        ),
        (
            f"__global__ void k(const int* row, const float* a, float* b, int w) "
            f"{{ {NUMBER} int c = i % w; b[i] = a[row[i / w] * w + c]; }}",
            "would spread it",
        ),
        (
            f"__global__ void k(const float* a, float* b, int n) "
            f"{{ {NUMBER} float s = 0; for (int r = 0; r < n; ++r) s += a[r * n + i]; b[i] = s; }}",
            "would spread it",
        ),
        (f"__global__ void k(volatile float* x) {{ {NUMBER} x[i] = 1; }}", "in every thread"),
        (
            "#define AT(p) p[i]\n" + f"__global__ void k(float* x) {{ {NUMBER} AT(x) = 1; }}",
            "macro",
        ),
        (
            f"__device__ void put(float* p, int i) {{ p[i + 1] = 0; }}\n"
            f"__global__ void k(float* x, float* y) {{ {NUMBER} y[i] = 1; put(x, i); }}",
            "other threads",
        ),
    ],
)
def test_no_vectors_without_a_proof(kernel: str, why: str) -> None:
    assert why in reason(kernel)


def test_kernels_whose_threads_work_together_are_no_finding() -> None:
    kernel = f"__global__ void k(float* x) {{ {NUMBER} float v = x[i]; __syncthreads(); x[i + 1] = v; }}"
    assert not proposed(program(kernel, ""))


# --- records and tiles ---


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("float s = 0; for (int j = 0; j < 15; ++j) s += x[i * 16 + j]; y[i] = s;", "not every element"),
        ("float s = 0; for (int j = 0; j < 16; ++j) s += x[i * 16 + j]; y[i + 1] = s;", "may overlap"),
        ("float s = 0; for (int j = 0; j < n; ++j) s += x[i * 16 + j]; y[i] = s;", "no buffer has records"),
        ("const float* row = x + i * 16; float s = 0; for (int j = 0; j < 16; ++j) s += row[j]; y[i] = s;",
         "without an index"),
    ],
)  # fmt: skip
def test_no_staging_without_a_proof(body: str, why: str) -> None:
    kernel = f"__global__ void k(const float* x, float* y, int n) {{ {NUMBER} if (i < n) {{ {body} }} }}"
    assert why in reason(kernel, "MEM011")


def test_a_struct_of_two_accesses_is_not_worth_staging() -> None:
    head = "struct P { float4 a, b; };\n"
    kernel = f"__global__ void k(P* p) {{ {NUMBER} p[i].a.x += p[i].b.x; }}"
    assert "within twice" in reason(head + kernel, "MEM011")


def test_a_strided_store_that_is_not_the_last_stays() -> None:
    kernel = (
        "__global__ void k(float* in, float* out, int w, int h) {\n"
        "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
        "  if (x < w && y < h) { out[x * h + y] = 1; in[y * w + x] = 2; } }"
    )
    assert "not made once" in reason(kernel, "MEM011", "k<<<dim3(4, 4), dim3(32, 8)>>>(0, 0, 64, 64);")


# --- padding, block sizes, order ---

COLUMNS = "s[threadIdx.x][threadIdx.y] = 1; __syncthreads(); x[threadIdx.x] = s[threadIdx.y][threadIdx.x];"
TILE = "k<<<1, dim3(32, 8)>>>(0);"


def test_padding_is_chosen_for_the_banks_of_the_gpu() -> None:
    kernel = f"__global__ void k(float* x) {{ __shared__ float s[32][32]; {COLUMNS} }}"
    assert "s[32][32 + 1]" in tuned_text(program(kernel, TILE), "gfx942")
    assert "s[32][32 + 2]" in tuned_text(program(kernel, TILE), "gfx950")


@pytest.mark.parametrize(
    ("kernel", "why"),
    [
        ("__global__ void k(float* x) { __shared__ float s[32][32]; float* p = &s[0][0]; p[5] = 0; "
         f"{COLUMNS} }}", "address is taken"),
        ("__global__ void k(float* x) { __shared__ float s[1024]; s[threadIdx.x * 32 + threadIdx.y] = 1; "
         "__syncthreads(); x[threadIdx.x] = s[threadIdx.x]; }", "by hand"),
        (f"__global__ void k(float* x) {{ __shared__ float s[32][512]; {COLUMNS} }}", "does not fit"),
    ],
)  # fmt: skip
def test_no_padding_without_a_proof(kernel: str, why: str) -> None:
    assert why in reason(kernel, "MEM012", TILE)


@pytest.mark.parametrize(
    ("launch", "why"),
    [
        ("saxpy<<<8, 96>>>(1, 0, 0, n);", "no constant that the grid"),
        ("saxpy<<<(n + 95) / 96, 96>>>(1, 0, 0, n / 2);", "no constant that the grid"),
        ("const int b = 96; float* t; cudaMalloc(&t, b); saxpy<<<(n + b - 1) / b, b>>>(1, 0, 0, n);",
         "more than this launch"),
    ],
)  # fmt: skip
def test_blocks_keep_their_size_where_the_grid_may_not_follow(launch: str, why: str) -> None:
    assert why in reason(SAXPY, "LCH011", f"int n = 1000; {launch}")


def test_block_and_grid_change_together() -> None:
    named = "int n = 1000; const int b = 96; int g = (n + b - 1) / b; saxpy<<<g, b>>>(1, 0, 0, n);"
    assert "const int b = 128;" in tuned_text(program(SAXPY, named))
    written = "int n = 1000; saxpy<<<(n + 95) / 96, 96>>>(1, 0, 0, n);"
    assert "saxpy<<<(n + 127) / 128, 128>>>" in tuned_text(program(SAXPY, written))


def test_a_defect_in_one_kernel_is_a_finding_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    real = propose.accesses_of

    def fails_for_bad(kernel: Kernel, *rest: object) -> object:
        if kernel.name == "bad":
            raise ValueError("scripted")
        return real(kernel, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(propose, "accesses_of", fails_for_bad)
    found = proposed(program(SAXPY + "\n" + SAXPY.replace("saxpy", "bad"), ""))
    assert [(p.kernel, p.code) for p in found] == [("saxpy", "MEM010"), ("bad", "MEM014")]
    assert isinstance(found[1].fix, NotApplicable)
    assert "scripted" in found[1].fix.reason


# --- the port ---


def test_the_port_of_a_tuned_text_has_its_definitions() -> None:
    source = SourceText.read(TEN)
    unit = read_translation_unit(source)
    tuning = tuned(unit, found_in(source, "gfx942"))
    assert tuning is not None
    port = translate_hip(tuning.unit, HipOptions("gfx942"), called=tuning.shims).text.decode()
    for name in ("porter_load_vector", "porter_staged_records", "porter_transposed_tile", "porter_xcd_block"):
        assert re.search(rf"\b{name}\b.*[({{]", port), name
    assert tuning.kernels == tuple(dict.fromkeys(p.kernel for p in tuning.applied))
