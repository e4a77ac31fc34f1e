"""The cross table: every game of everybody, with the opponents met, in parts that fit the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from meldroom.championship.log.export import SeatedSitting
from meldroom.papers.values import CrossPart, CrossRow, CrossSitting, CrossTable

if TYPE_CHECKING:
    from meldroom.papers.championship_papers import ChampionshipPapers

_WIDTH = 165
"""Millimetres beside place, name and totals, on the narrower of the two papers."""
_SITTING = 26
_GAME = 7


def cross_table(papers: ChampionshipPapers) -> CrossTable:
    """The cross table, best first; sittings that do not fit side by side come on later pages."""
    parts = []
    for some in _side_by_side(papers):
        names = list(dict.fromkeys(papers.stage_name(each.stage) for each in some))
        title = names[0] if len(names) == 1 else f"{names[0]} – {names[-1]}"
        parts.append(CrossPart(title, tuple(_heading(papers, each) for each in some), _rows(papers, some)))
    return CrossTable(tuple(parts))


def _heading(papers: ChampionshipPapers, seating: SeatedSitting) -> tuple[str, int]:
    stage = papers.format.stage(seating.stage)
    name = stage.name[papers.order.language]
    if stage.sittings > 1:
        name = f"{name}, {papers.text('sitting_short', sitting=seating.sitting)}"
    return name, stage.games


def _side_by_side(papers: ChampionshipPapers) -> list[list[SeatedSitting]]:
    """Sittings that were played, in groups that fit a page; one that is too wide stands alone."""
    groups: list[list[SeatedSitting]] = []
    used = _WIDTH + 1
    for each in papers.document.seating:
        if not any(key[:2] == (each.stage, each.sitting) for key in papers.results):
            continue
        width = _SITTING + _GAME * papers.format.stage(each.stage).games
        if used + width > _WIDTH:
            groups.append([])
            used = 0
        groups[-1].append(each)
        used += width
    return groups


def _rows(papers: ChampionshipPapers, seated: list[SeatedSitting]) -> tuple[CrossRow, ...]:
    """Everybody who sat in one of these sittings, in the order of the ranking; place 0 is none."""
    places = {each.number: each.place for each in papers.document.ranking}
    places |= dict.fromkeys(papers.too_few(), 0)
    totals, points = papers.totals(), papers.points()
    rows = []
    for number, place in places.items():
        sat = tuple(_sat(papers, each, number, places) for each in seated)
        if any(each is not None for each in sat):
            wins, score, _ = totals.get(number, (0, 0, 0))
            rows.append(
                CrossRow(
                    place,
                    papers.person(number, public=True),
                    sat,
                    wins,
                    score,
                    points.get(number),
                )
            )
    return tuple(rows)


def _sat(
    papers: ChampionshipPapers, seating: SeatedSitting, number: int, places: dict[int, int]
) -> CrossSitting | None:
    for table, numbers in enumerate(seating.tables, start=1):
        if number not in numbers:
            continue
        seat = numbers.index(number)
        known = papers.results.get((seating.stage, seating.sitting, table), {})
        games: list[tuple[int, bool] | None] = []
        for game in range(1, papers.format.stage(seating.stage).games + 1):
            result = known.get(game)
            score = None if result is None else result.scores[seat]
            won = result is not None and seat in result.winners
            games.append(None if score is None else (score, won))
        met = tuple(sorted(places.get(other, 0) for other in numbers if other != number))
        return CrossSitting(table, seat + 1, met, tuple(games))
    return None
