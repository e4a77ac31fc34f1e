"""Tokens as HTTP shows them."""

from __future__ import annotations

import msgspec

from meldroom.api.schemas import TokenScope


class TokenCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A token in the list; its secret is shown once, when it is made."""

    id: str
    label: str
    created_at: int
    expires_at: int
    scopes: tuple[TokenScope, ...]
    used_at: int | None = None
    secret: str | None = None
