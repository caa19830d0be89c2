"""What names of headers stand for, where the headers agree and the file does not say otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.core.span import SourceText
from porter.cuda.header_constants import constants_in_headers
from porter.cuda.translation_unit import read_translation_unit

LAUNCH = "void f() { k<<<1, BLOCK>>>(); }\n"


def write(folder: Path, files: Mapping[str, str]) -> SourceText:
    """Writes the files, and gives `a.cu`."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return SourceText.read(folder / "a.cu")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"a.cu": '#include "n.h"\n', "n.h": "#define N 3\nconstexpr int kM = 4;\nint v = 5;\n"},
            {"N": "3", "kM": "4"},
        ),
        ({"a.cu": '#include "x/n.h"\n', "x/n.h": '#include "../m.h"\n', "m.h": "#define N 3\n"}, {"N": "3"}),
        ({"a.cu": '#include "n.h"\n#include "m.h"\n', "n.h": "#define N 3\n", "m.h": "#define N 4\n"}, {}),
        ({"a.cu": '#include "n.h"\n', "n.h": "#if X\n#define N 3\n#else\n#define N 4\n#endif\n"}, {}),
        ({"a.cu": "#include <n.h>\n", "n.h": "#define N 3\n"}, {}),
        ({"a.cu": '#include "gone.h"\n'}, {}),
        ({"a.cu": '#include "n.h"\n', "n.h": '#include "n.h"\n#include "a.cu"\n#define N 3\n'}, {"N": "3"}),
    ],
)
def test_constants(tmp_path: Path, files: Mapping[str, str], expected: Mapping[str, str]) -> None:
    assert constants_in_headers(write(tmp_path, files)) == expected


def test_folders_that_are_named_come_after_the_one_beside(tmp_path: Path) -> None:
    files = {"a.cu": '#include "n.h"\n#include "m.h"\n', "n.h": "#define N 1\n", "inc/n.h": "#define N 2\n"}
    source = write(tmp_path, {**files, "inc/m.h": "#define M 3\n"})
    assert constants_in_headers(source, [tmp_path / "inc"]) == {"N": "1", "M": "3"}


def test_a_header_that_changed_is_read_again(tmp_path: Path) -> None:
    source = write(tmp_path, {"a.cu": '#include "n.h"\n', "n.h": "#define N 1\n"})
    assert constants_in_headers(source) == {"N": "1"}
    (tmp_path / "n.h").write_text("#define N 1000\n")
    assert constants_in_headers(source) == {"N": "1000"}


@pytest.mark.parametrize(
    ("text", "block"),
    [
        (LAUNCH, (64, 1, 1)),
        ("#define BLOCK 128\n" + LAUNCH, (128, 1, 1)),
        ("#if X\n#define BLOCK 128\n#else\n#define BLOCK 256\n#endif\n" + LAUNCH, None),
        ("void f(int BLOCK) { k<<<1, BLOCK>>>(); }\n", None),
    ],
)
def test_what_the_file_defines_itself_counts(text: str, block: tuple[int, int, int] | None) -> None:
    unit = read_translation_unit(SourceText("a.cu", text.encode()), {"BLOCK": "64"})
    assert unit.launches[0].block_dim == block
