"""What goes wrong on a device, in words for whoever plays on it."""

from __future__ import annotations

from meldroom.api.errors import HttpError
from meldroom.rooms.errors import TRY_AGAIN, Refusal, StorageError


class DeviceError(HttpError):
    """A request that is refused on a device."""

    domain = "browser"


class DeviceRefusal(Refusal):
    """A command that is refused on a device."""

    domain = "browser"


class DeviceStorageError(StorageError):
    """The browser could not save or load something; nothing has changed."""

    domain = "browser.store"

    def refusal(self) -> Refusal:
        """What the player is told: that the device is full, or that it cannot save."""
        return DeviceRefusal(self.public_code, retry_ms=TRY_AGAIN)
