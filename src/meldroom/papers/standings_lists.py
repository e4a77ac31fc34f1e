"""Standings, the final ranking and certificates of a championship, as papers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import UNSET

from meldroom.championship.standings import DecidedBy, Row
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
            row.place if row.placed else 0,
            papers.person(row.number, public=True),
            row.wins,
            row.points,
            row.score,
            row.games,
            _decided_by(papers, row.decided_by) if row.decided_by != "disqualified" else "",
            ", ".join(
                filter(None, (_notes(papers, row.number, out=row.out, stage=stage), _due(papers, row)))
            ),
        )
        for row in found.rows
    )
    name = papers.stage_name(stage)
    cut = takes if takes is not None and takes < len(rows) else None
    points = "points" in papers.format.criteria(stage)
    return StandingsList(
        name, rows, points, cut, _finished(papers, stage), remarks=_void_remarks(papers, stage)
    )


def _void_remarks(papers: ChampionshipPapers, stage: str) -> tuple[str, ...]:
    """Why a stage ended early, and which games are void, for everybody who reads the list."""
    lines = [papers.text("ended_early", why=papers.ended[stage])] if stage in papers.ended else []
    return tuple(lines) + tuple(
        papers.text(
            "void_signed" if void.signed else "void_game",
            sitting=key[1],
            table=key[2],
            game=key[3],
            why=void.why,
        )
        for key, void in papers.voids.items()
        if key[0] == stage and (void.signed or not void.ended)
    )


def _decided_by(papers: ChampionshipPapers, criterion: DecidedBy) -> str:
    return message(f"championship.decided_by.{criterion}", papers.order.language) if criterion else ""


def _due(papers: ChampionshipPapers, row: Row) -> str:
    """How many games were theirs to play, where it was another number than they played."""
    if row.due is UNSET or row.due == row.games:
        return ""
    return papers.text("games_due", due=row.due)


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
    """True if every table of every sitting of a stage is signed, as far as it was played."""
    seated = [each for each in papers.document.seating if each.stage == stage]
    if len(seated) < papers.format.stage(stage).sittings and stage not in papers.ended:
        return False
    sheets = [(stage, each.sitting, table) for each in seated for table in range(1, len(each.tables) + 1)]
    return all(sheet in papers.signed or papers.all_void(sheet) for sheet in sheets)


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
    few = papers.too_few()
    gone = tuple(
        StandingsRow(
            0,
            papers.person(one.number, public=True),
            *_totals(totals, points, one.number),
            note=_status(papers, one.number) if one.disqualified else _decided_by(papers, "too_few_games"),
        )
        for one in papers.document.entrants
        if one.disqualified or one.number in few
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
    return StandingsList(papers.text("ranking"), every, bool(points), parts=parts, remarks=_admitted(papers))


def _admitted(papers: ChampionshipPapers) -> tuple[str, ...]:
    """Who was admitted in spite of the list, and against what (R70)."""
    language = papers.order.language
    return tuple(
        f"{papers.person(one.number, public=True).name}: "
        + message(
            f"championship.command.admitted_{'known' if each.known else 'unknown'}",
            language,
            what=message(f"championship.verdict.{each.condition}", language),
            clause=each.clause or "–",
        )
        for one in papers.document.admitted or ()
        for each in one.breaks
    )


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
    placed = tuple(
        Certificate(
            papers.person(each.number),
            each.place if papers.people[each.number].status in here else None,
            players,
        )
        for each in papers.document.ranking
    )
    return Certificates(
        placed + tuple(Certificate(papers.person(number), None, players) for number in papers.too_few()),
        papers.day(papers.document.event.date),
        papers.order.where,
    )
