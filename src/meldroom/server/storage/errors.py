"""What can go wrong with storage, said so that whoever runs the server can act on it."""

from __future__ import annotations

from meldroom.rooms.errors import StorageError

__all__ = ["DataFolderError", "StorageError"]


class DataFolderError(StorageError):
    """The data folder cannot be used at all: locked, read-only, or written by a newer Meldroom."""

    domain = "server.data"
