"""Addresses of model servers, as --base-url gives them."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from porter.core.errors import InputError


def checked_address(base_url: str, *, has_key: bool) -> str:
    """Raises InputError for what is no address of a server, or would give a key away."""
    try:
        parts = urlsplit(base_url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in ("http", "https"):
        raise InputError(
            f"--base-url {base_url}: no address of a server", hint="as in http://localhost:8000/v1"
        )
    if parts.username or parts.password or parts.query:
        raise InputError(
            "--base-url has a user name, a password or a query in it: every user of this machine can read it",
            hint="keys come from the environment or the key ring",
        )
    if has_key and parts.scheme == "http" and not is_own(base_url):
        raise InputError(f"--base-url {base_url}: the key would travel in the clear", hint="use https")
    return base_url


def is_own(base_url: str) -> bool:
    """Whether the server is on this machine, or in a network that is not public."""
    host = urlsplit(base_url).hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith((".local", ".internal", ".localhost"))
    return not address.is_global
