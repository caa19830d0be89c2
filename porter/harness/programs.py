"""x"""
from typing import Any
Build: Any = None
ProgramFailure: Any = None
Ran: Any = None
build: Any = None
run: Any = None
