"""Commands are imported when they are called: what the list of them says must be true all the same."""

import subprocess
import sys
from pathlib import Path

import pytest

from porter.cli.commands import COMMANDS, load_command
from tests.cli.conftest import Porter


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_has_the_first_sentence_of_each_commands_help(name: str) -> None:
    command = load_command(name)
    assert command.name == name
    assert command.get_short_help_str(1000) == COMMANDS[name]


def test_the_help_of_a_command_has_its_own_options(porter: Porter) -> None:
    help_of = porter("check", "--help").out
    assert help_of.startswith("Usage: porter check [OPTIONS] ")
    assert "--write-baseline" in help_of
    assert "Exit code 0: nothing was found that counts." in help_of


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (["--help"], ("porter.cuda", "porter.hip", "porter.migrate", "porter.pipeline", "numpy")),
        (["check", "."], ("porter.pipeline.port", "porter.tile.lower", "porter.harness.judge", "numpy")),
    ],
)
def test_what_a_command_does_not_need_is_not_imported(
    tmp_path: Path, arguments: list[str], absent: tuple[str, ...]
) -> None:
    (tmp_path / "k.cu").write_text("__global__ void k(float* p) { p[threadIdx.x] = 0.f; }\n")
    code = "import sys; from porter.cli.main import run; run(sys.argv[1:]); print(*sys.modules)"
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    imported = set(done.stdout.splitlines()[-1].split())
    assert "porter.cli.main" in imported
    assert not imported & set(absent)
