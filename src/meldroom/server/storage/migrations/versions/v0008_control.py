"""What is switched off, games to be ended, and when somebody last proved who they are."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables and the column."""
    op.create_table(
        "switched_off",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("since", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "games_to_end",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("room", sa.String(16), nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("done_at", sa.BigInteger),
        sa.Column("outcome", sa.String(40)),
    )
    op.add_column("sessions", sa.Column("proved_at", sa.BigInteger))
