"""The GPU vendors' libraries that programs may call: what stands for each of them on the CPU.

A library is headers below `include/` (its faces, CUDA's and HIP's) and one C++ file below `libraries/`, which
is compiled once and linked to the programs that include one of the headers. The C++ file may stand on a C
library out of a Python package.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from porter.core.errors import ToolMissing
from porter.simulator.cccl import cccl_flags
from porter.simulator.compiler import Compiler
from porter.simulator.options import Options
from porter.simulator.prebuilt import RUNTIME_DIRECTORY, compiled_once
from porter.simulator.sources import INCLUDE_DIRECTORY, UserFile, included_names

LIBRARY_DIRECTORY = Path(__file__).parent / "libraries"


@dataclass(frozen=True)
class CpuPackage:
    """A Python package that holds a C library: folders and files are relative to the package's own folder.

    `environment` is what programs linked to it need to be started with.
    """

    distribution: str
    module: str
    include: str
    shared_object: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Library:
    """`headers` are the names by which programs include it, `source` its C++ file below `libraries/`.

    Without a source it is the package's headers, and `headers` are the folders they are in; `flags` makes the
    compiler's flags out of the package's include folder and version.
    """

    name: str
    headers: tuple[str, ...]
    source: str = ""
    package: CpuPackage | None = None
    flags: Callable[[Path, str], tuple[str | Path, ...]] | None = None

    def is_named(self, names: frozenset[str]) -> bool:
        if self.source:
            return not names.isdisjoint(self.headers)
        own = (INCLUDE_DIRECTORY, INCLUDE_DIRECTORY / "libcudacxx")
        foreign = (name for name in names if not any((folder / name).is_file() for folder in own))
        return any(name.startswith(self.headers) for name in foreign)


@dataclass(frozen=True)
class Linked:
    """What a program's libraries come to: objects to link, files and variables it needs to run.

    `compile_flags` are for the program's own files.
    """

    objects: tuple[Path, ...] = ()
    shared_objects: tuple[Path, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    compile_flags: tuple[str | Path, ...] = ()

    @property
    def link_flags(self) -> tuple[str | Path, ...]:
        folders = dict.fromkeys(path.parent for path in self.shared_objects)
        return (*self.objects, *self.shared_objects, *(f"-Wl,-rpath,{folder}" for folder in folders))

    @property
    def key(self) -> tuple[str, ...]:
        """An object's path holds the digest of all it was made of."""
        return tuple(str(part) for part in (*self.objects, *self.shared_objects, *self.compile_flags))


# One thread: results do not depend on the machine's cores, and a replay's fork needs no thread of its parent.
_OPENBLAS = CpuPackage(
    "scipy-openblas32",
    "scipy_openblas32",
    "include",
    "lib/libscipy_openblas.so",
    {"OPENBLAS_NUM_THREADS": "1"},
)

_BLAS_HEADERS = ("cublas_v2.h", "cublas_api.h", "hipblas/hipblas.h", "hipblas.h")

_RANDOM_HEADERS = (
    *("curand.h", "curand_kernel.h", "curand_globals.h", "curand_philox4x32_x.h", "curand_mrg32k3a.h"),
    *("curand_uniform.h", "curand_normal.h", "curand_lognormal.h", "curand_poisson.h", "curand_discrete.h"),
    *("hiprand/hiprand.h", "hiprand/hiprand_kernel.h"),
)

_LT_HEADERS = ("cublasLt.h", "hipblaslt/hipblaslt.h")
_SOLVER_HEADERS = ("cusolverDn.h", "hipsolver/hipsolver.h", "hipsolver.h")
# Not all of `cuda/`: projects have folders of that name.
_CCCL_HEADERS = ("thrust/", "cuda/std/", "cuda/functional", "cuda/iterator", "cuda/cmath")
_CCCL = CpuPackage("nvidia-cuda-cccl", "nvidia.cu13", "include/cccl")

LIBRARIES: tuple[Library, ...] = (
    # The headers of BLASLt and of the solver include those of BLAS.
    Library("BLAS", (*_BLAS_HEADERS, *_LT_HEADERS, *_SOLVER_HEADERS), "blas.cpp", _OPENBLAS),
    Library("BLASLt", _LT_HEADERS, "blaslt.cpp", _OPENBLAS),
    Library("dense solver", _SOLVER_HEADERS, "solver.cpp", _OPENBLAS),
    Library("sparse matrix", ("cusparse.h", "hipsparse/hipsparse.h", "hipsparse.h"), "sparse.cpp"),
    Library("random number", _RANDOM_HEADERS, "random.cpp"),
    Library("Fourier transform", ("cufft.h", "cufftXt.h", "hipfft/hipfft.h", "hipfft.h"), "fft.cpp"),
    Library("NCCL", ("nccl.h", "rccl/rccl.h", "rccl.h"), "nccl.cpp"),
    Library("Thrust or libcu++", _CCCL_HEADERS, package=_CCCL, flags=cccl_flags),
)


def used_libraries(files: Sequence[UserFile]) -> tuple[Library, ...]:
    """The libraries whose headers the files include."""
    names = included_names(files)
    return tuple(library for library in LIBRARIES if library.is_named(names))


def linked(libraries: Sequence[Library], options: Options, compiler: Compiler) -> Linked:
    """Compiles what is not compiled yet. Raises ToolMissing for a package that is not installed."""
    objects: list[Path] = []
    shared: list[Path] = []
    environment: dict[str, str] = {}
    compile_flags: list[str | Path] = []
    for library in libraries:
        folders, version = [RUNTIME_DIRECTORY], ""
        package = library.package
        if package is not None:
            root, version = _installed(package, library)
            folders.append(root / package.include)
            environment.update(package.environment)
            if package.shared_object:
                shared.append(root / package.shared_object)
            if library.flags is not None:
                compile_flags += library.flags(root / package.include, version)
                environment["PORTER_SIM_ALGORITHMS_ON_HOST"] = "1"
        if not library.source:
            continue
        source = LIBRARY_DIRECTORY / library.source
        what = f"the simulator's {library.name} library"
        objects.append(
            compiled_once(source, options, compiler, what=what, include_dirs=folders, version=version)
        )
    return Linked(tuple(objects), tuple(dict.fromkeys(shared)), environment, tuple(compile_flags))


def _installed(package: CpuPackage, library: Library) -> tuple[Path, str]:
    """The package's folder and version."""
    try:
        spec = importlib.util.find_spec(package.module)
    except ModuleNotFoundError:  # the package that would hold it
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise ToolMissing(
            f"programs that call {library.name} ({library.headers[0]}) need the package "
            f"{package.distribution}",
            hint="`pip install porter[libraries]`",
        )
    return Path(spec.submodule_search_locations[0]), importlib.metadata.version(package.distribution)
