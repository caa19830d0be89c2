"""OpenAI's models, and any server that speaks its chat API (`--base-url`: vLLM, llama.cpp, Ollama)."""

from __future__ import annotations

import os
from dataclasses import dataclass

import openai
from openai.types.chat import ChatCompletionMessageParam

from porter.agent.protocols import Message, ModelUnavailable, Reply, Role, Usage

_KEY = "OPENAI_API_KEY"
_NO_KEY = "none"
"""Local servers want no key, but the SDK insists on one."""


@dataclass(frozen=True)
class OpenAIModel:
    name: str
    base_url: str | None = None

    def respond(self, messages: tuple[Message, ...]) -> Reply:
        key = os.environ.get(_KEY)
        if not key and not self.base_url:
            raise ModelUnavailable(
                f"{_KEY} is not set", hint="export the key, or name a server with --base-url"
            )
        client = openai.OpenAI(api_key=key or _NO_KEY, base_url=self.base_url)
        try:
            answer = client.chat.completions.create(model=self.name, messages=[_message(m) for m in messages])
        except openai.OpenAIError as error:
            raise ModelUnavailable(f"openai: {error}") from error
        usage = answer.usage
        tokens = Usage(usage.prompt_tokens, usage.completion_tokens) if usage else Usage()
        return Reply(answer.choices[0].message.content or "", tokens)


def _message(message: Message) -> ChatCompletionMessageParam:
    match message.role:
        case Role.SYSTEM:
            return {"role": "system", "content": message.text}
        case Role.USER:
            return {"role": "user", "content": message.text}
        case Role.ASSISTANT:
            return {"role": "assistant", "content": message.text}
