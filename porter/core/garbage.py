"""How often a process that reads sources looks for cycles of objects that nothing else names.

Tokens, spans and edits hold no cycles, so nearly every look finds nothing, and takes the longer the more
modules and tables are loaded: a quarter of the time of translating a tree.
"""

from __future__ import annotations

import gc

# Python's own first threshold is 700 objects.
_OBJECTS = 20_000


def collect_rarely() -> None:
    """What is loaded by now is never looked at again; the rest is, at a thirtieth of the usual rate."""
    gc.freeze()
    gc.set_threshold(_OBJECTS, 20, 20)
