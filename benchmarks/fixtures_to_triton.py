"""Every fixture through `porter translate --target triton`: verdicts, cases, and what the AMD builds need.

`python benchmarks/fixtures_to_triton.py` writes `docs/triton-kernels.md` and keeps the reports in the user's
cache, so that `--only NAME` (repeatable) does some fixtures again and takes the others as they were. It takes
about half a minute a fixture.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from porter.core.cache import cache_directory

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "fixtures" / "cuda_kernels"
PAGE = ROOT / "docs" / "triton-kernels.md"
ARCHITECTURES = ("gfx942", "gfx950")
HEAD = """# The fixtures as Triton kernels

By `python benchmarks/fixtures_to_triton.py`. Every kernel of `fixtures/cuda_kernels/` is translated, built
for gfx942 and gfx950, and run in Triton's interpreter on what the simulator captured from the CUDA program
and on further contents and sizes; `tests/tile/test_captured.py` compares the same launches with each
fixture's NumPy reference. *own* is the largest error against a run in double precision over the CUDA
program's own error. *VGPRs*, *LDS* (bytes), *spills*: the largest of the module's kernels on either GPU.

| fixture | kernel | verdict | cases | max ulp | own | VGPRs | LDS | spills |
|---|---|---|---:|---:|---:|---:|---:|---:|
"""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", default=[], help="do these fixtures, keep the others")
    options = parser.parse_args()
    kept = cache_directory("fixtures-to-triton")
    names = sorted(path.parent.name for path in FIXTURES.glob("*/kernel.cu"))
    for name in options.only or names:
        begin = time.monotonic()
        report = translated(name)
        (kept / f"{name}.json").write_text(json.dumps(report))
        outcomes = ", ".join(unit["outcome"] for unit in report["units"])
        print(f"{time.monotonic() - begin:6.1f} s {name}: {outcomes}", flush=True)
    files = {name: kept / f"{name}.json" for name in names}
    reports = {name: json.loads(file.read_text()) for name, file in files.items() if file.exists()}
    PAGE.write_text(page(reports), encoding="utf-8")
    return 0


def translated(name: str) -> dict[str, Any]:
    """The report of one fixture."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "porter", "translate", str(FIXTURES / name / "kernel.cu")]
        done = subprocess.run(
            [*command, "--target", "triton", "--json", "-o", "port.py"],
            capture_output=True,
            text=True,
            cwd=folder,
        )
    if not done.stdout.strip():
        raise SystemExit(f"{name}: {done.stderr.strip()[-500:]}")
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def page(reports: dict[str, dict[str, Any]]) -> str:
    units = [(name, unit) for name, report in reports.items() for unit in report["units"]]
    ported = [unit for _, unit in units if unit["outcome"] == "ported"]
    spilling = [unit["kernel"] for _, unit in units if _largest(unit, "spills")]
    rows = "\n".join(_row(name, unit) for name, unit in units)
    ending = f"\n\n{len(ported)} of {len(units)} kernels ported, {len({u['kernel'] for u in ported})} names; "
    ending += (
        f"registers are spilled by: {', '.join(spilling)}." if spilling else "no kernel spills registers."
    )
    others = [f"- `{u['kernel']}` ({n}): {u['reason']}" for n, u in units if u["outcome"] != "ported"]
    return HEAD + rows + ending + "".join(f"\n{line}" for line in ["", *others]) + "\n"


def _row(name: str, unit: dict[str, Any]) -> str:
    found = unit.get("comparison") or {}
    own = found.get("worst_vs_reference")
    cells = [
        name,
        unit["kernel"],
        unit["outcome"],
        found.get("cases", "-"),
        f"{found['max_ulp']:.4g}" if "max_ulp" in found else "-",
        f"{own:.3g}" if own is not None else "-",
        *(_largest(unit, kind) for kind in ("vgprs", "lds_bytes", "spills")),
    ]
    return "| " + " | ".join(map(str, cells)) + " |"


def _largest(unit: dict[str, Any], kind: str) -> int:
    """Over the builds' kernels; `spills` of both kinds of registers."""
    builds = [
        e["details"] for e in unit["evidence_details"] if e["name"].removeprefix("built:") in ARCHITECTURES
    ]
    return max((value for d in builds for key, value in d.items() if key.endswith(kind)), default=0)


if __name__ == "__main__":
    raise SystemExit(main())
