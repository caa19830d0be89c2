"""Removes the copies that inlining leaves: parameters and results that are other names for a variable.

`float a = b;` goes where `a` stays as it is, and `b` does while `a` is looked at: `a` is `b`.
`float a = b; …; b = a;` goes where nobody looks at `b` in between or at `a` afterwards: `a` was `b`.
"""

from __future__ import annotations

import dataclasses
from typing import Any, cast

from porter.analysis.walk import changeable_variables, mentioned_variables, walk
from porter.cuda import kir
from porter.tile.rename_variables import rename_variables

_STORAGE = (kir.Storage.LOCAL, kir.Storage.PARAMETER)


def join_copies(kernel: kir.Kernel) -> kir.Kernel:
    """The same kernel with fewer variables."""
    joiner = _Joiner(_changed(kernel.body))
    return dataclasses.replace(kernel, body=joiner.block(kernel.body))


@dataclasses.dataclass(frozen=True)
class _Joiner:
    """`changed` are the variables that get another value after their declaration."""

    changed: set[kir.Variable]

    def block(self, body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
        position = 0
        while position < len(body):
            copied = _copied(body[position])
            joined = self._without(body, position, *copied) if copied else None
            if joined is None:
                position += 1
            else:
                body = joined
        return tuple(self._inside(statement) for statement in body)

    def _inside(self, statement: kir.Stmt) -> kir.Stmt:
        names = [name for name in ("then", "otherwise", "body") if getattr(statement, name, ())]
        new = {name: self.block(getattr(statement, name)) for name in names}
        return cast(kir.Stmt, dataclasses.replace(cast(Any, statement), **new)) if new else statement

    def _without(
        self, body: tuple[kir.Stmt, ...], position: int, copy: kir.Variable, of: kir.Variable
    ) -> tuple[kir.Stmt, ...] | None:
        """The block without the copy at `position`, or None."""
        before, after = body[:position], body[position + 1 :]
        if copy not in self.changed and not _changes_while_used(after, copy, of):
            return (*before, *_as(after, copy, of))
        for end, statement in enumerate(after):
            if _copied_back(statement, copy, of):
                if copy in mentioned_variables(after[end + 1 :]):
                    return None
                return (*before, *_as(after[:end], copy, of), *after[end + 1 :])
            if of in mentioned_variables((statement,)):
                return None
        return None


def _copied(statement: kir.Stmt) -> tuple[kir.Variable, kir.Variable] | None:
    """`a` and `b` of `float a = b;`."""
    match statement:
        case kir.Declare(variable=copy, value=kir.VarRef(variable=of), comments=()):
            local = copy.storage is kir.Storage.LOCAL and of.storage in _STORAGE
            plain = isinstance(copy.type, (kir.Scalar, kir.Pointer))
            return (copy, of) if local and plain and copy.type == of.type and copy is not of else None
    return None


def _changes_while_used(after: tuple[kir.Stmt, ...], copy: kir.Variable, of: kir.Variable) -> bool:
    """Whether `of` may get another value before the last time that `copy` is looked at."""
    uses = [k for k, statement in enumerate(after) if copy in mentioned_variables((statement,))]
    if not uses:
        return False
    last = after[uses[-1]]
    if isinstance(last, kir.Assign) and isinstance(last.target, kir.VarRef) and last.target.variable is of:
        return of in _changed(after[: uses[-1]])  # its value is there before the variable gets it
    return of in _changed(after[: uses[-1] + 1])


def _copied_back(statement: kir.Stmt, copy: kir.Variable, of: kir.Variable) -> bool:
    match statement:
        case kir.Assign(target=kir.VarRef(variable=target), value=kir.VarRef(variable=value), comments=()):
            return target is of and value is copy
    return False


def _as(body: tuple[kir.Stmt, ...], copy: kir.Variable, of: kir.Variable) -> tuple[kir.Stmt, ...]:
    return tuple(cast(kir.Stmt, rename_variables(statement, {copy: of})) for statement in body)


def _changed(body: tuple[kir.Stmt, ...]) -> set[kir.Variable]:
    """Variables that get a value in `body` other than by their declaration, idioms' targets included."""
    idioms = (node for node in walk(body) if isinstance(node, kir.Extension))
    targets = {v for node in idioms for v in vars(node).values() if isinstance(v, kir.Variable)}
    return changeable_variables(body) | targets
