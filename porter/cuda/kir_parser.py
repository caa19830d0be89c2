"""Reads the kernel IR's text: `parse_kernel` is the inverse of `kir_printer.print_kernel`.

Types are worked out from the declarations; `verify_kernel` says whether they fit. Spans are places in the
text. A comment stays with the statement below it where that can have one, and is lost elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from porter.core.span import SourceText
from porter.cuda.kir import (
    Assign,
    Barrier,
    Break,
    Call,
    CallFunction,
    Continue,
    Declare,
    Evaluate,
    Extension,
    For,
    Function,
    If,
    Index,
    Kernel,
    Member,
    Return,
    Stmt,
    Storage,
    Struct,
    Type,
    Variable,
    VarRef,
    While,
)
from porter.cuda.kir_extension_parser import STORAGES, ExtensionReader
from porter.cuda.kir_lexer import KernelTextError
from porter.cuda.kir_names import argument_end

__all__ = ["KernelTextError", "parse_kernel"]


def parse_kernel(text: str, path: str = "<kernel IR>", extensions: Iterable[type[Extension]] = ()) -> Kernel:
    """The kernel that `text` shows; `extensions` are the classes of later stages' statements it may have.

    Raises KernelTextError with a line and column for the first thing that cannot be read.
    """
    return _Parser(SourceText(path, text.encode()), extensions).program()


@dataclass(frozen=True)
class _Head:
    """What stands before a body; `body` is the number of the body's opening brace."""

    first: int
    body: int
    name: str
    parameters: tuple[Variable, ...]
    scope: dict[str, Variable]
    comments: tuple[str, ...]
    returns: Type | None = None
    template_arguments: tuple[str, ...] = ()
    launch_bounds: tuple[int, ...] = ()


