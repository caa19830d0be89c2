"""Step 6 of the ladder: a language model writes what the compilers decline, and the harness alone decides."""
