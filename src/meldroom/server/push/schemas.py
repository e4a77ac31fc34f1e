"""Push subscriptions as HTTP takes and shows them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

LONGEST_ENDPOINT = 1_000

Endpoint = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_ENDPOINT)]
PublicKey = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
AuthSecret = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class PushKey(msgspec.Struct, frozen=True):
    """The server's public key, as `PushManager.subscribe` wants it: base64url, uncompressed P-256."""

    key: str


class SubscriptionKeys(msgspec.Struct, frozen=True):
    """What a browser lets messages be encrypted with, base64url."""

    p256dh: PublicKey
    auth: AuthSecret


class NewSubscription(msgspec.Struct, frozen=True):
    """A subscription as `PushSubscription.toJSON` writes it; `endpoint` is where its messages go."""

    endpoint: Endpoint
    keys: SubscriptionKeys


class SubscriptionCard(msgspec.Struct, frozen=True):
    """A browser that is told of one's turns. Its endpoint and keys are not shown again."""

    id: str
    created_at: int


class TurnMessage(msgspec.Struct, frozen=True):
    """All that a push message says: whose turn it is or who invites, at which table. Nothing of the game."""

    room: str
    title: str
    body: str
    kind: Literal["turn", "invitation"] = "turn"
