"""Which files of a tree porter looks at: those that git tracks or would track, without git all of them.

`.porterignore` files take away more. Links are not followed (what they lead to is found where it lies, so
that a loop is no matter), submodules and nested repositories are left alone, and hidden folders too where
there is no git. A file that is named on the command line is taken whatever its suffix.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from porter.core.atomic_file import is_scratch
from porter.core.errors import InputError
from porter.cuda.platform import Platform, cuda_names
from porter.cuda.translation_unit import TranslationUnit
from porter.migrate.git import git_names, toplevel
from porter.migrate.ignore_patterns import IgnoreFile

CUDA_SUFFIXES = frozenset((".cu", ".cuh"))
SHARED_SUFFIXES = frozenset((".h", ".hh", ".hpp", ".hxx", ".inl", ".c", ".cc", ".cpp", ".cxx"))
"""Of files that are CUDA only if something in them says so."""
HEADER_SUFFIXES = frozenset((".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl"))
HIP_SUFFIX = ".hip"
"""HIP by their names, with kernels of HIP's: CUDA only if something in them is CUDA's and not HIP's."""

_MAY_BE_CUDA = re.compile(
    rb"__CUDA|__NVCC__|__global__|__device__|__shared__|threadIdx|<<<|cuda|nvrtc|cublas|cudnn|\bcu[A-Z]|\bCU[a-z]"
)
_IN_HIP = re.compile(rb"include[ \t]*[<\"]cu|\bcu(?:da|blas|dnn|fft|rand|solver|sparse)[A-Z]|__CUDA|\bnvrtc")


_OWN = frozenset((".git", ".porter"))


def _is_hidden(folder: str) -> bool:
    return folder.startswith(".")


def _is_own(name: str) -> bool:
    return name in _OWN or is_scratch(name)


@dataclass(frozen=True)
class Tree:
    """`root` is that of the repository, or of what is looked at where there is none."""

    root: Path
    is_git: bool

    def name_of(self, path: Path) -> str:
        """`path` relative to the root. Raises InputError for one that is not below it."""
        # The last name is kept as it is, so that a link is told by its own name.
        place = path.absolute().parent.resolve() / path.name if path.name else path.resolve()
        try:
            return place.relative_to(self.root).as_posix()
        except ValueError:
            raise InputError(f"{path} is not in {self.root}", hint="name paths of one repository") from None


@dataclass(frozen=True)
class Listed:
    """A file to look at, relative to the root; `is_named` by the user."""

    name: str
    is_named: bool = False

    @property
    def is_cuda_by_name(self) -> bool:
        """A file that is named is CUDA whatever it is called, unless its suffix is C++'s too."""
        suffix = Path(self.name).suffix
        return suffix in CUDA_SUFFIXES or (self.is_named and suffix not in SHARED_SUFFIXES)


def find_tree(paths: tuple[Path, ...]) -> Tree:
    """The tree that `paths` are in. Raises InputError for one that does not exist."""
    for path in paths:
        if not path.exists():
            raise InputError(f"{path}: no such file or folder")
    first = paths[0].resolve()
    folder = first if first.is_dir() else first.parent
    root = toplevel(folder)
    if root is not None:
        return Tree(root.resolve(), True)
    here = Path.cwd().resolve()
    return Tree(here if folder.is_relative_to(here) else folder, False)


def whole_tree(folder: Path) -> Tree:
    """The repository at `folder`, or the folder where it is in none. Raises InputError for a part of one."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    root = toplevel(folder)
    if root is not None and root.resolve() != folder.resolve():
        raise InputError(f"{folder} is a part of the repository {root}", hint=f"name {root}")
    return Tree(folder.resolve(), root is not None)


def find_files(tree: Tree, paths: Iterable[Path]) -> Iterator[Listed]:
    """The files below `paths` whose names can be CUDA's, each once: named ones first, then a folder's.

    They come while the tree is read, so that the memory needed does not grow with the tree.
    """
    names = {tree.name_of(path): path.is_dir() for path in paths}
    named = {name for name, is_folder in names.items() if not is_folder}
    folders = names.keys() - named
    outermost = [f for f in folders if not any(_is_below(f, other) for other in folders if other != f)]
    yield from (Listed(name, True) for name in sorted(named))
    for folder in sorted(outermost):
        yield from (Listed(name) for name in list_files(tree, is_source_name, folder) if name not in named)


def _is_below(name: str, folder: str) -> bool:
    return folder == "." or name.startswith(f"{folder}/")


def holds_cuda(name: str, data: bytes) -> bool:
    """Whether a file that is not CUDA by its name has a word of CUDA in it; a quick look that never misses
    one."""
    return bool((_IN_HIP if name.endswith(HIP_SUFFIX) else _MAY_BE_CUDA).search(data))


def is_hip_alone(name: str, unit: TranslationUnit) -> bool:
    """Whether the quick look found CUDA only in a comment, or the like, of a file that is HIP by its name."""
    is_hip = name.endswith(HIP_SUFFIX) and unit.platform is Platform.HIP
    return is_hip and next(cuda_names(unit.tokenized), None) is None


def all_names(tree: Tree) -> Iterator[str]:
    """Every file and link of the tree, whatever its name; with git, those that it ignores apart."""
    return _names(tree, ".") if tree.is_git else _walked(tree.root, tree.root, _is_own)


def is_source_name(name: str) -> bool:
    suffix = os.path.splitext(name)[1]
    return suffix in CUDA_SUFFIXES or suffix in SHARED_SUFFIXES or suffix == HIP_SUFFIX


def list_files(tree: Tree, is_wanted: Callable[[str], bool], folder: str = ".") -> Iterator[str]:
    """The regular files below `folder` of such names, those apart that a `.porterignore` takes away."""
    ignore_file = lru_cache(maxsize=1024)(IgnoreFile.read)
    for name in _names(tree, folder):
        if is_wanted(name) and _is_file(tree.root / name) and not _is_ignored(tree.root, name, ignore_file):
            yield name


def is_ignored(tree: Tree, name: str) -> bool:
    """Whether a `.porterignore` takes `name` away."""
    return _is_ignored(tree.root, name, IgnoreFile.read)


def _names(tree: Tree, folder: str) -> Iterator[str]:
    if not tree.is_git:
        return _walked(tree.root, tree.root / folder)
    listing = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", folder)
    return (name for name in git_names(tree.root, *listing) if not any(map(is_scratch, name.split("/"))))


def _walked(root: Path, top: Path, is_left: Callable[[str], bool] = _is_hidden) -> Iterator[str]:
    for folder, folders, files in os.walk(top):  # what cannot be read is passed over
        folders[:] = sorted(f for f in folders if not is_left(f) and not _is_repository(folder, f))
        links = (f for f in folders if os.path.islink(os.path.join(folder, f)))
        for name in sorted(n for n in (*files, *links) if not is_scratch(n)):
            yield Path(folder, name).relative_to(root).as_posix()


def _is_repository(folder: str, name: str) -> bool:
    return os.path.exists(os.path.join(folder, name, ".git"))


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _is_ignored(root: Path, name: str, ignore_file: Callable[[Path], IgnoreFile]) -> bool:
    """By a `.porterignore` in any folder on the way to the file."""
    parts = name.split("/")
    places = ((root.joinpath(*parts[:depth]), "/".join(parts[depth:])) for depth in range(len(parts)))
    return any(ignore_file(folder).ignores(below) for folder, below in places)
