"""Profiles, friends, invitations and statistics as HTTP takes and shows them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from meldroom.rooms.domain.avatars import LONGEST_PROFILE
from meldroom.rooms.ports import RoomCard


class BookStatistics(msgspec.Struct, frozen=True):
    """Somebody's games by one book. `score` and `opened` are means, for the player alone."""

    book: str
    games: int
    wins: int
    score: float | None
    opened: float | None


class Statistics(msgspec.Struct, frozen=True):
    """Somebody's finished games. Those with other persons at the table are counted once more apart.

    For the player alone: `opened`, the own turn in which they open on average, and `missed`, the tiles they
    could have laid and did not, on average in a turn of the `judged_games`.
    """

    games: int
    wins: int
    people_games: int
    people_wins: int
    longest_run: int
    books: tuple[BookStatistics, ...]
    opened: float | None
    missed: float | None
    judged_games: int


class PersonCard(msgspec.Struct, frozen=True):
    """Somebody as others see them. `profile` names their page; guests have no `account`."""

    profile: str
    name: str
    avatar: str
    account: str | None


class MyProfile(msgspec.Struct, frozen=True):
    """One's own page. `pending` games are still being counted."""

    person: PersonCard
    since: int
    statistics: Statistics
    pending: int


Standing = Literal["none", "asked", "asks", "friends", "me"]
"""Between two people: nothing, I have asked, they have asked, friends; or it is oneself."""


class Profile(msgspec.Struct, frozen=True):
    """Somebody's page. `last_game` is the last one that both finished, empty without one."""

    person: PersonCard
    since: int
    statistics: Statistics
    standing: Standing
    blocked: bool
    last_game: str


Presence = Literal["away", "online", "playing"]


class FriendCard(msgspec.Struct, frozen=True):
    """A friend, or somebody one has played with. `last_game` is the last one that both finished."""

    person: PersonCard
    presence: Presence
    last_game: str


class Friends(msgspec.Struct, frozen=True):
    """One's friends, those who ask to be, those one has asked; recent opponents; people one has blocked."""

    friends: tuple[FriendCard, ...]
    asks: tuple[PersonCard, ...]
    asked: tuple[PersonCard, ...]
    recent: tuple[FriendCard, ...]
    blocked: tuple[PersonCard, ...]


ProfileName = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_PROFILE)]


class OnePerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whom a request is about: the name of an account, or a profile."""

    person: ProfileName


class HowWeStand(msgspec.Struct, frozen=True):
    """Somebody, and how one stands with them now."""

    person: PersonCard
    standing: Standing


class Invitation(msgspec.Struct, frozen=True):
    """Somebody asks one to a table."""

    room: RoomCard
    inviter: PersonCard
    at: int


class PlayAgain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new table like that of a finished `game`, with the same company; or with one `person`."""

    game: Annotated[str, msgspec.Meta(max_length=40)] = ""
    person: Annotated[str, msgspec.Meta(max_length=LONGEST_PROFILE)] = ""
