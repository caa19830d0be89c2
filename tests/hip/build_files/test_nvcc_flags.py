"""Flags of nvcc and their counterparts, by the manuals of nvcc 12 and clang 18."""

from __future__ import annotations

import pytest

from porter.hip.build_files.nvcc_flags import NVCC_ONLY, translate_flags

KEPT = [
    (
        "-O3 -g -Iinclude -DN=3 -Wall -fPIC -c k.cu -o k.o",
        "-O3 -g -Iinclude -DN=3 -Wall -fPIC -c k.cu -o k.o",
    ),
    ("-Xcompiler -fopenmp", "-fopenmp"),
    ("-Xcompiler=-Wall,-Wextra", "-Wall -Wextra"),
    ("--compiler-options '-fPIC -O2'", "-fPIC -O2"),
    ("-Xlinker -rpath=/x", "-Wl,-rpath=/x"),
    ("--use_fast_math", "-ffast-math"),
    ("-std c++17", "-std=c++17"),
    ("-rdc=true", "-fgpu-rdc"),
    ("-rdc true", "-fgpu-rdc"),
    ("-rdc=false", ""),
    ("-dc", "-fgpu-rdc -c"),
    ("-fmad=false", "-ffp-contract=off"),
    ("--default-stream per-thread", "-fgpu-default-stream=per-thread"),
    ("--default-stream legacy", ""),
    ("-x cu", "-x hip"),
    ("-x c++", "-x c++"),
    ("-lcublas -lcudart -lm", "-lhipblas -lamdhip64 -lm"),
    ("--expt-relaxed-constexpr --extended-lambda -lineinfo", ""),
]


@pytest.mark.parametrize(("nvcc", "hip"), KEPT, ids=[nvcc for nvcc, _ in KEPT])
def test_flag(nvcc: str, hip: str) -> None:
    import shlex

    flags = translate_flags(shlex.split(nvcc))
    assert " ".join(flags.words) == hip
    assert not flags.dropped
    assert not flags.architectures


@pytest.mark.parametrize(
    "nvcc",
    ["-arch=sm_80", "-arch sm_80", "-gencode arch=compute_80,code=sm_80", "--gpu-architecture=compute_80",
     "--generate-code=arch=compute_90,code=[compute_90,sm_90]"],
)  # fmt: skip
def test_architectures_of_nvidia_are_not_kept(nvcc: str) -> None:
    flags = translate_flags(nvcc.split())
    assert flags.architectures
    assert not flags.words


@pytest.mark.parametrize("nvcc", ["-maxrregcount=64", "-maxrregcount 64", "-Xptxas -v", "-ptx", "-lcupti"])
def test_what_has_no_counterpart_is_told_as_it_was_spelled(nvcc: str) -> None:
    flags = translate_flags(nvcc.split())
    assert not flags.words
    assert [spelled for spelled, _ in flags.dropped] == [nvcc]


def test_words_of_every_compiler_do_not_make_a_list_one_of_nvcc() -> None:
    assert not NVCC_ONLY.search("-O3 -g -Wall -x c++ -t --debug")
    assert NVCC_ONLY.search("-O3 -Xcompiler -Wall")
    assert not NVCC_ONLY.search("-my-arch-flag --architect")
