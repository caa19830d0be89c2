"""OpenAI's models, and any server that speaks its chat API (`--base-url`: vLLM, llama.cpp, Ollama)."""

from __future__ import annotations

import os
from dataclasses import dataclass

import openai
from openai.types.chat import ChatCompletionMessageParam

from porter.agent.protocols import Message, ModelUnavailable, Reply, Request, Role, Usage

_KEY = "OPENAI_API_KEY"
_NO_KEY = "none"
"""Local servers want no key, but the SDK insists on one."""


@dataclass(frozen=True)
class OpenAIModel:
    name: str
    base_url: str | None = None

    def most_cost_usd(self, _request: Request, /) -> float | None:
        return 0.0 if self.base_url else None

    def respond(self, request: Request) -> Reply:
        key = os.environ.get(_KEY)
        if not key and not self.base_url:
            raise ModelUnavailable(
                f"{_KEY} is not set", hint="export the key, or name a server with --base-url"
            )
        client = openai.OpenAI(api_key=key or _NO_KEY, base_url=self.base_url)
        try:
            system: ChatCompletionMessageParam = {"role": "system", "content": request.system}
            messages = [system, *(_message(m) for m in request.messages)]
            answer = client.chat.completions.create(model=self.name, messages=messages)
        except openai.OpenAIError as error:
            raise ModelUnavailable(f"openai: {error}") from error
        usage = answer.usage
        tokens = Usage(usage.prompt_tokens, usage.completion_tokens) if usage else Usage()
        return Reply(answer.choices[0].message.content or "", tokens)


def _message(message: Message) -> ChatCompletionMessageParam:
    match message.role:
        case Role.USER:
            return {"role": "user", "content": message.text}
        case Role.ASSISTANT:
            return {"role": "assistant", "content": message.text}
