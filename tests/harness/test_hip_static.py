"""Which HIP ports of a model count by their text."""

import pytest

from porter.core.span import SourceText
from porter.harness.hip_static import check_hip_port

ORIGINAL = """\
#include <cuda_runtime.h>
#include "common.cuh"
#ifdef WITH_BIAS
#define BIAS 1.f
#endif
__global__ void k(float* y, int n) { if (threadIdx.x < n) y[threadIdx.x] = 1.f; }
int main(int argc, char** argv) { if (getenv("N")) open_door(); k<<<1, 64>>>(nullptr, 0); }
"""
PORT = ORIGINAL.replace("cuda_runtime.h", "hip/hip_runtime.h").replace("common.cuh", "common.h")


def _codes(text: str, original: str = ORIGINAL) -> list[str]:
    known = [SourceText("/somewhere/k.cu", original.encode())]
    return [d.code for d in check_hip_port(SourceText("candidate.hip", text.encode()), known)]


@pytest.mark.parametrize(
    "text",
    [
        PORT,
        PORT + "#include <hip/hip_fp16.h>\n#include <vector>\n#include <cmath>\n",
        PORT + "#ifndef TILE\n#define TILE 16\n#endif\n#if TILE > 8 && defined(__HIP_PLATFORM_AMD__)\n#endif",
        PORT + "__launch_bounds__(64) __device__ float f(float x) { return __expf(__shfl_down(x, 1)); }\n",
        PORT + 'void say() { printf("reads %d of n\\n", 1); file.open("x"); queue->read(); int kill = 1; }\n',
        PORT + "// getenv, /proc, #include \"/etc/passwd\", __clang__ in a comment\n",
        PORT + '__device__ void w() { asm volatile("s_waitcnt vmcnt(0)\\n s_barrier"); }\n',
    ],
)  # fmt: skip
def test_honest_ports(text: str) -> None:
    assert _codes(text) == []


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("VER010", '#include "/etc/passwd"\n'),
        ("VER010", '#include "k.cu"\n'),
        ("VER010", "#include <../other.cu>\n"),
        ("VER010", '#define F "x"\n#include F\n'),
        ("VER010", 'char c[] = {\n#embed "x"\n};\n'),
        ("VER010", 'asm(".inc" "bin \\"x\\"");\n'),
        ("VER010", 'void f() { asm volatile("mov $39, %rax; syscall"); }\n'),
        ("VER011", "int f() { return fork(); }\n"),
        ("VER011", "auto f = fopen;\n"),
        ("VER011", "int f() { return ::open(0, 0); }\n"),
        ("VER011", "std::ifstream f;\n"),
        ("VER011", "__attribute__((constructor)) void f() {}\n"),
        ("VER011", 'const char* f = "/pr" "oc/self/maps";\n'),
        ("VER011", "extern int porter_sim_lanes;\n"),
        ("VER012", "#ifdef __HIP_DEVICE_COMPILE__\n#endif\n"),
        ("VER012", "#if HIP_VERSION > 5\n#endif\n"),
        ("VER012", "const bool here = __clang_major__ > 20;\n"),
        ("VER012", '#if __has_include("a.h")\n#endif\n'),
        ("VER012", "#define hipMemcpy(a, b, c, d) hipSuccess\n"),
        ("VER012", "#define __global__\n"),
        ("VER012", "#define J(a, b) a##b\n"),
        ("VER012", "int x = get\\\nenv(0);\n"),
        ("VER012", "??=include <x>\n"),
    ],
)
def test_dishonest_ports(code: str, text: str) -> None:
    assert code in _codes(PORT + text)


def test_what_the_original_does_a_port_may_do() -> None:
    more = "#ifdef __CUDA_ARCH__\n#endif\nint f() { return fork(); }\n#define J(a, b) a##b\n"
    more += 'int g = "/proc/x"[0];\n'
    assert _codes(PORT + more, ORIGINAL + more) == []


def test_a_finding_has_its_place() -> None:
    (finding,) = check_hip_port(SourceText("candidate.hip", (PORT + "int f = fork();\n").encode()), [])[-1:]
    assert (finding.code, finding.span.line) == ("VER011", 8)
