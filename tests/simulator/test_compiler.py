"""Which compiler is taken of those that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.simulator.compiler import find_compiler

OLD_CLANG, CLANG = "Debian clang version 14.0.6", "Debian clang version 16.0.6 (15~deb12u1)"
OLD_GCC, GCC = "g++ (Debian 10.2.1-6) 10.2.1 20210110", "g++ (Debian 12.2.0-14+deb12u1) 12.2.0"


@pytest.mark.parametrize(
    ("clang", "gcc", "taken"),
    [
        (CLANG, GCC, CLANG),
        (OLD_CLANG, GCC, GCC),
        (OLD_CLANG, OLD_GCC, OLD_CLANG),
        ("", OLD_GCC, OLD_GCC),
        ("clang version of one's own", GCC, "clang version of one's own"),
    ],
)
def test_one_without_half_floats_is_the_last_choice(
    clang: str, gcc: str, taken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, version in (("clang++", clang), ("g++", gcc)):
        if version:
            (tmp_path / name).write_text(f'#!/bin/sh\necho "{version}"\n')
            (tmp_path / name).chmod(0o755)
    monkeypatch.delenv("PORTER_CXX", raising=False)
    places = {name: str(tmp_path / name) for name in ("clang++", "g++") if (tmp_path / name).exists()}
    monkeypatch.setattr("porter.simulator.compiler.shutil.which", places.get)
    monkeypatch.setattr("porter.simulator.compiler.importlib.util.find_spec", lambda _name: None)
    assert find_compiler().version == taken
