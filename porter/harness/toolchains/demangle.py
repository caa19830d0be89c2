"""C++ names of mangled symbols, by the system's C++ library where there is one."""

from __future__ import annotations

import ctypes
from functools import cache

_LIBRARIES = ("libstdc++.so.6", "libc++abi.so.1")


def demangled(symbol: str) -> str:
    """`_Z5scaleIfEvPT_` gives `void scale<float>(float*)`; the symbol itself where it cannot be had."""
    library = _library()
    if library is None or not symbol.startswith("_Z"):
        return symbol
    status = ctypes.c_int()
    text = library.__cxa_demangle(symbol.encode(), None, None, ctypes.byref(status))
    if status.value != 0 or not text:
        return symbol
    try:
        return ctypes.string_at(text).decode()
    finally:
        library.free(ctypes.c_void_p(text))


@cache
def _library() -> ctypes.CDLL | None:
    for name in _LIBRARIES:
        try:
            library = ctypes.CDLL(name)
            library.__cxa_demangle.restype = ctypes.c_void_p
            library.free.restype = None
        except (OSError, AttributeError):
            continue
        return library
    return None
