"""Warp intrinsics keep the meaning of 32-lane groups."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from porter.hip.translate import HipTranslation

Port = Callable[..., str]


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("v += __shfl_down_sync(0xffffffff, v, o);", "v += __shfl_down(v, o, 32);"),
        ("v = __shfl_sync(m, v, 0);", "v = __shfl(v, 0, 32);"),
        ("v = __shfl_xor_sync(FULL, v, o, 16);", "v = __shfl_xor(v, o, 16);"),
        ("v = __shfl_up_sync(~0ull, f(a, b), 1 << i);", "v = __shfl_up(f(a, b), 1 << i, 32);"),
        ("v = __shfl_sync(__activemask(), v, 0);", "v = __shfl(v, 0, 32);"),
        (
            "v = __shfl_sync(m, __shfl_up_sync(m, v, 1), 2);",
            "v = __shfl(__shfl_up(v, 1, 32), 2, 32);",
        ),
        ("v = __shfl_sync( m , v , 0 );", "v = __shfl( v , 0 , 32);"),
        ("v = __shfl_down(v, 4);", "v = __shfl_down(v, 4, 32);"),
        ("v = __shfl(v, 0, 8);", "v = __shfl(v, 0, 8);"),
        ("v = __shfl_sync(m = 3, v, 0);", "v = ((void)(m = 3), __shfl(v, 0, 32));"),
        ("m = __ballot_sync(0xffffffff, p);", "m = porter_ballot_sync(0xffffffff, p);"),
        ("m = __ballot(p);", "m = porter_ballot_sync(0xffffffffu, p);"),
        ("if (__any_sync(m, p > 0))", "if (porter_any_sync(m, p > 0))"),
        ("if (__all(p))", "if (porter_all_sync(0xffffffffu, p))"),
        ("m = __activemask();", "m = porter_activemask();"),
        ("m = __match_any_sync(__activemask(), v);", "m = porter_match_any_sync(porter_activemask(), v);"),
        ("v = __reduce_add_sync(m, v);", "v = porter_reduce_add_sync(m, v);"),
        ("__syncwarp();", "porter_syncwarp();"),
        ("__syncwarp(m);", "porter_syncwarp();"),
        ("int w = threadIdx.x / warpSize;", "int w = threadIdx.x / 32;"),
        ("__shared__ int s[1024 / warpSize];", "__shared__ int s[1024 / 32];"),
    ],
)
def test_rewrites(cuda: str, hip: str, port: Port) -> None:
    assert port(f"__global__ void k() {{ {cuda} }}\n") == f"__global__ void k() {{ {hip} }}\n"


@pytest.mark.parametrize(
    "text",
    [
        "int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;",
        "__shared__ float s[32];",
        "for (int o = 16; o > 0; o /= 2) {}",
        "const int kWarp = 32;",
        "int n = __popc(m) + __ffs(m);",
        "unsigned below = (1u << lane) - 1;",
        "tile.shfl_down(v, o);",
        "object.__shfl_sync(m, v, 0);",
        "x = p.warpSize;",
        '// __shfl_sync(m, v, 0)\nputs("__ballot_sync(m, p)");',
        "my::__shfl_sync(m, v, 0);",
        "__syncthreads();",
    ],
)
def test_leaves_alone(text: str, port: Port) -> None:
    assert port(f"__global__ void k() {{ {text} }}\n") == f"__global__ void k() {{ {text} }}\n"


def test_macro_bodies_are_ported(port: Port) -> None:
    text = "#define DOWN(v, o) __shfl_down_sync(MASK, \\\n    v, o)\n"
    assert port(text) == "#define DOWN(v, o) __shfl_down(v, o, 32)\n"


def test_the_files_own_function_of_that_name_stays(port: Port) -> None:
    text = (
        "__device__ int __shfl(int v, int l) { return v; }\n"
        "__global__ void k(int* p) { p[0] = __shfl(1, 2); }\n"
    )
    assert port(text) == text


def test_a_name_that_is_not_called_is_refused(translate: Callable[..., HipTranslation]) -> None:
    result = translate("#define shuffle __shfl_sync\n__global__ void k() {}\n")
    assert [(f.code, f.span.line, f.span.column) for f in result.findings] == [("WAV010", 1, 17)]


def test_a_wrong_number_of_arguments_is_refused(translate: Callable[..., HipTranslation]) -> None:
    result = translate("__global__ void k(int* p) { p[0] = __shfl_sync(ARGS); }\n")
    assert [f.code for f in result.findings] == ["WAV011"]
    assert list(result.declined_kernels) == ["k"]


def test_definitions_are_inserted_once_behind_the_header(translate: Callable[..., HipTranslation]) -> None:
    text = "#include <cuda_runtime.h>\n#include <cstdio>\n__global__ void k(unsigned* p) {"
    text += " p[0] = __ballot_sync(~0u, 1) + __ballot_sync(~0u, 0) + __any_sync(~0u, 1); }\n"
    ported = translate(text).text.decode()
    assert ported.count("unsigned porter_ballot_sync(unsigned mask") == 1
    assert ported.index("porter_ballot_sync") > ported.index("hip_runtime.h")
    assert ported.index("unsigned porter_ballot_sync") < ported.index("int porter_any_sync")
    assert ported.index("#endif\n#include <cstdio>\n") > 0


def test_a_file_without_warp_operations_gets_no_definitions(translate: Callable[..., HipTranslation]) -> None:
    assert b"porter" not in translate("#include <cuda_runtime.h>\n__global__ void k() {}\n").text
