"""`porter migrate --ray` on a cluster of three nodes of the real Ray, started here."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from porter.core.errors import InputError
from porter.core.outcome import Target
from porter.migrate.compile_settings import TreeSettings
from porter.migrate.discovery import whole_tree
from porter.migrate.executors.protocol import Finished
from porter.migrate.executors.ray_cluster import RayExecutor, connected
from porter.migrate.executors.tree_snapshot import Snapshot, packed, unpacked
from porter.migrate.repository.planning import plan
from porter.migrate.repository.request import MigrationRequest
from porter.migrate.repository.units import State
from porter.migrate.repository.work import Worker
from tests.migrate.conftest import WriteTree
from tests.migrate.test_migrate import contents, many, only_run, report

ray = pytest.importorskip("ray")

# What a unit does that takes its process along, or its time: by its name.
UNRULY = """\
import os, time
import porter.migrate.repository.work as work
perform = work.Worker.perform
def unruly(self, unit):
    if "aborts" in unit.name:
        os.abort()
    if "slow" in unit.name:
        time.sleep(float(os.environ["SLOW_SECONDS"]))
    if "sleeps" in unit.name:
        time.sleep(600)
    return perform(self, unit)
work.Worker.perform = unruly
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    folder = tmp_path_factory.mktemp("unruly")
    (folder / "sitecustomize.py").write_text(UNRULY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join((str(folder), os.getcwd())))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("SLOW_SECONDS", "0.4")
        node = {"num_cpus": 1, "object_store_memory": 80 << 20, "include_dashboard": False}
        cluster = Cluster(initialize_head=True, head_node_args=node)
        for _ in range(2):
            cluster.add_node(num_cpus=1, object_store_memory=80 << 20)
        cluster.wait_for_nodes()
        yield cluster
        cluster.shutdown()


def migrate(where: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "porter", "migrate", "tree", "--target", "hip", "--no-check"]
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    return subprocess.Popen(
        [*command, *arguments],
        cwd=where,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, complaints = process.communicate(timeout=200)
    assert "Traceback" not in complaints, complaints
    return process.returncode, complaints


@pytest.mark.slow
def test_a_node_that_is_killed_changes_nothing_of_the_result(
    cluster: Any, write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {name.replace("src/k", "src/slow"): text for name, text in many(30).items()}
    write_tree(files)
    assert ended(migrate(tmp_path, "-o", "whole", "-j", "2"))[0] == 0
    undisturbed = report(only_run(tmp_path))
    (tmp_path / ".porter").rename(tmp_path / "before")

    doomed = cluster.add_node(num_cpus=1, object_store_memory=80 << 20)
    cluster.wait_for_nodes()
    process = migrate(tmp_path, "-o", "out", "--ray", cluster.address)
    results = tmp_path / ".porter" / "runs"
    deadline = time.monotonic() + 120
    while len(list(results.glob("*/units/*/*.json"))) < 8 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert process.poll() is None
    cluster.remove_node(doomed, allow_graceful=False)
    code, complaints = ended(process)
    assert code == 0, complaints
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
    assert report(only_run(tmp_path)) == undisturbed


@dataclass
class Elsewhere(RayExecutor):
    """No node sees the files of the machine in charge."""

    def _token(self) -> tuple[str, str]:
        return "/nowhere/token", "none"


def performed(cluster: Any, root: Path, tmp_path: Path, **options: Any) -> dict[str, Finished]:
    tree = whole_tree(root)
    request = MigrationRequest(tree.root, Target.HIP, check=False, **options)
    worker = Worker(request, (), TreeSettings(), tmp_path / "candidates", tmp_path / "agent")
    names = tuple(name for name in os.listdir(root / "src"))
    with connected(cluster.address) as found:
        executor = Elsewhere(worker, found, 2, tmp_path, tuple(f"src/{name}" for name in names))
        return {f.done.unit.name: f for f in executor.run(plan(tree, Target.HIP))}


def test_nodes_that_do_not_see_the_tree_get_it(cluster: Any, write_tree: WriteTree, tmp_path: Path) -> None:
    root = write_tree(many(3))
    found = performed(cluster, root, tmp_path)
    assert {f.done.state for f in found.values()} == {State.TRANSLATED}
    request = MigrationRequest(root, Target.HIP, check=False)
    local = Worker(request, (), TreeSettings(), tmp_path / "candidates", tmp_path / "agent")
    here = os.getcwd()
    try:
        expected = {unit.name: local.perform(unit) for unit in plan(whole_tree(root), Target.HIP)}
    finally:
        os.chdir(here)
    assert {name: f.done for name, f in found.items()} == expected


def test_a_unit_that_takes_its_process_along_or_too_long_is_its_own_result(
    cluster: Any, write_tree: WriteTree, tmp_path: Path
) -> None:
    text = many(1)["src/k0.cu"]
    root = write_tree({**many(2), "src/aborts.cu": text, "src/sleeps.cu": text})
    found = performed(cluster, root, tmp_path, unit_seconds=5.0)
    states = {name: f.done.state for name, f in found.items()}
    assert states["src/k0.cu"] is states["src/k1.cu"] is State.TRANSLATED
    assert states["src/aborts.cu"] is states["src/sleeps.cu"] is State.CRASHED
    assert "ended 3 times" in found["src/aborts.cu"].done.document["reason"]
    assert found["src/sleeps.cu"].done.document["reason"] == "stopped after 5 s"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("nonsense", "no address"),
        ("127.0.0.1:9", "nobody answers there"),
        ("ray://127.0.0.1:9", "nobody answers"),
    ],
)
def test_where_nobody_is(address: str, message: str) -> None:
    with pytest.raises(InputError, match=message), connected(address):
        pass


def test_a_snapshot_is_the_tree(write_tree: WriteTree, tmp_path: Path) -> None:
    root = write_tree({"a/b.cu": "x", "c.cu": "y"})
    (root / "link").symlink_to("c.cu")
    snapshot = packed(root, ["c.cu", "a/b.cu", "link", "gone"])
    assert snapshot.files == (("a/b.cu", b"x"), ("c.cu", b"y"))
    scratch = tmp_path / "scratch"
    copy = unpacked(snapshot, scratch)
    assert contents(copy) == {"a/b.cu": b"x", "c.cu": b"y"}
    assert unpacked(snapshot, scratch) == copy
    assert [p.name for p in scratch.iterdir()] == [copy.name]
    for name in ("../out", "/out"):
        with pytest.raises(ValueError, match="leads out"):
            unpacked(replace(snapshot, key="0" * 32, files=((name, b""),)), scratch)


def test_a_tree_that_is_too_large_is_not_sent(write_tree: WriteTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porter.migrate.executors.tree_snapshot.MOST_BYTES", 3)
    root = write_tree({"a.cu": "xx", "b.cu": "yy"})
    with pytest.raises(InputError, match="too much to send"):
        packed(root, ["a.cu", "b.cu"])
    assert packed(root, ["a.cu"]) == Snapshot(packed(root, ["a.cu"]).key, (("a.cu", b"xx"),))
