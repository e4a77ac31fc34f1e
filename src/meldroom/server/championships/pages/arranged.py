"""Prizes, teams and days on a championship's page; fees only at the desk."""

from __future__ import annotations

from datetime import date

import msgspec

from meldroom.championship.arrangements.definition import Arrangements
from meldroom.championship.arrangements.members import accounts, members
from meldroom.championship.arrangements.prizes import Award, awards, rule_text
from meldroom.championship.arrangements.teams import TeamDecidedBy, team_criteria, team_stage, team_standings
from meldroom.championship.state import ChampionshipState
from meldroom.i18n import Text, languages


class PrizeLine(msgspec.Struct, frozen=True, kw_only=True):
    """A prize and the rule that awards it; who gets it, when the championship is over."""

    name: Text
    amount: str
    rule: Text
    players: tuple[int, ...] = ()
    teams: tuple[str, ...] = ()
    place: int = 0
    passed: tuple[int, ...] = ()


class TeamLine(msgspec.Struct, frozen=True, kw_only=True):
    """A team's place: what its counted members have together."""

    place: int
    team: str
    counted: tuple[int, ...]
    others: tuple[int, ...]
    sums: tuple[int, ...]
    """By the criteria of the team standings."""
    decided_by: TeamDecidedBy


class TeamsPage(msgspec.Struct, frozen=True, kw_only=True):
    """Team standings."""

    stage: str
    best: int | None
    criteria: tuple[str, ...]
    rows: tuple[TeamLine, ...]


class DayLine(msgspec.Struct, frozen=True, kw_only=True):
    """A day of play: which sittings."""

    date: date
    sittings: tuple[tuple[str, int], ...]


class AccountLine(msgspec.Struct, frozen=True, kw_only=True):
    """What an entrant has to pay and has paid, in hundredths."""

    number: int
    fee: int
    paid: int
    due: int


class CategoryLine(msgspec.Struct, frozen=True, kw_only=True):
    """A category with who belongs to it."""

    id: str
    name: Text
    members: tuple[int, ...]


class ArrangedDesk(msgspec.Struct, frozen=True, kw_only=True):
    """What the desk sees of the arrangements: the whole, and who would get which prize as it stands."""

    arrangements: Arrangements
    categories: tuple[CategoryLine, ...]
    prizes: tuple[PrizeLine, ...]
    accounts: tuple[AccountLine, ...]
    """Only for who may see fees."""


def prize_lines(state: ChampionshipState, *, awarded: bool) -> tuple[PrizeLine, ...]:
    """Every prize with its rule, and with who gets it if that is to be told."""
    given: tuple[Award | None, ...] = awards(state) if awarded else (None,) * len(state.arrangements.prizes)
    return tuple(
        PrizeLine(
            name=prize.name,
            amount=prize.amount,
            rule=Text.of({code: rule_text(state, prize, code) for code in languages()}),
            players=award.players if award is not None else (),
            teams=award.teams if award is not None else (),
            place=award.place if award is not None else 0,
            passed=award.passed if award is not None else (),
        )
        for prize, award in zip(state.arrangements.prizes, given, strict=True)
    )


def teams_page(shown: ChampionshipState) -> TeamsPage | None:
    """Team standings from results that may be shown; None where teams do not count."""
    rule = shown.arrangements.teams
    if rule is None:
        return None
    criteria = team_criteria(shown, rule)
    return TeamsPage(
        stage=team_stage(shown, rule),
        best=rule.best,
        criteria=criteria,
        rows=tuple(
            TeamLine(
                place=row.place,
                team=row.team,
                counted=row.counted,
                others=row.others,
                sums=tuple(int(getattr(row, name)) for name in criteria),
                decided_by=row.decided_by,
            )
            for row in team_standings(shown)
        ),
    )


def day_lines(state: ChampionshipState) -> tuple[DayLine, ...]:
    """The days of play in order."""
    days = sorted(state.arrangements.days, key=lambda each: each.date)
    return tuple(DayLine(date=day.date, sittings=day.sittings) for day in days)


def arranged_desk(state: ChampionshipState, *, fees: bool) -> ArrangedDesk:
    """The arrangements for the desk."""
    known = accounts(state) if fees and state.arrangements.fees is not None else ()
    return ArrangedDesk(
        arrangements=state.arrangements,
        categories=tuple(
            CategoryLine(id=each.id, name=each.name, members=members(state, each))
            for each in state.arrangements.categories
        ),
        prizes=prize_lines(state, awarded=bool(state.results)),
        accounts=tuple(
            AccountLine(number=each.number, fee=each.fee, paid=each.paid, due=each.due) for each in known
        ),
    )
