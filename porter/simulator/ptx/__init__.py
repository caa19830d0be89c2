"""Inline PTX as C++: `statement` finds `asm`, `text` reads PTX, the tables say what instructions call."""
