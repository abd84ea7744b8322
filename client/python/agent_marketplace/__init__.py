"""A typed client of the agent marketplace. It needs nothing but Python."""

from .errors import ApprovalRequired, MarketError, Refused, StillPending, Unreachable
from .events import EventFeed
from .market import Market
from .receipts import verify_receipt
from .transport import ABSENT, CallOptions
from .webhooks import NotVerified, verify_event

__all__ = [
    "ABSENT",
    "ApprovalRequired",
    "CallOptions",
    "EventFeed",
    "Market",
    "MarketError",
    "NotVerified",
    "Refused",
    "StillPending",
    "Unreachable",
    "verify_event",
    "verify_receipt",
]
