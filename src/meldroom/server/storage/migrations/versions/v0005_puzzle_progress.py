"""Puzzles of accounts: every first attempt, ratings of players and puzzles, the best rows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "puzzle_attempts",
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("puzzle", sa.String(16), primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("book", sa.String(40), nullable=False),
        sa.Column("solved", sa.Boolean(create_constraint=False), nullable=False),
        sa.Column("daily", sa.Boolean(create_constraint=False), nullable=False),
        sa.Column("day", sa.Integer, nullable=False),
        sa.Column("rating", sa.Integer, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_index("puzzle_attempts_in_order", "puzzle_attempts", ["player", "number"], unique=True)
    op.create_table(
        "puzzle_players",
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("book", sa.String(40), primary_key=True),
        *_rating(),
    )
    op.create_table("puzzle_ratings", sa.Column("puzzle", sa.String(16), primary_key=True), *_rating())
    op.create_table(
        "puzzle_rows",
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("streak", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
    )


def _rating() -> list[sa.Column[float] | sa.Column[int]]:
    return [
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("volatility", sa.Double, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("day", sa.Integer, nullable=False),
    ]
