"""What `--tune` does to ten kernels with bad access patterns: the tables of docs/tuning.md.

`python benchmarks/tuning.py` ports tests/hip/tuning/ten_kernels.cu for gfx942 and gfx950 with and without
tuning, verifies both, and writes model figures, machine code and verdicts between the marks of the page.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from pathlib import Path

from porter.core.outcome import Target
from porter.harness.toolchains.amd_clang import build_hip
from porter.harness.toolchains.code_object import source_name
from porter.harness.toolchains.records import Built
from porter.pipeline.port import PortResult, port
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "tests" / "hip" / "tuning" / "ten_kernels.cu"
PAGE = ROOT / "docs" / "tuning.md"
BEGIN, END = "<!-- python benchmarks/tuning.py: begin -->\n", "<!-- end -->\n"
CODES = ("MEM010", "MEM011", "MEM012", "MEM013", "LCH011")
_SYMBOL = re.compile(r"^(\w+):\s*; @", re.MULTILINE)
_ACCESS = re.compile(r"^\t((?:global|flat|buffer)_(?:load|store)_\w+|ds_(?:read|write)\w*)", re.MULTILINE)


def main() -> None:
    text = PAGE.read_text()
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    tables = "\n".join(table(arch) for arch in ("gfx942", "gfx950"))
    PAGE.write_text(f"{before}{BEGIN}\n{tables}\n{END}{after}")


def table(arch: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        plain = ported(arch, Path(folder) / "plain", tune=False)
        tuned = ported(arch, Path(folder) / "tuned", tune=True)
        old, new = (accesses(r, arch, Path(folder)) for r in (plain, tuned))
    untuned = {u.outcome.kernel: u.status for u in plain.report.units}
    lines = [
        f"**{arch}**",
        "",
        "| kernel | change | model, before -> after | memory instructions before | after | verdict |",
        "|---|---|---|---|---|---|",
    ]
    hints = kernel_hints(tuned)
    for unit in tuned.report.units:
        name = unit.outcome.kernel
        change, model = split_hints(hints[name])
        verdict = unit.status if unit.status == untuned[name] else f"{untuned[name]} -> {unit.status}"
        lines.append(f"| {name} | {change} | {model} | {old[name]} | {new[name]} | {verdict} |")
    return "\n".join(lines) + "\n"


def ported(arch: str, run: Path, *, tune: bool) -> PortResult:
    request = PortRequest(SOURCE, Target.HIP, arch=arch, also=(), tune=tune)
    return port(request, RunDirectory.create(run, "translate", b""))


def accesses(result: PortResult, arch: str, folder: Path) -> dict[str, str]:
    """The memory instructions of each kernel's machine code, with counts."""
    path = folder / "port.hip"
    path.write_bytes(result.draft.text)
    built = build_hip(path, arch)
    if not isinstance(built, Built):
        raise SystemExit(str(built))
    assembly = built.code_objects[0].assembly
    found: dict[str, str] = {}
    for match in _SYMBOL.finditer(assembly):
        body = assembly[match.end() : assembly.find(".Lfunc_end", match.end())]
        counts = Counter(_ACCESS.findall(body))
        names = (f"{n} `{name.removeprefix('global_')}`" for name, n in sorted(counts.items()))
        found[source_name(match.group(1))] = ", ".join(names)
    return found


def kernel_hints(result: PortResult) -> dict[str, list[str]]:
    """The hints of the tuning findings, by kernel; one at a launch belongs to the kernel it names."""
    hints: dict[str, list[str]] = {u.outcome.kernel: [] for u in result.report.units}
    for unit in result.report.units:
        hints[unit.outcome.kernel] += [f.hint for f in unit.outcome.findings if f.code in CODES]
    lines = SOURCE.read_text().splitlines()
    for finding in result.report.findings:
        if finding.code in CODES:
            launch = lines[finding.span.line - 1].strip()
            hints[launch.split("<<<")[0]].append(finding.hint)
    return hints


def split_hints(hints: list[str]) -> tuple[str, str]:
    """What was changed, and the model's figures, without the machine code that has columns of its own."""
    changes, figures = [], []
    for hint in hints:
        change, *rest = hint.removeprefix("tuned: ").split("; ")
        changes.append(change)
        figures += [part for part in rest if not part.startswith("machine code")]
    return "; ".join(changes), "; ".join(figures)


if __name__ == "__main__":
    main()
