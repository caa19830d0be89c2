"""An answer as it streams in, whoever sends it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from porter.agent.protocols import Finish, ToolCall, Usage

Kind = TypeVar("Kind")


@dataclass
class PartialCall:
    """`index` is the server's number of it."""

    index: int
    id: str
    name: str
    arguments: str = ""


@dataclass
class Received:
    """`begun` once the server has sent anything of an answer; complete once `finish` is known.

    `written` counts the characters that the model wrote, its thoughts and calls among them.
    """

    begun: bool = False
    text: str = ""
    calls: list[PartialCall] = field(default_factory=list)
    usage: Usage | None = None
    finish: Finish | None = None
    opaque: str = ""
    written: int = 0


def part(record: Any, name: str, kind: type[Kind]) -> Kind | None:
    """A field of what a server sent; None for what it left out, or sent as something else."""
    # What the SDK's version does not know yet is in dictionaries.
    value = record.get(name) if isinstance(record, Mapping) else getattr(record, name, None)
    return value if isinstance(value, kind) else None


def text_of(record: Any, name: str) -> str:
    return part(record, name, str) or ""


def count_of(record: Any, name: str, otherwise: int = 0) -> int:
    """A count of tokens; `otherwise` where there is none."""
    value = part(record, name, int)
    return otherwise if value is None or value < 0 else value


def whole_call(partial: PartialCall, position: int) -> ToolCall:
    """Servers that forget the id get one; arguments that are no JSON object are kept as they came."""
    call_id = partial.id or f"call-{position}"
    arguments = json_object(partial.arguments)
    if arguments is None:
        return ToolCall(call_id, partial.name, malformed=sendable(partial.arguments))
    return ToolCall(call_id, partial.name, arguments)


def json_object(text: str) -> Mapping[str, Any] | None:
    """None for what is no object. No text at all is an object without members; line ends inside of strings,
    which JSON forbids and models write, are taken as they are."""
    if not text.strip():
        return {}
    try:
        value = json.loads(text, strict=False)
        # Half of a surrogate pair can be written in JSON, but in no file.
        value = json.loads(sendable(json.dumps(value, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def sendable(text: str) -> str:
    """`text` with a question mark for what UTF-8 cannot say: bytes of a source in another encoding."""
    return text.encode("utf-8", "replace").decode("utf-8")
