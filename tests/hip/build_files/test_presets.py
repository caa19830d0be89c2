"""CMake's presets: what they set for CUDA's language, set for HIP's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from porter.core.span import SourceText
from porter.hip.build_files.build_file import BuildFile
from porter.hip.build_files.presets import COMPILER, translate_presets
from porter.hip.build_files.reported import report_pyproject


def translated(variables: Any, **others: Any) -> BuildFile:
    preset = {"name": "gpu", "cacheVariables": variables, **others}
    text = json.dumps({"version": 6, "configurePresets": [preset]}, indent=2)
    return translate_presets(SourceText("CMakePresets.json", text.encode()), ("gfx942", "gfx950"))


def preset(built: BuildFile) -> Any:
    return json.loads(built.text)["configurePresets"][0]


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ({"CMAKE_CUDA_ARCHITECTURES": "80;90"}, {"CMAKE_HIP_ARCHITECTURES": "gfx942;gfx950"}),
        (
            {"CMAKE_CUDA_ARCHITECTURES": {"type": "STRING", "value": "native"}},
            {"CMAKE_HIP_ARCHITECTURES": {"type": "STRING", "value": "gfx942;gfx950"}},
        ),
        ({"CMAKE_CUDA_STANDARD": "17"}, {"CMAKE_HIP_STANDARD": "17"}),
        ({"CMAKE_CUDA_EXTENSIONS": False}, {"CMAKE_HIP_EXTENSIONS": False}),
        ({"CMAKE_CUDA_COMPILER": "/usr/local/cuda/bin/nvcc"}, {"CMAKE_HIP_COMPILER": COMPILER}),
        ({"CUDAToolkit_ROOT": "/usr/local/cuda"}, {"ROCM_PATH": "/opt/rocm"}),
        (
            {"CMAKE_CUDA_FLAGS": "-O3 --use_fast_math -Xcompiler -Wall"},
            {"CMAKE_HIP_FLAGS": "-O3 -ffast-math -Wall"},
        ),
        ({"CMAKE_BUILD_TYPE": "Release"}, {"CMAKE_BUILD_TYPE": "Release"}),
    ],
)
def test_variables(cuda: Any, hip: Any) -> None:
    built = translated(cuda)
    assert preset(built)["cacheVariables"] == hip
    assert built.findings == ()


def test_the_environment_of_a_preset() -> None:
    built = translated(
        {}, environment={"CUDACXX": "nvcc", "CUDA_HOME": "/usr/local/cuda", "PATH": "/usr/bin"}
    )
    assert preset(built)["environment"] == {"HIPCXX": COMPILER, "ROCM_PATH": "/opt/rocm", "PATH": "/usr/bin"}


def test_what_another_variable_gives_is_for_a_person() -> None:
    built = translated({"CMAKE_CUDA_COMPILER": "$env{NVCC}"})
    assert preset(built)["cacheVariables"] == {"CMAKE_HIP_COMPILER": "$env{NVCC}"}
    assert [f.code for f in built.findings] == ["BLD011"]


def test_what_hip_has_not_is_told_and_stays() -> None:
    built = translated(
        {"CMAKE_CUDA_SEPARABLE_COMPILATION": "ON", "CMAKE_CUDA_FLAGS": "-arch=sm_80 -Xptxas -v"}
    )
    assert preset(built)["cacheVariables"]["CMAKE_CUDA_SEPARABLE_COMPILATION"] == "ON"
    assert {f.code for f in built.findings} == {"BLD011"}
    assert "sm_80" not in built.text.decode()


@pytest.mark.parametrize("text", ["{", "[" * 5000, '{"configurePresets": [}'])
def test_no_json_is_told(text: str) -> None:
    built = translate_presets(SourceText("CMakePresets.json", text.encode()), ())
    assert [f.code for f in built.findings] == ["BLD013"]
    assert built.edits == ()


def test_one_for_hip_is_left_alone() -> None:
    built = translated({"CMAKE_HIP_ARCHITECTURES": "gfx90a", "CMAKE_CUDA_ARCHITECTURES": "80"})
    assert [f.code for f in built.findings] == ["BLD002"]
    assert built.edits == ()


def test_a_pyproject_that_names_cuda_is_reported() -> None:
    text = 'dependencies = ["nvidia-cublas-cu12>=12", "numpy"]  # nvcc\n'
    built = report_pyproject(SourceText("pyproject.toml", text.encode()))
    assert [(f.code, f.span.column) for f in built.findings] == [("BLD010", text.index("nvidia") + 1)]
    assert report_pyproject(SourceText("pyproject.toml", b'dependencies = ["numpy"]\n')).findings == ()
