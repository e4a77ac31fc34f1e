"""Team standings: the sums of a team's best members, and which criterion decided each place."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from meldroom.championship.arrangements.definition import TeamCriterion, TeamRule
from meldroom.championship.standings import Row, standings
from meldroom.championship.state import ChampionshipState

TeamDecidedBy = Literal["", "wins", "points", "score", "places", "best_place", "shared"]


class TeamRow(msgspec.Struct, frozen=True):
    """One team's place, and what it rests on."""

    place: int
    team: str
    counted: tuple[int, ...]
    """The members who count, best first."""
    others: tuple[int, ...]
    wins: int
    points: int
    score: int
    places: int
    """The sum of the counted members' places; a missing one is placed behind everybody."""
    decided_by: TeamDecidedBy


def team_stage(state: ChampionshipState, rule: TeamRule) -> str:
    """The stage whose standings count for teams."""
    return rule.stage or state.format.stages[0].id


def team_criteria(state: ChampionshipState, rule: TeamRule) -> tuple[TeamCriterion, ...]:
    """What decides between teams, before their best members' places do."""
    if rule.ranking:
        return rule.ranking
    known = state.format.criteria(team_stage(state, rule))
    return tuple(each for each in known if each != "best_games")


def team_standings(state: ChampionshipState, *, signed_only: bool = False) -> tuple[TeamRow, ...]:
    """The teams, best first; nothing if teams do not count. Who is disqualified counts for no team.

    Teams who are level in everything are told apart by the places of their best members, then share a place.
    """
    rule = state.arrangements.teams
    if rule is None:
        return ()
    stage = team_stage(state, rule)
    if not any(key[0] == stage for key in state.seatings):
        return ()
    rows = [
        row
        for row in standings(state, stage, signed_only=signed_only).rows
        if row.decided_by != "disqualified"
    ]
    teams: dict[str, list[Row]] = {}
    for row in rows:
        if team := state.participant(row.number).entrant.team:
            teams.setdefault(team, []).append(row)
    size = rule.best or max((len(each) for each in teams.values()), default=0)
    made = [_total(team, members, size, len(rows) + 1) for team, members in sorted(teams.items())]
    criteria = team_criteria(state, rule)
    placed = {row.number: row.place for row in rows}

    def key(row: TeamRow) -> tuple[tuple[int, ...], ...]:
        sums = tuple(-row.places if name == "places" else int(getattr(row, name)) for name in criteria)
        return (*((each,) for each in sums), tuple(-placed[number] for number in row.counted))

    made.sort(key=key, reverse=True)
    names: tuple[TeamDecidedBy, ...] = (*criteria, "best_place")
    ranked: list[TeamRow] = []
    for position, team_row in enumerate(made):
        above = made[position - 1] if position else None
        if above is not None and key(team_row) == key(above):
            ranked.append(replace(team_row, place=ranked[-1].place, decided_by="shared"))
            continue
        why: TeamDecidedBy = ""
        if above is not None:
            why = next(
                name for name, one, two in zip(names, key(above), key(team_row), strict=True) if one != two
            )
        ranked.append(replace(team_row, place=position + 1, decided_by=why))
    return tuple(ranked)


def _total(team: str, members: list[Row], size: int, last: int) -> TeamRow:
    """A team's sums; its members are in the order of the standings."""
    counted, others = members[:size], members[size:]
    return TeamRow(
        place=0,
        team=team,
        counted=tuple(row.number for row in counted),
        others=tuple(row.number for row in others),
        wins=sum(row.wins for row in counted),
        points=sum(row.points for row in counted),
        score=sum(row.score for row in counted),
        places=sum(row.place for row in counted) + last * (size - len(counted)),
        decided_by="",
    )
