"""One clear error, the right exit code, nothing overwritten, no traceback."""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import pytest

from tests.cli.conftest import FIXTURES, ROOT, Porter

SAXPY = FIXTURES / "saxpy" / "kernel.cu"
PLAIN = "int main() { return 0; }\n"
SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text())
TARGETS = ("hip", "triton")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"   \n\t\n", "is empty"),
        (b"\x7fELF\x02\x01\x00\x00", "binary"),
        (PLAIN.encode(), "no CUDA"),
        (b"dear diary,\ntoday I wrote prose.\n", "no CUDA"),
        (b"#include <cuda_runtime.h>\nvoid f() { cudaDeviceSynchronize(); }\n", "no __global__ kernel"),
        (b"// " + b"x" * (50 << 20), "too large"),
    ],
    ids=["empty", "blank", "binary", "c++", "prose", "no-kernel", "50MB"],
)
def test_unusable_files(porter: Porter, tmp_path: Path, target: str, content: bytes, message: str) -> None:
    source = tmp_path / "bad.cu"
    source.write_bytes(content)
    ran = porter("translate", source, "--target", target, "-o", "out")
    assert ran.code == 2
    assert ran.err.startswith(f"porter: error: {source}")
    assert message in ran.err
    assert ran.out == ""
    assert not Path("out").exists()


@pytest.mark.parametrize(
    "arguments",
    [("translate", "nowhere.cu", "--target", "hip"), ("verify", "nowhere.cu", "port.hip"), ("translate",)],
)
def test_json_is_a_document_whatever_happens(porter: Porter, arguments: tuple[str, ...]) -> None:
    ran = porter(*arguments, "--json")
    document = json.loads(ran.out)
    jsonschema.validate(document, SCHEMA)
    assert (ran.code, document["error"]["exit_code"], document["units"]) == (2, 2, [])
    assert document["error"]["message"] in ran.err.replace("\n", " ") or len(arguments) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--target", "triton"), "--target hip, not for triton"),
        (("--target", "hip", "--style", "shim"), "--style rewrite, not for shim"),
        (("--target", "hip", "--tune"), "--tune do not go together"),
        (("--target", "hip", "--arch", "sm_90"), "no GPU of AMD"),
    ],
)
def test_wavefronts_are_for_hip_on_cdna(porter: Porter, options: tuple[str, ...], message: str) -> None:
    ran = porter("translate", SAXPY, "--warps", "widen", *options)
    assert ran.code == 2
    assert message in ran.err.replace("\n", " ")


def test_a_missing_file(porter: Porter) -> None:
    ran = porter("translate", "nowhere.cu", "--target", "hip")
    assert (ran.code, ran.err) == (2, "porter: error: nowhere.cu: no such file\n")


def test_a_folder(porter: Porter, tmp_path: Path) -> None:
    ran = porter("translate", tmp_path, "--target", "hip")
    assert ran.code == 2
    assert "is a directory" in ran.err


def test_an_unreadable_file(porter: Porter, tmp_path: Path) -> None:
    source = tmp_path / "secret.cu"
    source.write_text("__global__ void k() {}\n")
    source.chmod(0)
    if os.access(source, os.R_OK):
        pytest.skip("this user can read every file")
    ran = porter("translate", source, "--target", "hip")
    assert ran.code == 2
    assert "cannot be read" in ran.err


@pytest.mark.parametrize("target", TARGETS)
def test_an_existing_output_is_kept(porter: Porter, tmp_path: Path, target: str) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    ran = porter("translate", SAXPY, "--target", target, "-o", precious)
    assert ran.code == 2
    assert "exists" in ran.err
    assert "--force" in ran.err
    assert precious.read_text() == "mine"


def test_an_output_folder_that_is_missing(porter: Porter) -> None:
    ran = porter("translate", SAXPY, "--target", "hip", "-o", "no/such/place.hip")
    assert ran.code == 2
    assert "is not a folder" in ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("translate", SAXPY),
        ("translate", SAXPY, "--target", "cobol"),
        ("translate", "--target", "hip"),
        ("frobnicate",),
        ("translate", SAXPY, "--target", "hip", "--arch", "gfx1"),
        ("translate", SAXPY, "--target", "hip", "--kernel", "nope"),
        ("translate", SAXPY, "--target", "hip", "--agent", "genie"),
        ("run", SAXPY, "--lanes", "48"),
        ("verify", SAXPY, "port.exe"),
        ("verify", SAXPY, SAXPY, "--map", "x"),
        ("explain", "XXX999"),
        ("demo", "no-such-fixture"),
    ],
    ids=lambda a: " ".join(str(x) for x in a if x != SAXPY),
)
def test_wrong_usage_is_exit_code_2(porter: Porter, arguments: tuple[object, ...]) -> None:
    ran = porter(*arguments)
    assert ran.code == 2
    assert ran.err.strip()


def test_an_unknown_kernel_lists_the_known_ones(porter: Porter) -> None:
    ran = porter("translate", SAXPY, "--target", "hip", "--kernel", "nope")
    assert "kernels of the file: saxpy" in ran.err


def test_a_syntax_error_has_its_place(porter: Porter, tmp_path: Path) -> None:
    source = tmp_path / "broken.cu"
    source.write_text("__global__ void k(float* x) {\n  x[0] = ;\n}\nint main() { k<<<1, 1>>>(nullptr); }\n")
    ran = porter("translate", source, "--target", "hip", "-o", "out.hip")
    assert ran.code == 1
    assert "broken.cu:2:" in ran.out + ran.err
    assert not Path("out.hip").exists()


def test_a_missing_include_is_named_and_the_kernels_survive(porter: Porter, tmp_path: Path) -> None:
    source = tmp_path / "needs.cu"
    source.write_text('#include "gone.h"\n__global__ void k(float* x) { x[threadIdx.x] = 1; }\n')
    ran = porter("translate", source, "--target", "hip", "-o", "out.hip")
    assert ran.code == 1
    assert "gone.h" in ran.out + ran.err


@pytest.mark.parametrize("name", ["ok.cu", "./ok.cu", "link.cu", "hard.cu"])
def test_the_source_is_never_overwritten(porter: Porter, tmp_path: Path, name: str) -> None:
    source = tmp_path / "ok.cu"
    source.write_bytes(SAXPY.read_bytes())
    Path("link.cu").symlink_to(source)
    os.link(source, "hard.cu")
    ran = porter("translate", source, "--target", "hip", "-o", name, "--force", "--no-check")
    assert ran.code == 2
    assert "is the source itself" in ran.err
    assert source.read_bytes() == SAXPY.read_bytes()


def test_a_declined_kernel_leaves_no_output(porter: Porter, tmp_path: Path) -> None:
    source = tmp_path / "warpgroup.cu"
    source.write_text(
        '__global__ void k(float* o) { asm volatile("wgmma.fence.sync.aligned;"); o[0] = 1; }\n'
    )
    ran = porter("translate", source, "--target", "hip", "-o", "warpgroup.hip", "--no-check")
    assert ran.code == 1
    assert "declined" in ran.out
    assert not Path("warpgroup.hip").exists()
