"""A rating list over events: openskill's Plackett–Luce model, game by game in the order they were played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal

import msgspec

from meldroom.decode import DecodeError, decode_json
from meldroom.errors import needs
from meldroom.league.errors import LeagueError
from meldroom.league.events import EventResult
from meldroom.league.people import key_of, people_of

SCALE, MIDDLE = 40.0, 1000.0
"""What is shown is 1000 for a newcomer whose strength is average, once it is known."""
_DEVIATIONS = 2.0


class RatedEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody was rated after an event."""

    event: str
    date: date
    mu: float
    sigma: float
    games: int


class RatedPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's strength, how unsure it is, and how it came about."""

    name: str
    mu: float
    sigma: float
    games: int
    history: tuple[RatedEvent, ...] = ()

    @property
    def rating(self) -> int:
        """The strength as a number to show."""
        return round(MIDDLE + SCALE * (self.mu - 25.0))

    @property
    def margin(self) -> int:
        """The true strength lies so far around it in 95 of 100 cases."""
        return round(SCALE * _DEVIATIONS * self.sigma)


class RatingList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everybody who has a rating, best first: by what their strength is at least."""

    players: tuple[RatedPlayer, ...] = ()
    format: Literal["meldroom-ratings/1"] = "meldroom-ratings/1"

    def as_json(self) -> bytes:
        """The list as a file keeps it."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"


def read_ratings(data: bytes) -> RatingList:
    """A list from its file. Raises LeagueError."""
    try:
        return decode_json(data, RatingList)
    except DecodeError as error:
        raise LeagueError("bad_ratings", error.where, why=error.as_message()) from None


def rate(
    events: Sequence[EventResult],
    same_person: Mapping[str, str] | None = None,
    start: RatingList | None = None,
) -> RatingList:
    """The list after these events, in the order of their dates, and of an earlier list if one is given.

    An event that the earlier list holds already is refused: it would count twice. Raises LeagueError.
    """
    start = start or RatingList()
    model = _model()
    held: dict[str, Any] = {}
    players: dict[str, RatedPlayer] = {}
    for player in start.players:
        key = key_of(player.name)
        held[key] = model.rating(mu=player.mu, sigma=player.sigma, name=key)
        players[key] = player
    known = {(one.event, one.date) for player in start.players for one in player.history}
    order = sorted(events, key=lambda event: (event.date, event.file))
    keys, people = people_of(order, same_person or {})
    for event, mine in zip(order, keys, strict=True):
        if (event.name, event.date) in known:
            raise LeagueError("rated_already", event=event.name, date=event.date.isoformat())
        for game in event.games:
            who = [mine[player] for player in game.players]
            teams = [[held.setdefault(key, model.rating(name=key))] for key in who]
            for key, (after,) in zip(who, model.rate(teams, ranks=list(game.places)), strict=True):
                held[key] = after
        for key, finish in zip(mine, event.finishes, strict=True):
            players[key] = _rated(players.get(key), people[key].name, held[key], event, finish.games)
    # Names that were erased say nothing about anybody; they were opponents, no more.
    kept = [one for key, one in players.items() if key not in people or not people[key].erased]
    kept.sort(key=lambda one: (-(one.mu - _DEVIATIONS * one.sigma), one.name))
    return RatingList(tuple(kept))


def _rated(before: RatedPlayer | None, name: str, now: Any, event: EventResult, games: int) -> RatedPlayer:
    line = RatedEvent(event.name, event.date, now.mu, now.sigma, games)
    if before is None:
        return RatedPlayer(name, now.mu, now.sigma, games, (line,))
    return RatedPlayer(name, now.mu, now.sigma, before.games + games, (*before.history, line))


def _model() -> Any:
    with needs("server"):
        from openskill.models import PlackettLuce
    return PlackettLuce()
