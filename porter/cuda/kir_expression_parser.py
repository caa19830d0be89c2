"""Reads the types and expressions of the kernel IR's text; what `kir_expression_text` writes."""

from __future__ import annotations

import re

from porter.core.span import SourceText, Span
from porter.cuda.kir import (
    BOOL,
    AddressOf,
    Array,
    Binary,
    Bitcast,
    Builtin,
    Call,
    CallFunction,
    Cast,
    Const,
    Expr,
    Index,
    MakeVector,
    Member,
    Pointer,
    Scalar,
    Select,
    Struct,
    Type,
    Unary,
    Variable,
    VarRef,
    Vector,
    Void,
)
from porter.cuda.kir_build import constant, element_type
from porter.cuda.kir_expression_text import PRECEDENCE
from porter.cuda.kir_lexer import KernelTextError, Token, TokenReader
from porter.cuda.kir_names import (
    BUILTINS,
    SUFFIXES,
    function_name_end,
    scalar_named,
    vector_named,
    without_number,
)
from porter.cuda.kir_results import binary_type, builtin_type, usual_call_type

_NUMBER = re.compile(r"(\d+\.?\d*(?:e[+-]?\d+)?|inf|nan)([a-z]*\d*)")
_KINDS = {"i": "int", "u": "uint", "f": "float", "b": "bfloat"}


