"""The feed of events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

WAIT_SECONDS = 25


class EventFeed:
    """
    Events, one after the other, each at least once: iterate it. `cursor` is behind the last page
    that was taken. A program that stores it continues from there when it starts again, and may then
    see a few events a second time.
    """

    def __init__(self, page: Callable[..., dict[str, Any]], cursor: str | None) -> None:
        self._page = page
        self.cursor = cursor

    def begin(self) -> None:
        """Remembers the current position, before anything else happens; else the iteration does."""
        if self.cursor is None:
            self.cursor = self._page(**{"from": "now", "limit": 1, "wait": 0})["next_cursor"]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        self.begin()
        while True:
            at = {} if self.cursor is None else {"cursor": self.cursor}
            page = self._page(**at, wait=WAIT_SECONDS)
            yield from page["events"]
            self.cursor = page["next_cursor"] or self.cursor
