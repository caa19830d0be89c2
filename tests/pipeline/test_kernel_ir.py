"""The kernel IR as text: what cannot be shown is told, a fault of the compiler too."""

from pathlib import Path

import pytest

from porter.core.outcome import Target
from porter.pipeline import kernel_ir
from porter.pipeline.kernel_ir import Stage, kernel_texts
from porter.pipeline.request import PortRequest


@pytest.mark.parametrize("fault", [ValueError("odd"), OverflowError("far"), AttributeError("none")])
def test_a_fault_of_a_pass_costs_the_kernel_it_is_in(
    fault: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "two.cu"
    source.write_text(
        "__global__ void bad(int* x) { x[0] = 1; }\n__global__ void good(int* x) { x[0] = 2; }\n"
    )
    raise_kernel = kernel_ir.raise_kernel

    def failing(kernel, block):  # type: ignore[no-untyped-def]
        if kernel.name == "bad":
            raise fault
        return raise_kernel(kernel, block)

    monkeypatch.setattr(kernel_ir, "raise_kernel", failing)
    found = kernel_texts(PortRequest(source, Target.TRITON), Stage.RAISED)
    assert [("kernel good" in text) for text in found.texts] == [True]
    (told,) = found.missing
    assert (told.code, told.span.line) == ("TIL059", 1)
    assert str(fault) in told.message
