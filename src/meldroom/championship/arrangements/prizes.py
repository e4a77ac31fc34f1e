"""Who gets which prize, and by which rule: in the order of the list, usually one prize a player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from meldroom.championship.arrangements.definition import Prize
from meldroom.championship.arrangements.members import members
from meldroom.championship.arrangements.teams import team_standings
from meldroom.championship.standings import final_ranking
from meldroom.championship.state import ChampionshipState
from meldroom.i18n import Language, message

One = TypeVar("One", int, str)


class Award(msgspec.Struct, frozen=True):
    """A prize and who gets it; several who are level share it."""

    prize: int
    """Its place in the list, from 1."""
    players: tuple[int, ...] = ()
    teams: tuple[str, ...] = ()
    place: int = 0
    """The place in the ranking that it goes to."""
    passed: tuple[int, ...] = ()
    """Who would have had it, but has another prize."""


def awards(state: ChampionshipState) -> tuple[Award, ...]:
    """An award for every prize, as the ranking is now; without players or teams if nobody fits its rule."""
    ranking = final_ranking(state)
    served: set[int] = set()
    served_teams: set[str] = set()
    found = []
    for number, prize in enumerate(state.arrangements.prizes, start=1):
        if prize.to == "teams":
            teams = [(row.place, row.team) for row in team_standings(state)]
            place, names, _ = _best(prize, teams, {team for _, team in teams}, served_teams)
            found.append(Award(number, teams=names, place=place))
            served_teams.update(() if prize.again else names)
            continue
        category = state.arrangements.category(prize.category)
        belong = set(members(state, category)) if category is not None else {one for _, one in ranking}
        place, players, passed = _best(prize, ranking, belong, served)
        found.append(Award(number, players=players, place=place, passed=passed))
        served.update(() if prize.again else players)
    return tuple(found)


def _best(
    prize: Prize, ranking: Sequence[tuple[int, One]], belong: set[One], served: set[One]
) -> tuple[int, tuple[One, ...], tuple[One, ...]]:
    """The place, who stands on it and gets the prize, and who was passed over."""
    fitting = [
        (place, one)
        for place, one in ranking
        if one in belong and place > prize.not_first and prize.place in (0, place)
    ]
    free = [(place, one) for place, one in fitting if prize.again or one not in served]
    if not free:
        return 0, (), tuple(one for _, one in fitting)
    best = free[0][0]
    passed = tuple(one for place, one in fitting if place <= best and one in served and not prize.again)
    return best, tuple(one for place, one in free if place == best), passed


def rule_text(state: ChampionshipState, prize: Prize, language: Language) -> str:
    """The rule that awards a prize, in words."""
    if prize.to == "teams":
        who = message("championship.prize.team", language)
    else:
        category = state.arrangements.category(prize.category)
        who = (
            category.name[language]
            if category is not None
            else message("championship.prize.player", language)
        )
    key = "place" if prize.place else "best"
    told = [message(f"championship.prize.{key}", language, who=who, place=prize.place)]
    if prize.not_first:
        told.append(message("championship.prize.not_first", language, count=prize.not_first))
    if prize.again:
        told.append(message("championship.prize.again", language))
    return ", ".join(told)
