"""Every format of a check by the name that the command line has for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum

from porter.core.check_report import CheckReport
from porter.report.check.github import format_github
from porter.report.check.json import format_json
from porter.report.check.junit import format_junit
from porter.report.check.markdown import format_markdown
from porter.report.check.sarif import format_sarif
from porter.report.check.text import format_text


class CheckFormat(str, Enum):
    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"
    MARKDOWN = "markdown"

    def __str__(self) -> str:
        return self.value


FORMATTERS: Mapping[CheckFormat, Callable[[CheckReport], str]] = {
    CheckFormat.TEXT: format_text,
    CheckFormat.JSON: format_json,
    CheckFormat.SARIF: format_sarif,
    CheckFormat.JUNIT: format_junit,
    CheckFormat.GITHUB: format_github,
    CheckFormat.MARKDOWN: format_markdown,
}