class ExpressionReader(TokenReader):
    """`scopes` has the visible variables by their text, innermost last; `returns` each function's result."""

    def __init__(self, source: SourceText) -> None:
        super().__init__(source)
        self.scopes: list[dict[str, Variable]] = [{}]
        self.records: dict[str, Struct] = {}
        self.returns: dict[str, Type] = {}

    # --- names ---

    def name(self, what: str = "a name") -> str:
        """A name as it is written, its number and backquotes included."""
        return self.expect_kind("name", what).text

    def plain(self, text: str) -> str:
        """The name itself."""
        return without_number(text.encode("latin-1").decode()).strip("`")

    def function_name(self) -> str:
        if self.token.text.startswith("`"):
            return self.plain(self.name("a function's name"))
        end = function_name_end(self.source.text, self.token.start)
        if end == self.token.start:
            self.fail(f"a function's name is expected, {self.shown()} is there")
        return self.skip_to(end)

    def variable(self, text: str) -> Variable | None:
        return next((scope[text] for scope in reversed(self.scopes) if text in scope), None)

    # --- types ---

    def type(self) -> Type:
        """`float32`, `*const float32`, `float32[4, 2]`, `*(float32[4])`; dimensions belong to the whole."""
        type_ = self._pointer_or_name()
        while self.accept("["):
            shape = [self.integer()]
            while self.accept(","):
                shape.append(self.integer())
            self.expect("]")
            type_ = Array(type_, tuple(shape))
        return type_

    def _pointer_or_name(self) -> Type:
        if self.accept("*"):
            is_const = self.accept("const")
            if self.accept("("):
                pointee = self.type()
                self.expect(")")
            else:
                pointee = self._pointer_or_name()
            return Pointer(pointee, is_const)
        type_ = self.named_type(self.token)
        if type_ is None:
            self.fail(f"a type is expected, {self.shown()} is there")
        self.next()
        return type_

    def named_type(self, token: Token) -> Type | None:
        if token.kind != "name":
            return None
        if token.text == "void":
            return Void()
        return scalar_named(token.text) or vector_named(token.text) or self.records.get(token.text)

    # --- expressions ---

    def expression(self) -> Expr:
        first = self.at
        value = self._binary(1)
        if not self.accept("?"):
            return value
        if_true = self._binary(1)
        self.expect(":")
        return Select(value, if_true, self._binary(1), if_true.type, self.span(first))

    def _binary(self, least: int) -> Expr:
        first = self.at
        left = self._prefix()
        while self.token.kind == "operator" and PRECEDENCE.get(self.token.text, 0) >= least:
            op = self.next().text
            right = self._right(PRECEDENCE[op] + 1, left.type)
            left = Binary(op, left, right, binary_type(op, left.type, right.type), self.span(first))
        return left

    def _right(self, least: int, left: Type) -> Expr:
        """Behind an operator `null` has the type of what stands before it."""
        if not self.is_at("null"):
            return self._binary(least)
        token = self.next()
        if not isinstance(left, Pointer):
            self.fail(f"`null` where {left} belongs", token)
        return Const(0, left, self.span(self.at - 1))

    def _prefix(self) -> Expr:
        first = self.at
        if self.accept("-"):
            if self.token.kind == "number":
                return self._number(first, sign="-")
            operand = self._prefix()
            return Unary("-", operand, operand.type, self.span(first))
        if self.is_at("~", "!"):
            op = self.next().text
            operand = self._prefix()
            return Unary(op, operand, operand.type, self.span(first))
        if self.accept("&"):
            place = self._prefix()
            if not isinstance(place, (VarRef, Index, Member)):
                self.fail("only a variable, an element or a member has an address", self.tokens[first + 1])
            return AddressOf(place, Pointer(place.type), self.span(first))
        return self._postfix(self._primary(), first)

    def _postfix(self, value: Expr, first: int) -> Expr:
        while self.is_at("[", "."):
            at = self.next()
            if at.text == "[":
                if not isinstance(value.type, (Pointer, Array)):
                    self.fail(f"{value.type} has no elements", at)
                index = self.expression()
                self.expect("]")
                value = Index(value, index, element_type(value), self.span(first))
            else:
                field = self.plain(self.name("a member's name"))
                value = Member(value, field, self._member_type(value, field), self.span(first))
        return value

    def _member_type(self, base: Expr, field: str) -> Type:
        if isinstance(base.type, Vector) and field in tuple("xyzw"[: base.type.lanes]):
            return base.type.element
        found = dict(base.type.fields).get(field) if isinstance(base.type, Struct) else None
        if found is None:
            self.fail(f"{base.type} has no `{field}`", self.tokens[self.at - 1])
        return found

    def _primary(self) -> Expr:
        first = self.at
        if self.token.kind == "number":
            return self._number(first)
        if self.accept("("):
            inner = self.expression()
            self.expect(")")
            return inner
        if self.accept("@"):
            return self._function_call(first)
        if self.token.kind == "bits":
            self.next()
            type_ = self.type()
            return Bitcast(self._in_parentheses(), type_, self.span(first))
        if self.is_at("*") or self.named_type(self.token) is not None:
            return self._of_type(first)
        return self._named(first)

    def _in_parentheses(self) -> Expr:
        self.expect("(")
        value = self.expression()
        self.expect(")")
        return value

    def _of_type(self, first: int) -> Expr:
        """`T(x)` converts, `T(null)` and, for an aggregate, `T(0)` are constants, `T{a, b}` has elements."""
        type_ = self.type()
        if self.is_at("{"):
            return MakeVector(self._list("{", "}"), type_, self.span(first))
        if isinstance(type_, Pointer) and self.ahead().text == "null":
            self.expect("(")
            self.next()
            self.expect(")")
            return Const(0, type_, self.span(first))
        operand = self._in_parentheses()
        if isinstance(type_, (Scalar, Pointer)):
            return Cast(operand, type_, self.span(first))
        if not isinstance(operand, Const) or operand.value != 0:
            self.fail(f"`{type_}(…)` takes only 0", self.tokens[first])
        return Const(0, type_, self.span(first))

    def _list(self, opening: str, closing: str) -> tuple[Expr, ...]:
        self.expect(opening)
        found: list[Expr] = []
        while not self.is_at(closing):
            found.append(self.expression())
            if not self.is_at(closing):
                self.expect(",")
        self.expect(closing)
        return tuple(found)

    def _function_call(self, first: int) -> Expr:
        name_at = self.token
        name = self.function_name()
        if name not in self.returns:
            self.fail(f"the function `{name}` is not there", name_at)
        arguments = self._list("(", ")")
        return CallFunction(name, arguments, self.returns[name], self.span(first))

    def _named(self, first: int) -> Expr:
        token = self.expect_kind("name", "an expression")
        if token.text in ("true", "false"):
            return Const(token.text == "true", BOOL, self.span(first))
        if token.text in BUILTINS:
            axis = self.name("an axis") if self.accept(".") else ""
            return Builtin(token.text, axis, builtin_type(token.text), self.span(first))
        result = self._result_type()
        if result is not None or self.is_at("("):
            arguments = self._list("(", ")")
            type_ = result or usual_call_type(token.text, arguments)
            return Call(token.text, arguments, type_, self.span(first))
        variable = self.variable(token.text)
        if variable is None:
            self.fail(f"`{token.text}` is not declared here", token)
        return VarRef(variable, variable.type, self.span(first))

    def _result_type(self) -> Type | None:
        """The type in `name<type>(…)`; a comparison has no type behind its `<` that a `>` and `(` follow."""
        before = self.at
        try:
            if self.accept("<"):
                type_ = self.type()
                self.expect(">")
                if self.is_at("("):
                    return type_
        except KernelTextError:
            pass
        self.at = before
        return None

    def _number(self, first: int, sign: str = "") -> Const:
        token = self.next()
        value, type_ = self._value(token)
        return self.constant(-value if sign else value, type_, self.span(first))

    def constant(self, value: int | float, type_: Scalar, span: Span) -> Const:
        if isinstance(value, float):
            return constant(value, type_, span)
        return Const(value, type_, span)

    def _value(self, token: Token) -> tuple[int | float, Scalar]:
        """A number and its type: by the suffix, else int32 or, with a point or exponent, float64."""
        found = _NUMBER.fullmatch(token.text)
        type_ = _suffixed(found.group(2), found.group(1).isdecimal()) if found else None
        if found is None or type_ is None:
            self.fail(f"`{token.text}` is no number", token)
        text = found.group(1)
        if type_.kind in ("int", "uint"):
            if not text.isdecimal():
                self.fail(f"`{token.text}` is no whole number", token)
            return int(text), type_
        return float(text), type_


def _suffixed(suffix: str, whole: bool) -> Scalar | None:
    if not suffix:
        return scalar_named("int32" if whole else "float64")
    named = next((t for t, s in SUFFIXES.items() if s == suffix and isinstance(t, Scalar)), None)
    if named is not None:
        return named
    kind, bits = _KINDS.get(suffix[0]), suffix[1:]
    return Scalar(kind, int(bits)) if kind and bits.isdecimal() else None
