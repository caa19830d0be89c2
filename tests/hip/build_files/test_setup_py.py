"""setup.py of PyTorch extensions."""

from __future__ import annotations

import ast

import pytest

from porter.core.diagnostic import Severity
from porter.core.span import SourceText
from porter.hip.build_files.setup_py import translate_setup_py
from tests.hip.build_files.build_texts import written

EXTENSION = """
    import torch
    from torch.utils.cpp_extension import BuildExtension, CUDAExtension

    setup(
        ext_modules=[
            CUDAExtension(
                "ext._C",
                ["a.cpp", 'b.cu'],  # with a comment
                extra_compile_args={"cxx": ["-O3"], "nvcc": %s},
                libraries=%s,
            )
        ],
    )
"""


def translated(flags: str, libraries: str = "[]") -> tuple[str, str, list[str]]:
    source = written("setup.py", EXTENSION % (flags, libraries))
    built = translate_setup_py(source)
    text = built.text.decode()
    call = next(
        n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call) and n.keywords[0].arg != "ext_modules"
    )
    arguments, linked = call.keywords
    assert isinstance(arguments.value, ast.Dict)
    assert "# with a comment" in text
    return ast.unparse(arguments.value.values[1]), ast.unparse(linked.value), [f.code for f in built.findings]


@pytest.mark.parametrize(
    ("flags", "hip", "codes"),
    [
        ('["-O3", "--use_fast_math"]', "['-O3', '-ffast-math']", []),
        ('["-O3", "-lineinfo", "--expt-relaxed-constexpr"]', "['-O3']", []),
        ('["-gencode", "arch=compute_80,code=sm_80", "-O3"]', "['-O3']", ["BLD011"]),
        ('["-O3", "-gencode=arch=compute_80,code=sm_80"]', "['-O3']", ["BLD011"]),
        ('["-lineinfo", "--expt-relaxed-constexpr", "-O3", "-lineinfo"]', "['-O3']", []),
        ('["-O3", "--threads", str(n)]', "['-O3']", []),
        ('["-Xcompiler", flag, "-O3"]', "[flag, '-O3']", []),
        ('["-gencode", f"arch=compute_{cc},code=sm_{cc}"]', "[]", ["BLD011"]),
        ('["-arch", "arm64", "-lineinfo"]', "['-arch', 'arm64']", []),
        ('["-O3", "-Xptxas", "-v"]', "['-O3']", ["BLD011"]),
        ('["-U__CUDA_NO_HALF_OPERATORS__", "-O2"]', "['-U__CUDA_NO_HALF_OPERATORS__', '-O2']", []),
        ('flags + ["--use_fast_math"]', "flags + ['-ffast-math']", []),
    ],
)
def test_flags(flags: str, hip: str, codes: list[str]) -> None:
    assert translated(flags) == (hip, "[]", codes)


def test_libraries() -> None:
    flags, libraries, codes = translated("[]", '["cublas", "m", "cupti"]')
    assert (libraries, codes) == ("['hipblas', 'm']", ["BLD010"])
    assert flags == "[]"


def test_a_literal_keeps_its_quotes() -> None:
    source = written("setup.py", EXTENSION % ("['--use_fast_math', \"--use_fast_math\"]", "[]"))
    assert "['-ffast-math', \"-ffast-math\"]" in translate_setup_py(source).text.decode()


def test_what_is_none_with_rocm_is_told_with_its_place() -> None:
    text = "import torch\nfrom x import CUDA_HOME\n\nif torch.version.cuda >= '12':\n    x = CUDA_HOME\n"
    built = translate_setup_py(SourceText("setup.py", text.encode()))
    assert [(f.code, f.severity, f.span.line, f.span.column) for f in built.findings] == [
        ("BLD012", Severity.WARNING, 4, 4),
        ("BLD012", Severity.WARNING, 5, 9),
    ]


@pytest.mark.parametrize("data", [b"CUDAExtension(\n", b"# \xe9\nCUDAExtension()\n", b"CUDAExtension\0"])
def test_one_that_is_no_python_stays_with_a_finding(data: bytes) -> None:
    built = translate_setup_py(SourceText("setup.py", data))
    assert built.text == data
    assert [f.code for f in built.findings] == ["BLD013"]


def test_places_behind_characters_of_several_bytes() -> None:
    source = SourceText("setup.py", "nvcc = ['é', '--use_fast_math', 'ü']\n".encode())
    assert translate_setup_py(source).text.decode() == "nvcc = ['é', '-ffast-math', 'ü']\n"
