"""A game in numbers, from its record alone: the game, each player, each turn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Literal

import msgspec

from meldroom.game import events as ev
from meldroom.game.state import State
from meldroom.record import Record, replay
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import set_points
from meldroom.tiles import Tile

Action = Literal["lay", "draw", "discard", "pass", "none"]
TileSets = tuple[tuple[Tile, ...], ...]


class TurnFacts(msgspec.Struct, frozen=True, array_like=True):
    """One turn: what was done, and how much of the table it changed."""

    turn: int
    seat: int
    own_turn: int
    action: Action
    took: Literal["", "stock", "discard"]
    tiles: int
    points: int
    opening_points: int
    rack_before: int
    rack_after: int
    pool: int
    sets: int
    sets_touched: int
    tiles_moved: int
    jokers_moved: int
    fault: bool


class PlayerFacts(msgspec.Struct, frozen=True, array_like=True):
    """What one seat did in a game; `opened` is an own turn, 0 the first."""

    seat: int
    won: float
    score: int
    turns: int
    draw_turns: int
    longest_wait: int
    opened: int | None
    opening_points: int | None
    opening_tiles: int | None
    plays: int
    tiles: int
    most_tiles: int
    sets_touched: int
    tiles_moved: int
    jokers_moved: int
    tiles_left: int
    faults: int


class GameFacts(msgspec.Struct, frozen=True, array_like=True):
    """A whole game."""

    players: int
    end: str
    going_out: str | None
    winners: tuple[int, ...]
    turns: int
    draw_turns: int
    longest_wait: int
    pool_exhausted: bool
    pool_left: int
    tiles_on_table: int


class Facts(msgspec.Struct, frozen=True, array_like=True):
    """Everything that is counted of a game."""

    game: GameFacts
    players: tuple[PlayerFacts, ...]
    turns: tuple[TurnFacts, ...]


def facts(record: Record) -> Facts:
    """A finished game in numbers. It depends on the record alone."""
    turns: list[TurnFacts] = []
    turn: _Turn | None = None
    exhausted = False
    before: State | None = None
    state: State | None = None
    for step in replay(record):
        before, state, event = state, step.state, step.event
        match event:
            case ev.Dealt():
                turns, turn = [], None
            case ev.TurnBegan() | ev.GameEnded():
                if turn is not None and before is not None:
                    turns.append(turn.facts(before, len(turns) + 1))
                turn = _Turn(state) if isinstance(event, ev.TurnBegan) else None
            case ev.PoolExhausted():
                exhausted = True
            case _:
                if turn is not None:
                    turn.see(event)
    assert state is not None, "a record has events"
    return _gathered(state, turns, exhausted or state.exhausted)


class _Turn:
    """A turn that is being read."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.action: Action = "none"
        self.took: Literal["", "stock", "discard"] = ""
        self.tiles: tuple[Tile, ...] = ()
        self.fault = False

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.Laid(tiles=tiles) | ev.Played(tiles=tiles):
                self.action, self.tiles = "lay", (*self.tiles, *tiles)
            case ev.Took(source=source):
                self.took = source
            case ev.Discarded() if self.action == "none":
                self.action = "discard"
            case ev.Drew():
                self.action = "draw"
            case ev.Passed():
                self.action = "pass"
            case ev.Penalised() | ev.TimedOut():
                self.fault = True
            case _:
                pass

    def facts(self, after: State, number: int) -> TurnFacts:
        before, seat = self.state, self.state.seat
        book = before.book
        old, new = _sets(before), _sets(after)
        opening = 0
        if after.melded[seat] and not before.melded[seat]:
            laid = set(self.tiles)
            fresh = [tiles for tiles in new if laid.issuperset(tiles)]
            if book.family == "laying_off":  # A claimed joker counts too (R57).
                fresh = list(new[len(old) :])
            opening = sum(set_points(book, book.tiles.faces_of(tiles)) for tiles in fresh)
        touched, moved, jokers = _changes(book, old, new)
        return TurnFacts(
            turn=number,
            seat=seat,
            own_turn=before.turns[seat],
            action=self.action,
            took=self.took,
            tiles=len(self.tiles),
            points=sum(book.values[face] for face in book.tiles.faces_of(self.tiles)),
            opening_points=opening,
            rack_before=len(before.racks[seat]),
            rack_after=len(after.racks[seat]),
            pool=len(before.pool),
            sets=len(old),
            sets_touched=touched,
            tiles_moved=moved,
            jokers_moved=jokers,
            fault=self.fault,
        )


def _sets(state: State) -> TileSets:
    return (*state.table, *(meld.tiles for meld in state.melds))


def _changes(book: RuleBook, old: TileSets, new: TileSets) -> tuple[int, int, int]:
    """Sets that changed, and how many of their tiles, and jokers, left the set that holds most of them."""
    face_of, joker = book.tiles.face_of, book.tiles.joker
    after = [frozenset(tiles) for tiles in new]
    touched = moved = jokers = 0
    for tiles in old:
        here = frozenset(tiles)
        if here in after:
            continue
        touched += 1
        numbered = frozenset(tile for tile in here if face_of[tile] != joker)
        heir = max(after, key=lambda each: (len(each & numbered), len(each & here)), default=frozenset())
        gone = here - heir
        moved += len(gone)
        jokers += len(gone - numbered)
    return touched, moved, jokers


def _gathered(state: State, turns: Sequence[TurnFacts], exhausted: bool) -> Facts:
    result = state.result
    assert result is not None, "a finished game"
    players = tuple(
        _player(state, seat, [t for t in turns if t.seat == seat]) for seat in range(len(state.racks))
    )
    game = GameFacts(
        players=len(players),
        end=result.end,
        going_out=result.going_out,
        winners=tuple(result.winners),
        turns=len(turns),
        draw_turns=sum(player.draw_turns for player in players),
        longest_wait=max(player.longest_wait for player in players),
        pool_exhausted=exhausted,
        pool_left=len(state.pool),
        tiles_on_table=sum(map(len, _sets(state))),
    )
    return Facts(game, players, tuple(turns))


def _player(state: State, seat: int, turns: Sequence[TurnFacts]) -> PlayerFacts:
    result = state.result
    assert result is not None
    opening = next((turn for turn in turns if turn.opening_points), None)
    waits = [len(list(group)) for laid, group in groupby(turn.action == "lay" for turn in turns) if not laid]
    return PlayerFacts(
        seat=seat,
        won=round(1 / len(result.winners), 6) if seat in result.winners else 0.0,
        score=result.scores[seat],
        turns=len(turns),
        draw_turns=sum(turn.action != "lay" for turn in turns),
        longest_wait=max(waits, default=0),
        opened=None if opening is None else opening.own_turn,
        opening_points=None if opening is None else opening.opening_points,
        opening_tiles=None if opening is None else opening.tiles,
        plays=sum(turn.action == "lay" for turn in turns),
        tiles=sum(turn.tiles for turn in turns),
        most_tiles=max((turn.tiles for turn in turns), default=0),
        sets_touched=sum(turn.sets_touched for turn in turns),
        tiles_moved=sum(turn.tiles_moved for turn in turns),
        jokers_moved=sum(turn.jokers_moved for turn in turns),
        tiles_left=len(state.racks[seat]),
        faults=sum(turn.fault for turn in turns),
    )
