"""Profiles on the server: people as others see them, their friends, invitations and statistics."""

from meldroom.server.profiles.game_counter import GameCounter
from meldroom.server.profiles.invitations import Invitations
from meldroom.server.profiles.people import Profiles
from meldroom.server.profiles.puzzles import AccountPuzzles

__all__ = ["AccountPuzzles", "GameCounter", "Invitations", "Profiles"]
