"""Requests: sent until they are answered, with one effect however often they are sent."""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import Message
from typing import Any, NotRequired, TypedDict

from .errors import Refused, Unreachable
from .sending import read_header, seconds_asked


class _Absent:
    def __repr__(self) -> str:
        return "ABSENT"

    def __reduce__(self) -> str:
        # Copies are the same object.
        return "ABSENT"


ABSENT: Any = _Absent()
"""Value of a field that is not sent. `None` is sent as null in a body, and left out of a query."""


class Route(TypedDict):
    """The route of an operation, and how it may be called."""

    method: str
    path: str
    takes_key: NotRequired[bool]
    waits: NotRequired[bool]
    list: NotRequired[str]


@dataclass(frozen=True)
class CallOptions:
    """What a call may say beside its fields."""

    idempotency_key: str | None = None
    """
    A repeat with the same key has one effect and gets the first answer, for 72 hours. Random if
    absent; choose your own if your program may restart between two attempts. 1 to 255 printable
    characters without spaces.
    """
    timeout: float | None = None
    """Time limit for the answer, in seconds: that of the client if absent."""
    wait_for_approval: bool = False
    """True: also waits for an owner's approval, instead of raising `ApprovalRequired`."""


DEFAULTS = CallOptions()


@dataclass(frozen=True)
class Connection:
    """Connection of a client to its marketplace."""

    base_url: str
    key: str | None = field(repr=False)
    wait_seconds: int
    attempts: int
    user_agent: str
    open: Callable[..., http.client.HTTPResponse]


@dataclass(frozen=True)
class Sent:
    """A call on the wire."""

    operation: str
    route: Route
    fields: dict[str, Any]
    options: CallOptions
    ends_at: float
    """Time at which the caller stops waiting: `time.monotonic()`."""

    @property
    def seconds_left(self) -> float:
        return max(self.ends_at - time.monotonic(), 0)


# RFC 9110, 15.6, and 429: the marketplace has not done it, and may do it later.
LATER = {408, 425, 429, 500, 502, 503, 504}
FIRST_DELAY = 0.25
DELAY_MAX = 8.0
ANSWER_SECONDS = 30
"""Time allowed for a request beyond the wait that it asks for."""


def send(connection: Connection, call: Sent) -> tuple[int, Any]:
    """
    Sends a call until it is answered, and returns status and body. Reads and calls with a key are
    repeated; anything else is repeated only if the marketplace says that it did nothing. Raises
    `Refused` and `Unreachable`, and `ValueError` for what cannot be sent at all.
    """
    key = _key_of(call)
    is_repeatable = call.route["method"] == "GET" or key is not None
    attempt = 0
    while True:
        attempt += 1
        is_last = attempt >= connection.attempts or call.seconds_left == 0
        delay = min(FIRST_DELAY * 2 ** (attempt - 1), DELAY_MAX) * (0.5 + random.random())
        request, seconds = _request(connection, call, key)
        try:
            status, headers, body = _answer(connection, request, seconds)
        except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
            # ValueError: an answer that is no object of JSON, as of a router whose server is gone.
            if is_last or not is_repeatable:
                raise Unreachable(call.operation, key, str(error) or repr(error)) from error
        else:
            if 300 <= status < 400:
                where = f"it redirects to {headers.get('Location')}, which is not followed"
                raise Unreachable(call.operation, key, where)
            if status < 400:
                return status, body
            may_repeat = is_repeatable or status in (429, 503)
            if is_last or status not in LATER or not may_repeat:
                raise Refused(call.operation, status, body)
            asked = seconds_asked(headers.get("Retry-After"))
            delay = delay if asked is None else asked
        time.sleep(min(delay, call.seconds_left))


def _key_of(call: Sent) -> str | None:
    if not call.route.get("takes_key"):
        return None
    given = call.options.idempotency_key
    if given == "":
        raise ValueError("idempotency_key must not be empty: leave it out for a random one")
    return str(uuid.uuid4()) if given is None else read_header("idempotency_key", str(given))


def _request(
    connection: Connection, call: Sent, key: str | None
) -> tuple[urllib.request.Request, int]:
    """A request and its wait, in seconds."""
    route, seconds = call.route, int(min(connection.wait_seconds, call.seconds_left))
    left = dict(call.fields)
    path = "/".join(
        _segment(part[1:-1], left) if part.startswith("{") else part
        for part in route["path"].split("/")
    )
    has_body = route["method"] not in ("GET", "DELETE")
    query = {} if has_body else {
        name: _text(value) for name, value in left.items() if value is not None
    }
    headers = {"Accept": "application/json", "User-Agent": connection.user_agent}
    if has_body:
        headers["Content-Type"] = "application/json"
    if connection.key is not None:
        headers["Authorization"] = f"Bearer {connection.key}"
    if key is not None:
        headers["Idempotency-Key"] = key
    if route.get("waits"):
        headers["Prefer"] = f"wait={seconds}"
    request = urllib.request.Request(
        connection.base_url + path + (f"?{urllib.parse.urlencode(query)}" if query else ""),
        data=json.dumps(left).encode() if has_body else None,
        headers=headers,
        method=route["method"],
    )
    return request, seconds


def _answer(
    connection: Connection, request: urllib.request.Request, seconds: int
) -> tuple[int, Message, Any]:
    try:
        with connection.open(request, timeout=seconds + ANSWER_SECONDS) as response:
            return response.status, response.headers, _object(response.status, response.read())
    except urllib.error.HTTPError as error:
        with error:
            is_redirect = 300 <= error.code < 400
            return error.code, error.headers, is_redirect or _object(error.code, error.read())


def _object(status: int, body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise ValueError(f"something else did, with status {status} and no object of JSON")
    return answer


def _segment(name: str, fields: dict[str, Any]) -> str:
    """A field in the path. Without a value the path would be another operation's."""
    text = str(fields.pop(name, ""))
    if not text:
        raise ValueError(f"{name} must not be empty")
    return urllib.parse.quote(text, safe="")


def _text(value: Any) -> str:
    """A value in a query."""
    return value if isinstance(value, str) else json.dumps(value)
