"""Keys of model providers: from the environment, else from the key ring of the operating system.

A key is in no log, prompt, trajectory, message or process list: `Key` does not show its value, and
`Key.hidden_in` takes it out of text that comes from elsewhere.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from porter.agent.protocols import ModelUnavailable

SERVICE = "porter"
"""Under this name keys are looked for in the key ring; the user name there is that of the variable."""


@dataclass(frozen=True)
class Provider:
    """Whose key it is, and the variable that has it."""

    name: str
    variable: str


ANTHROPIC = Provider("anthropic", "ANTHROPIC_API_KEY")
OPENAI = Provider("openai", "OPENAI_API_KEY")
PROVIDERS = (ANTHROPIC, OPENAI)

_HIDDEN = "[key]"
# What keys and the headers that carry them look like, whoever quotes them.
_LOOKS_LIKE_A_KEY = re.compile(
    r"\b(?:sk|pk)-[A-Za-z0-9_*-]{8,}|(?<=[Bb]earer )\S+|(?<=x-api-key: )\S+", re.IGNORECASE
)


@dataclass(frozen=True)
class Key:
    """`source` says where it was found, for messages."""

    value: str = field(repr=False)
    source: str

    def hidden_in(self, text: str) -> str:
        return text.replace(self.value, _HIDDEN)


@dataclass(frozen=True)
class KeySource:
    """Where a provider's key would come from; `found` without the key itself."""

    provider: str
    found: bool
    source: str


def find_key(provider: Provider) -> Key | None:
    """Raises ModelUnavailable for a key that cannot be one."""
    value = os.environ.get(provider.variable, "").strip()
    source = f"the environment ({provider.variable})"
    if not value:
        value = (_from_key_ring(provider) or "").strip()
        source = f"the key ring ({SERVICE}, {provider.variable})"
    if not value:
        return None
    if not value.isascii() or not value.isprintable() or " " in value:
        raise ModelUnavailable(
            f"the key from {source} has characters that no key has", hint="copy it once more"
        )
    return Key(value, source)


def key_sources() -> tuple[KeySource, ...]:
    """For every provider whether a key is there, and where; for `porter doctor`."""
    return tuple(_source(provider) for provider in PROVIDERS)


def without_keys(text: str, keys: Iterable[Key] = ()) -> str:
    """`text` without these keys and without anything else that looks like one."""
    for key in keys:
        text = key.hidden_in(text)
    return _LOOKS_LIKE_A_KEY.sub(_HIDDEN, text)


def _source(provider: Provider) -> KeySource:
    try:
        key = find_key(provider)
    except ModelUnavailable as error:
        return KeySource(provider.name, False, error.message)
    if key is None:
        wanted = f"{provider.variable}, or an entry {SERVICE}/{provider.variable} of the key ring"
        return KeySource(provider.name, False, wanted)
    return KeySource(provider.name, True, key.source)


def _from_key_ring(provider: Provider) -> str | None:
    """None where the package `keyring` is missing, or the system has no key ring that can be opened."""
    try:
        keyring: Any = importlib.import_module("keyring")
        found = keyring.get_password(SERVICE, provider.variable)
    except Exception:  # its back ends raise what they like: D-Bus's errors, the user's "no" …
        return None
    return found if isinstance(found, str) else None
