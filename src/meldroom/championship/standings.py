"""Standings of a stage: wins, score and R48's further criteria, and which of them decided each place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal

import msgspec

from meldroom.championship.actions import Deducted
from meldroom.championship.duplicate.scoring import field_points
from meldroom.championship.formats.format import Criterion, Duplicate, Placement
from meldroom.championship.results import GameResult
from meldroom.championship.state import ChampionshipState, GameKey

DecidedBy = Literal[
    "",
    "wins",
    "wins_per_game",
    "points",
    "score",
    "score_per_game",
    "best_games",
    "deciding_game",
    "lot",
    "shared",
    "too_few_games",
    "disqualified",
]
WITHOUT_PLACE: tuple[DecidedBy, ...] = ("too_few_games", "disqualified")
"""What puts a player below all places."""
_ENOUGH = Fraction(2, 3)
_Keys = dict[int, tuple[object, ...]]


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
    due: int | msgspec.UnsetType = msgspec.UNSET
    """Games that were theirs to play, where unequal numbers count (R73): byes and void games are not."""

    @property
    def placed(self) -> bool:
        """Whether they have a place."""
        return self.decided_by not in WITHOUT_PLACE


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

    __slots__ = ("due", "points", "score", "scores", "wins")

    def __init__(self) -> None:
        self.wins = self.points = self.score = 0
        self.scores: list[int] = []
        self.due = 0
        """Games that were theirs to play, so far; only counted where unequal numbers of them matter."""

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

    def per_game(self, criterion: Criterion) -> tuple[object, ...]:
        """What counts under a criterion where the numbers of games differ; more is better (R73)."""
        match criterion:
            case "wins" | "points":
                return (Fraction(int(getattr(self, criterion)), self.due),) if self.due else ()
            case "score":
                return (Fraction(self.score, len(self.scores)),) if self.scores else ()
            case "best_games":
                return tuple(sorted(self.scores, reverse=True))


def standings(state: ChampionshipState, stage: str, *, signed_only: bool = False) -> Standings:
    """The standings of a stage so far; `signed_only` leaves out tables whose sheet is not signed.

    Raises ChampionshipError for a stage that does not exist.
    """
    tallies = tally(state, stage, signed_only=signed_only)
    gone = [number for number in sorted(tallies) if state.participant(number).disqualified]
    playing = {number: each for number, each in tallies.items() if number not in gone}
    criteria, keys = _keys(state, stage, playing)
    too_few = sorted((number for number in playing if number not in keys), key=lambda n: _few(tallies[n], n))
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
    last = len(ordered) + 1
    rows += [_row(state, last, number, tallies[number], "too_few_games") for number in too_few]
    rows += [_row(state, last, number, tallies[number], "disqualified") for number in gone]
    return Standings(stage, tuple(rows), tuple(level))


def _keys(
    state: ChampionshipState, stage: str, tallies: Mapping[int, Tally]
) -> tuple[tuple[DecidedBy, ...], _Keys]:
    """What decides places, and what each player has of it; who was due too few games is left out (R73)."""
    criteria = state.format.criteria(stage)
    if not compared_per_game(state, stage, tallies):
        return criteria, {n: tuple(map(each.value, criteria)) for n, each in tallies.items()}
    most = max((each.due for each in tallies.values()), default=0)
    named: dict[str, DecidedBy] = {"wins": "wins_per_game", "score": "score_per_game"}
    return tuple(named.get(name, name) for name in criteria), {
        number: tuple(map(each.per_game, criteria))
        for number, each in tallies.items()
        if each.due >= _ENOUGH * most
    }


def _few(mine: Tally, number: int) -> tuple[int, int, int, int]:
    """The order of those who have no place: most games first."""
    return -mine.due, -mine.wins, -mine.score, number


def compared_per_game(state: ChampionshipState, stage: str, numbers: Collection[int]) -> bool:
    """Whether places go by games due: where these differ, or somebody was due games and played none (R73)."""
    if not state.format.unequal:
        return False
    absent = any(not state.has_played(number) for number in numbers)
    return not due_alike(state, stage, numbers) or (absent and _all_played(state, stage))


def _all_played(state: ChampionshipState, stage: str) -> bool:
    """Whether a stage has results, and no game to come."""
    seated = [key for key in state.seatings if key[0] == stage]
    drawn = stage in state.ended or len(seated) == state.format.stage(stage).sittings
    sheets = [(*key, place) for key in seated for place in range(1, len(state.seatings[key].tables) + 1)]
    return drawn and any(map(state.played, seated)) and not any(map(state.open_games, sheets))


def due_alike(state: ChampionshipState, stage: str, numbers: Iterable[int]) -> bool:
    """Whether all players are due the same number of games of a stage, those to come included."""
    planned = [
        game
        for key, seated in state.history()
        if key[0] == stage
        for table in range(1, len(seated.tables) + 1)
        for game in state.games_of((*key, table))
        if game not in state.voids
    ]
    due = games_due(state, stage, planned)
    own = state.format.stage(stage)
    place = state.format.place(stage)
    alike = len({due.get(number, 0) for number in numbers}) < 2
    if alike and own.carry == "all" and place:
        return due_alike(state, state.format.stages[place - 1].id, numbers)
    return alike


def games_due(state: ChampionshipState, stage: str, games: Iterable[GameKey]) -> dict[int, int]:
    """How many of some games of a stage were each player's to play (R73).

    Who is seated is due the games of their table, whether they came or not. Who has a bye is due none. Who
    came late or had left is due as many as the table with the most.
    """
    at_table: dict[tuple[str, int, int], int] = {}
    for game in games:
        at_table[game[:3]] = at_table.get(game[:3], 0) + 1
    everybody = _players(state, stage)
    due = dict.fromkeys(everybody, 0)
    for key, seated in state.history():
        if key[0] != stage:
            continue
        counts = [at_table.get((*key, table), 0) for table in range(1, len(seated.tables) + 1)]
        there = {number: counts[place] for place, table in enumerate(seated.tables) for number in table}
        for number in everybody:
            if number in there:
                due[number] += there[number]
            elif number not in seated.sitting_out:
                due[number] += max(counts, default=0)
    return due


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
        due=mine.due if state.format.unequal else msgspec.UNSET,
    )


def _first_difference(
    criteria: Sequence[DecidedBy], above: tuple[object, ...], below: tuple[object, ...]
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
                mine.due = before.due
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
    if state.format.unequal:
        for number, games in games_due(state, stage, (key for key, _ in results)).items():
            tallies[number].due += games
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

    Who is disqualified has none, nor who was due too few games.
    """
    found: list[tuple[int, int]] = []
    seen: set[int] = set()
    for stage in reversed(state.format.stages):
        if not any(key[0] == stage.id for key in state.results):
            continue
        first = len(found)
        rows = [row for row in standings(state, stage.id).rows if row.number not in seen and row.placed]
        places: list[int] = []
        for position, row in enumerate(rows):
            level = position and row.place == rows[position - 1].place
            places.append(places[-1] if level else first + position + 1)
        found += [(place, row.number) for place, row in zip(places, rows, strict=True)]
        seen.update(row.number for row in rows)
    return tuple(found)
