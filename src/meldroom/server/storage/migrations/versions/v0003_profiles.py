"""Profiles: public ids and avatars, friends, blocks, invitations, and finished games in numbers."""

from __future__ import annotations

from hashlib import blake2b

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Give everybody a public id, and add the tables."""
    op.add_column("players", sa.Column("profile", sa.String(24)))
    op.add_column("players", sa.Column("avatar", sa.String(11), nullable=False, server_default=""))
    _give_public_ids(op.get_bind())
    op.create_index("players_by_profile", "players", ["profile"], unique=True)
    op.create_table(
        "played_games",
        sa.Column(
            "game", sa.String(40), sa.ForeignKey("finished_games.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.Column("book", sa.String(40), nullable=False),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
        sa.Column("counts", sa.Boolean(create_constraint=False), nullable=False),
        sa.Column("people", sa.Integer, nullable=False),
        sa.Column("won", sa.Boolean(create_constraint=False), nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("opened", sa.Integer),
        sa.Column("missed", sa.Integer, nullable=False),
        sa.Column("judged", sa.Integer),
    )
    op.create_index("played_games_by_player", "played_games", ["player", "ended_at"])
    for name, other in (("friends", "friend"), ("blocks", "blocked")):
        op.create_table(
            name,
            sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), primary_key=True),
            sa.Column(other, sa.String(40), sa.ForeignKey("players.id"), primary_key=True),
            sa.Column("created_at", sa.BigInteger, nullable=False),
            sqlite_with_rowid=False,
        )
        op.create_index(f"{name}_by_{other}", name, [other])
    op.create_table(
        "invitations",
        sa.Column(
            "room", sa.String(16), sa.ForeignKey("room_cards.room", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("inviter", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("invitations_by_player", "invitations", ["player"])


def _give_public_ids(connection: sa.Connection) -> None:
    """As `profile_of` makes them; a migration does not change when the code does."""
    players = sa.table("players", sa.column("id", sa.String), sa.column("profile", sa.String))
    change = sa.update(players).where(players.c.id == sa.bindparam("the_id"))
    change = change.values(profile=sa.bindparam("the_profile"))
    rows = [
        {
            "the_id": one,
            "the_profile": f"~{blake2b(one.encode(), digest_size=8, person=b'profile').hexdigest()}",
        }
        for one in connection.execute(sa.select(players.c.id)).scalars()
    ]
    if rows:
        connection.execute(change, rows)
