"""Scopes and the end of tokens, passkeys, walkouts and bans."""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

TOKEN_MS = 90 * 24 * 3600 * 1000


def upgrade() -> None:
    """Tokens there are may do what they could, for ninety days more; add the tables."""
    scopes = sa.Column("scopes", sa.String(60), nullable=False, server_default="read play social")
    op.add_column("tokens", scopes)
    op.add_column("tokens", sa.Column("expires_at", sa.BigInteger, nullable=False, server_default="0"))
    tokens = sa.table("tokens", sa.column("expires_at", sa.BigInteger))
    op.get_bind().execute(sa.update(tokens).values(expires_at=int(time.time() * 1000) + TOKEN_MS))
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("credential_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("credential", sa.Text, nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("uses", sa.BigInteger, nullable=False),
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger),
    )
    op.create_index("passkeys_by_player", "passkeys", ["player"])
    op.create_table(
        "walkouts",
        sa.Column("player", sa.String(40), primary_key=True),
        sa.Column("at", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("room", sa.String(16), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("walkouts_by_time", "walkouts", ["at"])
    op.create_table(
        "bans",
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
