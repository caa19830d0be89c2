"""Kernels that look like what `--tune` changes and are not: each is left alone, and the finding says why."""

from __future__ import annotations

import pytest

from porter.hip.tune.records import Change, NotApplicable
from tests.hip.tune_cases import NUMBER, only, program, proposed, reason, tuned_text

SAXPY = (
    f"__global__ void saxpy(float a, const float* x, float* y, int n) "
    f"{{ {NUMBER} if (i < n) y[i] += a * x[i]; }}"
)
RECORD = "struct P { float x[16]; };\n"

# --- a thread with several elements has its locals and parameters once ---

CARRIED = (
    f"float s = 0; {NUMBER} if (i < n) {{ s += x[i]; y[i] = s; }}",
    f"{NUMBER} if (i < n) {{ a *= 2; y[i] = a * x[i]; }}",
    f"{NUMBER} if (i >= n) return; x += 1; y[i] = x[i];",
    f"float s = 0; {NUMBER} if (i < n) {{ add(&s, x[i]); y[i] = s; }}",
    "float s = 0; for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) "
    "{ s += x[i]; y[i] = s; }",
)


@pytest.mark.parametrize("body", CARRIED)
def test_what_a_body_changes_outside_of_itself_is_carried_to_the_next_element(body: str) -> None:
    head = "__device__ void add(float* to, float v) { *to += v; }\n"
    kernel = f"{head}__global__ void k(float a, const float* x, float* y, int n) {{ {body} }}"
    launch = "int n = 1000; k<<<(n + 95) / 96, 96>>>(1, 0, 0, n);"
    found = proposed(program(kernel, launch))
    assert not [p for p in found if p.code == "MEM010"]
    assert "changes in the body" in reason(kernel, "LCH011", launch)


# --- records: what is read in some cases only, or may be another thread's ---


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("y[i] = use ? p[i].x[0] : 0;", "not every element"),
        ("y[i] = use && p[i].x[0] > 0;", "not every element"),
        ("y[i] = use || p[i].x[0] > 0;", "not every element"),
        ("float s = 0; for (int j = 0; j < use; ++j) s += p[i].x[0]; y[i] = s;", "not every element"),
        ("float s = 0; int j = use; while (j-- > 0) s += p[i].x[0]; y[i] = s;", "not every element"),
        ("y[i] = first(p[i], use);", "not every element"),
        ("y[i] = p[min(i, use)].x[0];", "away from the bound"),
        ("y[i] = p[i].x[0] + p[(unsigned char)i].x[1];", "no buffer has records"),
        ("y[i] = p[i].x[0]; const P* q = use ? p : p + 1; y[i] += q->x[0];", "not followed"),
        ("y[i] = p[i].x[0]; last = i;", "all threads share"),
    ],
)
def test_records_stay_where_a_thread_may_read_none_or_another(body: str, why: str) -> None:
    head = (
        f"{RECORD}__device__ int last;\n"
        "__device__ float first(const P& p, int use) { if (!use) return 0; return p.x[0]; }\n"
    )
    kernel = f"{head}__global__ void k(const P* p, float* y, int use, int n) {{ {NUMBER} {body} }}"
    assert why in reason(kernel, "MEM011")


def test_a_choice_that_is_known_is_no_condition() -> None:
    """Both sides of `?:` read the record, or the condition is a constant: every record is read."""
    for value in ("(true ? p[i].x[0] : 0)", "(use ? p[i].x[0] + p[i].x[8] : p[i].x[0])"):
        kernel = (
            f"{RECORD}__global__ void k(const P* __restrict__ p, float* __restrict__ y, int use) "
            f"{{ {NUMBER} y[i] = {value} + p[i].x[4] + p[i].x[9] + p[i].x[15]; }}"
        )
        assert isinstance(only(proposed(program(kernel, "")), "MEM011").fix, Change), value


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ("volatile float* x, float* y", "volatile"),
        ("const float* x, volatile float* y", "volatile"),
        ("const float* restricted_x, float* restricted_y", "may overlap"),
    ],
)
def test_qualifiers_are_words_and_not_parts_of_names(parameters: str, why: str) -> None:
    x, y = (p.rpartition("*")[2].strip() for p in parameters.split(","))
    body = f"float s = 0; for (int j = 0; j < 16; ++j) s += {x}[i * 16 + j]; {y}[i + 1] = s;"
    assert why in reason(f"__global__ void k({parameters}) {{ {NUMBER} {body} }}", "MEM011")


