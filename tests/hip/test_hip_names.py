"""API names: renamed where they are CUDA's, left where they are the user's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from porter.core.diagnostic import Severity
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.hip.translate import HipTranslation, translate_hip

Port = Callable[..., str]
Translate = Callable[..., HipTranslation]


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("cudaMalloc(&p, 4);", "hipMalloc(&p, 4);"),
        ("::cudaFree(p);", "::hipFree(p);"),
        ("cudaError_t e = cudaGetLastError();", "hipError_t e = hipGetLastError();"),
        ("if (e != cudaSuccess) return;", "if (e != hipSuccess) return;"),
        ("cudaMemcpy(a, b, n, cudaMemcpyHostToDevice);", "hipMemcpy(a, b, n, hipMemcpyHostToDevice);"),
        (
            "cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);",
            "hipDeviceProp_t p; hipGetDeviceProperties(&p, 0);",
        ),
        ("cudaMallocHost(&p, 4); cudaFreeHost(p);", "hipHostMalloc(&p, 4); hipHostFree(p);"),
        ("cudaThreadSynchronize();", "hipDeviceSynchronize();"),
        ("CHECK(cudaMalloc(&p, 4));", "CHECK(hipMalloc(&p, 4));"),
        ("cudaStream_t s; cudaStreamCreate(&s);", "hipStream_t s; hipStreamCreate(&s);"),
        ("cuInit(0); CUdevice d; cuDeviceGet(&d, 0);", "hipInit(0); hipDevice_t d; hipDeviceGet(&d, 0);"),
        ("cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_T);", "hipblasSgemm(h, HIPBLAS_OP_N, HIPBLAS_OP_T);"),
        ("cudaDataType_t t = CUDA_R_16F;", "hipDataType t = HIP_R_16F;"),
        ("cufftPlan1d(&p, n, CUFFT_C2C, 1);", "hipfftPlan1d(&p, n, HIPFFT_C2C, 1);"),
        ("curandState s; curand_init(1, 2, 0, &s);", "hiprandState_t s; hiprand_init(1, 2, 0, &s);"),
        ("cusolverDnHandle_t h; cusolverDnCreate(&h);", "hipsolverDnHandle_t h; hipsolverDnCreate(&h);"),
        ('nvtxRangePushA("x"); nvtxRangePop();', 'roctxRangePushA("x"); roctxRangePop();'),
        ("nvrtcGetPTXSize(p, &n);", "hiprtcGetCodeSize(p, &n);"),
        ("__trap();", "__builtin_trap();"),
        ("atomicAdd_block(p, 1);", "atomicAdd(p, 1);"),
    ],
)
def test_renames(cuda: str, hip: str, port: Port) -> None:
    assert port(f"void f() {{ {cuda} }}\n") == f"void f() {{ {hip} }}\n"


@pytest.mark.parametrize(
    "text",
    [
        "// cudaMalloc\nint x;\n",
        "/* cudaFree\n cudaMemcpy */\n",
        'const char* s = "cudaMalloc failed: %s";\n',
        'const char* r = R"(cudaFree)";\n',
        "void f() { allocator.cudaMalloc(4); pool->cudaFree(p); }\n",
        "void f() { mine::cudaMalloc(4); }\n",
        "void f() { my_cudaMalloc(4); cudaMallocator(4); }\n",
        "void cudaCheck(int e) {}\nvoid f() { cudaCheck(0); }\n",
        "#define cudaRetry(x) (x)\nvoid f() { cudaRetry(1); }\n",
        "#error cudaMalloc is needed\n",
        '#pragma message("cudaMalloc")\n',
        "ncclComm_t c; ncclResult_t r;\n",
        "__global__ void k(float* __restrict__ p) { __syncthreads(); p[0] = __expf(p[1]); }\n",
    ],
)
def test_leaves_alone(text: str, port: Port) -> None:
    assert port(text) == text


def test_a_method_of_that_name_stays_while_calls_of_the_api_are_ported(port: Port) -> None:
    text = (
        "struct A { void cudaFree(void* p) { ::cudaFree(p); } };\n"
        "void f(A a) { a.cudaFree(0); cudaFree(0); }\n"
    )
    assert port(text) == (
        "struct A { void cudaFree(void* p) { ::hipFree(p); } };\nvoid f(A a) { a.cudaFree(0); hipFree(0); }\n"
    )


def test_both_branches_of_a_conditional(port: Port) -> None:
    text = "#ifdef A\nvoid f() { cudaFree(0); }\n#else\nvoid f() { cudaFreeHost(0); }\n#endif\n"
    assert port(text) == "#ifdef A\nvoid f() { hipFree(0); }\n#else\nvoid f() { hipHostFree(0); }\n#endif\n"


def test_macro_bodies_and_conditions(port: Port) -> None:
    text = "#define CHECK(x) do { cudaError_t e = x; \\\n  if (e) puts(cudaGetErrorString(e)); } while (0)\n"
    expected = (
        "#define CHECK(x) do { hipError_t e = x; \\\n  if (e) puts(hipGetErrorString(e)); } while (0)\n"
    )
    assert port(text) == expected


def test_what_hip_lacks_is_an_error_at_its_place(translate: Translate) -> None:
    (finding,) = translate("void f() {\n  cudaCtxResetPersistingL2Cache();\n}\n").findings
    assert (finding.code, finding.severity) == ("API001", Severity.ERROR)
    assert (finding.span.line, finding.span.column) == (2, 3)
    assert finding.hint


def test_an_unknown_name_is_one_warning_with_the_nearest(translate: Translate) -> None:
    (finding,) = translate("void f() { cudaMallocc(&p, 4); cudaMallocc(&q, 4); }\n").findings
    assert (finding.code, finding.severity) == ("API002", Severity.WARNING)
    assert "hipMalloc" in finding.hint


@pytest.mark.parametrize(
    "text",
    [
        "void cudaMine(int);\nvoid f() { cudaMine(1); }\n",
        "void f() { cudaArray_t cudaThing; use(cudaThing); }\n",
    ],
)
def test_names_that_the_file_declares_are_not_unknown(text: str, translate: Translate) -> None:
    assert translate(text).findings == ()


def test_names_of_the_users_headers_are_not_unknown(tmp_path: Path) -> None:
    (tmp_path / "common.h").write_text("#define cudaCheck(x) (x)\n")
    source = SourceText(str(tmp_path / "a.cu"), b'#include "common.h"\nvoid f() { cudaCheck(1); }\n')
    assert translate_hip(read_translation_unit(source)).findings == ()
