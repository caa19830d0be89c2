"""What a model was asked during a run, what came of it, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from porter.core.outcome import Producer


@dataclass(frozen=True)
class ModelCost:
    """Requests and tokens as the providers counted them. `cost_usd` is None once a price was not known."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float | None = 0.0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens + self.cache_read_tokens + self.cache_write_tokens

    def __add__(self, other: ModelCost) -> ModelCost:
        both = None if self.cost_usd is None or other.cost_usd is None else self.cost_usd + other.cost_usd
        return ModelCost(
            self.requests + other.requests,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
            both,
        )


@dataclass(frozen=True)
class AskedOnce:
    """One conversation: `task` names its prompt, `result` is empty where its candidate was accepted and says
    else why there is none. `busy_us` ranks accepted candidates; None where nothing could be predicted."""

    task: str
    model: str
    sample: int
    accepted: bool
    result: str
    busy_us: float | None
    cost: ModelCost
    trajectory: str
    unanswered: bool = False
    """the budget was spent, or the model could not be reached: a later run may go on"""


@dataclass(frozen=True)
class AskedFor:
    """All that was asked for some kernels: one in Triton, all of a file in HIP. `taken` is whose port is in
    the result, None where nobody's is; `why` says it in words."""

    kernels: tuple[str, ...]
    conversations: tuple[AskedOnce, ...]
    taken: Producer | None
    why: str

    @property
    def cost(self) -> ModelCost:
        return reduce(ModelCost.__add__, (c.cost for c in self.conversations), ModelCost())


@dataclass(frozen=True)
class Asked:
    """The model's part of a run. What an interrupted run had paid for before is in the costs."""

    strategy: str
    work: tuple[AskedFor, ...]

    @property
    def cost(self) -> ModelCost:
        return reduce(ModelCost.__add__, (w.cost for w in self.work), ModelCost())
