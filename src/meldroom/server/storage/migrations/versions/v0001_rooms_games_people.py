"""Rooms, finished games and people."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make every table of the first version."""
    _rooms()
    _games()
    _people()
    op.create_table(
        "meta",
        sa.Column("key", sa.String(40), primary_key=True),
        sa.Column("value", sa.String(200), nullable=False),
    )


def _rooms() -> None:
    op.create_table(
        "room_events",
        sa.Column("room", sa.String(16), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("event", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "room_cards",
        sa.Column("room", sa.String(16), primary_key=True),
        sa.Column("stage", sa.String(8), nullable=False),
        sa.Column("public", sa.Boolean(create_constraint=False), nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
        sa.Column("card", sa.LargeBinary, nullable=False),
    )
    op.create_index("room_cards_by_stage", "room_cards", ["stage", "public", "changed_at"])
    op.create_table(
        "people_in_rooms",
        sa.Column("player", sa.String(40), primary_key=True),
        sa.Column(
            "room", sa.String(16), sa.ForeignKey("room_cards.room", ondelete="CASCADE"), primary_key=True
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("people_in_rooms_by_room", "people_in_rooms", ["room"])


def _games() -> None:
    op.create_table(
        "finished_games",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
        sa.Column("summary", sa.LargeBinary, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
    )
    op.create_table(
        "people_in_games",
        sa.Column("player", sa.String(40), primary_key=True),
        sa.Column(
            "game", sa.String(40), sa.ForeignKey("finished_games.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
    )
    op.create_index("people_in_games_by_time", "people_in_games", ["player", "ended_at"])


def _people() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "accounts",
        sa.Column("key", sa.String(24), primary_key=True),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), nullable=False, unique=True),
        sa.Column("password", sa.String(200), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "former_guests",
        sa.Column("guest", sa.String(40), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
    )
    op.create_index("former_guests_by_player", "former_guests", ["player"])
    op.create_table(
        "sessions",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
    )
    op.create_index("sessions_by_player", "sessions", ["player"])
    op.create_index("sessions_by_end", "sessions", ["expires_at"])
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger),
    )
    op.create_index("tokens_by_player", "tokens", ["player"])
