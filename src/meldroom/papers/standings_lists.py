"""Standings, the final ranking and certificates of a championship, as papers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from meldroom.championship.standings import DecidedBy
from meldroom.i18n import message
from meldroom.papers.values import (
    Certificate,
    Certificates,
    StandingsList,
    StandingsPaper,
    StandingsRow,
)

if TYPE_CHECKING:
    from meldroom.papers.championship_papers import ChampionshipPapers


def standings_papers(
    papers: ChampionshipPapers, stage: str | None = None
) -> Iterator[tuple[str, StandingsPaper]]:
    """The standings of every stage that has begun, and the final ranking when the championship is over."""
    for each in papers.document.standings:
        if stage in (None, each.stage):
            yield each.stage, StandingsPaper((_standings(papers, each.stage),))
    if papers.over and stage is None:
        yield "ranking", StandingsPaper((_ranking(papers),))


def _standings(papers: ChampionshipPapers, stage: str) -> StandingsList:
    found = next(each for each in papers.document.standings if each.stage == stage)
    stages = [each.id for each in papers.format.stages]
    place = stages.index(stage) + 1
    takes = papers.format.stages[place].takes if place < len(stages) else None
    rows = tuple(
        StandingsRow(
            0 if row.decided_by == "disqualified" else row.place,
            papers.person(row.number, public=True),
            row.wins,
            row.points,
            row.score,
            row.games,
            _decided_by(papers, row.decided_by) if row.decided_by != "disqualified" else "",
            _notes(papers, row.number, out=row.out, stage=stage),
        )
        for row in found.rows
    )
    name = papers.stage_name(stage)
    cut = takes if takes is not None and takes < len(rows) else None
    points = "points" in papers.format.criteria(stage)
    return StandingsList(name, rows, points, cut, _finished(papers, stage))


def _decided_by(papers: ChampionshipPapers, criterion: DecidedBy) -> str:
    return message(f"championship.decided_by.{criterion}", papers.order.language) if criterion else ""


def _notes(papers: ChampionshipPapers, number: int, *, out: bool, stage: str) -> str:
    """What stands beside a name: that they have left, and what penalties took off."""
    notes = [_status(papers, number)] if out else []
    for given in papers.document.penalties:
        each = given.penalty
        if given.stands and each.deduct and (each.number, each.stage) == (number, stage):
            what = message(f"championship.decided_by.{each.deduct_from}", papers.order.language)
            notes.append(papers.text("deducted", points=each.deduct, what=what))
    return ", ".join(notes)


def _status(papers: ChampionshipPapers, number: int) -> str:
    return message(f"championship.status.{papers.people[number].status}", papers.order.language)


def _finished(papers: ChampionshipPapers, stage: str) -> bool:
    """True if every table of every sitting of a stage is signed."""
    seated = {each.sitting: each for each in papers.document.seating if each.stage == stage}
    return all(
        sitting in seated
        and all((stage, sitting, table + 1) in papers.signed for table in range(len(seated[sitting].tables)))
        for sitting in range(1, papers.format.stage(stage).sittings + 1)
    )


def _ranking(papers: ChampionshipPapers) -> StandingsList:
    """Everybody by place, finalists first; who has left is marked."""
    totals, points = papers.totals(), papers.points()
    rows = tuple(
        StandingsRow(
            each.place,
            papers.person(each.number, public=True),
            *_totals(totals, points, each.number),
            note=papers.person(each.number, public=True).out,
        )
        for each in papers.document.ranking
    )
    gone = tuple(
        StandingsRow(
            0,
            papers.person(one.number, public=True),
            *_totals(totals, points, one.number),
            note=_status(papers, one.number),
        )
        for one in papers.document.entrants
        if one.disqualified
    )
    every = rows + gone
    last = papers.format.stages[-1].id
    seated = [each for each in papers.document.seating if each.stage == last]
    finalists = {number for each in seated for table in each.tables for number in table}
    first = sum(row.person.number in finalists for row in rows)
    split = len(papers.format.stages) > 1 and 0 < first < len(every)
    together = all(row.person.number in finalists for row in rows[:first])
    parts = (
        ((papers.text("finalists"), first), (papers.text("other_players"), len(every) - first))
        if split and together
        else ()
    )
    return StandingsList(papers.text("ranking"), every, bool(points), parts=parts)


def _totals(
    totals: dict[int, tuple[int, int, int]], points: dict[int, int], number: int
) -> tuple[int, int, int, int]:
    """Games won, points, score and games of one player."""
    wins, score, games = totals.get(number, (0, 0, 0))
    return wins, points.get(number, 0), score, games


def certificates(papers: ChampionshipPapers) -> Certificates:
    """One for everybody who has a place; players who left get one for taking part."""
    players = len(papers.document.ranking)
    here = ("present", "entered")
    return Certificates(
        tuple(
            Certificate(
                papers.person(each.number),
                each.place if papers.people[each.number].status in here else None,
                players,
            )
            for each in papers.document.ranking
        ),
        papers.day(papers.document.event.date),
        papers.order.where,
    )
