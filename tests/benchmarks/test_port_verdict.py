"""How the build of a ported file is counted: porter's own word and a header nobody has exempt, no more."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import SourceText, Span
from porter.cuda.translation_unit import read_translation_unit
from porter.harness.toolchains.records import BuildFailed, NotAvailable
from porter.hip.options import HipOptions
from porter.hip.translate import translate_hip

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from port_verdict import verdict
from ported_tree import Finding, PortedFile, PortedTree
from statement_lines import statement_lines

ROOT, CHECKOUT = Path("/mirror"), Path("/checkout")


def tree(*findings: Finding, includes: tuple[str, ...] = ()) -> PortedTree:
    files = (
        PortedFile(CHECKOUT / "a.cu", findings, includes),
        PortedFile(CHECKOUT / "lib" / "held.h", (), ()),
    )
    return PortedTree(CHECKOUT, ROOT, {f.path.relative_to(CHECKOUT): f for f in files})


def failed(message: str, line: int, path: str = "/mirror/a.cu") -> BuildFailed:
    return BuildFailed((Diagnostic("BLD901", Severity.ERROR, message, Span(path, 0, 0, line, 1)),))


@pytest.mark.parametrize(
    ("header", "includes", "path", "status"),
    [
        ("mpi.h", ("mpi.h",), "/mirror/a.cu", "excluded"),
        # The port names it, the original does not: porter's defect.
        ("hip/hip_new.h", ("cuda_runtime.h",), "/mirror/a.cu", "fails"),
        ("porter_texture.h", (), "/mirror/a.cu", "fails"),
        # A header that porter wrote names it.
        ("mpi.h", ("mpi.h",), "/mirror/porter_texture.h", "fails"),
        # The repository has it: the search for it is what fails.
        ("held.h", ("held.h",), "/mirror/a.cu", "fails"),
        # CUDA's own headers, renamed or not.
        ("cuda_fp16.h", ("cuda_fp16.h",), "/mirror/a.cu", "fails"),
        ("thrust/random.h", ("thrust/random.h",), "/mirror/a.cu", "fails"),
        ("nppi.h", ("nppi.h",), "/mirror/a.cu", "fails"),
    ],
)
def test_a_missing_header_excludes_only_what_the_original_lacks(
    header: str, includes: tuple[str, ...], path: str, status: str
) -> None:
    assert verdict(tree(includes=includes), failed(f"'{header}' file not found", 3, path))[0] == status


@pytest.mark.parametrize(("line", "status"), [(8, "fails"), (9, "refused"), (11, "refused"), (12, "fails")])
def test_refused_is_the_statement_of_porters_error(line: int, status: str) -> None:
    found = Finding("API001", "error", 7, "no equivalent", 9, 11)
    assert verdict(tree(found), failed("undeclared", line))[0] == status


def test_a_warning_refuses_nothing() -> None:
    found = Finding("WAV001", "warning", 9, "a width", 9, 9)
    assert verdict(tree(found), failed("undeclared", 9))[0] == "fails"


def test_every_failure_has_a_code() -> None:
    assert verdict(tree(), failed("undeclared", 1))[1].startswith("[BLD901] ")
    assert verdict(tree(), NotAvailable("the ROCm header <thrust/x.h>", ""))[1].startswith("[BLD900] ")


SOURCE = b"""\
#include <cuda_runtime.h>
void f() {
  int before = 0;
  cudaSetDevice(
      before +
      cudaLimitPersistingL2CacheSize);
  int after = 0;
}
"""


def test_lines_of_a_statement_are_those_of_the_port() -> None:
    source = SourceText("a.cu", b"__device__ int n() { return __ballot_sync(~0u, 1); }\n" + SOURCE)
    unit = read_translation_unit(source)
    port = translate_hip(unit, HipOptions("gfx950"))
    found = next(f for f in port.findings if "PersistingL2" in f.message)
    lines = port.text.decode().splitlines()
    first, last = statement_lines(unit, port.edits, found.span)
    assert lines[first - 1] == "  hipSetDevice("
    assert "cudaLimitPersistingL2CacheSize" in lines[last - 1]
    assert len(lines) > len(source.text.splitlines())


def test_a_directive_is_a_statement() -> None:
    unit = read_translation_unit(SourceText("a.cu", b"#include <mma.h>\nint x;\n"))
    start = unit.source.text.index("<mma.h>")
    assert statement_lines(unit, (), unit.source.span(start, start + 7)) == (1, 1)
