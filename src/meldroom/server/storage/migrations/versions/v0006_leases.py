"""Nodes that share a database, and which of them a room belongs to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both tables."""
    op.create_table(
        "nodes",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "room_leases",
        sa.Column("room", sa.String(16), primary_key=True),
        sa.Column("node", sa.String(24), nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("left_at", sa.BigInteger),
    )
    op.create_index("room_leases_by_node", "room_leases", ["node"])
