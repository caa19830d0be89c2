"""When the model is asked, and against whom its ports stand."""

from __future__ import annotations

from enum import Enum


class Strategy(str, Enum):
    """COMPILER asks for what the deterministic port left open. AGENT has the model write everything. RACE has
    both write everything and takes the better one that is verified."""

    COMPILER = "compiler"
    AGENT = "agent"
    RACE = "race"

    def __str__(self) -> str:
        return self.value
