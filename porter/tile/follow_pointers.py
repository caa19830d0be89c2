"""Replaces pointers to local variables by the addresses they hold, so that every access names its variable.

Registers have no addresses. `float* p = v + i; p[2] = x;` becomes `p_index = i; (v + p_index)[2] = x`. Only
for pointers with one definition; assumes that no call of a device function is left.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

from porter.analysis.ranges import is_integer
from porter.analysis.walk import Node, assigned_variables, definitions, rewrite, root_variable, walk
from porter.cuda import kir


def follow_pointers(kernel: kir.Kernel) -> kir.Kernel:
    """The kernel without pointer variables into registers, where there is one definition to follow."""
    follower = _Follower(definitions(kernel.body), frozenset(assigned_variables(kernel.body)))
    if not any(follower.is_followed(v) for v in follower.defined):
        return kernel
    return dataclasses.replace(kernel, body=follower.block(kernel.body))


@dataclass
class _Follower:
    """`places` has, for each pointer met so far, the address that stands for it."""

    defined: dict[kir.Variable, kir.Expr]
    changed: frozenset[kir.Variable]
    places: dict[kir.Variable, kir.Expr] = field(default_factory=dict)

    def is_followed(self, variable: kir.Variable) -> bool:
        value = self.defined.get(variable)
        is_pointer = isinstance(variable.type, kir.Pointer) and variable.storage is kir.Storage.LOCAL
        return is_pointer and value is not None and self.is_register(value)

    def is_register(self, pointer: kir.Expr) -> bool:
        """Whether the pointer is an address inside a variable that a thread has for itself."""
        match pointer:
            case kir.AddressOf(kir.Index(base)) if isinstance(base.type, kir.Pointer):
                return self.is_register(base)
            case kir.AddressOf(lvalue):
                root = root_variable(lvalue)
                own = root is not None and root.storage is kir.Storage.LOCAL
                return own and not isinstance(root.type, kir.Pointer)  # type: ignore[union-attr]
            case kir.Cast(operand) if isinstance(pointer.type, kir.Pointer):
                return self.is_register(operand)
            case kir.Binary("+" | "-", left) if isinstance(pointer.type, kir.Pointer):
                return self.is_register(left)
            case kir.VarRef(variable):
                return self.is_followed(variable)
            case _:
                return False

    def block(self, body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
        return tuple(new for statement in body for new in self.statement(statement))

    def statement(self, node: kir.Stmt) -> tuple[kir.Stmt, ...]:
        match node:
            case kir.Declare(variable, value) if value is not None and self.is_followed(variable):
                hoisted: list[kir.Stmt] = []
                self.places[variable] = self.frozen(rewrite(value, self.change), variable.name, hoisted)
                return tuple(hoisted)
            case kir.If():
                then, otherwise = self.block(node.then), self.block(node.otherwise)
                condition = rewrite(node.condition, self.change)
                return (dataclasses.replace(node, condition=condition, then=then, otherwise=otherwise),)
            case kir.For():
                init, body, step = self.block(node.init), self.block(node.body), self.block(node.step)
                condition = rewrite(node.condition, self.change)
                return (dataclasses.replace(node, init=init, condition=condition, body=body, step=step),)
            case kir.While():
                condition = rewrite(node.condition, self.change)
                return (dataclasses.replace(node, condition=condition, body=self.block(node.body)),)
            case _:
                return (rewrite(node, self.change),)

    def frozen(self, address: kir.Expr, name: str, out: list[kir.Stmt]) -> kir.Expr:
        """The address with every index that may change later kept in a variable of its own."""

        def change(node: Node) -> Node:
            match node:
                case kir.Index(_, index) if self.may_change(index):
                    return dataclasses.replace(node, index=self.kept(index, name, out))
                case kir.Binary("+" | "-", _, right) if isinstance(
                    node.type, kir.Pointer
                ) and self.may_change(right):
                    return dataclasses.replace(node, right=self.kept(right, name, out))
                case _:
                    return node

        return rewrite(address, change)

    def may_change(self, index: kir.Expr) -> bool:
        return any(
            isinstance(n, kir.Index) or (isinstance(n, kir.VarRef) and n.variable in self.changed)
            for n in walk(index)
        )

    def kept(self, index: kir.Expr, name: str, out: list[kir.Stmt]) -> kir.Expr:
        assert is_integer(index.type)
        variable = kir.Variable(f"{name}_index", index.type, kir.Storage.LOCAL, index.span)
        out.append(kir.Declare(variable, index, index.span))
        return kir.VarRef(variable, index.type, index.span)

    def change(self, node: Node) -> Node:
        return self.places.get(node.variable, node) if isinstance(node, kir.VarRef) else node
