"""A part of a wider register whose place is a value: `bytes[i]` of a word is a shift by `8 * i`."""

from __future__ import annotations

from collections.abc import Sequence

from porter.analysis.sizes import size_bytes
from porter.core.span import Span
from porter.cuda import kir
from porter.tile.register_bits import Placed, bits_as, word_of
from porter.tile.simplify import simplified


def part_at(words: Sequence[Placed], number: kir.Expr, type_: kir.Scalar, span: Span) -> kir.Expr | None:
    """Part `number` of the words that lie side by side; None where they are no words of equal size."""
    ratio = parts_in_a_word(words, type_)
    if ratio is None:
        return None
    first, _ = words[0]
    assert isinstance(first.type, kir.Scalar)
    word = word_of(first.type.bits)
    whole: kir.Expr | None = None
    for position, (place, _) in reversed(list(enumerate(words))):
        value = bits_as(place, word, span)
        chosen = _is_word(number, ratio, position, span)
        whole = value if whole is None else kir.Select(chosen, value, whole, word, span)
    assert whole is not None
    moved = kir.Binary(">>", whole, _shift(number, ratio, type_, word, span), word, span)
    return bits_as(kir.Cast(moved, word_of(type_.bits), span), type_, span)


def with_part(
    words: Sequence[Placed], number: kir.Expr, value: kir.Expr, span: Span
) -> list[tuple[kir.Lvalue, kir.Expr]] | None:
    """Every word with what it holds once part `number` is `value`."""
    type_ = value.type
    assert isinstance(type_, kir.Scalar)
    ratio = parts_in_a_word(words, type_)
    if ratio is None:
        return None
    changed: list[tuple[kir.Lvalue, kir.Expr]] = []
    for position, (place, _) in enumerate(words):
        assert isinstance(place.type, kir.Scalar)
        word = word_of(place.type.bits)
        shift = _shift(number, ratio, type_, word, span)
        ones = kir.Const((1 << type_.bits) - 1, word, span)
        hole = kir.Unary("~", kir.Binary("<<", ones, shift, word, span), word, span)
        kept = kir.Binary("&", bits_as(place, word, span), hole, word, span)
        part = kir.Cast(bits_as(value, word_of(type_.bits), span), word, span)
        joined = kir.Binary("|", kept, kir.Binary("<<", part, shift, word, span), word, span)
        new = bits_as(joined, place.type, span)
        if len(words) > 1:
            new = kir.Select(_is_word(number, ratio, position, span), new, place, place.type, span)
        changed.append((place, new))
    return changed


def parts_in_a_word(words: Sequence[Placed], type_: kir.Scalar) -> int | None:
    """How many parts a word has; None where words differ in size, leave gaps or are no wider."""
    sizes = {size_bytes(place.type) for place, _ in words}
    size = size_bytes(type_)
    kinds = {place.type.kind for place, _ in words if isinstance(place.type, kir.Scalar)}
    if len(sizes) != 1 or "bool" in kinds | {type_.kind}:
        return None
    width = sizes.pop()
    is_gapless = all(start == position * width for position, (_, start) in enumerate(words))
    return width // size if width > size and width % size == 0 and is_gapless else None


def _is_word(number: kir.Expr, ratio: int, position: int, span: Span) -> kir.Expr:
    word = kir.Binary("/", number, kir.Const(ratio, number.type, span), number.type, span)
    return kir.Binary("==", word, kir.Const(position, number.type, span), kir.BOOL, span)


def _shift(number: kir.Expr, ratio: int, part: kir.Scalar, word: kir.Scalar, span: Span) -> kir.Expr:
    """The place of the part in its word, in bits."""
    type_ = number.type
    inside = kir.Binary("&", number, kir.Const(ratio - 1, type_, span), type_, span)
    bits = kir.Binary("*", inside, kir.Const(part.bits, type_, span), type_, span)
    shift: kir.Expr = simplified(kir.Cast(bits, word, span))
    return shift
