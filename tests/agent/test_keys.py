from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from porter.agent.models.keys import ANTHROPIC, OPENAI, Key, find_key, key_sources, without_keys
from porter.agent.protocols import ModelUnavailable

SECRET = "sk-ant-api03-0123456789abcdef"


def ring(monkeypatch: pytest.MonkeyPatch, get_password: Any) -> None:
    monkeypatch.setitem(sys.modules, "keyring", SimpleNamespace(get_password=get_password))


@pytest.fixture(autouse=True)
def _empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    ring(monkeypatch, lambda service, name: None)


def test_the_environment_comes_before_the_key_ring(monkeypatch: pytest.MonkeyPatch) -> None:
    ring(
        monkeypatch, lambda service, name: {("porter", "ANTHROPIC_API_KEY"): "from-ring"}.get((service, name))
    )
    found = find_key(ANTHROPIC)
    assert found is not None
    assert (found.value, "key ring" in found.source) == ("from-ring", True)
    assert find_key(OPENAI) is None
    monkeypatch.setenv("ANTHROPIC_API_KEY", f" {SECRET}\n")
    found = find_key(ANTHROPIC)
    assert found is not None
    assert (found.value, "environment" in found.source) == (SECRET, True)


def test_a_key_ring_that_fails_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(service: str, name: str) -> str:
        raise RuntimeError("no D-Bus")

    ring(monkeypatch, locked)
    assert find_key(ANTHROPIC) is None
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert find_key(ANTHROPIC) is None


@pytest.mark.parametrize("value", ["two words", "sch\u00fcssel-0123", "a\x07b"])
def test_what_cannot_be_a_key_is_said_without_it(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", value)
    with pytest.raises(ModelUnavailable, match="OPENAI_API_KEY") as error:
        find_key(OPENAI)
    assert value not in error.value.message


def test_where_keys_come_from_is_shown_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    anthropic, openai = key_sources()
    assert (anthropic.found, openai.found) == (True, False)
    assert "OPENAI_API_KEY" in openai.source
    assert SECRET not in repr(key_sources()) + repr(find_key(ANTHROPIC))


@pytest.mark.parametrize(
    "text",
    [
        f"Authorization: Bearer {SECRET}",
        f"authorization: bearer {SECRET}",
        f"x-api-key: {SECRET}",
        f"Incorrect API key provided: {SECRET}.",
        "Incorrect API key provided: sk-proj-********cdef.",
    ],
)
def test_keys_are_taken_out_of_what_servers_say(text: str) -> None:
    shown = without_keys(text)
    assert "[key]" in shown
    assert "cdef" not in shown


def test_a_key_of_another_form_is_taken_out_by_its_value() -> None:
    assert without_keys("token hf_abc is wrong", [Key("hf_abc", "here")]) == "token [key] is wrong"


@pytest.mark.parametrize("text", ["task-list of risk-adjusted desk-numbers", "it asks-me", "sk-1 is short"])
def test_other_words_stay(text: str) -> None:
    assert without_keys(text) == text
