from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from porter.cli.main import run

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures" / "cuda_kernels"


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Porter = Callable[..., Ran]


@pytest.fixture
def porter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Porter:
    """Runs one command line in a fresh folder; a traceback in the output is a failure of any test."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object) -> Ran:
        capfd.readouterr()
        code = run([str(a) for a in arguments])
        captured = capfd.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Ran(code, captured.out, captured.err)

    return call
