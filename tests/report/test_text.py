import io
from pathlib import Path

from rich.console import Console

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.outcome import (
    Comparison,
    Declined,
    Evidence,
    Failed,
    FailingCase,
    LastStore,
    Mismatch,
    NeverStored,
    Ported,
    Producer,
    Target,
)
from porter.core.result import Prediction, Report, UnitResult
from porter.core.span import SourceText
from porter.report.text import print_report

SOURCE = SourceText("k.cu", b'__global__ void k() {\n  asm("bar");\n}\n')
FINDING = Diagnostic("PTX001", Severity.ERROR, "inline PTX", SOURCE.span(24, 27))


def printed(*units: UnitResult) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=160, highlight=False)
    print_report(Report(Target.HIP, "gfx950", units), console, {"k.cu": SOURCE})
    return stream.getvalue()


def test_a_ported_kernel_shows_its_evidence_and_error() -> None:
    evidence = (Evidence("built", "gfx950"), Evidence("simulated", "wave64"))
    ported = Ported(
        "k", Producer.RULES, "k.hip", evidence, Comparison(9, 10, 0, 2.0, 1e-7, 3e-7, worst_vs_reference=1.25)
    )
    text = printed(UnitResult("k.cu", ported, Prediction("MI350X", 12.34, "memory")))
    row = next(line for line in text.splitlines() if line.startswith("k "))
    assert row.split() == [
        "k",
        "ported",
        "built:gfx950",
        "simulated:wave64",
        "9",
        "2",
        "3e-07",
        "1.25",
        "12.3",
        "us",
        "(memory)",
    ]
    assert text.splitlines()[-1] == "1 ported"


def test_a_declined_kernel_shows_the_line_and_no_evidence() -> None:
    text = printed(UnitResult("k.cu", Declined("k", "inline PTX", (FINDING,))))
    assert 'k.cu:2:3: error: inline PTX [PTX001]\n      asm("bar");\n      ^^^' in text
    assert "1 declined" in text


def test_a_failed_kernel_shows_the_mismatches_and_the_seed() -> None:
    wrong = Comparison(9, 10, 1, 5.0, 1.0, 1.0, (Mismatch("y", 31, 1.5, 2.5, "prime"),), seed=77)
    text = printed(
        UnitResult("k.cu", Failed("k", Producer.RULES, "k.hip", "numbers differ", comparison=wrong))
    )
    assert "y[31]: expected 1.5, got 2.5 (prime)" in text
    assert "seed 77" in text
    assert "smallest failing case" not in text


def test_a_failed_kernel_shows_its_smallest_case_and_the_command_for_it() -> None:
    first = Mismatch("y", 32, 1.5, 2.5, "argument 3 = 33, schedule 1")
    writer = LastStore(1, (0, 0, 0), (32, 0, 0), str(Path.cwd() / "k.cu"), 12)
    smallest = FailingCase(
        "argument 3 = 33", 4, (1, 1, 1), (33,), first, (64, 1, 1), by_original=writer, by_port=NeverStored()
    )
    wrong = Comparison(9, 10, 1, 5.0, 1.0, 1.0, (first,), seed=77, smallest_failing=smallest)
    failed = Failed("saxpy", Producer.HAND, "port of it.hip", "wrong", comparison=wrong)
    text = printed(UnitResult("k.cu", failed))
    assert (
        "smallest failing case: argument 3 = 33 "
        "(launch 4, grid 1 x 1 x 1, block 64 x 1 x 1, called with 33)\n"
        "      y[32]: expected 1.5, got 2.5\n"
        "        written in the original: block (0, 0, 0) thread (32, 0, 0) at k.cu:12\n"
        "        written in the port: never\n"
    ) in text
    assert "'port of it.hip' --kernel saxpy --case 'argument 3 = 33' --seed 77" in text


def test_a_finding_of_two_kernels_is_shown_once() -> None:
    declined = UnitResult("k.cu", Declined("k", "inline PTX", (FINDING,)))
    assert printed(declined, declined).count("PTX001") == 1
