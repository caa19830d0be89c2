"""Where a port goes: a tree of its own, the tree itself, or a branch. Nothing is half written.

The files of the tree that porter did not change are in the new tree too, so that it can be configured.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path, PurePosixPath

from porter.core.atomic_file import scratch_name, write_atomically
from porter.core.cache import digest
from porter.core.errors import InputError
from porter.hip.dual_header import COMPATIBILITY_HEADER, merge_headers
from porter.migrate.discovery import Tree, all_names
from porter.migrate.git import Commit, branch_exists, changed_files, commit_on_branch, is_clean
from porter.migrate.repository.journal import Journal
from porter.migrate.repository.results import Results, each
from porter.migrate.repository.units import Kind


@dataclass(frozen=True)
class Port:
    """The files of a finished migration by their names: each with the keys of its contents. Several units may
    want a header of porter's in one folder."""

    files: Mapping[str, tuple[str, ...]]
    build_files: frozenset[str]
    results: Results

    def contents(self, name: str) -> bytes:
        texts = [self.results.contents(key) for key in self.files[name]]
        if len(texts) > 1 and PurePosixPath(name).name == COMPATIBILITY_HEADER:
            return reduce(merge_headers, texts)
        return texts[0]


def port_of(journal: Journal, results: Results) -> Port:
    files: dict[str, tuple[str, ...]] = {}
    build_files = set()
    for result in each(results, journal.done()):
        for name, key in result.files.items():
            files[name] = tuple(dict.fromkeys((*files.get(name, ()), key)))
            if result.unit.kind is Kind.BUILD:
                build_files.add(name)
    return Port(dict(sorted(files.items())), frozenset(build_files), results)


def check_output(path: Path, tree: Tree) -> None:
    """Raises InputError for a folder that is in use, or that is the tree."""
    if path.resolve() == tree.root:
        raise InputError(f"{path} is the tree itself", hint="--in-place writes into it")
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise InputError(f"{path} exists and is not empty", hint="name a new folder, or delete it")


def write_tree(tree: Tree, port: Port, out: Path) -> list[str]:
    """The whole tree at `out`, which is there in one step, or not at all where the disk is full. Gives what
    is not in it: submodules and other repositories within, and files that this user may not read."""
    left_out = []
    # Not its own name, so that it is found after a kill; who migrates the tree is alone.
    staged = out.with_name(scratch_name(digest(str(tree.root), out.name)[:16]))
    try:
        shutil.rmtree(staged, ignore_errors=True)
        out.parent.mkdir(parents=True, exist_ok=True)
        for name in _copied(tree, port, out):
            if not _copy(tree.root / name, staged / name):
                left_out.append(name.rstrip("/"))
        for name in port.files:
            _write(staged / name, port.contents(name), like=tree.root / name)
        staged.mkdir(exist_ok=True)
        if out.is_dir():
            out.rmdir()
        staged.rename(out)
    except OSError as error:
        hint = "make room, or name another folder; --resume goes on"
        raise InputError(f"{out}: cannot be written: {error.strerror or error}", hint=hint) from error
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    return left_out


def _copied(tree: Tree, port: Port, out: Path) -> Iterator[str]:
    """What stays as it is; where `out` lies within the tree, that is no part of it."""
    inside = (
        out.resolve().relative_to(tree.root).as_posix() if out.resolve().is_relative_to(tree.root) else None
    )
    for name in all_names(tree):
        if name not in port.files and (inside is None or not name.startswith((f"{inside}/", ".porter/"))):
            yield name


def _copy(source: Path, target: Path) -> bool:
    """False for a folder, which only git lists: a submodule; and for what may not be read. A link stays one;
    what git lists and is gone is passed over."""
    if source.is_symlink():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(os.readlink(source))
    elif source.is_file():
        if not os.access(source, os.R_OK):
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        shutil.copymode(source, target)
    return source.is_symlink() or not source.is_dir()


def _write(path: Path, data: bytes, *, like: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, data, like=like)


def check_in_place(tree: Tree, *, force: bool) -> None:
    """Raises InputError where changes of the user's own would be mixed with the port's."""
    if force:
        return
    if not tree.is_git:
        raise InputError(
            f"{tree.root} is no git repository: --in-place could not be undone", hint="use -o, or --force"
        )
    if not is_clean(tree.root):
        raise InputError(
            f"{tree.root} has changes that are not committed", hint="commit or stash them, or --force"
        )


def write_in_place(tree: Tree, port: Port) -> None:
    try:
        for name in port.files:
            _write(tree.root / name, port.contents(name), like=tree.root / name)
    except OSError as error:
        hint = "git checkout . undoes what was written; --resume --in-place goes on"
        raise InputError(
            f"{error.filename}: cannot be written: {error.strerror or error}", hint=hint
        ) from error


def check_branch(tree: Tree, branch: str) -> None:
    """Raises InputError for a branch that is there already, and without git."""
    if not tree.is_git:
        raise InputError(f"--branch {branch}: {tree.root} is no git repository", hint="use -o")
    if branch_exists(tree.root, branch):
        raise InputError(f"--branch {branch}: there is one of this name", hint="name a new one")


def write_branch(tree: Tree, port: Port, branch: str) -> list[str]:
    """A commit for each logical step, from HEAD; neither the working tree nor the index is touched. Gives the
    ported files with changes of the user's that are not committed, and are on the branch now."""
    sources = [n for n in port.files if n not in port.build_files and not _is_porters(n)]
    steps = (
        ("Add the headers that the port needs", [n for n in port.files if _is_porters(n)]),
        ("Port sources to AMD GPUs", sources),
        ("Build with HIP", sorted(port.build_files)),
    )
    commits = [
        Commit(message, {n: partial(port.contents, n) for n in names}) for message, names in steps if names
    ]
    commit_on_branch(tree.root, branch, commits)
    return [name for name in changed_files(tree.root) if name in port.files]


def _is_porters(name: str) -> bool:
    return PurePosixPath(name).name.startswith("porter_")
