"""Messages that arrive at a webhook's URL (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

TOLERANCE_SECONDS = 300
"""Maximum difference of a message's time from ours."""
PREFIX = "whsec_"


class NotVerified(Exception):
    """The message is not from the marketplace, was changed, or is too old: answer it with 400."""


def verify_event(body: str | bytes, headers: Mapping[str, str], *secrets: str) -> dict[str, Any]:
    """
    Returns the event of a message that is signed with this secret (`whsec_…`), or with one of
    several; otherwise raises `NotVerified`. `body` is exactly as received: not parsed and
    serialised again. An event may come twice, with the same `id`.
    """
    sent = body if isinstance(body, bytes) else body.encode()
    by_name = {name.lower(): value for name, value in headers.items()}
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    message_id, timestamp, signatures = (by_name.get(name, "") for name in names)
    if not (message_id and timestamp and signatures):
        raise NotVerified("a header is missing")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise NotVerified("its time is too far from ours")
    signed = f"{message_id}.{timestamp}.".encode() + sent
    for secret in secrets:
        digest = hmac.new(_key_of(secret), signed, hashlib.sha256).digest()
        right = f"v1,{base64.b64encode(digest).decode()}"
        # Compares in constant time.
        if any(hmac.compare_digest(right.encode(), one.encode()) for one in signatures.split(" ")):
            event: dict[str, Any] = json.loads(sent)
            return event
    raise NotVerified("no signature is by this secret")


def _key_of(secret: str) -> bytes:
    try:
        if secret.startswith(PREFIX):
            return base64.b64decode(secret[len(PREFIX) :], validate=True)
    except binascii.Error:
        pass
    raise ValueError(f"a secret of a webhook begins with {PREFIX}")
