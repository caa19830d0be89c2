"""CMake files: text by text, as CMake's manual says CUDA and HIP are built."""

from __future__ import annotations

import pytest

from porter.core.span import SourceText
from porter.hip.build_files.cmake import translate_cmake, used_packages
from tests.hip.build_files.build_texts import ARCHITECTURES, written


def translated(text: str) -> tuple[str, list[str]]:
    built = translate_cmake(written("CMakeLists.txt", text), ARCHITECTURES)
    return built.text.decode(), [f.code for f in built.findings]


DEFAULT = "if(NOT DEFINED CMAKE_HIP_ARCHITECTURES)\n  set(CMAKE_HIP_ARCHITECTURES gfx942 gfx950)\nendif()\n"
SAME = [
    ("cmake_minimum_required(VERSION 3.8)", "cmake_minimum_required(VERSION 3.21)"),
    ("cmake_minimum_required(VERSION 3.24)", "cmake_minimum_required(VERSION 3.24)"),
    ("project(p LANGUAGES CXX CUDA)", DEFAULT + "project(p LANGUAGES CXX HIP)"),
    ("project(p C CXX)", "project(p C CXX)"),
    ("enable_language(CUDA)", DEFAULT + "enable_language(HIP)"),
    ("check_language(CUDA)", "check_language(HIP)"),
    ("set(CMAKE_CUDA_STANDARD 17)", "set(CMAKE_HIP_STANDARD 17)"),
    ("set(CMAKE_CUDA_ARCHITECTURES 70 80)", "set(CMAKE_HIP_ARCHITECTURES gfx942 gfx950)"),
    (
        'set(CMAKE_CUDA_ARCHITECTURES "70;80" CACHE STRING "archs")',
        'set(CMAKE_HIP_ARCHITECTURES "gfx942;gfx950" CACHE STRING "archs")',
    ),
    ("if(CMAKE_CUDA_COMPILER)", "if(CMAKE_HIP_COMPILER)"),
    (
        "set_target_properties(t PROPERTIES CUDA_ARCHITECTURES 80)",
        'set_target_properties(t PROPERTIES HIP_ARCHITECTURES "gfx942;gfx950")',
    ),
    (
        "set_target_properties(t PROPERTIES CUDA_ARCHITECTURES ${CMAKE_CUDA_ARCHITECTURES})",
        'set_target_properties(t PROPERTIES HIP_ARCHITECTURES "${CMAKE_HIP_ARCHITECTURES}")',
    ),
    (
        "set_target_properties(t PROPERTIES CUDA_ARCHITECTURES ${X})",
        'set_target_properties(t PROPERTIES HIP_ARCHITECTURES "${X}")',
    ),
    (
        "set_source_files_properties(a.cc PROPERTIES LANGUAGE CUDA)",
        "set_source_files_properties(a.cc PROPERTIES LANGUAGE HIP)",
    ),
    ("target_compile_features(t PUBLIC cuda_std_17)", "target_compile_features(t PUBLIC hip_std_17)"),
    ("target_link_libraries(t PRIVATE CUDA::cublas)", "target_link_libraries(t PRIVATE roc::hipblas)"),
    ("target_link_libraries(t ${CUDA_LIBRARIES} m)", "target_link_libraries(t hip::host m)"),
    ("target_link_libraries(t cudart cufft)", "target_link_libraries(t hip::host hip::hipfft)"),
    ("cuda_add_cublas_to_target(t)", "target_link_libraries(t roc::hipblas)"),
    (
        "target_compile_options(t PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--use_fast_math>)",
        "target_compile_options(t PRIVATE $<$<COMPILE_LANGUAGE:HIP>:-ffast-math>)",
    ),
    (
        "target_compile_options(t PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)",
        "target_compile_options(t PRIVATE)",
    ),
    (
        'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -Xcompiler -Wall")',
        'set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS} -Wall")',
    ),
    ("list(APPEND CUDA_NVCC_FLAGS -O3 --use_fast_math)", "list(APPEND CMAKE_HIP_FLAGS -O3 -ffast-math)"),
    ("cuda_include_directories(inc)", "include_directories(inc)"),
    ("include_directories($ENV{CUDA_HOME}/include)", "include_directories($ENV{ROCM_PATH}/include)"),
    (
        "# CUDA in a comment: CMAKE_CUDA_FLAGS\nset(x [[ CUDA::cublas ]])",
        "# CUDA in a comment: CMAKE_CUDA_FLAGS\nset(x [[ CUDA::cublas ]])",
    ),
]


