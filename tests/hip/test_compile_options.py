"""Folders of headers and macros that build files name; nothing of them is run."""

from __future__ import annotations

import pytest

from porter.hip.build_files.cmake_options import of_cmake
from porter.hip.build_files.compile_options import CompileOptions, of_makefile, of_setup_py

CMAKE = """\
cmake_minimum_required(VERSION 3.20)
project(p LANGUAGES CXX CUDA)
set(OWN ${CMAKE_CURRENT_SOURCE_DIR}/own)
set(MORE ${OWN}/more;other)
include_directories(include ${PROJECT_SOURCE_DIR}/shared SYSTEM third)
target_include_directories(t PUBLIC $<BUILD_INTERFACE:${OWN}> $<INSTALL_INTERFACE:include/p> PRIVATE ${MORE})
target_include_directories(t PRIVATE ${CUDAToolkit_INCLUDE_DIRS} /usr/include ../outside)
set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -I${CMAKE_SOURCE_DIR}/flags -O3")
add_definitions(-DUSE_A -DB=2)
if(X)
  add_compile_definitions(ONLY_SOMETIMES)
endif()
"""


def test_cmake_names_folders_by_its_variables() -> None:
    read = of_cmake(CMAKE, "lib", {"CMAKE_SOURCE_DIR": "/"})
    options, variables = read.options, read.variables
    # usr/include is a folder of the tree by this reading; whether it exists is for the caller to see.
    assert options.include_dirs == (
        "lib/include",
        "lib/shared",
        "lib/third",
        "lib/own",
        "lib/own/more",
        "lib/other",
        "usr/include",
        "outside",
        "flags",
    )
    assert options.defines == ("USE_A", "B=2")
    assert variables["OWN"] == "/lib/own"


def test_cmake_of_a_folder_below_sees_the_variables_above() -> None:
    outer = of_cmake("project(p)\nset(INC ${PROJECT_SOURCE_DIR}/include)\n", ".", {}).variables
    inner = of_cmake("target_include_directories(t PRIVATE ${INC} .)\n", "src", outer)
    assert inner.options.include_dirs == ("include", "src")


@pytest.mark.parametrize(
    "text", ["include_directories(", "include_directories(../..)", "set(A ${A})\ninclude_directories(${A})"]
)
def test_cmake_that_tells_nothing(text: str) -> None:
    assert of_cmake(text, "src", {}).options == CompileOptions()


MAKEFILE = """\
ROOT := $(CURDIR)/..
INC  = -Iinclude -I $(ROOT)/common \\
       -isystem third
INC += -I"quoted"
NVCCFLAGS ?= -DTILE=16 -DFAST
NVCCFLAGS += $(INC)
SECRET = -I$(shell touch pwned && echo include)
all: a.cu # -Icomment
\tnvcc $(NVCCFLAGS) -I$(UNKNOWN)/x a.cu -o a -DMODE=1
\tnvcc $(NVCCFLAGS) b.cu -o b -DMODE=2
"""


def test_makefiles_variables_are_followed_and_nothing_is_run() -> None:
    options = of_makefile(MAKEFILE, "src")
    assert options.include_dirs == ("src/include", "common", "src/third", "src/quoted")
    # MODE differs from one program to the other.
    assert sorted(options.defines) == ["FAST", "TILE=16"]


def test_macros_that_are_not_for_all_files_of_a_makefile_are_left_out() -> None:
    text = """\
ifdef CUDNN
  FLAGS += -DWITH_CUDNN -Icudnn
else ifeq ($(P),HALF)
  FLAGS += -DHALF
endif
OWN = -DALWAYS
all: a b
%: %.cu
\tnvcc $(OWN) $(FLAGS) -DEACH $< -o $@
b: b.cu
\tnvcc $(OWN) -DONLY_B b.cu \\
\t  -o b
"""
    options = of_makefile(text, ".")
    assert set(options.defines) == {"ALWAYS", "EACH"}
    assert options.include_dirs == ("cudnn",)


def test_a_makefile_that_refers_to_itself_ends() -> None:
    assert of_makefile("A = $(A) $(A) -Ix\nB = $(B)$(B)\nall:\n\t$(A) $(B)\n", ".").include_dirs == ("x",)


SETUP = """\
import os
from pathlib import Path
from setuptools import setup
here = os.path.dirname(os.path.abspath(__file__))
setup(ext_modules=[CUDAExtension("m", ["a.cu"],
    include_dirs=[os.path.join(here, "include"), "csrc", f"{here}/third", str(Path(here) / "own"),
                  torch_include(), here + "/plus"],
    define_macros=[("WITH_CUDA", None), ("N", 3), ("V", version())],
    extra_compile_args={"nvcc": ["-O3", "-Iflags"]})])
"""


def test_setup_py_is_read_and_not_run() -> None:
    options = of_setup_py(SETUP, ".")
    assert sorted(options.include_dirs) == ["csrc", "flags", "include", "own", "plus", "third"]
    assert options.defines == ("WITH_CUDA", "N=3")


def test_setup_py_that_is_no_python_tells_nothing() -> None:
    assert of_setup_py("print 'x'", ".") == CompileOptions()
