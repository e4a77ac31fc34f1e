"""Storage: rooms, finished games and people, in SQLite; PostgreSQL would fit."""

from meldroom.server.storage.errors import DataFolderError, StorageError
from meldroom.server.storage.store import SqlStore

__all__ = ["DataFolderError", "SqlStore", "StorageError"]
