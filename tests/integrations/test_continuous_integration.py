"""The GitHub Action and the GitLab template: their scripts, run as the services would run them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.integrations.conftest import ROOT

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")


def action() -> Any:
    return yaml.safe_load((ROOT / "action.yml").read_text())


def run_step(
    repository: Path, environment: Mapping[str, str], inputs: Mapping[str, str], base: str = ""
) -> subprocess.CompletedProcess[str]:
    """The step that checks, with its inputs as GitHub would fill them in."""
    document = action()
    (step,) = (s for s in document["runs"]["steps"] if s.get("id") == "check")
    given = {name: str(i.get("default", "")) for name, i in document["inputs"].items()} | dict(inputs)
    known = {f"inputs.{name}": value for name, value in given.items()}
    known["github.event.pull_request.base.sha"] = base
    filled = {
        name: re.sub(r"\$\{\{ (.*?) \}\}", lambda m: known[m[1]], text) for name, text in step["env"].items()
    }
    files = {f"GITHUB_{name}": str(repository.parent / name) for name in ("OUTPUT", "STEP_SUMMARY")}
    env = {**environment, **filled, **files}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=repository, env=env, capture_output=True, text=True)


def head(repository: Path, environment: Mapping[str, str]) -> str:
    command = ["git", "rev-parse", "HEAD"]
    done = subprocess.run(
        command, cwd=repository, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def test_a_pull_request_gets_annotations_of_what_it_changes(
    repository: Path, environment: Mapping[str, str]
) -> None:
    ran = run_step(repository, environment, {}, head(repository, environment))
    annotations = [line for line in ran.stdout.splitlines() if line.startswith("::")]
    assert (ran.returncode, len(annotations)) == (1, 1), ran.stdout + ran.stderr
    assert annotations[0].startswith("::error file=a.cu,line=6,")
    outputs = dict(line.split("=", 1) for line in (repository.parent / "OUTPUT").read_text().splitlines())
    assert outputs == {"sarif": "porter.sarif", "markdown": "porter.md", "exit-code": "1"}
    assert (repository / "porter.sarif").is_file()
    assert (repository.parent / "STEP_SUMMARY").read_text().startswith("### porter check: failed")


def test_other_events_check_everything_and_inputs_are_only_text(
    repository: Path, environment: Mapping[str, str]
) -> None:
    ran = run_step(repository, environment, {"fail-on": "never"})
    assert (ran.returncode, ran.stdout.count("::error ")) == (0, 2), ran.stderr
    ran = run_step(repository, environment, {"paths": "$(touch here) ;touch here", "diff": ""})
    assert ran.returncode == 2
    assert not (repository / "here").exists()


def test_no_input_stands_in_a_script() -> None:
    for step in action()["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


@pytest.mark.parametrize(("merge_request", "findings"), [(True, 1), (False, 2)])
def test_the_gitlab_job(
    repository: Path, environment: Mapping[str, str], *, merge_request: bool, findings: int
) -> None:
    spec, jobs = yaml.safe_load_all((ROOT / "templates" / "check" / "template.yml").read_text())
    inputs = {name: str(item["default"]) for name, item in spec["spec"]["inputs"].items()}
    job = jobs["porter-check"]
    filled = {
        name: re.sub(r"\$\[\[ inputs\.([a-z-]+) \]\]", lambda m: inputs[m[1]], value)
        for name, value in job["variables"].items()
    }
    base = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": head(repository, environment)} if merge_request else {}
    (script,) = job["script"]
    ran = subprocess.run(
        ["sh", "-c", script],
        cwd=repository,
        env={**environment, **filled, **base},
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stdout.count("[LCH002]")) == (1, findings), ran.stdout + ran.stderr
    for name in (job["artifacts"]["reports"]["junit"], *job["artifacts"]["paths"]):
        assert (repository / name).stat().st_size > 0


def test_what_the_template_installs_is_one_word_of_the_shell() -> None:
    _, jobs = yaml.safe_load_all((ROOT / "templates" / "check" / "template.yml").read_text())
    (command,) = jobs["porter-check"]["before_script"]
    assert shlex.split(command)[-1] == "$PORTER_SOURCE"
    assert os.sep not in command
