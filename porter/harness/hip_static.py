"""Whether the text of a HIP port stays within itself: read before it is built, of ports that a model wrote.

The simulator runs a port as a program of this machine, and compilers run here. What a port asks of either
must be what the original asks too: files, processes, the environment, conditions on who compiles it. A port
that is one code for the simulator and another one for a GPU has shown nothing of the second. The sandbox
stops what a text can hide from this check; where there is none, this check is what there is.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import SourceText
from porter.cuda.tokens import Directive, Kind, Token, TokenizedSource, tokenize

READS, REACHES, DIFFERS = "VER010", "VER011", "VER012"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OUTSIDE = _words("""
    getenv secure_getenv setenv putenv environ __environ fopen freopen fdopen tmpfile openat creat opendir
    readdir ifstream ofstream fstream wifstream wofstream basic_ifstream basic_ofstream basic_fstream filebuf
    basic_filebuf filesystem ptrace syscall dlopen dlsym dlmopen dladdr dl_iterate_phdr popen fork vfork clone
    execl execlp execle execv execvp execve execvpe fexecve posix_spawn posix_spawnp mmap mremap mprotect
    shm_open shmget process_vm_readv process_vm_writev memfd_create atexit at_quick_exit on_exit signal
    sigaction raise setjmp longjmp sigsetjmp siglongjmp getcontext setcontext constructor destructor
    init_priority ifunc init_array backtrace __builtin_return_address __builtin_frame_address
    pthread_create _exit quick_exit _Exit socket getpid getppid readlink realpath
""")
# Words that a program may well use for something of its own: what counts is a call of the plain function.
_OUTSIDE_CALLS = _words("open read write kill system connect accept link unlink rename remove stat chdir")
_ASKS_THE_COMPILER = _words("__has_include __has_include_next __has_embed __has_builtin __has_feature")
_SAME_EVERYWHERE = _words("""
    __cplusplus __HIP_PLATFORM_AMD__ defined __global__ __device__ __host__ __shared__ __constant__
    __restrict__ __launch_bounds__ __forceinline__ __noinline__ __managed__ __attribute__ __asm__ __volatile__
    __inline__ __align__ __FILE__ __LINE__ __func__ __FUNCTION__ __PRETTY_FUNCTION__ __restrict __VA_ARGS__
    __AMDGCN_WAVEFRONT_SIZE __AMDGCN_WAVEFRONT_SIZE__
