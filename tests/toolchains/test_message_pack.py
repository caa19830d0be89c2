"""MessagePack by the examples of its specification."""

from __future__ import annotations

import pytest

from porter.harness.toolchains.message_pack import decode


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"\x07", 7),
        (b"\xff", -1),
        (b"\xe0", -32),
        (b"\xcc\xff", 255),
        (b"\xcd\x01\x00", 256),
        (b"\xce\x00\x01\x00\x00", 65536),
        (b"\xcf" + b"\x00" * 7 + b"\x05", 5),
        (b"\xd0\x80", -128),
        (b"\xd1\xff\x7f", -129),
        (b"\xd3" + b"\xff" * 8, -1),
        (b"\xc0", None),
        (b"\xc2", False),
        (b"\xc3", True),
        (b"\xcb\x3f\xf0" + b"\x00" * 6, 1.0),
        (b"\xa3abc", "abc"),
        (b"\xd9\x02hi", "hi"),
        (b"\xc4\x02\x00\x01", b"\x00\x01"),
        (b"\x93\x01\xa1x\xc0", [1, "x", None]),
        (b"\xdc\x00\x01\x05", [5]),
        (b"\x82\xa1a\x01\xa1b\x92\x02\x03", {"a": 1, "b": [2, 3]}),
        (b"\xde\x00\x01\xa1k\x80", {"k": {}}),
    ],
)
def test_values(data: bytes, value: object) -> None:
    assert decode(data) == value


@pytest.mark.parametrize("data", [b"", b"\xcd\x01", b"\xa3ab", b"\x92\x01", b"\x81\xa1a"])
def test_truncated_input_is_an_error(data: bytes) -> None:
    with pytest.raises(ValueError, match="truncated"):
        decode(data)


def test_extension_types_are_an_error() -> None:
    with pytest.raises(ValueError, match="0xd4"):
        decode(b"\xd4\x01\x00")
