import pytest
from hypothesis import given
from hypothesis import strategies as st

from porter.core.edit import Edit, OverlappingEdits, apply_edits


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([], b"abcdef"),
        ([Edit(0, 1, b"X")], b"Xbcdef"),
        ([Edit(4, 6, b""), Edit(0, 0, b">")], b">abcd"),
        ([Edit(2, 4, b"--"), Edit(4, 4, b"|")], b"ab--|ef"),
        ([Edit(1, 2, b"!"), Edit(1, 2, b"!")], b"a!cdef"),
    ],
)
def test_edits_replace_exactly_their_bytes(edits: list[Edit], expected: bytes) -> None:
    assert apply_edits(b"abcdef", edits) == expected


def test_overlap_is_a_defect_of_the_pass() -> None:
    with pytest.raises(OverlappingEdits):
        apply_edits(b"abcdef", [Edit(0, 3, b"x"), Edit(2, 4, b"y")])


@given(st.binary(max_size=64), st.data())
def test_bytes_outside_the_edit_are_identical(data: bytes, draw: st.DataObject) -> None:
    start = draw.draw(st.integers(0, len(data)))
    end = draw.draw(st.integers(start, len(data)))
    replacement = draw.draw(st.binary(max_size=8))
    result = apply_edits(data, [Edit(start, end, replacement)])
    assert result[:start] == data[:start]
    assert result[start + len(replacement) :] == data[end:]
