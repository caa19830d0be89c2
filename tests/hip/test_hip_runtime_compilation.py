"""NVRTC's options for hiprtc: which literals are options, and what becomes of each."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from porter.hip.translate import HipTranslation

Translate = Callable[..., HipTranslation]

PROGRAM = """\
#include <nvrtc.h>
void f(nvrtcProgram p) {{
  {before}
  nvrtcCompileProgram(p, 1, {argument});
}}
"""


def ported(
    translate: Translate, before: str, argument: str = "o", arch: str = "gfx942"
) -> tuple[str, list[str]]:
    result = translate(PROGRAM.format(before=before, argument=argument), arch)
    line = result.text.decode().split("{\n", 1)[1].split("\n")[0].strip()
    return line, [f"{f.code} {f.severity.value} {f.span.line}" for f in result.findings]


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("--use_fast_math", "-ffast-math"),
        ("-use_fast_math", "-ffast-math"),
        ("--std=c++17", "-std=c++17"),
        ("-std=c++14", "-std=c++14"),
        ("--define-macro=N=4", "-DN=4"),
        ("-DN=4", "-DN=4"),
        ("--include-path=/usr/include", "-I/usr/include"),
        ("--fmad=false", "-ffp-contract=off"),
        ("-fmad=true", "-ffp-contract=fast"),
        ("--ftz=true", "-fgpu-flush-denormals-to-zero"),
        ("-rdc=true", "-fgpu-rdc"),
        ("-G", "-g"),
        ("-lineinfo", "-gline-tables-only"),
        ("-O3", "-O3"),
    ],
)
def test_options_that_mean_the_same(option: str, expected: str, translate: Translate) -> None:
    line, found = ported(translate, f'const char* o[] = {{"{option}"}};')
    assert line == f'const char* o[] = {{"{expected}"}};'
    assert found == []


@pytest.mark.parametrize(
    "option", ["--gpu-architecture=compute_80", "-arch=sm_90a", "--gpu-architecture=lto_75"]
)
def test_the_gpu_is_named_with_a_warning(option: str, translate: Translate) -> None:
    line, found = ported(translate, f'const char* o[] = {{"{option}", "-w"}};')
    assert line == 'const char* o[] = {"--offload-arch=gfx942", "-w"};'
    assert found == ["LIB013 warning 3"]


@pytest.mark.parametrize("option", ["--maxrregcount=32", "-default-device", "--prec-div=false", "-dlto"])
def test_options_that_hiprtc_lacks_are_errors(option: str, translate: Translate) -> None:
    line, found = ported(translate, f'const char* o[] = {{"{option}"}};')
    assert option in line
    assert found == ["LIB013 error 3"]


@pytest.mark.parametrize(
    ("before", "argument"),
    [
        ('std::vector<const char*> o{"-G"};', "o.data()"),
        ('std::vector<const char*> o = {"-G"};', "&o[0]"),
        ('std::vector<const char*> o; o.push_back("-G");', "o.data()"),
    ],
)
def test_lists_of_every_kind(before: str, argument: str, translate: Translate) -> None:
    line, found = ported(translate, before, argument)
    assert line == before.replace("-G", "-g")
    assert found == []


@pytest.mark.parametrize(
    "before",
    [
        'const char* other[] = {"-G"};',
        'puts("-G");',
        'std::string o = "-G";',
        'o.insert("-G");',
        'const char* o[] = {"-G" SUFFIX};',
        'const char* o[] = {s + "-G"};',
    ],
)
def test_other_literals_stay(before: str, translate: Translate) -> None:
    line, found = ported(translate, before)
    assert line == before
    assert found == []


def test_part_of_an_architecture_is_an_error(translate: Translate) -> None:
    _, found = ported(translate, 'const char* o[] = {join("--gpu-architecture=sm_", major)};')
    assert found == ["LIB004 error 3"]


def test_the_text_compiled_at_run_time_is_told(translate: Translate) -> None:
    text = "#include <nvrtc.h>\nvoid f(nvrtcProgram* p) { nvrtcCreateProgram(p, s, n, 0, 0, 0); }\n"
    assert [(f.code, f.span.line) for f in translate(text).findings] == [("LIB014", 2)]
