"""Lists that pages follow: the lobby, one's games, friends and invitations, championships and leagues."""

from meldroom.server.topics.hub import MOST_FOLLOWED, Topics
from meldroom.server.topics.values import Values

__all__ = ["MOST_FOLLOWED", "Topics", "Values"]