# --- vectors ---


@pytest.mark.parametrize("index", ["(unsigned char)i", "(short)i", "(int)(float)i", "(bool)i"])
def test_an_index_that_loses_bits_is_another_element(index: str) -> None:
    kernel = (
        f"__global__ void k(const float* lut, float* y, int n) {{ {NUMBER} if (i < n) y[i] = lut[{index}]; }}"
    )
    for proposal in proposed(program(kernel, "")):
        assert not isinstance(proposal.fix, Change) or "of y in" in proposal.fix.summary, proposal.fix


def test_a_thread_number_that_loses_bits_is_no_index() -> None:
    kernel = (
        "__global__ void k(float* x) { unsigned char i = blockIdx.x * blockDim.x + threadIdx.x; x[i] = 1; }"
    )
    assert not proposed(program(kernel, ""))


@pytest.mark.parametrize(
    ("other", "use"),
    [
        ("const unsigned* z", "z[n]"),
        ("const Pair* z", "z[n].a"),
        ("const float4* z", "z[n].x"),
        ("const float* z", "z[n]"),
        ("const char* z", "z[n]"),
        ("const float* z", "z[n - i]"),
    ],
)
def test_a_buffer_read_elsewhere_may_be_the_one_that_is_stored(other: str, use: str) -> None:
    kernel = (
        "struct Pair { int a, b; };\n"
        f"__global__ void k({other}, int* y, int* w, int n) {{ {NUMBER} y[i] = 1; w[i] = {use}; }}"
    )
    assert "may overlap" in reason(kernel) or "of other threads" in reason(kernel)


def test_numbers_of_other_kind_and_size_do_not_overlap() -> None:
    kernel = (
        f"__global__ void k(const double* z, int* y, int* w, int n) {{ {NUMBER} y[i] = 1; w[i] = z[n]; }}"
    )
    assert isinstance(only(proposed(program(kernel, "")), "MEM010").fix, Change)


def test_a_buffer_that_is_no_vector_is_tested_for_overlap_too() -> None:
    head = "struct Pair { float a, b; };\n"
    kernel = f"__global__ void k(const Pair* z, float* y, float* w) {{ {NUMBER} y[i] = 1; w[i] = z[i].a; }}"
    text = tuned_text(program(head + kernel, ""))
    for pair in ("y + porter_begin, z + porter_begin", "w + porter_begin, z + porter_begin"):
        assert f"porter_are_separate({pair}, porter_elements, false)" in text


def test_a_store_to_what_all_threads_share_is_no_element() -> None:
    kernel = (
        f"__device__ float last[4096];\n__global__ void k(float* x) {{ {NUMBER} last[i + 1] = 1; x[i] = 2; }}"
    )
    assert "other threads" in reason(kernel)


def test_two_stores_keep_their_order_where_both_may_be_one_buffer() -> None:
    kernel = f"__global__ void k(float* a, float* b, const float* x) {{ {NUMBER} b[i] = x[i]; a[i] = 2; }}"
    text = tuned_text(program(kernel, ""))
    assert "porter_are_separate(a + porter_begin, b + porter_begin, porter_elements, false)" in text
    assert "porter_are_separate(b + porter_begin, x + porter_begin, porter_elements, true)" in text


@pytest.mark.parametrize(
    "body",
    [
        "y[i] = 1; z[i] = a.q[i];",
        "const float* q = x; y[i] = 1; z[i] = q[n];",
        "y[i] = 1; z[i] = table[n];",
        "y[i] = 1; z[i] = get(a, i);",
    ],
)
def test_memory_without_a_parameter_may_be_what_is_stored(body: str) -> None:
    head = (
        "struct Args { const float* q; };\n__device__ float table[64];\n"
        "__device__ float get(Args a, int i) { return a.q[i]; }\n"
    )
    kernel = (
        f"{head}__global__ void k(Args a, const float* x, float* y, float* z, int n) {{ {NUMBER} {body} }}"
    )
    assert any(why in reason(kernel) for why in ("may be what is stored", "other threads", "would spread"))


# --- tiles ---

