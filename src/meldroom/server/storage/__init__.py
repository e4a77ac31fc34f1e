"""Where everything durable lives: rooms, finished games, people; SQLite by default, PostgreSQL fits."""

from meldroom.server.storage.errors import DataFolderError, StorageError
from meldroom.server.storage.store import SqlStore

__all__ = ["DataFolderError", "SqlStore", "StorageError"]
