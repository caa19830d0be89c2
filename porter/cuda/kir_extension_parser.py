"""Reads declarations and the statements of later stages, whose grammar is that of their dataclass fields."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any, ClassVar, get_args, get_origin, get_type_hints

from porter.core.span import SourceText, Span
from porter.cuda.kir import Extension, Scalar, Storage, Type, Variable
from porter.cuda.kir_expression_parser import ExpressionReader

STORAGES = {storage.value: storage for storage in Storage}
_WORDS: dict[str, bool | None] = {"none": None, "true": True, "false": False}


class DeclarationReader(ExpressionReader):
    """Reads `shared name: type = {1, 2}`."""

    def declared(self, default: Storage | None) -> Variable:
        """A variable with its type, visible from here on; its storage has to be said without a default."""
        text, storage, type_, span = self.declarator(default)
        variable = Variable(self.plain(text), type_, storage, span, self.initial())
        self.scopes[-1][text] = variable
        return variable

    def declarator(self, default: Storage | None) -> tuple[str, Storage, Type, Span]:
        storage = STORAGES.get(self.token.text) if self.ahead().kind == "name" else default
        if storage is None:
            self.fail(f"a record, variable, function or kernel is expected, {self.shown()} is there")
        if self.ahead().kind == "name":
            self.next()
        first = self.at
        text = self.name("a variable's name")
        if text in self.scopes[-1]:
            self.fail(f"`{text}` is declared twice", self.tokens[first])
        span = self.span(first)
        self.expect(":")
        return text, storage, self.type(), span

    def initial(self) -> tuple[int | float, ...] | None:
        """The elements of a constant array, over several lines if need be."""
        if not self.accept("="):
            return None
        self.expect("{")
        found: list[int | float] = []
        while True:
            self.skip_newlines()
            if self.accept("}"):
                return tuple(found)
            found.append(self._element())
            self.skip_newlines()
            if not self.is_at("}"):
                self.expect(",")

    def _element(self) -> int | float:
        if self.is_at("true", "false"):
            return self.next().text == "true"
        negative = self.accept("-")
        if self.token.kind != "number":
            self.fail(f"a number is expected, {self.shown()} is there")
        value, _ = self._value(self.next())
        return -value if negative else value


class ExtensionReader(DeclarationReader):
    """`extensions` has the classes by their names, as the printer writes them."""

    def __init__(self, source: SourceText, extensions: Iterable[type[Extension]]) -> None:
        super().__init__(source)
        self.extensions = {cls.__name__: cls for cls in extensions}

    def inner_block(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def extension(self, first: int, comments: tuple[str, ...]) -> Extension:
        """`GroupReduce target=total: float32 value=x op="+"`; what `bound` names ends with the statement."""
        cls = self.extensions[self.next().text]
        hints = {name: hint for name, hint in get_type_hints(cls).items() if get_origin(hint) is not ClassVar}
        fields: dict[str, Any] = {}
        self.scopes.append({})
        while self.token.kind == "name" and self.ahead().text == "=":
            name = self.name()
            self.expect("=")
            if name not in hints:
                self.fail(f"{cls.__name__} has no `{name}`", self.tokens[self.at - 2])
            fields[name] = self.field(hints[name], outside=name not in cls.bound)
        for name in (n for n in hints if n not in ("span", "comments", *fields)):
            if get_origin(hints[name]) is not tuple:
                self.fail(f"{cls.__name__} needs `{name}`", self.tokens[first])
            fields[name] = self.inner_block()
        self.scopes.pop()
        return cls(**fields, span=self.span(first), comments=comments)  # type: ignore[call-arg]

    def field(self, hint: Any, *, outside: bool) -> Any:
        """A field's value by the type it is annotated with."""
        options = get_args(hint) or (hint,)
        if Variable in options:
            return self.mentioned(outside)
        if self.token.text in _WORDS and {bool, type(None)} & set(options):
            return _WORDS[self.next().text]
        if self.token.kind == "string":
            return self.member_of(options)
        if int in options:
            return self.integer()
        return self.type() if set(options) <= {Scalar} else self.expression()

    def member_of(self, options: tuple[Any, ...]) -> Enum:
        token = self.next()
        values = [member for o in options if isinstance(o, type) and issubclass(o, Enum) for member in o]
        found = next((m for m in values if f'"{m.value}"' == token.text), None)
        if found is None:
            self.fail(f"{token.text} is none of {', '.join(str(m.value) for m in values)}", token)
        return found

    def mentioned(self, outside: bool) -> Variable:
        """A visible variable, or a new one with its type; `outside` of the statement for what follows."""
        if self.ahead().text == ":":
            variable = self.declared(Storage.LOCAL)
            if outside:
                self.scopes[-2].update(self.scopes[-1])
            return variable
        token = self.expect_kind("name", "a variable")
        found = self.variable(token.text)
        if found is None:
            self.fail(f"`{token.text}` is not declared here", token)
        return found
