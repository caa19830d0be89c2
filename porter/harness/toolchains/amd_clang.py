"""HIP source to a linked AMD code object, with what each kernel needs. No GPU, no ROCm.

Only the device half of the file is compiled; host code must be valid C++, but is not built. A syntax check
would not do: inline PTX and LDS that does not fit show only when code is generated and assembled.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.core.cache import digest
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.outcome import Evidence
from porter.core.process import Completed
from porter.core.span import SourceText
from porter.hardware.gpu import Gpu, load_gpu
from porter.harness.toolchains import build_store
from porter.harness.toolchains.amd_compiler import (
    MINIMAL_HEADERS,
    AmdCompiler,
    find_amd_compiler,
)
from porter.harness.toolchains.amd_confined import ConfinedCompiler
from porter.harness.toolchains.clang_messages import (
    BUILD_ERROR,
    NO_KERNEL,
    OVER_LDS,
    clang_diagnostics,
    missing_rocm_header,
)
from porter.harness.toolchains.code_object import kernels_of
from porter.harness.toolchains.device_library import bitcode_flags
from porter.harness.toolchains.evidence import resource_details
from porter.harness.toolchains.precompiled import precompiled_flags, starts_with_core_header
from porter.harness.toolchains.records import (
    BuildFailed,
    BuildResult,
    Built,
    CodeObject,
    KernelResources,
    LaunchShape,
    NotAvailable,
)

# The driver drops -MD in a device-only compilation; the compiler proper does not.
_LIST_DEPENDENCIES = (
    "-Xclang", "-dependency-file", "-Xclang", "k.d", "-Xclang", "-MT", "-Xclang", "k",
    "-Xclang", "-sys-header-deps",
)  # fmt: skip


@dataclass(frozen=True)
class HipBuild:
    """One compilation: what is built, for what, how, and what must come out.

    `launches` (by kernel) sharpens occupancy and checks dynamic LDS; `kernels` must be in the code object.
    """

    source: Path
    arch: str
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    standard: str = "c++17"
    launches: Mapping[str, LaunchShape] | None = None
    kernels: tuple[str, ...] = ()
    hidden: tuple[Path, ...] = ()


def build_hip(
    source: Path,
    arch: str,
    *,
    include_dirs: Sequence[Path] = (),
    defines: Sequence[str] = (),
    options: Sequence[str] = (),
    standard: str = "c++17",
    launches: Mapping[str, LaunchShape] | None = None,
    kernels: Sequence[str] = (),
    hidden: Sequence[Path] = (),
) -> BuildResult:
    """Compiles, assembles and links the device code of `source` for `arch` (`gfx942`, `gfx950`, …).

    `defines` are `NAME` or `NAME=value`; `options` further compiler options, in order. What is `hidden` is
    not there for the compiler, where the system has namespaces. Raises PorterError for an unknown `arch` and
    OSError when `source` cannot be read; everything else is in the result.
    """
    compiler = find_amd_compiler()
    if isinstance(compiler, NotAvailable):
        return compiler
    build = HipBuild(
        source,
        arch,
        tuple(include_dirs),
        tuple(defines),
        tuple(options),
        standard,
        launches,
        tuple(kernels),
        tuple(path for path in hidden if path.resolve() != source.resolve()),
    )
    key = _key(build, compiler)
    stored = build_store.load(build_store.HIP_BUILDS, key)
    if stored is not None:
        return stored
    with tempfile.TemporaryDirectory(prefix="porter-build-") as directory:
        result, read = _build(build, compiler, load_gpu(arch), Path(directory))
    if isinstance(result, Built):
        build_store.save(build_store.HIP_BUILDS, key, result, read)
    return result


def _build(
    build: HipBuild, compiler: AmdCompiler, gpu: Gpu, directory: Path
) -> tuple[BuildResult, tuple[Path, ...]]:
    tool = ConfinedCompiler(compiler, directory, build.source, build.include_dirs, build.hidden)
    compiled = tool.run(*_compile(build, compiler), "-S", *_LIST_DEPENDENCIES, "-o", "k.s")
    if not compiled.ok:
        return _failure(build, compiler, compiled), ()
    read = _dependencies(directory / "k.d")
    assembled = tool.run(*_assemble(compiler, build.arch), "k.s", "-o", "k.o")
    if not assembled.ok:
        # The assembler's places are lines of k.s; code generation to an object knows the source's.
        located = tool.run(*_compile(build, compiler), "-S", "-Xclang", "-emit-obj", "-o", "k.o")
        return _failure(build, compiler, assembled if located.ok else located), ()
    # Without --no-undefined a missing device function would be found only when the GPU loads the object.
    linked = tool.run(*compiler.linker, "-shared", "--no-undefined", "k.o", "-o", "k.hsaco")
    if not linked.ok:
        return _failure(build, compiler, linked), ()
    code = CodeObject(
        build.source.stem, (directory / "k.hsaco").read_bytes(), (directory / "k.s").read_text()
    )
    found = kernels_of(code, gpu, build.launches or {})
    if broken := (*_missing_kernels(build, found), *_over_lds(build, found, gpu)):
        return BuildFailed(broken), ()
    user_files = tuple(path for path in read if _is_user(path, compiler))
    built = Built(
        evidence=_evidence(build, compiler, found, read),
        kernels=found,
        code_objects=(code,),
        warnings=_diagnostics(build, compiler, compiled),
    )
    return built, user_files


def _compile(build: HipBuild, compiler: AmdCompiler) -> list[str | Path]:
    common = _common(build, compiler)
    own = [
        *(f"-I{Path(folder).resolve()}" for folder in build.include_dirs),
        *(f"-D{define}" for define in build.defines),
        *build.options,
    ]
    if build.defines or build.options or not starts_with_core_header(SourceText.read(build.source).text):
        return [*common, *own, build.source.resolve()]
    precompiled = precompiled_flags(compiler, common, f"{build.arch} {build.standard}")
    return [*common, *precompiled, *own, build.source.resolve()]


def _common(build: HipBuild, compiler: AmdCompiler) -> list[str | Path]:
    headers = [part for folder in compiler.headers for part in ("-isystem", str(folder))]
    return [
        *compiler.clang, "-x", "hip", f"--offload-arch={build.arch}", "--cuda-device-only",
        f"-std={build.standard}", "-O3", *compiler.host, "-D__HIP_PLATFORM_AMD__=1",
        *headers, *_behind_the_real_ones(compiler), *bitcode_flags(compiler, build.arch),
        "-fno-caret-diagnostics", "-fno-color-diagnostics", "-fno-elide-type",
        "-Wno-unused-command-line-argument",
    ]  # fmt: skip


def _behind_the_real_ones(compiler: AmdCompiler) -> list[str]:
    return [] if compiler.kind == "rocm" else ["-idirafter", str(MINIMAL_HEADERS)]


def _assemble(compiler: AmdCompiler, arch: str) -> list[str]:
    return [
        *compiler.clang,
        "-x",
        "assembler",
        "-target",
        "amdgcn-amd-amdhsa",
        f"-mcpu={arch}",
        "-nogpulib",
        "-c",
    ]


def _failure(build: HipBuild, compiler: AmdCompiler, done: Completed) -> BuildFailed | NotAvailable:
    log = done.stderr.decode(errors="replace")
    if header := missing_rocm_header(log):
        return NotAvailable(
            f"the ROCm header <{header}>", "install ROCm, or set PORTER_HIP_INCLUDE to its headers"
        )
    diagnostics = _diagnostics(build, compiler, done)
    if any(d.severity is Severity.ERROR for d in diagnostics):
        return BuildFailed(diagnostics, log)
    reason = "the compiler ran out of time" if done.timed_out else f"the compiler failed: {_last_line(log)}"
    return BuildFailed((_at_start(build, BUILD_ERROR, reason), *diagnostics), log)


def _last_line(log: str) -> str:
    lines = [line for line in log.splitlines() if line.strip()]
    return lines[-1] if lines else "it printed nothing"


def _diagnostics(build: HipBuild, compiler: AmdCompiler, done: Completed) -> tuple[Diagnostic, ...]:
    log = done.stderr.decode(errors="replace")
    return clang_diagnostics(log, build.source, lambda path: _is_user(path, compiler))


def _is_user(path: Path, compiler: AmdCompiler) -> bool:
    if str(path).startswith("<") or not path.is_absolute():
        return False
    return not any(path.is_relative_to(d) for d in (*compiler.system_directories, MINIMAL_HEADERS))


def _missing_kernels(build: HipBuild, found: Iterable[KernelResources]) -> tuple[Diagnostic, ...]:
    present = {kernel.name for kernel in found}
    return tuple(
        _at_name(
            build,
            NO_KERNEL,
            f"kernel {name!r} is not in the code object: a template nobody instantiates?",
            name,
        )
        for name in build.kernels
        if name not in present
    )


def _over_lds(build: HipBuild, found: Iterable[KernelResources], gpu: Gpu) -> tuple[Diagnostic, ...]:
    limit = gpu.memory.lds_bytes_per_workgroup
    over = []
    for kernel in found:
        launch = (build.launches or {}).get(kernel.name)
        wanted = kernel.lds_bytes + launch.dynamic_lds_bytes if launch else kernel.lds_bytes
        if wanted > limit:
            reason = f"{kernel.name} needs {wanted} bytes of LDS; {gpu.name} has {limit} a workgroup"
            over.append(_at_name(build, OVER_LDS, reason, kernel.name))
    return tuple(over)


def _at_name(build: HipBuild, code: str, reason: str, name: str) -> Diagnostic:
    text = SourceText.read(build.source)
    start = max(text.text.find(name), 0)
    return Diagnostic(code, Severity.ERROR, reason, text.span(start, start + len(name)))


def _at_start(build: HipBuild, code: str, reason: str) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, reason, SourceText(str(build.source), b"").span(0, 0))


def _dependencies(depfile: Path) -> tuple[Path, ...]:
    """The files clang read, from its make rule; a space in a path is written `\\ `."""
    rule = depfile.read_text(errors="replace").replace("\\\n", " ").partition(":")[2]
    words = rule.replace("\\ ", "\0").split()
    return tuple(dict.fromkeys(Path(word.replace("\0", " ")) for word in words))


def _evidence(
    build: HipBuild, compiler: AmdCompiler, found: Sequence[KernelResources], read: Sequence[Path]
) -> Evidence:
    minimal = sorted(str(p.relative_to(MINIMAL_HEADERS)) for p in read if p.is_relative_to(MINIMAL_HEADERS))
    headers = compiler.headers_version + (f" + porter minimal ({', '.join(minimal)})" if minimal else "")
    return Evidence(
        kind="built",
        subject=build.arch,
        tools={"clang": compiler.version, "headers": headers},
        details=resource_details(found),
    )


def _key(build: HipBuild, compiler: AmdCompiler) -> str:
    launches = sorted((build.launches or {}).items())
    settings = (
        build.arch,
        build.include_dirs,
        build.defines,
        build.options,
        build.standard,
        launches,
        build.kernels,
        build.hidden,
    )
    tools = (compiler.kind, compiler.version, compiler.headers_version, compiler.host, compiler.headers)
    ours = b"".join(path.read_bytes() for path in sorted(MINIMAL_HEADERS.rglob("*.h*")))
    source = build.source.resolve()
    return digest(str(build.source), str(source), source.read_bytes(), repr(settings), repr(tools), ours)
