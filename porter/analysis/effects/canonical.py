"""Statements as text without names or places, and the variables that they take from outside."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from porter.analysis.walk import is_node, walk
from porter.cuda.kir import Builtin, CallFunction, Declare, Function, Variable

_LEFT_OUT = frozenset(("span", "comments"))


@dataclass
class Canonical:
    """`text` of nodes that were `add`ed; `variables` in the order in which they first stand there."""

    functions: Mapping[str, Function]
    variables: list[Variable] = field(default_factory=list)
    builtins: dict[tuple[str, str], Builtin] = field(default_factory=dict)
    declared: set[Variable] = field(default_factory=set)
    _texts: list[str] = field(default_factory=list)
    _inside: list[str] = field(default_factory=list)

    def add(self, node: Any) -> None:
        for part in node if isinstance(node, tuple) else (node,):
            self._texts.append("".join(self._node(part)))

    @property
    def text(self) -> str:
        return ";".join(self._texts)

    def number(self, variable: Variable) -> int:
        if variable not in self.variables:
            self.variables.append(variable)
        return self.variables.index(variable)

    @property
    def free(self) -> tuple[Variable, ...]:
        return tuple(v for v in self.variables if v not in self.declared)

    def _node(self, node: Any) -> Iterator[str]:
        if isinstance(node, Builtin):
            self.builtins.setdefault((node.name, node.axis), node)
        if isinstance(node, Declare):
            self.declared.add(node.variable)
        yield type(node).__name__ + "("
        for f in dataclasses.fields(node):
            if f.name not in _LEFT_OUT:
                yield from self._value(getattr(node, f.name))
                yield ","
        yield ")"
        if isinstance(node, CallFunction):
            yield from self._function(node.function)

    def _value(self, value: Any) -> Iterator[str]:
        if isinstance(value, Variable):
            yield f"v{self.number(value)}:{value.type}"
        elif isinstance(value, tuple):
            yield "["
            for item in value:
                yield from self._value(item)
                yield ","
            yield "]"
        elif is_node(value):
            yield from self._node(value)
        else:
            yield f"{value!r}" if isinstance(value, int | float | str | bool | None) else str(value)

    def _function(self, name: str) -> Iterator[str]:
        """A call is what its function does, so that two functions of one name are told apart."""
        if name not in self.functions or name in self._inside:
            return
        self._inside.append(name)
        function = self.functions[name]
        self.declared.update(function.parameters)
        yield from self._value(tuple(function.parameters))
        yield from self._value(function.body)
        self._inside.pop()


def nodes_of(root: Any, functions: Mapping[str, Function]) -> Iterator[Any]:
    """Every node under `root`, and under the functions that are called there."""
    seen: set[str] = set()
    pending = [root]
    while pending:
        for node in walk(pending.pop()):
            yield node
            if isinstance(node, CallFunction) and node.function in functions and node.function not in seen:
                seen.add(node.function)
                pending.append(functions[node.function].body)
