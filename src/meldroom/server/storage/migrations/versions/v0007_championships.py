"""Championships and leagues in the database, where that is chosen."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "championships",
        sa.Column("code", sa.String(8), primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("rewritten", sa.Integer, nullable=False),
        sa.Column("has_rooms", sa.Boolean(create_constraint=False), nullable=False),
        sa.Column("card", sa.LargeBinary),
    )
    op.create_table(
        "championship_lines",
        _of_championship(),
        sa.Column("file", sa.String(12), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("line", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "championship_files",
        _of_championship(),
        sa.Column("name", sa.String(80), primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "leagues",
        sa.Column("code", sa.String(8), primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )


def _of_championship() -> sa.Column[str]:
    reference = sa.ForeignKey("championships.code", ondelete="CASCADE")
    return sa.Column("championship", sa.String(8), reference, primary_key=True)
