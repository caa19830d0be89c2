"""A wrong kind of port is one error before anything is built."""

from pathlib import Path

import pytest

from porter.core.errors import InputError
from porter.core.outcome import Target
from porter.pipeline.port_kind import port_target

CUDA = """#include <cuda_runtime.h>
__global__ void k(float* x) { x[threadIdx.x] = 1.0f; }
int main() { k<<<1, 32>>>(nullptr); return cudaDeviceSynchronize(); }
"""
ALONE = "__global__ void k(float* x) { x[threadIdx.x] = 1.0f; }\n"
TRITON = "import triton\n\n\n@triton.jit\ndef k(x):\n    pass\n"


@pytest.fixture
def original(tmp_path: Path) -> Path:
    path = tmp_path / "original.cu"
    path.write_text(CUDA)
    return path


def _file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("name", "text", "target"),
    [
        ("port.hip", CUDA.replace("cuda_runtime.h", "hip/hip_runtime.h").replace("cuda", "hip"), Target.HIP),
        ("port.cu", CUDA.replace("cuda_runtime.h", "hip/hip_runtime.h").replace("cuda", "hip"), Target.HIP),
        ("port.cpp", ALONE, Target.HIP),
        ("port.hip", "#include <hip/hip_runtime.h>\n" + ALONE, Target.HIP),
        ("dual.cu", "#ifdef USE_ROCM\n#include <hip/hip_runtime.h>\n#else\n" + CUDA + "#endif\n", Target.HIP),
        ("port.py", TRITON, Target.TRITON),
        ("port.py", "from triton import jit\n", Target.TRITON),
    ],
)
def test_ports(original: Path, tmp_path: Path, name: str, text: str, target: Target) -> None:
    assert port_target(original, _file(tmp_path, name, text)) is target


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("other.cu", CUDA, "this file is CUDA, not a port of it"),
        ("other.cpp", CUDA, "this file is CUDA, not a port of it"),
        ("notes.md", "text", "HIP (.hip, .cpp, .cu) or a Triton module (.py) is expected"),
        ("plain.cpp", "int main() { return 0; }\n", "no HIP in this file"),
        ("plain.py", "import torch\n\nprint('triton')\n", "no Triton in this file"),
        ("empty.hip", "", "is empty"),
    ],
)
def test_what_is_no_port(original: Path, tmp_path: Path, name: str, text: str, message: str) -> None:
    path = _file(tmp_path, name, text)
    with pytest.raises(InputError) as caught:
        port_target(original, path)
    assert caught.value.message.startswith(str(path))
    assert message in caught.value.message


def test_the_original_is_no_port_and_a_python_file_no_original(original: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the port is the original itself"):
        port_target(original, original)
    module = _file(tmp_path, "port.py", TRITON)
    with pytest.raises(InputError, match="the original is a Python file"):
        port_target(module, module)
