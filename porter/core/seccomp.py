"""System calls that a program porter runs has no use for: refused by the kernel with EPERM.

They look into other processes, load code into the kernel, change the machine, or reach files without their
path. Linux on x86-64 and AArch64; elsewhere nothing is refused. Numbers: the kernel's
`arch/x86/entry/syscalls/syscall_64.tbl` and `include/uapi/asm-generic/unistd.h`.
"""

from __future__ import annotations

import ctypes
import platform
import struct
import sys
from functools import cache

_X86_64 = {
    "ptrace": 101,
    "adjtimex": 159,
    "acct": 163,
    "settimeofday": 164,
    "swapon": 167,
    "swapoff": 168,
    "reboot": 169,
    "init_module": 175,
    "delete_module": 176,
    "clock_settime": 227,
    "kexec_load": 246,
    "add_key": 248,
    "request_key": 249,
    "keyctl": 250,
    "perf_event_open": 298,
    "open_by_handle_at": 304,
    "setns": 308,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "kcmp": 312,
    "finit_module": 313,
    "kexec_file_load": 320,
    "bpf": 321,
    "userfaultfd": 323,
    "io_uring_setup": 425,
    "pidfd_getfd": 438,
}
_AARCH64 = {
    "acct": 89,
    "kexec_load": 104,
    "init_module": 105,
    "delete_module": 106,
    "clock_settime": 112,
    "ptrace": 117,
    "reboot": 142,
    "settimeofday": 170,
    "adjtimex": 171,
    "add_key": 217,
    "request_key": 218,
    "keyctl": 219,
    "swapon": 224,
    "swapoff": 225,
    "perf_event_open": 241,
    "open_by_handle_at": 265,
    "setns": 268,
    "process_vm_readv": 270,
    "process_vm_writev": 271,
    "kcmp": 272,
    "finit_module": 273,
    "bpf": 280,
    "userfaultfd": 282,
    "kexec_file_load": 294,
    "io_uring_setup": 425,
    "pidfd_getfd": 438,
}
_ARCHITECTURES = {"x86_64": (0xC000003E, _X86_64), "aarch64": (0xC00000B7, _AARCH64)}

# What starts, ends or replaces a process, reaches the network, or makes a file that is none.
_PROCESSES = {
    "x86_64": {
        "socket": 41, "vfork": 58, "fork": 57, "execve": 59, "kill": 62, "link": 86, "symlink": 88,
        "mknod": 133, "mount": 165, "mknodat": 259, "linkat": 265, "symlinkat": 266, "unshare": 272,
        "execveat": 322,
    },
    "aarch64": {
        "mknodat": 33, "symlinkat": 36, "linkat": 37, "mount": 40, "unshare": 97, "kill": 129,
        "socket": 198, "execve": 221, "execveat": 281,
    },
}  # fmt: skip
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3 = 435
_CLONE_THREAD = 0x10000

_PR_SET_NO_NEW_PRIVS, _PR_GET_SECCOMP, _PR_SET_SECCOMP = 38, 21, 22
_SECCOMP_MODE_FILTER = 2
_RET_ALLOW, _RET_EPERM, _RET_ENOSYS, _RET_KILL_PROCESS = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
_LOAD_WORD, _JUMP_IF_EQUAL, _JUMP_IF_AT_LEAST, _JUMP_IF_SET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ARCHITECTURE_AT, _NUMBER_AT, _FIRST_ARGUMENT_AT = 4, 0, 16
_X32_BIT = 0x40000000  # the other ABI of x86-64, with numbers of its own
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


@cache
def filter_bytes(machine: str) -> bytes:
    """The BPF program for a machine as `platform.machine()` names it; empty where there is none."""
    if machine not in _ARCHITECTURES:
        return b""
    architecture, calls = _ARCHITECTURES[machine]
    numbers = sorted(calls.values())
    lines = [
        (_LOAD_WORD, 0, 0, _ARCHITECTURE_AT),
        (_JUMP_IF_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _RET_KILL_PROCESS),
        (_LOAD_WORD, 0, 0, _NUMBER_AT),
        (_JUMP_IF_AT_LEAST, len(numbers) + 1, 0, _X32_BIT),
    ]
    for place, number in enumerate(numbers):
        lines.append((_JUMP_IF_EQUAL, len(numbers) - place, 0, number))
    lines += [(_RETURN, 0, 0, _RET_ALLOW), (_RETURN, 0, 0, _RET_EPERM)]
    return _packed(lines)


@cache
def single_process_bytes(machine: str) -> bytes:
    """A further BPF program: threads, and no other process. Empty where there is none.

    For a program that installs it in itself once it has started. `clone3`, whose flags a filter cannot read,
    is said not to exist: the C library then takes `clone`.
    """
    if machine not in _ARCHITECTURES:
        return b""
    numbers = sorted(_PROCESSES[machine].values())
    # Behind the jumps: allow, EPERM, ENOSYS, then the look at clone's flags.
    lines = [(_LOAD_WORD, 0, 0, _NUMBER_AT)]
    for place, number in enumerate(numbers):
        lines.append((_JUMP_IF_EQUAL, len(numbers) - place + 2, 0, number))
    lines += [
        (_JUMP_IF_EQUAL, 3, 0, _CLONE3),
        (_JUMP_IF_EQUAL, 3, 0, _CLONE[machine]),
        (_RETURN, 0, 0, _RET_ALLOW),
        (_RETURN, 0, 0, _RET_EPERM),
        (_RETURN, 0, 0, _RET_ENOSYS),
        (_LOAD_WORD, 0, 0, _FIRST_ARGUMENT_AT),
        (_JUMP_IF_SET, 0, 1, _CLONE_THREAD),
        (_RETURN, 0, 0, _RET_ALLOW),
        (_RETURN, 0, 0, _RET_EPERM),
    ]
    return _packed(lines)


def _packed(lines: list[tuple[int, int, int, int]]) -> bytes:
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def filter_system_calls() -> None:
    """Installs the filter in the calling process, for it and its children. Does nothing where it cannot."""
    code = filter_bytes(platform.machine())
    if _LIBC is None or not code:
        return
    if _LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0:
        program = _Program(len(code) // 8, code)
        _LIBC.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0)


@cache
def seccomp_available() -> bool:
    """Whether the kernel takes filters, as far as can be told without one."""
    if _LIBC is None or not filter_bytes(platform.machine()):
        return False
    return int(_LIBC.prctl(_PR_GET_SECCOMP, 0, 0, 0, 0)) >= 0
