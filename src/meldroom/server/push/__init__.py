"""Web Push: tells players of slow games, whose browser is closed, that it is their turn."""

from meldroom.server.push.notifier import TurnPushes
from meldroom.server.push.subscriptions import Subscriptions

__all__ = ["Subscriptions", "TurnPushes"]
