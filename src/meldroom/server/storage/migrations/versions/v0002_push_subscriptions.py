"""Browsers that are told of a turn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table of push subscriptions."""
    op.create_table(
        "push_subscriptions",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("endpoint_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("site", sa.String(200), nullable=False),
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("session", sa.String(64), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_index("push_subscriptions_by_player", "push_subscriptions", ["player"])
    op.create_index("push_subscriptions_by_session", "push_subscriptions", ["session"])
