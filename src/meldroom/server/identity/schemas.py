"""Who somebody is, and their tokens, as HTTP shows them."""

from __future__ import annotations

import msgspec

from meldroom.i18n import Language


class Me(msgspec.Struct, frozen=True):
    """Who one is: a guest has no account."""

    id: str
    name: str
    guest: bool
    account: str | None
    language: Language


class TokenCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A token in the list; its secret is shown once, when it is made."""

    id: str
    label: str
    created_at: int
    used_at: int | None = None
    secret: str | None = None
