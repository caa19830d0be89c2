"""Executes AMD machine code (gfx942, gfx950, wave64) on the CPU, for small launches.

Decoding and the pseudo-code of the instructions come from AMD's machine-readable ISA documents as the package
`tinygrad` carries them; everything else (memory, waves, dispatch, matrix and memory instructions) is here.
"""
