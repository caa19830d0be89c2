"""`--agent NAME` to a Model."""

from __future__ import annotations

from pathlib import Path

from porter.agent.models.mailbox import MailboxModel
from porter.agent.models.replay import ReplayModel
from porter.agent.protocols import Model
from porter.core.errors import PorterError

CHOICES = "none, anthropic[:MODEL], openai:MODEL, mailbox:DIRECTORY, replay:TRAJECTORY"
_DEFAULT_ANTHROPIC = "claude-sonnet-4-5"


def choose_model(choice: str, base_url: str | None = None) -> Model | None:
    """None for `none`. The SDKs are imported only when they are chosen: they cost a second each.

    Raises PorterError for anything that CHOICES does not list.
    """
    kind, _, rest = choice.partition(":")
    match kind, rest:
        case "none", "":
            return None
        case "anthropic", _:
            from porter.agent.models.anthropic_model import AnthropicModel

            return AnthropicModel(rest or _DEFAULT_ANTHROPIC, base_url)
        case "openai", model if model:
            from porter.agent.models.openai_model import OpenAIModel

            return OpenAIModel(model, base_url)
        case "mailbox", directory if directory:
            return MailboxModel(Path(directory))
        case "replay", trajectory if trajectory:
            return ReplayModel(Path(trajectory))
    raise PorterError(f"unknown agent {choice!r}", hint=f"one of: {CHOICES}")
