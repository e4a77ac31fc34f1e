"""When a session was last used, and accounts that only a passkey opens."""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both; nobody is signed out by the upgrade, so every session counts as used now."""
    op.add_column("sessions", sa.Column("used_at", sa.BigInteger))
    now = int(time.time() * 1000)
    op.execute(sa.table("sessions", sa.column("used_at", sa.BigInteger)).update().values(used_at=now))
    op.add_column(
        "accounts",
        sa.Column(
            "passkey_only",
            sa.Boolean(create_constraint=False),
            nullable=False,
            server_default=sa.false(),
        ),
    )