""")
_CONDITIONS = ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef")
_INCLUDES = ("include", "include_next", "import")
_TARGET = re.compile(r'#\s*\w+\s*(?:"([^"\n]+)"|<([^>\n]+)>)')
_OTHER_SPELLINGS = re.compile(
    r"[A-Za-z0-9_]\\[ \t]*\r?\n[A-Za-z0-9_]|\?\?[=/'()!<>-]|^[ \t]*%:", re.MULTILINE
)
_PLACES = re.compile(r"/proc\b|/dev/|/sys/|PORTER_|\.porter\b|/etc/")
_ASSEMBLER = re.compile(r"\.\s*(?:incbin|include|section|pushsection|macro|quad|byte|long|text|data|global)")
_TRAPS = re.compile(r"\bsyscall\b|\bsysenter\b|\bint\s+\$?0x80|\bsvc\b")

_Finding = tuple[int, str, str]


def check_hip_port(
    port: SourceText, known: Sequence[SourceText], offered: frozenset[str] = frozenset()
) -> tuple[Diagnostic, ...]:
    """Every reason why the text cannot count as a port; empty when there is none.

    `known` are the original and its deterministic port: what these use, a port may use. `offered` are names
    of porter's that a port may use and define.
    """
    tokens = tokenize(port)
    own = _Known(tuple(tokenize(source) for source in known), offered)
    findings = [*_spelling(port), *_names(tokens, own), *_strings(tokens, own), *_directives(tokens, own)]
    return tuple(dict.fromkeys(_diagnostic(port, *finding) for finding in sorted(set(findings))))


def _diagnostic(port: SourceText, at: int, code: str, message: str) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, port.span(at, at))


class _Known:
    """What the original and its deterministic port use."""

    def __init__(self, sources: Sequence[TokenizedSource], offered: frozenset[str]) -> None:
        every = [t for source in sources for t in source.tokens]
        directives = [d for source in sources for d in source.directives]
        self.files = frozenset(PurePosixPath(source.source.path).name for source in sources)
        self.names = offered.union(t.text for t in every if t.kind is Kind.IDENTIFIER)
        self.text = "\n".join(source.source.text for source in sources)
        self.pastes = any(t.text == "##" for t in every)
        self.tested = frozenset(
            t.text for d in directives if d.name in _CONDITIONS for t in d.tokens[2:] if _is_name(t)
        )


def _is_name(token: Token) -> bool:
    return token.kind is Kind.IDENTIFIER


def _spelling(port: SourceText) -> Iterator[_Finding]:
    for match in _OTHER_SPELLINGS.finditer(port.text):
        yield match.start(), DIFFERS, "spells a name or a directive in a way that hides it"


def _names(tokens: TokenizedSource, own: _Known) -> Iterator[_Finding]:
    every = [t for t in tokens.tokens if t.kind is not Kind.COMMENT]
    for before, token, after in zip([None, *every], every, [*every[1:], None], strict=False):
        if token.text == "##" and not own.pastes:
            yield token.start, DIFFERS, "pastes names together, which the original does not"
        if not _is_name(token) or token.text in own.names:
            continue
        called = (
            after is not None and after.text == "(" and (before is None or before.text not in (".", "->"))
        )
        if token.text in _OUTSIDE or (called and token.text in _OUTSIDE_CALLS):
            yield token.start, REACHES, f"uses {token.text}, which the original does not"
        elif token.text in _ASKS_THE_COMPILER or _is_predefined(token.text):
            yield token.start, DIFFERS, f"depends on {token.text}, which is not the same for every compiler"
        elif "porter" in token.text.lower():
            yield token.start, REACHES, f"names {token.text}, which is porter's own"


def _is_predefined(name: str) -> bool:
    told = name.startswith(("__clang", "__GNUC", "__llvm", "__amdgcn_", "__AMD", "__gfx", "__GFX"))
    return name not in _SAME_EVERYWHERE and (told or (name.startswith("__") and name.endswith("__")))


def _strings(tokens: TokenizedSource, own: _Known) -> Iterator[_Finding]:
    """Adjacent literals are one."""
    has_asm = any(t.text in ("asm", "__asm", "__asm__") for t in tokens.tokens)
    code = [t for t in tokens.tokens if t.kind is not Kind.COMMENT]
    for is_string, group in itertools.groupby(code, key=lambda t: t.kind is Kind.STRING):
        if not is_string:
            continue
        parts = list(group)
        text = "".join(_contents(part.text) for part in parts)
        if (found := _PLACES.search(text)) and found.group() not in own.text:
            yield parts[0].start, REACHES, f"names {found.group()}, which the original does not"
        if has_asm and (_ASSEMBLER.search(text) or _TRAPS.search(text)) and text not in own.text:
            yield parts[0].start, READS, "has a directive or a system call for the assembler"


def _contents(literal: str) -> str:
    return literal.partition('"')[2].rpartition('"')[0]


def _directives(tokens: TokenizedSource, own: _Known) -> Iterator[_Finding]:
    defined = {d.tokens[2].text for d in tokens.directives if d.name == "define" and len(d.tokens) > 2}
    checks: dict[str, Callable[[Directive], Iterator[_Finding]]] = {
        **dict.fromkeys(_INCLUDES, lambda d: _include(d, tokens, own)),
        **dict.fromkeys(_CONDITIONS, lambda d: _condition(d, own, defined)),
        **dict.fromkeys(("define", "undef"), lambda d: _definition(d, own)),
        "embed": lambda d: iter([(d.start, READS, "embeds a file")]),
    }
    for directive in tokens.directives:
        if directive.name in checks:
            yield from checks[directive.name](directive)


def _include(directive: Directive, tokens: TokenizedSource, own: _Known) -> Iterator[_Finding]:
    text = tokens.source.text[directive.start : directive.end]
    match = _TARGET.match(text)
    if match is None:
        yield directive.start, READS, "includes a file whose name is computed"
        return
    name = match.group(1) or match.group(2)
    path = PurePosixPath(name)
    if path.is_absolute():
        yield directive.start, READS, f"includes {name}, a file by its place on this machine"
    elif path.name in own.files or path.suffix == ".cu":
        yield directive.start, READS, f"includes {name}: the original is no part of a port"


def _condition(directive: Directive, own: _Known, defined: set[str]) -> Iterator[_Finding]:
    may = own.tested | _SAME_EVERYWHERE | defined
    for token in directive.tokens[2:]:
        if _is_name(token) and token.text not in may and token.text not in ("true", "false"):
            message = f"is other code where {token.text} is defined; the original has no such condition"
            yield token.start, DIFFERS, message


def _definition(directive: Directive, own: _Known) -> Iterator[_Finding]:
    if len(directive.tokens) < 3:
        return
    name = directive.tokens[2].text
    known = re.search(rf"#[ \t]*(?:define|undef)[ \t]+{re.escape(name)}\b", own.text)
    if name.startswith(("hip", "__")) and not known:
        yield directive.start, DIFFERS, f"gives {name} another meaning"
