"""The typer application, one file a command."""
