"""Builds of these tests are real ones: they start from an empty cache, which they share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def empty_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORTER_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
