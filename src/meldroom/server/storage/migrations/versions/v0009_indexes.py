"""Indexes without which a start looks through all games for each of them."""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both."""
    op.create_index("finished_games_by_time", "finished_games", ["ended_at", "id"])
    op.create_index("people_in_games_by_game", "people_in_games", ["game"])
