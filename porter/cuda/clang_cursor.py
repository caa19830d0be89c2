"""What lowering asks of libclang beyond its Python binding: operator kinds, template arguments, literals.

Cursors of different moments compare equal when they name the same node, so declarations are keyed by
`declaration_key`.
"""

from __future__ import annotations

import re
from ctypes import byref, c_double, c_int, c_longlong, c_uint, c_ulonglong, c_void_p
from typing import Any, NamedTuple

from clang import cindex

Cursor = Any
ClangType = Any
Kind = cindex.CursorKind
TypeKind = cindex.TypeKind


def _register_type_kinds() -> None:
    """libclang knows type kinds (16-bit floats among them) that its Python binding raises on."""
    for number in range(256):
        try:
            TypeKind.from_id(number)
        except ValueError:
            TypeKind(number)


_register_type_kinds()

_BINARY_SPELLINGS = (
    "", ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "==", "!=", "&",
    "^", "|", "&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ",",
)  # fmt: skip
_UNARY_SPELLINGS = ("", "p++", "p--", "++p", "--p", "&", "*", "+", "-", "~", "!", "real", "imag", "ext", "co")


def _library() -> Any:
    library = cindex.conf.lib
    for name in ("clang_getCursorBinaryOperatorKind", "clang_getCursorUnaryOperatorKind"):
        function = getattr(library, name)
        function.argtypes = [cindex.Cursor]
        function.restype = c_int
    library.clang_getExpansionLocation.argtypes = [
        cindex.SourceLocation,
        *([c_void_p] * 4),
    ]
    library.clang_getExpansionLocation.restype = None
    library.clang_Cursor_getVarDeclInitializer.argtypes = [cindex.Cursor]
    library.clang_Cursor_getVarDeclInitializer.restype = cindex.Cursor
    library.clang_Cursor_getVarDeclInitializer.errcheck = cindex.Cursor.from_result
    return library


_LIBRARY = _library()


def binary_operator(cursor: Cursor) -> str:
    """C's spelling of a BINARY_OPERATOR or COMPOUND_ASSIGNMENT_OPERATOR."""
    return _BINARY_SPELLINGS[_LIBRARY.clang_getCursorBinaryOperatorKind(cursor)]


def unary_operator(cursor: Cursor) -> str:
    """C's spelling of a UNARY_OPERATOR; `p++`/`++p` tell the postfix from the prefix form."""
    return _UNARY_SPELLINGS[_LIBRARY.clang_getCursorUnaryOperatorKind(cursor)]


class Extent(NamedTuple):
    """Where a cursor stands; inside a macro expansion, the macro's use. `file` identifies the file."""

    file: int
    start: int
    end: int
    line: int
    column: int


def extent_of(cursor: Cursor) -> Extent:
    """The binding's `extent` makes an object for every part of a location; spans are asked for constantly."""
    source_range = _LIBRARY.clang_getCursorExtent(cursor)
    file, line, column, start, end = c_void_p(), c_uint(), c_uint(), c_uint(), c_uint()
    _LIBRARY.clang_getExpansionLocation(
        _LIBRARY.clang_getRangeStart(source_range), byref(file), byref(line), byref(column), byref(start)
    )
    last = _LIBRARY.clang_getRangeEnd(source_range)
    _LIBRARY.clang_getExpansionLocation(last, None, None, None, byref(end))
    return Extent(file.value or 0, start.value, end.value, line.value, column.value)


def variable_initialiser(cursor: Cursor) -> Cursor | None:
    """The initialiser of a VAR_DECL (a constructor call for a record); None where there is none."""
    return _LIBRARY.clang_Cursor_getVarDeclInitializer(cursor)


def as_written(function: Cursor) -> Cursor:
    """The declaration the user wrote: for an instance its template, `template <…>` included."""
    template = _LIBRARY.clang_getSpecializedCursorTemplate(function)
    return template if template is not None else function


def declaration_key(cursor: Cursor) -> int:
    """Identifies the declaration that `cursor` is; equal for every mention of an (instantiated) one."""
    return int(cursor.hash)


def children(cursor: Cursor) -> list[Cursor]:
    return list(cursor.get_children())


def is_expression(cursor: Cursor) -> bool:
    return bool(cursor.kind.is_expression())


def canonical(type_: ClangType) -> ClangType:
    return type_.get_canonical()


def template_arguments(cursor: Cursor) -> tuple[str, ...]:
    """The arguments of a function template's specialisation as text: `("float", "256")`."""
    count = cursor.get_num_template_arguments()
    return tuple(_template_argument(cursor, i) for i in range(max(count, 0)))


def _template_argument_kind() -> Any:
    """The binding raises for kinds that it has no name for, such as packs."""
    function = _LIBRARY["clang_Cursor_getTemplateArgumentKind"]
    function.argtypes, function.restype = [cindex.Cursor, c_uint], c_int
    return function


_TEMPLATE_ARGUMENT_KIND = _template_argument_kind()
_ARGUMENT_TYPE = 1
_ARGUMENT_INTEGRAL = 4


def _template_argument(cursor: Cursor, index: int) -> str:
    value = _TEMPLATE_ARGUMENT_KIND(cursor, index)
    if value == _ARGUMENT_TYPE:
        return type_spelling(cursor.get_template_argument_type(index))
    if value == _ARGUMENT_INTEGRAL:
        return str(cursor.get_template_argument_value(index))
    return "?"


def type_spelling(type_: ClangType) -> str:
    """A type as the programmer would write it (`__half`, not the compiler's own 16-bit float)."""
    text = str(canonical(type_).spelling)
    text = re.sub(r"\b_Float16\b", "__half", text)
    text = re.sub(r"\b__bf16\b", "__nv_bfloat16", text)
    return re.sub(r"\(lambda at [^)]*?:(\d+):(\d+)\)", r"lambda:\1:\2", text)


def evaluate(cursor: Cursor) -> int | float | None:
    """The value of a constant expression or of a variable's initialiser; None where it is not constant."""
    result = _LIBRARY.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        return _evaluated(result)
    finally:
        _LIBRARY.clang_EvalResult_dispose(result)


def _evaluated(result: Any) -> int | float | None:
    kind = _LIBRARY.clang_EvalResult_getKind(result)
    if kind == 1:
        if _LIBRARY.clang_EvalResult_isUnsignedInt(result):
            return int(_LIBRARY.clang_EvalResult_getAsUnsigned(result))
        return int(_LIBRARY.clang_EvalResult_getAsLongLong(result))
    if kind == 2:
        return float(_LIBRARY.clang_EvalResult_getAsDouble(result))
    return None


def _declare_evaluation() -> None:
    signatures: dict[str, tuple[list[Any], Any]] = {
        "clang_Cursor_Evaluate": ([cindex.Cursor], c_void_p),
        "clang_EvalResult_getKind": ([c_void_p], c_int),
        "clang_EvalResult_isUnsignedInt": ([c_void_p], c_uint),
        "clang_EvalResult_getAsUnsigned": ([c_void_p], c_ulonglong),
        "clang_EvalResult_getAsLongLong": ([c_void_p], c_longlong),
        "clang_EvalResult_getAsDouble": ([c_void_p], c_double),
        "clang_EvalResult_dispose": ([c_void_p], None),
    }
    for name, (arguments, result) in signatures.items():
        function = getattr(_LIBRARY, name)
        function.argtypes = arguments
        function.restype = result


_declare_evaluation()