class _Parser(ExtensionReader):
    def program(self) -> Kernel:
        """Heads first: bodies mention functions further down, and functions the kernel's shared variables."""
        functions: list[_Head] = []
        kernel: _Head | None = None
        while True:
            comments = self.comments()
            if self.token.kind == "end":
                break
            if self.accept("struct"):
                self.record()
            elif self.is_at("function"):
                functions.append(self.function_head(comments))
            elif self.is_at("kernel"):
                if kernel is not None:
                    self.fail("a second kernel")
                kernel = self.kernel_head(comments)
            else:
                self.declared(default=None)
        if kernel is None:
            self.fail("there is no kernel")
        return self.assembled(kernel, functions)

    def assembled(self, head: _Head, functions: list[_Head]) -> Kernel:
        globals_ = dict(self.scopes[0])
        body, end = self.body_of(head)
        shared = dict(self.top_level)
        bodies = {f.name: self.function(f, shared) for f in functions}
        self.at = end
        return Kernel(
            head.name,
            head.template_arguments,
            head.parameters,
            body,
            self.span(head.first),
            bodies,
            tuple(globals_.values()),
            head.launch_bounds,
            head.comments,
        )

    def function(self, head: _Head, shared: dict[str, Variable]) -> Function:
        assert head.returns is not None
        self.scopes.append(shared)
        body, _ = self.body_of(head)
        self.scopes.pop()
        return Function(head.name, head.parameters, head.returns, body, self.span(head.first), head.comments)

    def body_of(self, head: _Head) -> tuple[tuple[Stmt, ...], int]:
        """The statements of a body, and the number of the token after it."""
        self.at = head.body
        self.scopes.append(dict(head.scope))
        body = self.block()
        self.top_level = self.scopes.pop()
        return body, self.at

    # --- heads ---

    def comments(self) -> tuple[str, ...]:
        """The comment lines before the next token of another kind."""
        found: list[str] = []
        while self.token.kind in ("comment", "newline"):
            token = self.next()
            if token.kind == "comment":
                found.append(self.written(token.start, token.end).lstrip(" \t")[1:].removeprefix(" "))
        return tuple(found)

    def record(self) -> None:
        """`struct Pair {a: float32 at 0, b: int32 at 4} of 8 bytes`."""
        text = self.name("a record's name")
        self.expect("{")
        fields: list[tuple[str, Type]] = []
        offsets: list[int] = []
        while not self.is_at("}"):
            field = self.plain(self.name("a member's name"))
            self.expect(":")
            fields.append((field, self.type()))
            if self.accept("at"):
                offsets.append(self.integer())
            if not self.is_at("}"):
                self.expect(",")
        self.expect("}")
        size = 0
        if self.accept("of"):
            size = self.integer()
            self.expect("bytes")
        self.records[text] = Struct(self.plain(text), tuple(fields), size, tuple(offsets))

    def function_head(self, comments: tuple[str, ...]) -> _Head:
        first = self.at
        self.expect("function")
        name = self.function_name()
        parameters, scope = self.parameters()
        self.expect("->")
        returns = self.type()
        self.returns[name] = returns
        return _Head(first, self.skipped_body(), name, parameters, scope, comments, returns)

    def kernel_head(self, comments: tuple[str, ...]) -> _Head:
        first = self.at
        self.expect("kernel")
        name = self.plain(self.name("the kernel's name"))
        arguments = self.template_arguments()
        parameters, scope = self.parameters()
        bounds = self.launch_bounds()
        body = self.skipped_body()
        return _Head(first, body, name, parameters, scope, comments, None, arguments, bounds)

    def template_arguments(self) -> tuple[str, ...]:
        found: list[str] = []
        if not self.is_at("<"):
            return ()
        while not found or self.is_at(","):
            self.next()
            found.append(self.template_argument())
        self.expect(">")
        return tuple(found)

    def template_argument(self) -> str:
        if self.token.text.startswith("`"):
            return self.plain(self.next().text)
        end = argument_end(self.source.text, self.token.start, ",>")
        if end is None:
            self.fail("a template argument cannot be read")
        return self.skip_to(end)

    def parameters(self) -> tuple[tuple[Variable, ...], dict[str, Variable]]:
        self.scopes.append({})
        self.expect("(")
        while not self.is_at(")"):
            self.declared(Storage.PARAMETER)
            if not self.is_at(")"):
                self.expect(",")
        self.expect(")")
        scope = self.scopes.pop()
        return tuple(scope.values()), scope

    def launch_bounds(self) -> tuple[int, ...]:
        if not self.accept("launch_bounds"):
            return ()
        self.expect("(")
        found = [self.integer()]
        while self.accept(","):
            found.append(self.integer())
        self.expect(")")
        return tuple(found)

    def skipped_body(self) -> int:
        """Passes over a body; gives the number of its opening brace."""
        start, depth = self.at, 0
        self.expect("{")
        depth = 1
        while depth:
            if self.token.kind == "end":
                self.fail("`}` is missing for this `{`", self.tokens[start])
            depth += {"{": 1, "}": -1}.get(self.next().text, 0)
        return start

    # --- statements ---

    def block(self) -> tuple[Stmt, ...]:
        """`{` statements `}`, in the scope that is innermost."""
        self.expect("{")
        found: list[Stmt] = []
        while True:
            comments = self.comments()
            if self.accept("}"):
                return tuple(found)
            found.append(self.statement(comments))
            if not self.is_at("\n", "}"):
                self.fail(f"the end of the statement is expected, {self.shown()} is there")

    def inner_block(self) -> tuple[Stmt, ...]:
        self.scopes.append({})
        body = self.block()
        self.scopes.pop()
        return body

    def statement(self, comments: tuple[str, ...] = ()) -> Stmt:
        first = self.at
        if self.accept("if"):
            return self.branches(first, comments)
        if self.accept("for"):
            return self.loop(first, comments)
        if self.accept("while"):
            condition = self.expression()
            body = self.inner_block()
            return While(condition, body, self.span(first), False, comments)
        if self.accept("do"):
            body = self.inner_block()
            self.expect("while")
            return While(self.expression(), body, self.span(first), True, comments)
        if self.accept("break"):
            return Break(self.span(first))
        if self.accept("continue"):
            return Continue(self.span(first))
        if self.accept("return"):
            value = None if self.is_at("\n", "}") else self.expression()
            return Return(value, self.span(first))
        return self.simple(first, comments)

    def simple(self, first: int, comments: tuple[str, ...]) -> Stmt:
        named = self.ahead().kind == "name"
        if self.is_at("barrier") and named:
            self.next()
            return Barrier(self.name(), self.span(first), comments)
        if self.token.text in self.extensions and named:
            return self.extension(first, comments)
        if self.token.kind == "name" and (
            self.ahead().text == ":" or (named and self.token.text in STORAGES)
        ):
            return self.declare(first, comments)
        place = self.expression()
        if self.accept("="):
            if not isinstance(place, (VarRef, Index, Member)):
                self.fail("only a variable, an element or a member can be assigned to", self.tokens[first])
            return Assign(place, self.expression(), self.span(first), comments)
        if not isinstance(place, (Call, CallFunction)):
            self.fail("a statement is expected", self.tokens[first])
        return Evaluate(place, self.span(first), comments)

    def declare(self, first: int, comments: tuple[str, ...]) -> Declare:
        text, storage, type_, span = self.declarator(Storage.LOCAL)
        value = None
        if self.is_at("=") and self.ahead().text != "{":
            self.next()
            value = self.expression()
        variable = Variable(self.plain(text), type_, storage, span, self.initial())
        self.scopes[-1][text] = variable
        return Declare(variable, value, self.span(first), comments)

    def branches(self, first: int, comments: tuple[str, ...]) -> If:
        condition = self.expression()
        then = self.inner_block()
        otherwise: tuple[Stmt, ...] = ()
        if self.accept("else"):
            following = self.at
            otherwise = (self.branches(following, ()),) if self.accept("if") else self.inner_block()
        return If(condition, then, otherwise, self.span(first), comments)

    def loop(self, first: int, comments: tuple[str, ...]) -> For:
        self.scopes.append({})
        init = self.header(";")
        self.expect(";")
        condition = self.expression()
        self.expect(";")
        self.scopes.append({})
        step = self.header("{")
        self.scopes.pop()
        body = self.inner_block()
        self.scopes.pop()
        return For(init, condition, step, body, self.span(first), comments)

    def header(self, closing: str) -> tuple[Stmt, ...]:
        """Statements with commas between them, or a block of its own on several lines."""
        if self.is_at("{") and self.ahead().kind == "newline" and not self._opens_body(closing):
            return self.block()
        found: list[Stmt] = []
        while not self.is_at(closing):
            found.append(self.statement())
            if not self.is_at(closing):
                self.expect(",")
        return tuple(found)

    def _opens_body(self, closing: str) -> bool:
        """Whether the brace here is the loop's body: no further one follows the one that closes it."""
        if closing != "{":
            return False
        before = self.at
        self.skipped_body()
        follows = self.is_at("{")
        self.at = before
        return not follows
