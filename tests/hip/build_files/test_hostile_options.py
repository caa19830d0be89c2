"""Build files that were written to take for ever, or all memory: they say nothing then."""

from __future__ import annotations

import pytest

from porter.hip.build_files.cmake_options import of_cmake
from porter.hip.build_files.compile_options import CompileOptions, of_makefile, of_setup_py

_NOTHING = CompileOptions()


@pytest.mark.parametrize(
    "text",
    [
        "set(A x)\n" + 'set(A "${A}${A}")\n' * 60 + "include_directories(${A})\n",
        'set(A "${B}${B}")\nset(B "${A}${A}")\ninclude_directories(${A})\n',
    ],
    ids=["doubled", "each other"],
)
def test_variables_of_cmake_do_not_grow_without_end(text: str) -> None:
    read = of_cmake(text, ".", {})
    assert read.options == _NOTHING
    assert max(map(len, read.variables.values())) <= 100_000


def test_variables_of_make_do_not_grow_without_end() -> None:
    doubled = "".join(f"V{i} = $(V{i + 1})$(V{i + 1})\n" for i in range(40))
    wide = "A = " + "-Iwide " * 12_000 + "\nB = " + "$(A) " * 1000 + "\n"
    recipe = "all:\n\tnvcc -I$(V0) $(B) -Ikept k.cu\n"
    assert of_makefile(doubled + wide + recipe, ".").include_dirs == ("wide", "kept")


@pytest.mark.parametrize(
    "text", ["x = " + "-" * 100_000 + "1", "f(include_dirs=" + "str(" * 5000 + ")" * 5000 + ")"]
)
def test_an_expression_too_deep_for_python_says_nothing(text: str) -> None:
    assert of_setup_py(text, ".") == _NOTHING
