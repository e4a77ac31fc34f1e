"""One event as a league sees it: who played, how they placed, and every game."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path

import msgspec

from meldroom.championship.entrants import Entrant
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.log.file import read_state
from meldroom.championship.log.restore import decode_document, state_of
from meldroom.championship.standings import final_ranking, standings
from meldroom.championship.state import ChampionshipState
from meldroom.league.errors import LeagueError


class Finish(msgspec.Struct, frozen=True):
    """How one player ended: their place, and what they had over all stages.

    Place 0 is none: who was disqualified, with whom nothing counts, or who was due too few games (R73).
    """

    entrant: Entrant
    place: int
    wins: int
    score: int
    games: int
    erased: bool = False
    """Their name was taken out on request, so that nobody can say who they were."""


class RatedGame(msgspec.Struct, frozen=True):
    """One game: who sat there, by their place in `EventResult.finishes`, and who did how well."""

    players: tuple[int, ...]
    places: tuple[int, ...]


class EventResult(msgspec.Struct, frozen=True):
    """An event's players, best first, and its games in the order they were played."""

    file: str
    name: str
    date: date
    over: bool
    finishes: tuple[Finish, ...]
    games: tuple[RatedGame, ...]


def result_of(state: ChampionshipState, file: str = "") -> EventResult:
    """A championship's result; of one that is still being played, as far as it has come."""
    wins: dict[int, int] = {}
    scores: dict[int, list[int]] = {}
    met: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    for key, result in sorted(state.results.items(), key=lambda item: _order(state, item[0])):
        table = state.seatings[key[:2]].tables[key[2] - 1]
        played = [(seat, score) for seat, score in enumerate(result.scores) if score is not None]
        for seat, score in played:
            number = table[seat]
            wins[number] = wins.get(number, 0) + (seat in result.winners)
            scores.setdefault(number, []).append(score)
        worth = [
            (seat not in result.winners, 0 if seat in result.winners else -score) for seat, score in played
        ]
        order = sorted(set(worth))
        met.append((tuple(table[seat] for seat, _ in played), tuple(order.index(one) + 1 for one in worth)))
    ranking = [(place, number) for place, number in final_ranking(state) if number in scores]
    ranking += [(0, number) for number in _without_place(state, ranking, scores)]
    index = {number: position for position, (_, number) in enumerate(ranking)}
    finishes = tuple(
        Finish(
            entrant := state.participant(number).entrant,
            place,
            0 if state.participant(number).disqualified else wins[number],
            0 if state.participant(number).disqualified else sum(scores[number]),
            len(scores[number]),
            entrant.name.rstrip("*") == f"Entrant {number}",
        )
        for place, number in ranking
    )
    games = tuple(RatedGame(tuple(index[number] for number in who), places) for who, places in met)
    over = state.stage_of_play() is None
    return EventResult(file, state.name, state.date, over, finishes, games)


def _without_place(
    state: ChampionshipState, ranking: Iterable[tuple[int, int]], played: Iterable[int]
) -> list[int]:
    """Who has played and has no place: best first, as the standings list them, who is disqualified last."""
    placed = {number for _, number in ranking}
    listed = [row.number for stage in state.format.stages for row in standings(state, stage.id).rows]
    waiting = [number for number in dict.fromkeys(listed) if number in played and number not in placed]
    return sorted(waiting, key=lambda number: state.participant(number).disqualified)


def load_event(path: Path) -> EventResult:
    """A championship from its log or its exported document. Raises LeagueError."""
    try:
        exported = path.suffix == ".json"
        state = state_of(decode_document(path.read_bytes())) if exported else read_state(path)
    except OSError as error:
        raise LeagueError("no_file", file=str(path), why=error.strerror or str(error)) from None
    except ChampionshipError as error:
        raise LeagueError("bad_event", file=str(path), why=error.as_message()) from None
    return result_of(state, path.name)


def _order(state: ChampionshipState, key: tuple[str, int, int, int]) -> tuple[int, int, int, int]:
    """When a game was played: tables play the same game at the same time."""
    stage, sitting, table, game = key
    return state.format.place(stage), sitting, game, table
