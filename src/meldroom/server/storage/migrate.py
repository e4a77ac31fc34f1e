"""Upgrades a database; loads the migration tool only when there is a step to take."""

from __future__ import annotations

from sqlalchemy import Connection, inspect, text

from meldroom.server.storage.errors import DataFolderError
from meldroom.server.storage.migrations import HEAD, REVISIONS

LOCATION = "meldroom.server.storage:migrations"


def revision(connection: Connection) -> str | None:
    """The revision a database is at; None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def steps_to_take(found: str | None) -> bool:
    """Whether a database at this revision needs a migration.

    Raises DataFolderError if this Meldroom does not know the revision.
    """
    if found is not None and found not in REVISIONS:
        raise DataFolderError("newer", found=found, known=HEAD)
    return found != HEAD


def upgrade(connection: Connection) -> None:
    """Take every step that is missing, in the transaction of the connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", LOCATION)
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
