"""Prompts are Markdown files in `prompts/`, rendered with Jinja; an undefined variable is an error."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from porter.agent.quoting import fence


def prompt_directory() -> Path:
    """`prompts/` beside the package in a checkout, inside the package in an installed wheel."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "prompts"
    return inside if inside.is_dir() else package.parent / "prompts"


def render_prompt(name: str, **variables: object) -> str:
    """Raises jinja2.UndefinedError for a variable that the template uses and the caller did not give."""
    environment = Environment(
        loader=FileSystemLoader(prompt_directory()),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    environment.filters["fence"] = fence
    return environment.get_template(f"{name}.md").render(variables)
