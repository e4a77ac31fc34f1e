"""What can go wrong with storage, said so that the person who runs the server can act on it."""

from __future__ import annotations


class StorageError(RuntimeError):
    """Something could not be written or read; whatever was asked for has not happened."""


class DataFolderError(StorageError):
    """The data folder cannot be used at all: locked, unwritable, or made by a newer Meldroom."""
