"""Signed receipts of deals (JWS, Ed25519: RFC 7515, 8037)."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from typing import Any

from .webhooks import NotVerified


def verify_receipt(receipt: str, keys: Mapping[str, Any]) -> dict[str, Any]:
    """
    Returns what a receipt says, if one of these keys (`/.well-known/jwks.json`) has signed it;
    otherwise raises `NotVerified`. It asks nobody. It needs the package `cryptography`, and raises
    `ImportError` without it.
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    parts = re.sub(r"[\s>\"'=]+", "", receipt).split(".")
    if len(parts) != 3:
        raise NotVerified("it is no signed receipt")
    header = _parsed(parts[0])
    by_kid = {key["kid"]: key["x"] for key in keys["keys"]}
    kid = header.get("kid")
    if header.get("alg") != "EdDSA" or not isinstance(kid, str) or kid not in by_kid:
        raise NotVerified("no key of these has signed it")
    key = Ed25519PublicKey.from_public_bytes(_bytes_of(by_kid[kid]))
    try:
        key.verify(_bytes_of(parts[2]), f"{parts[0]}.{parts[1]}".encode())
    except InvalidSignature:
        raise NotVerified("it was changed after it was signed") from None
    says = _parsed(parts[1])
    if not isinstance(says.get("receipt_id"), int):  # The hash of a day is signed too.
        raise NotVerified("it is no receipt")
    return says


def _parsed(part: str) -> dict[str, Any]:
    try:
        content = json.loads(_bytes_of(part))
    except ValueError:
        raise NotVerified("it is no signed receipt") from None
    if not isinstance(content, dict):
        raise NotVerified("it is no signed receipt")
    return content


def _bytes_of(base64url: str) -> bytes:
    try:
        padded = base64url + "=" * (-len(base64url) % 4)
        content = base64.b64decode(padded, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise NotVerified("it is no signed receipt") from None
    # The one spelling of these bytes: a hash of the text would differ for another.
    if base64.urlsafe_b64encode(content).rstrip(b"=").decode() != base64url:
        raise NotVerified("it is no signed receipt")
    return content
