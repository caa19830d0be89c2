"""Names by the ROCm version that has them: the documentation's rows, the file, the findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.core.errors import InputError
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.hip.name_table import load_tables
from porter.hip.options import HipOptions
from porter.hip.read_versions import documented, written
from porter.hip.rocm_version import RocmVersion, installed_rocm
from porter.hip.translate import translate_hip
from porter.hip.versions import load_versions

ROWS = """\
|**CUDA**|**A**|**D**|**C**|**R**|**HIP**|**A**|**D**|**C**|**R**|**U**|**E**|
|:--|:-:|:-:|:-:|:-:|:--|:-:|:-:|:-:|:-:|:-:|:-:|
|`cudaMallocAsync`|11.2| | | |`hipMallocAsync`|5.2.0| | | | | |
|`cudaMalloc`| | | | |`hipMalloc`|1.5.0| | | | | |
|`cudaStreamGetDevice`|12.8| | | | | | | | | | |
|`cudaMemcpyToArray`| |10.1| | |`hipMemcpyToArray`|1.6.0|3.8.0| |8.0.0| | |
|`cudaWeird`| | | | |`hipWeird`| | | | | | |
"""


def found(text: str, rocm: str | None) -> list[tuple[str, int, str]]:
    options = HipOptions(rocm=RocmVersion.parse(rocm) if rocm else None)
    result = translate_hip(read_translation_unit(SourceText("t.cu", text.encode())), options)
    return [(f.code, f.span.line, f.message) for f in result.findings]


def test_a_row_says_since_when_and_until_when() -> None:
    rows = {row.name: (str(row.since), str(row.removed)) for row in documented(ROWS)}
    assert rows == {
        "hipMallocAsync": ("5.2", "None"),
        "hipMalloc": ("1.5", "None"),
        "hipMemcpyToArray": ("1.6", "8.0"),
    }


def test_only_names_of_the_tables_are_written_by_version() -> None:
    text = written([*documented(ROWS)], load_tables())
    assert '[since]\n"1.5" = [\n  "hipMalloc",\n]\n' in text
    assert '"5.2" = [\n  "hipMallocAsync",\n]\n' in text
    assert "hipWeird" not in text


def test_the_file_knows_most_of_the_runtime() -> None:
    versions, table = load_versions(), load_tables()
    runtime = {e.hip for e in table.mapped.values() if e.api == "CUDA runtime"}
    assert len(runtime & versions.since.keys()) > 0.8 * len(runtime)
    assert versions.since["hipMallocAsync"] == RocmVersion(5, 2)
    assert table.newer.keys() <= versions.since.keys()


TEXT = """\
#include <cuda_runtime.h>
void f(void** p) {
  cudaMalloc(p, 1);
  cudaMallocAsync(p, 1, 0);
  cudaMallocAsync(p, 2, 0);
}
"""


@pytest.mark.parametrize("rocm", [None, "5.2", "5.2.3", "6.2", "7.1", "10.0"])
def test_names_of_this_rocm_are_fine(rocm: str | None) -> None:
    assert found(TEXT, rocm) == []


def test_a_newer_name_is_an_error_at_its_first_place() -> None:
    message = "hipMallocAsync came with ROCm 5.2; 5.1 does not have it"
    assert found(TEXT, "5.1") == [("API013", 4, message)]


@pytest.mark.parametrize("text", ["", "6", "six", "6.2.1.0", "-1.0"])
def test_what_is_no_version(text: str) -> None:
    with pytest.raises(InputError):
        RocmVersion.parse(text)


def test_the_installed_version_is_its_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROCM_PATH", str(tmp_path))
    assert installed_rocm() is None
    header = tmp_path / "include" / "hip" / "hip_version.h"
    header.parent.mkdir(parents=True)
    header.write_text(
        "#define HIP_VERSION_MAJOR 6\n#define HIP_VERSION_MINOR 4\n#define HIP_VERSION_PATCH 1\n"
    )
    assert installed_rocm() == RocmVersion(6, 4)
