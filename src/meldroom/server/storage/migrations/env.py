"""What Alembic runs: the steps, on the connection it is given, in one transaction."""

from __future__ import annotations

from alembic import context

from meldroom.server.storage.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
