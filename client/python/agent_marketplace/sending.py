"""Values that can be sent to one marketplace, and requests that go nowhere else."""

from __future__ import annotations

import email.utils
import http.client
import re
import time
import urllib.parse
import urllib.request
from typing import Any


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """To follow one would send the key to another host, and turn a change into a read."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def open_directly(request: urllib.request.Request, timeout: float) -> http.client.HTTPResponse:
    """Sends a request. A redirect is an answer like others."""
    response: http.client.HTTPResponse = _opener.open(request, timeout=timeout)
    return response


def read_address(base_url: str) -> str:
    """The address without the slash at its end. Raises `ValueError` for any but scheme and host."""
    given = str(base_url).strip().rstrip("/")
    parts = urllib.parse.urlsplit(given)
    # Reading the port raises for one that is no number, or too large.
    is_whole = parts.hostname and (parts.port is None or parts.port > 0)
    is_plain = given.lower() == f"{parts.scheme}://{parts.netloc}".lower() and "@" not in given
    if parts.scheme not in ("http", "https") or not (is_whole and is_plain):
        raise ValueError("base_url must be like https://market.example: scheme and host, no path")
    return given


def read_header(name: str, value: str) -> str:
    """A value of a header as it is. Raises `ValueError` without showing it, as it may be a key."""
    if not re.fullmatch(r"[ -~]*", value):
        raise ValueError(f"{name} must be visible ASCII characters, in one line")
    return value


def seconds_asked(retry_after: str | None) -> float | None:
    """How long a server asks to wait: in seconds, or until a date. None if it does not say."""
    if retry_after is None:
        return None
    if re.fullmatch(r"[0-9]+", retry_after):
        return float(retry_after)
    try:
        until = email.utils.parsedate_to_datetime(retry_after)
    except (TypeError, ValueError):
        return None
    return max(until.timestamp() - time.time(), 0)
