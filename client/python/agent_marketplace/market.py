"""The client."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from http.client import HTTPResponse
from typing import Any, ParamSpec, TypeVar

from .errors import ApprovalRequired, Refused, StillPending, job_of
from .events import EventFeed
from .operations import ROUTES, VERSION, Operations
from .sending import open_directly, read_address, read_header
from .transport import ABSENT, DEFAULTS, CallOptions, Connection, Sent, send

P = ParamSpec("P")
T = TypeVar("T")


class Market(Operations):
    """
    A client of one marketplace, with one key: each operation is a method. It holds no connection,
    so nothing has to be closed, and threads may share it.
    """

    def __init__(
        self,
        base_url: str = "http://localhost:3000",
        key: str | None = None,
        *,
        wait_seconds: int = 20,
        attempts: int = 5,
        timeout: float = 120,
        user_agent: str = "",
        open: Callable[..., HTTPResponse] = open_directly,
    ) -> None:
        """
        `base_url`: scheme and host, no path. `key`: API key (`vnx_…`), without the white space around
        it; without one only public operations can be called. `wait_seconds`: how long one request
        waits for a job before it polls. `attempts`: maximum for a request. `timeout`: seconds that a
        call takes at most, where it says nothing else. `user_agent`: name of your program, such as
        `my-agent/1.2`. `open`: sends a `urllib.request.Request`, for a proxy, for logs, for tests;
        it follows no redirects. Raises `ValueError` for values that cannot be sent.
        """
        agent = f"agent-marketplace-client-python/{VERSION} {user_agent}".strip()
        self._timeout = timeout
        self._connection = Connection(
            base_url=read_address(base_url),
            key=None if key is None else read_header("key", key.strip()),
            wait_seconds=wait_seconds,
            attempts=attempts,
            user_agent=read_header("user_agent", agent),
            open=open,
        )

    def resume(
        self, operation: Callable[..., T], job_id: str, options: CallOptions = DEFAULTS
    ) -> T:
        """
        Resumes waiting for a call that was accepted, also in another process:
        `market.resume(market.purchase_product, job_id)`.
        """
        answer: T = self._wait(self._sent(operation.__name__, {}, options), job_id)
        return answer

    def all(
        self, operation: Callable[P, Any], *args: P.args, **kwargs: P.kwargs
    ) -> Iterator[Any]:
        """Every entry of a list, page after page: `market.all(market.get_orders)`."""
        entries = ROUTES[operation.__name__].get("list")
        if entries is None:
            raise TypeError(f"{operation.__name__} answers no list")
        cursor = kwargs.pop("cursor", ABSENT)
        while True:
            page = operation(*args, **{**kwargs, "cursor": cursor})  # type: ignore[arg-type]
            yield from page[entries]
            if not page["has_more"]:
                return
            cursor = page["next_cursor"]

    def events(self, *, type: str = ABSENT, cursor: str | None = None) -> EventFeed:
        """Events from now on, or from a cursor on, for as long as it is iterated."""

        def page(**fields: Any) -> dict[str, Any]:
            answer: dict[str, Any] = self._call("list_events", {**fields, "type": type}, DEFAULTS)
            return answer

        return EventFeed(page, cursor)

    def _call(self, operation: str, fields: dict[str, Any], options: CallOptions) -> Any:
        given = {name: value for name, value in fields.items() if value is not ABSENT}
        sent = self._sent(operation, given, options)
        status, body = send(self._connection, sent)
        if status != 202:
            return body
        if body["status"] == "approval_required" and not options.wait_for_approval:
            raise ApprovalRequired(operation, body)
        return self._wait(sent, job_of(body["poll"]))

    def _sent(self, operation: str, fields: dict[str, Any], options: CallOptions) -> Sent:
        seconds = self._timeout if options.timeout is None else options.timeout
        return Sent(operation, ROUTES[operation], fields, options, time.monotonic() + seconds)

    def _wait(self, sent: Sent, job_id: str) -> Any:
        while True:
            seconds = int(min(self._connection.wait_seconds, sent.seconds_left))
            fields = {"job_id": job_id, "wait": seconds}
            polled = Sent(sent.operation, ROUTES["get_job"], fields, sent.options, sent.ends_at)
            _, job = send(self._connection, polled)
            asked = job.get("approval")
            if job["status"] == "failed":
                raise Refused(sent.operation, job["http_status"], job["error"])
            # A repeat of a call that waits for an owner ends at once, and names the waiting call.
            if job["status"] == "complete" and not asked:
                return job["result"]
            if asked and not sent.options.wait_for_approval:
                raise ApprovalRequired(sent.operation, asked)
            if sent.seconds_left == 0:
                raise StillPending(sent.operation, job_id)
            if job["status"] == "complete":
                job_id = job_of(asked["poll"])
