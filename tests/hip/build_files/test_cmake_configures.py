"""CMake itself configures and generates what was translated, its HIP language included.

There is no ROCm here: a stand-in compiler and empty packages are what CMake asks for. That the commands of
the build are those of HIP is what is shown, not that they succeed.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from porter.core.span import SourceText
from porter.hip.build_files.cmake import translate_cmake
from tests.hip.build_files.build_texts import ARCHITECTURES, save

cmake = pytest.importorskip("cmake")
ninja = pytest.importorskip("ninja")

LANGUAGE = """
    cmake_minimum_required(VERSION 3.18)
    project(app LANGUAGES CXX CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(CMAKE_CUDA_STANDARD 17)
    set(CMAKE_CUDA_ARCHITECTURES 80 90)
    add_library(kernels STATIC kernels/a.cu kernels/b.cu)
    target_include_directories(kernels PUBLIC include)
    target_compile_options(
        kernels PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--use_fast_math -lineinfo -Xcompiler -Wall>)
    set_target_properties(kernels PROPERTIES CUDA_SEPARABLE_COMPILATION ON POSITION_INDEPENDENT_CODE ON)
    add_executable(app main.cpp)
    target_link_libraries(app PRIVATE kernels CUDA::cudart CUDA::cublas)
"""
FIND_CUDA = """
    cmake_minimum_required(VERSION 2.8.12)
    project(old)
    find_package(CUDA 9.0 REQUIRED)
    list(APPEND CUDA_NVCC_FLAGS -O2 -gencode arch=compute_70,code=sm_70)
    include_directories(${CUDA_INCLUDE_DIRS})
    file(GLOB SOURCES kernels/*.cu)
    cuda_add_executable(app main.cpp ${SOURCES})
    target_link_libraries(app ${CUDA_LIBRARIES})
    cuda_add_cufft_to_target(app)
"""

NO_PACKAGE = """
    cmake_minimum_required(VERSION 3.18)
    project(plain LANGUAGES CXX CUDA)
    # find_package(CUDAToolkit) is not needed for cudart
    add_executable(app main.cpp kernels/a.cu)
    file(GLOB OTHERS kernels/b.cu)
    foreach(OTHER IN LISTS OTHERS)
      add_library(one ${OTHER})
    endforeach()
    foreach(OTHER ${OTHERS})
      add_library(two ${OTHER})
    endforeach()
    target_link_libraries(app PRIVATE cuda cublas)
    set_target_properties(app PROPERTIES CXX_STANDARD 17 CUDA_ARCHITECTURES 70 75 CUDA_STANDARD 17)
    add_library(more INTERFACE)
    target_include_directories(more INTERFACE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
"""


@pytest.fixture
def rocm(tmp_path: Path) -> Path:
    """Packages that hold the targets that are linked, and a compiler that is none."""
    for package, target in (("hip", "hip::host"), ("hipblas", "roc::hipblas"), ("hipfft", "hip::hipfft")):
        config = f"if(NOT TARGET {target})\n  add_library({target} INTERFACE IMPORTED)\nendif()\n"
        save(tmp_path / "rocm", f"lib/cmake/{package}/{package}-config.cmake", config)
    save(tmp_path / "rocm", "lib/cmake/hip-lang/hip-lang-config.cmake", "")
    compiler = save(tmp_path / "rocm", "bin/clang++", '#!/bin/sh\nexec c++ -x c++ "$@"\n')
    compiler.chmod(0o755)
    return tmp_path / "rocm"


@pytest.mark.parametrize(
    "text", [LANGUAGE, FIND_CUDA, NO_PACKAGE], ids=["language", "find_cuda", "no_package"]
)
def test_configures(text: str, rocm: Path, tmp_path: Path) -> None:
    if shutil.which("c++") is None:
        pytest.skip("CMake needs a C++ compiler")
    project = tmp_path / "project"
    path = save(project, "CMakeLists.txt", text)
    for name in ("kernels/a.cu", "kernels/b.cu", "include/k.h"):
        save(project, name, "\n")
    save(project, "main.cpp", "int main() { return 0; }\n")
    built = translate_cmake(SourceText.read(path), ARCHITECTURES)
    path.write_bytes(built.text)

    commands = _configured(project, rocm)

    kernels = {Path(c["file"]).name: c["command"] for c in commands if c["file"].endswith(".cu")}
    assert set(kernels) == {"a.cu", "b.cu"}
    for command in kernels.values():
        words = command.split()
        assert words[0] == str(rocm / "bin/clang++")
        assert {f"--offload-arch={a}" for a in ARCHITECTURES} <= set(words)
        assert not [w for w in words if w.startswith(("-gencode", "-Xcompiler", "-lineinfo", "--use_fast"))]
    if text is LANGUAGE:
        assert {"-ffast-math", "-Wall", "-fPIC"} <= set(kernels["a.cu"].split())


def _configured(project: Path, rocm: Path) -> list[dict[str, str]]:
    """The commands of the build."""
    forced = {
        "CMAKE_HIP_COMPILER": rocm / "bin/clang++",
        "CMAKE_HIP_COMPILER_FORCED": "ON",
        "CMAKE_HIP_COMPILER_ID": "Clang",
        "CMAKE_HIP_COMPILER_ID_RUN": "1",
        "CMAKE_HIP_COMPILER_ROCM_ROOT": rocm,
        "CMAKE_HIP_PLATFORM": "amd",
        "CMAKE_PREFIX_PATH": rocm,
        "CMAKE_MAKE_PROGRAM": Path(ninja.BIN_DIR) / "ninja",
        "CMAKE_EXPORT_COMPILE_COMMANDS": "ON",
    }
    defined = [f"-D{name}={value}" for name, value in forced.items()]
    done = subprocess.run(
        [
            Path(cmake.CMAKE_BIN_DIR) / "cmake",
            "-G",
            "Ninja",
            "-S",
            project,
            "-B",
            project / "build",
            *defined,
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    commands: list[dict[str, str]] = json.loads((project / "build/compile_commands.json").read_text())
    return commands
