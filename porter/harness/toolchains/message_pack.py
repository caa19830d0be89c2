"""Decodes MessagePack, the format of a code object's metadata note (msgpack.org, specification)."""

from __future__ import annotations

import struct
from typing import Any

_FIXED = {
    0xCA: ">f",
    0xCB: ">d",
    0xCC: ">B",
    0xCD: ">H",
    0xCE: ">I",
    0xCF: ">Q",
    0xD0: ">b",
    0xD1: ">h",
    0xD2: ">i",
    0xD3: ">q",
}
_SINGLE = {0xC0: None, 0xC2: False, 0xC3: True}
_SIZED = {  # first byte -> kind and format of the length
    0xD9: ("text", ">B"),
    0xDA: ("text", ">H"),
    0xDB: ("text", ">I"),
    0xC4: ("bytes", ">B"),
    0xC5: ("bytes", ">H"),
    0xC6: ("bytes", ">I"),
    0xDC: ("list", ">H"),
    0xDD: ("list", ">I"),
    0xDE: ("map", ">H"),
    0xDF: ("map", ">I"),
}


def decode(data: bytes) -> Any:
    """The first value of `data`. Raises ValueError for extension types and truncated input."""
    try:
        value, _ = _value(data, 0)
    except (IndexError, struct.error) as error:
        raise ValueError("truncated MessagePack") from error
    return value


def _value(data: bytes, at: int) -> tuple[Any, int]:
    head = data[at]
    at += 1
    if head in _SINGLE:
        return _SINGLE[head], at
    if head in _FIXED:
        code = _FIXED[head]
        return struct.unpack_from(code, data, at)[0], at + struct.calcsize(code)
    if head in _SIZED:
        kind, code = _SIZED[head]
        (length,) = struct.unpack_from(code, data, at)
        return _sized(kind, length, data, at + struct.calcsize(code))
    return _short(head, data, at)


def _short(head: int, data: bytes, at: int) -> tuple[Any, int]:
    if head <= 0x7F:
        return head, at
    if head <= 0x8F:
        return _sized("map", head & 0x0F, data, at)
    if head <= 0x9F:
        return _sized("list", head & 0x0F, data, at)
    if head <= 0xBF:
        return _sized("text", head & 0x1F, data, at)
    if head >= 0xE0:
        return head - 0x100, at
    raise ValueError(f"MessagePack type 0x{head:02x} is not expected in metadata")


def _sized(kind: str, length: int, data: bytes, at: int) -> tuple[Any, int]:
    if kind in ("text", "bytes"):
        if at + length > len(data):
            raise ValueError("truncated MessagePack")
        raw = data[at : at + length]
        return (raw.decode("utf-8", "replace") if kind == "text" else raw), at + length
    values = []
    for _ in range(length * (2 if kind == "map" else 1)):
        value, at = _value(data, at)
        values.append(value)
    return (dict(zip(values[::2], values[1::2], strict=True)) if kind == "map" else values), at