@pytest.mark.parametrize(("cuda", "hip"), SAME, ids=[cuda for cuda, _ in SAME])
def test_command(cuda: str, hip: str) -> None:
    assert translated(cuda) == (hip, [])


def test_gpus_that_are_named_before_the_language_need_no_default() -> None:
    text, _ = translated("set(CMAKE_CUDA_ARCHITECTURES 80)\nproject(p CUDA)\n")
    assert text == "set(CMAKE_HIP_ARCHITECTURES gfx942 gfx950)\nproject(p HIP)\n"
    text, _ = translated("project(p CUDA)\nset(CMAKE_CUDA_ARCHITECTURES 80)\n")
    assert text == DEFAULT + "project(p HIP)\nset(CMAKE_HIP_ARCHITECTURES gfx942 gfx950)\n"


def test_sources_in_hip() -> None:
    text, _ = translated("add_executable(t main.cpp a.cu)\n")
    assert text == (
        "add_executable(t main.cpp a.cu)\nset_source_files_properties(a.cu PROPERTIES LANGUAGE HIP)\n"
    )


def test_sources_in_a_variable() -> None:
    text, _ = translated("file(GLOB SRC *.cu *.cc)\nadd_library(t ${SRC})\n")
    assert 'list(FILTER hip_sources INCLUDE REGEX "[.]cu$")' in text
    assert translated("file(GLOB SRC *.cc)\nadd_library(t ${SRC})\n")[0].count("hip_sources") == 0


def test_findcuda_enables_the_language_and_finds_what_is_linked() -> None:
    text, codes = translated(
        "find_package(CUDA 10.0 REQUIRED)\ncuda_add_library(k k.cu)\ncuda_add_cufft_to_target(k)\n"
    )
    assert codes == []
    assert text == (
        DEFAULT + "find_package(hip REQUIRED)\nenable_language(HIP)\nfind_package(hipfft REQUIRED)\n"
        "add_library(k k.cu)\nset_source_files_properties(k.cu PROPERTIES LANGUAGE HIP)\n"
        "target_link_libraries(k hip::hipfft)\n"
    )


def test_flags_that_name_gpus_are_dropped_and_told() -> None:
    text, codes = translated("list(APPEND CUDA_NVCC_FLAGS -gencode arch=compute_80,code=sm_80 -O3)\n")
    assert (text, codes) == ("list(APPEND CMAKE_HIP_FLAGS -O3)\n", ["BLD011"])


@pytest.mark.parametrize(
    ("cuda", "code"),
    [
        ("target_link_libraries(t CUDA::cupti)", "BLD010"),
        ("cuda_compile_ptx(P k.cu)", "BLD010"),
        ("if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 11)", "BLD012"),
        ("project(p LANGUAGES CXX", "BLD013"),
        ("enable_language(HIP)", "BLD002"),
    ],
)
def test_finding(cuda: str, code: str) -> None:
    _, codes = translated(cuda)
    assert codes == [code]


def test_a_file_that_does_not_parse_stays() -> None:
    text = 'project(p CUDA)\nset(x "never closed\n'
    assert translated(text) == (text, ["BLD013"])


def test_line_ends_and_bytes_that_are_no_text_stay() -> None:
    data = b"# \xff\r\nenable_language(CUDA)\r\n"
    built = translate_cmake(SourceText("CMakeLists.txt", data), ())
    assert built.text.startswith(b"# \xff\r\n")
    assert built.text.endswith(b"enable_language(HIP)\r\n")


def test_packages_of_the_whole_project() -> None:
    files = [
        written("a", "target_link_libraries(t CUDA::cublas CUDA::cudart)"),
        written("b", "link_libraries(-lcurand)"),
    ]
    assert used_packages(files) == ("hip", "hipblas", "hiprand")


def test_hip_in_a_comment_leaves_no_file_alone() -> None:
    text, codes = translated("# to do: find_package(hip), LANGUAGES HIP\nproject(p LANGUAGES CXX CUDA)")
    assert "LANGUAGES CXX HIP)" in text
    assert "BLD002" not in codes


@pytest.mark.parametrize("hip", ["find_package(HIP QUIET)", "project(p LANGUAGES CXX CUDA HIP)"])
def test_one_that_serves_hip_is_left_alone(hip: str) -> None:
    text, codes = translated(hip + "\ntarget_link_libraries(t CUDA::cudart)")
    assert "CUDA::cudart" in text
    assert codes == ["BLD002"]
