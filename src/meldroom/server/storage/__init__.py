"""Storage: rooms, finished games and people, in SQLite or PostgreSQL."""

from meldroom.server.storage.errors import DataFolderError, StorageError
from meldroom.server.storage.store import SqlStore

__all__ = ["DataFolderError", "SqlStore", "StorageError"]
