"""What was said so far, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from porter.agent.budget import Spent
from porter.agent.protocols import Finish, Message, Reply, Role


@dataclass(frozen=True)
class Conversation:
    """Begins with a user's message; after it the assistant and the user take turns. `finish` says why the
    last answer ended."""

    messages: tuple[Message, ...]
    spent: Spent = field(default_factory=Spent)
    finish: Finish = Finish.COMPLETE

    def answered(self, reply: Reply) -> Conversation:
        message = Message(Role.ASSISTANT, reply.text, reply.calls, opaque=reply.opaque)
        return Conversation((*self.messages, message), self.spent + Spent.on(reply), reply.finish)

    def told(self, message: Message) -> Conversation:
        return replace(self, messages=(*self.messages, message))

    def charged(self, spent: Spent) -> Conversation:
        """Something was paid for that brought no answer."""
        return replace(self, spent=self.spent + spent)
