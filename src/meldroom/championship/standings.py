"""Standings of a stage: wins, score and R48's further criteria, and which of them decided each place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from meldroom.championship.actions import Deducted
from meldroom.championship.duplicate.scoring import field_points
from meldroom.championship.formats.format import Criterion, Duplicate, Placement
from meldroom.championship.results import GameResult
from meldroom.championship.state import ChampionshipState, GameKey

DecidedBy = Literal[
    "", "wins", "points", "score", "best_games", "deciding_game", "lot", "shared", "disqualified"
]


class Row(msgspec.Struct, frozen=True):
    """One player's place, and what it rests on."""

    place: int
    number: int
    wins: int
    points: int
    score: int
    games: int
    best_games: tuple[int, ...]
    """Scores of single games, best first."""
    decided_by: DecidedBy
    """Which criterion puts this player below the row above; nothing for the first row."""
    out: bool = False


class Standings(msgspec.Struct, frozen=True):
    """The rows, best first, and the groups who are still level: they need a deciding game (R48)."""

    stage: str
    rows: tuple[Row, ...]
    level: tuple[tuple[int, ...], ...]

    def order(self) -> tuple[int, ...]:
        """The players' numbers, best first."""
        return tuple(row.number for row in self.rows)


class Tally:
    """What a player has, while it is being added up."""

    __slots__ = ("points", "score", "scores", "wins")

    def __init__(self) -> None:
        self.wins = self.points = self.score = 0
        self.scores: list[int] = []

    def value(self, criterion: Criterion) -> int | tuple[int, ...]:
        """What counts under a criterion; more is better."""
        match criterion:
            case "wins":
                return self.wins
            case "points":
                return self.points
            case "score":
                return self.score
            case "best_games":
                return tuple(sorted(self.scores, reverse=True))


def standings(state: ChampionshipState, stage: str, *, signed_only: bool = False) -> Standings:
    """The standings of a stage so far; `signed_only` leaves out tables whose sheet is not signed.

    Raises ChampionshipError for a stage that does not exist.
    """
    tallies = tally(state, stage, signed_only=signed_only)
    criteria = state.format.criteria(stage)
    gone = [number for number in sorted(tallies) if state.participant(number).disqualified]
    keys = {
        number: tuple(each.value(name) for name in criteria)
        for number, each in tallies.items()
        if number not in gone
    }
    rows: list[Row] = []
    level: list[tuple[int, ...]] = []
    above: tuple[object, ...] | None = None
    ordered = sorted(sorted(keys), key=keys.__getitem__, reverse=True)
    start = 0
    while start < len(ordered):
        end = start
        while end < len(ordered) and keys[ordered[end]] == keys[ordered[start]]:
            end += 1
        group = ordered[start:end]
        group, how = _decided(state, stage, group)
        if len(group) > 1 and not how:
            level.append(tuple(group))
        why: DecidedBy = ""
        if above is not None:
            why = _first_difference(criteria, above, keys[group[0]])
        for place, number in enumerate(group):
            position = start + 1 + (place if how else 0)
            rows.append(
                _row(state, position, number, tallies[number], why if place == 0 else how or "shared")
            )
        above = keys[ordered[start]]
        start = end
    rows += [_row(state, len(ordered) + 1, number, tallies[number], "disqualified") for number in gone]
    return Standings(stage, tuple(rows), tuple(level))


def _row(state: ChampionshipState, place: int, number: int, mine: Tally, decided_by: DecidedBy) -> Row:
    return Row(
        place=place,
        number=number,
        wins=mine.wins,
        points=mine.points,
        score=mine.score,
        games=len(mine.scores),
        best_games=tuple(sorted(mine.scores, reverse=True)),
        decided_by=decided_by,
        out=state.participant(number).out,
    )


def _first_difference(
    criteria: Sequence[Criterion], above: tuple[object, ...], below: tuple[object, ...]
) -> DecidedBy:
    return next(name for name, one, two in zip(criteria, above, below, strict=True) if one != two)


def _decided(state: ChampionshipState, stage: str, group: list[int]) -> tuple[list[int], DecidedBy]:
    """A level group in the order of the latest deciding game or lot that all of them took part in."""
    if len(group) > 1:
        for decision in reversed(state.decisions.get(stage, ())):
            if set(group) <= set(decision.order):
                ordered = [number for number in decision.order if number in group]
                return ordered, "lot" if decision.how == "lot" else "deciding_game"
    return group, ""