AXES = "int x = blockIdx.x * blockDim.x + threadIdx.x; int y = blockIdx.y * blockDim.y + threadIdx.y;"
TRANSPOSED = "k<<<dim3(4, 4), dim3(32, 8)>>>(0, 0, 64, 64);"


@pytest.mark.parametrize(
    "body",
    [
        "if (x < w && y < h) { h = 64; out[x * h + y] = in[y * w + x]; }",
        "if (x >= w || y >= h) return; w = w / 2; out[x * h + y] = in[y * w + x];",
        "if (x < w && y < h) { out += 1; out[x * h + y] = in[y * w + x]; }",
        "if (x < w && y < h) { halve(&h); out[x * h + y] = in[y * w + x]; }",
    ],
)
def test_a_strided_place_that_the_body_moves_stays(body: str) -> None:
    head = "__device__ void halve(int* v) { *v /= 2; }\n"
    kernel = f"{head}__global__ void k(const float* in, float* out, int w, int h) {{ {AXES} {body} }}"
    assert "changes in the body" in reason(kernel, "MEM011", TRANSPOSED)


def test_a_volatile_tile_stays() -> None:
    body = "if (x < w && y < h) out[x * h + y] = in[y * w + x];"
    kernel = f"__global__ void k(const float* in, volatile float* out, int w, int h) {{ {AXES} {body} }}"
    assert "volatile" in reason(kernel, "MEM011", TRANSPOSED)


# --- padding ---

COLUMNS = "s[threadIdx.x][threadIdx.y] = 1; __syncthreads(); x[threadIdx.x] = s[threadIdx.y][threadIdx.x];"
TILE = "k<<<1, dim3(32, 8)>>>(0, 0);"


def test_an_extent_that_is_an_expression_keeps_its_value() -> None:
    for extent in ("1 << 5", "true ? 32 : 16"):
        kernel = f"__global__ void k(float* x, int n) {{ __shared__ float s[32][{extent}]; {COLUMNS} }}"
        assert f"s[32][({extent}) + 1]" in tuned_text(program(kernel, TILE))


@pytest.mark.parametrize(
    ("more", "launch", "why"),
    [
        ("s[0][threadIdx.y * 32 + threadIdx.x] = 2;", TILE, "not proved to stay in its row"),
        ("s[1][(int)threadIdx.x - 1] = 2;", TILE, "not proved to stay in its row"),
        ("s[0][n] = 2;", TILE, "not proved to stay in its row"),
        ("for (int j = 0; j < n; ++j) s[0][j] = 2;", TILE, "not proved to stay in its row"),
        ("int c = n; if (threadIdx.x < 16) c = 3; s[0][c] = 2;", TILE, "not proved to stay in its row"),
        ("int c = s[1][2]; if (threadIdx.x < 16) c = 3; s[0][c] = 2;", TILE, "not proved to stay in its row"),
        ("int c = threadIdx.x; if (n) c = 64; s[0][c] = 2;", TILE, "not proved to stay in its row"),
        ("x[1] = sizeof(s);", TILE, "where its size counts"),
        ("x[1] = sizeof s[0];", TILE, "where its size counts"),
        ("", f"{TILE} k<<<1, dim3(64, 8)>>>(0, 0);", "other blocks"),
        ("", f"{TILE} dim3 b; k<<<1, b>>>(0, 0);", "other blocks"),
    ],
)
def test_rows_that_an_index_may_leave_keep_their_length(more: str, launch: str, why: str) -> None:
    kernel = f"__global__ void k(float* x, int n) {{ __shared__ float s[32][32]; {more} {COLUMNS} }}"
    assert why in reason(kernel, "MEM012", launch)


@pytest.mark.parametrize(
    "more",
    [
        "if (threadIdx.y == 0 && threadIdx.x < 31) s[0][threadIdx.x + 1] = 2;",
        "for (int j = 0; j < 32; ++j) s[0][j] = 2;",
        "s[0][(threadIdx.y * 32 + threadIdx.x) % 32] = 2;",
        "for (int t = 0; t < n; ++t) for (int j = 0; j < 32; j += 4) s[0][j] = t;",
    ],
)
def test_rows_are_padded_where_every_index_is_proved_to_stay_in_them(more: str) -> None:
    kernel = f"__global__ void k(float* x, int n) {{ __shared__ float s[32][32]; {COLUMNS} {more} }}"
    assert "[32 + 1]" in tuned_text(program(kernel, TILE))


