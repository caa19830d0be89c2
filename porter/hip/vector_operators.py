"""The user's operators on CUDA's vector types, where HIP's own make a call ambiguous.

HIP defines element-wise `*` and `/` on two vectors as friends, and the compound assignments as members, so a
free function with the same operands is as good a match. The licence to hide the user's function behind HIP's
is that its body is the same element-wise operation; any other meaning is refused.
"""

from __future__ import annotations

import re

from porter.core.edit import Edit
from porter.cuda.structure import Function
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.includes import newline
from porter.hip.step import Step, error, insert, join

CONFLICTING_OPERATOR = "API021"

VECTOR_TYPE = re.compile(r"^u?(?:char|short|int|long|longlong|float|double)([1-4])$")
_BINARY = ("*", "/")
_COMPOUND = ("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
# HIP's vector header, which nothing else defines: where it is in, its operators are.
_GUARD = "HIP_INCLUDE_HIP_HIP_VECTOR_TYPES_H"


def hide_vector_operators(unit: TranslationUnit) -> Step:
    """Guards each element-wise duplicate; an error at each conflicting operator of another meaning."""
    return join(_function(unit, f) for f in unit.functions if f.name.startswith("operator") and f.body)


def _function(unit: TranslationUnit, function: Function) -> Step:
    operator = function.name.removeprefix("operator")
    size = _conflicting_size(function, operator)
    if size is None:
        return Step()
    if not _is_element_wise(unit, function, operator, size):
        message = f"HIP defines {function.name} on this vector type element by element; this one differs"
        hint = "give it a name, and call it by that"
        return Step(findings=(error(CONFLICTING_OPERATOR, message, function.name_span, hint),))
    return Step(_guard(unit, function))


def _conflicting_size(function: Function, operator: str) -> int | None:
    """The number of elements when both operands are one vector type and HIP has this operator, else None."""
    if function.scope or len(function.parameters) != 2 or operator not in _BINARY + _COMPOUND:
        return None
    left, right = (_plain(p.type_text) for p in function.parameters)
    vector = VECTOR_TYPE.match(left)
    return int(vector.group(1)) if vector and left == right else None


def _plain(type_text: str) -> str:
    return re.sub(r"\bconst\b|&|\s", "", type_text)


def _is_element_wise(unit: TranslationUnit, function: Function, operator: str, size: int) -> bool:
    assert function.body is not None
    start, end = (unit.tokenized.code_index(at) for at in (function.body.start, function.body.end))
    body = "".join(t.text for t in unit.tokenized.code[start + 1 : end - 1])
    left, right = (re.escape(p.name) for p in function.parameters)
    symbol = re.escape(operator)
    pairs = [rf"{left}\.{axis}{symbol}{right}\.{axis}" for axis in "xyzw"[:size]]
    if operator in _BINARY:
        return re.fullmatch(rf"returnmake_\w+\({','.join(pairs)}\);", body) is not None
    return re.fullmatch(";".join(pairs) + ";", body) is not None


def _guard(unit: TranslationUnit, function: Function) -> tuple[Edit, Edit]:
    """`#ifndef` and `#endif` on lines of their own around the definition."""
    text, line_break = unit.source.text, newline(unit)
    start = text.rfind("\n", 0, function.span.start) + 1
    end = text.find("\n", function.span.end)
    reason = "HIP has this operator"
    opening = f"#ifndef {_GUARD} // HIP has this operator{line_break}"
    if end < 0:
        return (insert(start, opening, reason), insert(len(text), f"{line_break}#endif{line_break}", reason))
    return (insert(start, opening, reason), insert(end + 1, f"#endif{line_break}", reason))
