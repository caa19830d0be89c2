"""zig as a plain C++17 compiler with threads, and the flags it gives itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.core.process import Limits, run_limited
from porter.harness.toolchains.zig import Zig, find_zig, host_flags, zig_environment

_ZIG = find_zig()
pytestmark = pytest.mark.skipif(_ZIG is None, reason="ziglang is not installed")


@pytest.fixture
def zig() -> Zig:
    assert _ZIG is not None
    return _ZIG


def test_flags_of_the_host_compiler(zig: Zig) -> None:
    flags = host_flags(zig)
    assert all(Path(p).is_dir() for p in flags.cxx_includes)
    assert any((Path(p) / "vector").is_file() for p in flags.cxx_includes)
    assert any((Path(p) / "stdio.h").is_file() for p in flags.c_includes)
    assert any(d.startswith("-D_LIBCPP_") for d in flags.defines)
    assert host_flags(zig) == flags


@pytest.mark.slow  # the first link of a new cache builds libc++: about 100 seconds of a core
def test_a_host_program_runs(zig: Zig, tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(
        "#include <algorithm>\n#include <atomic>\n#include <cstdio>\n#include <thread>\n#include <vector>\n"
        "int main() {\n"
        "  std::atomic<int> sum{0};\n"
        "  std::vector<std::thread> threads;\n"
        "  for (int i = 1; i <= 4; ++i) threads.emplace_back([&sum, i] { sum += i; });\n"
        "  std::for_each(threads.begin(), threads.end(), [](auto& t) { t.join(); });\n"
        '  if constexpr (true) printf("%d\\n", sum.load());\n'
        "}\n"
    )
    command = [
        *zig.command("c++"),
        "-std=c++17",
        "-O1",
        "-fno-sanitize=undefined",
        "-pthread",
        "a.cpp",
        "-o",
        "a",
    ]
    built = run_limited(command, cwd=tmp_path, env=zig_environment(), limits=Limits(wall_seconds=900))
    assert built.ok, built.stderr.decode()
    ran = run_limited([tmp_path / "a"], cwd=tmp_path)
    assert ran.stdout == b"10\n"
