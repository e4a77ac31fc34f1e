"""Tokens as HTTP shows them."""

from __future__ import annotations

import msgspec


class TokenCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A token in the list; its secret is shown once, when it is made."""

    id: str
    label: str
    created_at: int
    used_at: int | None = None
    secret: str | None = None
