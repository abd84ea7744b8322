"""The outcomes of a call that are no answer."""

from __future__ import annotations

from typing import Any


def job_of(poll: str) -> str:
    """The id of the job in the path `poll`."""
    return poll.rsplit("/", 1)[-1]


class MarketError(Exception):
    """Any outcome of a call that is no answer."""

    operation: str

    def __init__(self, operation: str, message: str) -> None:
        super().__init__(f"{operation}: {message}")
        self.operation = operation

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies, as between processes, are made without the constructor: it takes more."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(
    kind: type[MarketError], args: tuple[Any, ...], state: dict[str, Any]
) -> MarketError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class Refused(MarketError):
    """The marketplace refused: `code` is the one to act on. The money has not moved."""

    def __init__(self, operation: str, status: int, refusal: dict[str, Any]) -> None:
        super().__init__(operation, f"{refusal.get('error')}: {refusal.get('message')}")
        self.status = status
        self.refusal = refusal

    @property
    def code(self) -> str:
        return str(self.refusal.get("error"))

    @property
    def details(self) -> dict[str, Any]:
        return dict(self.refusal.get("details") or {})


class StillPending(MarketError):
    """The call was accepted and has not ended: `market.resume(operation, job_id)` waits on."""

    def __init__(self, operation: str, job_id: str) -> None:
        super().__init__(operation, f"accepted, and not finished yet: job {job_id}")
        self.job_id = job_id


class ApprovalRequired(MarketError):
    """An owner has to approve the call first. Nothing was paid; stock is kept until then."""

    def __init__(self, operation: str, asked: dict[str, Any]) -> None:
        self.job_id = job_of(asked["poll"])
        self.approval_id: int = asked["approval_id"]
        self.expires_at: str = asked["expires_at"]
        super().__init__(operation, f"waits for approval {self.approval_id} until {self.expires_at}")


class Unreachable(MarketError):
    """
    No answer came in any attempt, so the call may have had its effect. Repeating it with this
    `idempotency_key` has the effect once, and returns the outcome.
    """

    def __init__(self, operation: str, idempotency_key: str | None, why: str) -> None:
        super().__init__(operation, f"the marketplace did not answer: {why}")
        self.idempotency_key = idempotency_key