# --- block sizes ---


def test_only_the_numbers_of_the_block_are_changed() -> None:
    launch = "int n = 1000; saxpy<<<(n + 96 * 95 + 95) / 96, 96, 96 * 95>>>(1, 0, 0, n + 96 * 95);"
    text = tuned_text(program(SAXPY, launch))
    assert "saxpy<<<(n + 96 * 95 + 127) / 128, 128, 96 * 95>>>(1, 0, 0, n + 96 * 95)" in text
    launch = "int n = 1000; saxpy<<<(n + 96 - 1) / 96, 96>>>(1, 0, 0, n);"
    assert "saxpy<<<(n + 128 - 1) / 128, 128>>>" in tuned_text(program(SAXPY, launch))


def test_a_loop_keeps_a_grid_that_is_no_quotient() -> None:
    loop = (
        "__global__ void k(float* x, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; "
        "i += blockDim.x * gridDim.x) x[i] = 1; }"
    )
    assert "k<<<96, 128>>>" in tuned_text(program(loop, "k<<<96, 96>>>(0, 96);"))


@pytest.mark.parametrize(
    "launch",
    [
        "const int b = 96; k<<<(n + b - 1) / b, b>>>(b, 0, 0, n);",
        "const int b = 96; int g = (n + b - 1) / b; k<<<g, b>>>(g, 0, 0, n);",
    ],
)
def test_a_size_that_the_kernel_is_given_stays(launch: str) -> None:
    kernel = SAXPY.replace("saxpy(float a", "k(int a")
    assert "more than this launch" in reason(kernel, "LCH011", f"int n = 1000; {launch}")


def test_a_bound_that_loses_bits_is_not_the_argument() -> None:
    kernel = f"__global__ void k(float* x, int n) {{ {NUMBER} if (i < (unsigned char)n) x[i] = 1; }}"
    assert "no constant" in reason(kernel, "LCH011", "int n = 9; k<<<(n + 95) / 96, 96>>>(0, n);")


# --- the order of blocks ---

ROWS = (
    "float sum = 0; for (int j = threadIdx.x; j < n; j += blockDim.x) "
    "sum += table[blockIdx.y * n + j] * weights[blockIdx.x * n + j];"
)
OUT = "out[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = sum;"


@pytest.mark.parametrize(
    ("wait", "why"),
    [
        ("while (atomicAdd(flags + blockIdx.x, 0) == 0) {}", "atomic"),
        ("__threadfence();", "fence"),
        ("volatile int* flag = flags; while (flag[blockIdx.x] == 0) {}", "volatile"),
        ("wait_for(flags);", "volatile"),
        ("take(flags);", "atomic"),
    ],
)
def test_blocks_that_may_wait_for_each_other_keep_their_order(wait: str, why: str) -> None:
    head = (
        "__device__ void wait_for(int* f) { volatile int* flag = f; while (flag[0] == 0) {} }\n"
        "__device__ void take(int* f) { atomicAdd(f, 1); }\n"
    )
    parameters = "const float* table, const float* weights, float* out, int* flags, int n"
    kernel = f"{head}__global__ void k({parameters}) {{ {ROWS} {wait} {OUT} }}"
    assert why in reason(kernel, "MEM013", "k<<<dim3(8, 32), 64>>>(0, 0, 0, 0, 300);")


# --- names ---


def test_of_overloads_none_is_changed_and_each_has_its_own_text() -> None:
    one = f"__global__ void k(const float* x, float* y) {{ {NUMBER} y[i] = x[i]; }}"
    two = f"__global__ void k(float* y, double a, int n) {{ {NUMBER} if (i < n) y[i] *= a; }}"
    launches = "float* f = 0; k<<<4, 96>>>(f, f); k<<<4, 96>>>(f, 2.0, 384);"
    found = proposed(program(f"{one}\n{two}", launches))
    assert {p.span.line for p in found if p.code == "MEM010"} == {2, 3}
    assert all(isinstance(p.fix, NotApplicable) for p in found)
    assert any("several kernels" in p.fix.reason for p in found if isinstance(p.fix, NotApplicable))
