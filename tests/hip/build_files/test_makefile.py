"""Makefiles: text, and what make would run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from porter.core.diagnostic import Severity
from porter.hip.build_files.makefile import own_folders, translate_makefile
from tests.hip.build_files.build_texts import ARCHITECTURES, written

PROGRAM = """
    # built with nvcc -arch=sm_80
    CUDA_PATH ?= /usr/local/cuda
    NVCC := $(CUDA_PATH)/bin/nvcc
    NVCCFLAGS = -O3 -std=c++17 -gencode arch=compute_80,code=sm_80 \\
                -gencode arch=compute_90,code=sm_90 -Xcompiler -Wall
    LDFLAGS = -L$(CUDA_PATH)/lib64 -lcudart -lcublas -lm

    app: app.o
    \t$(NVCC) $(NVCCFLAGS) $^ -o $@ $(LDFLAGS)

    app.o: app.cu
    \t$(NVCC) $(NVCCFLAGS) -dc $< -o $@
"""


def translated(text: str, *others: str) -> tuple[str, list[str]]:
    sources = [written(f"m{i}/Makefile", t) for i, t in enumerate((text, *others))]
    built = translate_makefile(sources[0], ARCHITECTURES, own_folders(sources))
    return built.text.decode(), [f.code for f in built.findings]


def test_what_make_runs(tmp_path: Path) -> None:
    text, codes = translated(PROGRAM)
    assert codes == []
    (tmp_path / "Makefile").write_text(text)
    (tmp_path / "app.cu").touch()
    outer = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}  # the tests may run under make
    command = ["make", "-n", "CUDA_PATH=/rocm"]
    done = subprocess.run(command, cwd=tmp_path, env=outer, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [" ".join(line.split()) for line in done.stdout.splitlines()] == [
        "/rocm/bin/hipcc -O3 -std=c++17 --offload-arch=gfx942 --offload-arch=gfx950 -Wall -fgpu-rdc -c app.cu"
        " -o app.o",
        "/rocm/bin/hipcc -O3 -std=c++17 --offload-arch=gfx942 --offload-arch=gfx950 -Wall app.o -o app"
        " -L/rocm/lib -lamdhip64 -lhipblas -lm",
    ]


def test_comments_and_other_lines_stay_to_the_byte() -> None:
    text, _ = translated(PROGRAM)
    assert text.startswith("# built with nvcc -arch=sm_80\nCUDA_PATH ?= /opt/rocm\n")
    assert "\napp: app.o\n" in text


def test_a_folder_that_only_the_environment_names_is_rocm() -> None:
    assert translated("INC = -I$(CUDA_HOME)/include\n")[0] == "INC = -I$(ROCM_PATH)/include\n"
    assert translated("INC = -I${CUDA_HOME}/lib64\n")[0] == "INC = -I${ROCM_PATH}/lib\n"


def test_a_folder_that_another_makefile_sets_keeps_its_name() -> None:
    text, _ = translated(
        "include ../config.mk\nINC = -I$(CUDA_DIR)/lib64\n", "CUDA_DIR = /usr/local/cuda-12.4\n"
    )
    assert text.endswith("INC = -I$(CUDA_DIR)/lib\n")


def test_variables_for_the_folder_that_name_each_other() -> None:
    text, _ = translated("CUDA_PATH = $(CUDA_DIR)\nN = $(CUDA_PATH)/bin/nvcc\n")
    assert text == "CUDA_PATH = $(ROCM_PATH)\nN = $(CUDA_PATH)/bin/hipcc\n"


def test_each_command_names_the_gpus_once() -> None:
    text, _ = translated("a:\n\tnvcc -arch=sm_70 --gpu-code=sm_70 a.cu\n\nb:\n\tnvcc -arch=sm_70 b.cu\n")
    offload = "--offload-arch=gfx942 --offload-arch=gfx950"
    assert text == f"a:\n\thipcc {offload} a.cu\n\nb:\n\thipcc {offload} b.cu\n"


def test_the_gpus_are_asked_for_where_no_flag_names_them() -> None:
    built = translate_makefile(written("Makefile", "a: a.cu\n\tnvcc -O2 a.cu\n"), ARCHITECTURES)
    (finding,) = built.findings
    assert finding.code == "BLD014"
    assert finding.severity is Severity.NOTE
    assert "--offload-arch=gfx942" in finding.hint


def test_a_dropped_flag_has_a_place() -> None:
    built = translate_makefile(
        written("Makefile", "F = -arch=sm_80 -O2\nNVCCFLAGS += -maxrregcount=32\n"), ()
    )
    (finding,) = built.findings
    assert (finding.code, finding.span.line, finding.span.column) == ("BLD011", 2, 14)


@pytest.mark.parametrize(
    "text",
    ["all:\n\t$(CC) -O2 a.c -lm\n", "TOOL = my-nvcc-wrapper\n", "", "x:\n\techo 'nvcc-like'\n"],
)
def test_a_makefile_without_cuda_has_no_edits(text: str) -> None:
    assert translated(text) == (text, [])


def test_one_that_calls_hipcc_is_left_alone() -> None:
    text = "CC = nvcc\nifdef AMD\nCC = hipcc\nendif\n"
    assert translated(text) == (text, ["BLD002"])


def test_hipcc_in_a_comment_leaves_no_file_alone() -> None:
    text, codes = translated("CC = nvcc # one day hipcc\n")
    assert text.startswith("CC = hipcc")
    assert "BLD002" not in codes


def test_bytes_that_are_no_text_stay() -> None:
    from porter.core.span import SourceText

    data = b"# \xff\xfe\r\nNVCC = nvcc\r\n"
    assert translate_makefile(SourceText("Makefile", data), ()).text == b"# \xff\xfe\r\nNVCC = hipcc\r\n"
