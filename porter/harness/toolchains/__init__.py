"""External compilers as evidence: each is optional, each says what it built and with what."""