def tally(state: ChampionshipState, stage: str, *, signed_only: bool = False) -> dict[int, Tally]:
    """What every player of a stage has, with what is carried from the stages before."""
    place = state.format.place(stage)
    own = state.format.stages[place]
    tallies = {number: Tally() for number in _players(state, stage)}
    if own.carry != "none" and place:
        for number, before in tally(
            state, state.format.stages[place - 1].id, signed_only=signed_only
        ).items():
            if (mine := tallies.get(number)) is None:
                continue
            if own.carry == "half_score":
                mine.score = int(before.score / 2)
            else:
                mine.wins, mine.points, mine.score = before.wins, before.points, before.score
                mine.scores = before.scores
    results = [
        (key, result)
        for key, result in state.results.items()
        if key[0] == stage and (not signed_only or key[:3] in state.sheets)
    ]
    for key, result in results:
        table = state.seatings[key[:2]].tables[key[2] - 1]
        for seat, score in enumerate(result.scores):
            if score is not None:
                mine = tallies[table[seat]]
                mine.wins += seat in result.winners
                mine.score += score
                mine.scores.append(score)
    if own.duplicate:
        _add_duplicate(state, own.duplicate, results, tallies)
    elif state.format.placement is not None:
        _add_points(state, state.format.placement, results, tallies)
    for (number, criterion), points in deducted(state, stage).items():
        if number in tallies:
            mine = tallies[number]
            setattr(mine, criterion, getattr(mine, criterion) - points)
    return tallies


def deducted(state: ChampionshipState, stage: str) -> dict[tuple[int, Deducted], int]:
    """What penalties of a stage that stand take off, by player and criterion."""
    found: dict[tuple[int, Deducted], int] = {}
    for given in state.penalties:
        each = given.penalty
        if given.stands and each.deduct and each.stage == stage:
            key = (each.number, each.deduct_from)
            found[key] = found.get(key, 0) + each.deduct
    return found


def _players(state: ChampionshipState, stage: str) -> list[int]:
    """Everybody who has a seat in a stage, or will have one."""
    seated = {
        number
        for key, each in state.seatings.items()
        if key[0] == stage
        for table in each.tables
        for number in table
    }
    place = state.format.place(stage)
    before = state.format.stages[place - 1].id if place else None
    if before is None or before in state.closings:
        seated.update(state.field(stage))
    return sorted(seated)


def _add_duplicate(
    state: ChampionshipState,
    kind: Duplicate,
    results: Sequence[tuple[GameKey, GameResult]],
    tallies: dict[int, Tally],
) -> None:
    """Points against everybody who held the same racks in the same deal."""
    deals: dict[tuple[str, int, int], dict[int, GameResult]] = {}
    for (stage, sitting, table, game), result in results:
        deals.setdefault((stage, sitting, game), {})[table] = result
    for (stage, sitting, _), tables in deals.items():
        seated = state.seatings[stage, sitting].tables
        for each in field_points(kind, tables):
            tallies[seated[each.table - 1][each.seat]].points += each.points


def _add_points(
    state: ChampionshipState,
    placement: Placement,
    results: Sequence[tuple[GameKey, GameResult]],
    tallies: dict[int, Tally],
) -> None:
    """Points for places at the table. Equal scores have the points of the better place."""
    sheets: dict[tuple[str, int, int], list[GameResult]] = {}
    for key, result in results:
        sheets.setdefault(key[:3], []).append(result)
    for sheet, games in sheets.items():
        table = state.seatings[sheet[:2]].tables[sheet[2] - 1]
        if placement.each == "game":
            lists = [
                [(seat in game.winners, score) for seat, score in enumerate(game.scores)] for game in games
            ]
        elif len(games) == state.format.stage(sheet[0]).games:
            totals = [_total(games, seat) for seat in range(len(table))]
            lists = [[(False, total) for total in totals]]
        else:
            lists = []
        for values in lists:
            there = [(won, score) for won, score in values if score is not None]
            for seat, (won, score) in enumerate(values):
                if score is not None:
                    better = sum(other > (won, score) for other in there)
                    tallies[table[seat]].points += (
                        placement.points[better] if better < len(placement.points) else 0
                    )


def _total(games: Sequence[GameResult], seat: int) -> int | None:
    """A seat's score in all games; None if they played none of them."""
    scores = [score for game in games if (score := game.scores[seat]) is not None]
    return sum(scores) if scores else None


def final_ranking(state: ChampionshipState) -> tuple[tuple[int, int], ...]:
    """Final places, (place, number): by the last stage each has played, then by its standings.

    Who is disqualified has none.
    """
    found: list[tuple[int, int]] = []
    seen: set[int] = set()
    for stage in reversed(state.format.stages):
        if not any(key[0] == stage.id for key in state.results):
            continue
        first = len(found)
        rows = [
            row
            for row in standings(state, stage.id).rows
            if row.number not in seen and row.decided_by != "disqualified"
        ]
        places: list[int] = []
        for position, row in enumerate(rows):
            level = position and row.place == rows[position - 1].place
            places.append(places[-1] if level else first + position + 1)
        found += [(place, row.number) for place, row in zip(places, rows, strict=True)]
        seen.update(row.number for row in rows)
    return tuple(found)
