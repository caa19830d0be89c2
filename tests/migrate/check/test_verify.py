"""`--verify` of a file that cannot be ported or whose run cannot be kept is a finding of that file."""

from __future__ import annotations

import pytest

from porter.core.errors import InputError
from porter.core.outcome import Target
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.migrate.check import verify
from porter.migrate.check.request import FileJob, Selection
from tests.migrate.conftest import WriteTree

KERNEL = "__global__ void k() {}\n"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (InputError("the folder is closed", hint="open it"), "not verified: the folder is closed"),
        (PermissionError(13, "Permission denied"), "not verified: [Errno 13] Permission denied"),
        (OSError(28, "No space left on device"), "not verified: [Errno 28] No space left on device"),
    ],
)
def test_what_stops_a_run_is_told(
    write_tree: WriteTree, monkeypatch: pytest.MonkeyPatch, error: Exception, message: str
) -> None:
    root = write_tree({"a.cu": KERNEL})

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(verify, "port", fail)
    unit = read_translation_unit(SourceText.read(root / "a.cu"))
    job = FileJob(root, "a.cu", True, Target.HIP, "gfx950", Selection(), verify=True)
    (finding,) = verify.unproved(job, unit)
    assert (finding.code, finding.message, finding.span.line) == ("CHK008", message, 1)
    assert finding.hint
