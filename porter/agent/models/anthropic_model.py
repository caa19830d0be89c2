"""Claude models through the official SDK. The key comes from `ANTHROPIC_API_KEY` only."""

from __future__ import annotations

import os
from dataclasses import dataclass

import anthropic
from anthropic.types import MessageParam, TextBlock

from porter.agent.protocols import Message, ModelUnavailable, Reply, Request, Role, Usage

_MAX_OUTPUT_TOKENS = 16_000
_KEY = "ANTHROPIC_API_KEY"


@dataclass(frozen=True)
class AnthropicModel:
    name: str
    base_url: str | None = None

    def most_cost_usd(self, _request: Request, /) -> float | None:
        return None

    def respond(self, request: Request) -> Reply:
        if not os.environ.get(_KEY):
            raise ModelUnavailable(f"{_KEY} is not set", hint="export the key, or use --agent none")
        client = anthropic.Anthropic(base_url=self.base_url)
        try:
            answer = client.messages.create(
                model=self.name,
                max_tokens=_MAX_OUTPUT_TOKENS,
                system=request.system,
                messages=[_message(m) for m in request.messages],
            )
        except anthropic.APIError as error:
            raise ModelUnavailable(f"anthropic: {error.message}") from error
        text = "".join(block.text for block in answer.content if isinstance(block, TextBlock))
        return Reply(text, Usage(answer.usage.input_tokens, answer.usage.output_tokens))


def _message(message: Message) -> MessageParam:
    if message.role is Role.ASSISTANT:
        return {"role": "assistant", "content": message.text}
    return {"role": "user", "content": message.text}
