"""What the machine has: every tool is listed, whether it is there or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.harness.toolchains import amd_compiler
from porter.harness.toolchains.discover import Tool, _gfx_name, discover
from porter.harness.toolchains.packages import package_directory, package_version


def found(name: str) -> Tool:
    return next(tool for tool in discover() if tool.name == name)


def test_every_tool_says_what_it_adds_and_how_to_get_it() -> None:
    tools = discover()
    assert len({tool.name for tool in tools}) == len(tools)
    for tool in tools:
        assert tool.evidence, tool
        assert tool.how_to_install, tool
        assert tool.adds == ", ".join(tool.evidence)


def test_packages_have_versions() -> None:
    for name, module in (("torch", "torch"), ("triton", "triton"), ("zig", "ziglang")):
        tool = found(name)
        assert tool.found == (package_directory(module) is not None)
        assert bool(tool.version) == tool.found


def test_the_compiler_for_amd_names_its_headers() -> None:
    tool = found("compiler for AMD GPUs")
    if tool.found:
        assert "headers: HIP" in tool.version
    else:
        assert tool.version.startswith("missing: ")


def test_a_rocm_installation_is_found_and_preferred(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, text in (
        ("bin/hipcc", "#!/bin/sh\necho HIP version: 7.1.0\n"),
        (".info/version", "7.1.0-42"),
        ("llvm/bin/clang++", "#!/bin/sh\necho AMD clang version 20.0.0git\n"),
        ("llvm/bin/ld.lld", "#!/bin/sh\n"),
        ("include/hip/hip_runtime.h", ""),
        (
            "include/hip/hip_version.h",
            "#define HIP_VERSION_MAJOR 7\n#define HIP_VERSION_MINOR 1\n#define HIP_VERSION_PATCH 0\n",
        ),
    ):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
    monkeypatch.setenv("ROCM_PATH", str(tmp_path))
    assert (found("ROCm (hipcc)").found, found("ROCm (hipcc)").version) == (True, "7.1.0-42")
    compiler = amd_compiler.find_amd_compiler()
    assert isinstance(compiler, amd_compiler.AmdCompiler)
    assert (compiler.kind, compiler.version, compiler.headers_version) == ("rocm", "20.0.0", "HIP 7.1.0")
    assert compiler.bitcode is None


@pytest.mark.parametrize(
    ("version", "name"), [(90402, "gfx942"), (90500, "gfx950"), (90010, "gfx90a"), (110000, "gfx1100")]
)
def test_gpu_names_of_the_kernel_driver(version: int, name: str) -> None:
    assert _gfx_name(version) == name


def test_a_package_that_is_not_there() -> None:
    assert package_directory("no_such_package_of_porter") is None
    assert package_version("no-such-package-of-porter") == ""
