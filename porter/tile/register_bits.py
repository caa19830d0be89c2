"""A scalar as bits of other scalars that lie side by side, little end first."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from porter.analysis.sizes import size_bytes
from porter.core.span import Span
from porter.cuda import kir
from porter.tile.simplify import simplified

Placed = tuple[kir.Lvalue, int]
"""A scalar component and the byte it starts at."""


def assembled(components: Sequence[Placed], start: int, type_: kir.Scalar, span: Span) -> kir.Expr | None:
    """The value of `type_` that starts at byte `start`; None where the components do not make it up."""
    size = size_bytes(type_)
    covering = _covering(components, start, size)
    if not covering or (_has_bool([place for place, _ in covering]) and len(covering) > 1):
        return None
    first, at = covering[0]
    assert isinstance(first.type, kir.Scalar)
    if len(covering) == 1 and at == start and size_bytes(first.type) == size:
        return bits_as(first, type_, span)
    if "bool" in (type_.kind, first.type.kind):
        return None
    if len(covering) == 1:
        word = word_of(first.type.bits)
        moved = _shift(">>", bits_as(first, word, span), (start - at) * 8, span)
        return bits_as(kir.Cast(moved, word_of(type_.bits), span), type_, span)
    if at != start or _end(covering[-1]) != start + size:
        return None
    whole: kir.Expr | None = None
    word = word_of(type_.bits)
    for place, offset in covering:
        assert isinstance(place.type, kir.Scalar)
        bits = kir.Cast(bits_as(place, word_of(place.type.bits), span), word, span)
        moved = _shift("<<", bits, (offset - start) * 8, span)
        whole = moved if whole is None else kir.Binary("|", whole, moved, word, span)
    assert whole is not None
    return bits_as(whole, type_, span)


def written_parts(
    components: Sequence[Placed], start: int, value: kir.Expr, span: Span
) -> list[tuple[kir.Lvalue, kir.Expr]] | None:
    """The components that `value`, stored at byte `start`, changes, each with what it holds afterwards."""
    type_ = value.type
    assert isinstance(type_, kir.Scalar)
    size = size_bytes(type_)
    covering = _covering(components, start, size)
    if not covering:
        return None
    first, at = covering[0]
    assert isinstance(first.type, kir.Scalar)
    if len(covering) == 1 and at == start and size_bytes(first.type) == size:
        return [(first, bits_as(value, first.type, span))]
    if type_.kind == "bool" or _has_bool([place for place, _ in covering]):
        return None
    if len(covering) == 1:
        return [(first, _inserted(first, first.type, (start - at) * 8, value, type_, span))]
    if at != start or _end(covering[-1]) != start + size:
        return None
    word = word_of(type_.bits)
    bits = bits_as(value, word, span)
    parts: list[tuple[kir.Lvalue, kir.Expr]] = []
    for place, offset in covering:
        assert isinstance(place.type, kir.Scalar)
        piece = kir.Cast(_shift(">>", bits, (offset - start) * 8, span), word_of(place.type.bits), span)
        parts.append((place, bits_as(piece, place.type, span)))
    return parts


def _inserted(
    place: kir.Lvalue, whole: kir.Scalar, shift: int, value: kir.Expr, part: kir.Scalar, span: Span
) -> kir.Expr:
    """`place` with the bits of `value` from bit `shift` on."""
    word = word_of(whole.bits)
    mask = ((1 << whole.bits) - 1) ^ (((1 << part.bits) - 1) << shift)
    kept = kir.Binary("&", bits_as(place, word, span), kir.Const(mask, word, span), word, span)
    bits = kir.Cast(bits_as(value, word_of(part.bits), span), word, span)
    return bits_as(kir.Binary("|", kept, _shift("<<", bits, shift, span), word, span), whole, span)


def _covering(components: Sequence[Placed], start: int, size: int) -> list[Placed]:
    """The components that share a byte with the range, if together they hold all of it."""
    found = [c for c in components if c[1] < start + size and _end(c) > start]
    is_gapless = all(_end(a) == b[1] for a, b in itertools.pairwise(found))
    whole = bool(found) and found[0][1] <= start and _end(found[-1]) >= start + size and is_gapless
    return found if whole else []


def _end(component: Placed) -> int:
    return component[1] + size_bytes(component[0].type)


def _has_bool(places: Sequence[kir.Lvalue]) -> bool:
    return any(isinstance(p.type, kir.Scalar) and p.type.kind == "bool" for p in places)


def word_of(bits: int) -> kir.Scalar:
    return kir.Scalar("uint", bits)


def bits_as(value: kir.Expr, type_: kir.Scalar, span: Span) -> kir.Expr:
    """The same bits as another type; between integers of a width that is a conversion, which Triton folds."""
    assert isinstance(value.type, kir.Scalar)
    if value.type == type_:
        return value
    integers = {"int", "uint"}
    if value.type.kind in integers and type_.kind in integers:
        cast: kir.Expr = simplified(kir.Cast(value, type_, span))
        return cast
    return kir.Bitcast(value, type_, span)


def _shift(op: str, value: kir.Expr, bits: int, span: Span) -> kir.Expr:
    if bits == 0:
        return value
    return kir.Binary(op, value, kir.Const(bits, value.type, span), value.type, span)
