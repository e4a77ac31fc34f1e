"""Random games in which everything happens: redeals, penalties, leftovers, corrections, withdrawals."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from meldroom.game import (
    Abandon,
    Action,
    ActionError,
    Correct,
    Draw,
    Event,
    Lay,
    Move,
    RequestRedeal,
    Resign,
    RuleLeftovers,
    Shuffle,
    State,
    TimeOut,
    Withdraw,
    apply,
    legal,
    new_game,
    reveal,
)
from meldroom.record import Record
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, book, house_book
from meldroom.tiles import Tile

NAMES = ("Ada", "Bo Ek", 'Chi "C" Li', "end")
MOST_ACTIONS = 400


def books() -> Iterator[RuleBook]:
    """The five books, their options, and house books that make rare things common."""
    for book_id in BOOK_IDS:
        yield book(book_id)
    yield book("wrc11", {"strict_declare": True, "final_turns_start": "drawer", "joker_reuse": "any_set"})
    yield book("tml", {"jokers": 4, "strict_declare": True})
    yield house_book({"id": "doubles", "version": "1", "base": "wrc9", "redeal": {"doubles": 1}})
    tiny = {"numbers": 5, "colours": ["K", "R", "B"], "jokers": 1, "copies": 3}
    yield house_book(
        {
            "id": "tiny",
            "version": "2.0",
            "base": "wrc11",
            "name": "Tiny; quick",
            "tiles": tiny,
            "deal": {"tiles": 6, "starter_tiles": 6},
            "opening": {"points": 6},
            "pool_end": {"must_play_if_able": True},
        }
    )
    yield house_book({"id": "short-o", "version": "1", "base": "rummyo", "opening": {"points": 10}})


def game(rules: RuleBook, players: int, seed: int, *, wild: bool = True) -> tuple[Event, ...]:
    """All events of one random game. In a `wild` one the referee moves any tile anywhere."""
    chance = random.Random(seed)
    shuffle = Shuffle(f"secret {seed}", tuple(f"{name}’s word" for name in NAMES[:players]))
    starter = chance.randrange(players) if chance.random() < 0.3 else None
    lost = tuple(chance.sample(rules.tiles.every_tile, chance.randint(0, min(2, rules.tiles.blanks))))
    state, events = new_game(rules, NAMES[:players], shuffle, starter, chance.randint(1, 3), lost)
    for _ in range(MOST_ACTIONS):
        if state.over:
            break
        action = None if chance.random() < 0.75 else _incident(state, chance, wild)
        try:
            state, more = apply(state, action or legal(state).sample(chance), shuffle)
        except ActionError:
            state, more = apply(state, legal(state).sample(chance), shuffle)
        events += more
    if not state.over:
        return events
    return (*events, reveal(state, shuffle))


def record(rules: RuleBook, players: int, seed: int, *, wild: bool = True) -> Record:
    """The record of a random game, with a clock and tags."""
    tags = {"event": "Club night", "Round": "3", "note": ' odd; "value" '}
    return Record.of(game(rules, players, seed, wild=wild), clock=rules.clock.seconds, tags=tags)


def _incident(state: State, chance: random.Random, wild: bool) -> Action | None:
    kinds: Sequence[Callable[[State, random.Random], Action | None]] = (
        _redeal,
        _time_out,
        _illegal,
        _leftovers,
        _correct if wild else _give_tile,
        _leave,
        _draw_early,
    )
    return chance.choice(kinds)(state, chance)


def _redeal(state: State, chance: random.Random) -> Action | None:
    seat = chance.randrange(len(state.players))
    rack = state.racks[seat]
    faces = state.faces(rack)
    doubles = [tile for tile, face in zip(rack, faces, strict=True) if faces.count(face) > 1]
    return RequestRedeal(seat, tiles=tuple(doubles)) if doubles else None


def _time_out(state: State, chance: random.Random) -> Action | None:
    choice = chance.random()
    if choice < 0.4 or state.book.family == "laying_off":
        return TimeOut(state.seat)
    if choice < 0.7:
        found = legal(state).sample(chance)
        return TimeOut(state.seat, table=found.table) if isinstance(found, Lay) else None
    return TimeOut(state.seat, table=_spoilt(state, chance))


def _spoilt(state: State, chance: random.Random) -> tuple[tuple[Tile, ...], ...]:
    rack = state.racks[state.seat]
    return (*state.table, tuple(chance.sample(rack, min(len(rack), chance.randint(1, 3)))))


def _illegal(state: State, chance: random.Random) -> Action | None:
    return Lay(state.seat, table=_spoilt(state, chance)) if state.book.family == "rearranging" else None


def _leftovers(state: State, chance: random.Random) -> Action | None:
    if not state.table:
        return None
    table = list(state.table)
    broken = table.pop(chance.randrange(len(table)))
    return RuleLeftovers(state.seat, table=tuple(table), leftovers=broken)


def _correct(state: State, chance: random.Random) -> Action | None:
    """Some tiles moved about, as a referee may."""
    seats = len(state.players)
    moves = []
    tiles = [tile for meld in state.melds for tile in meld.tiles]
    movable = [tile for tile in state.book.tiles.every_tile if tile not in tiles]
    for tile in chance.sample(movable, chance.randint(0, 3)):
        to = chance.choice(("rack", "pool_top", "pool_bottom", "table"))
        if to == "table" and state.book.family == "laying_off":
            to = "discards"
        index = {"rack": chance.randrange(seats), "table": chance.randrange(len(state.table) + 1)}.get(to, 0)
        moves.append(Move(tile, to, index))  # type: ignore[arg-type]
    melded = {chance.randrange(seats): True} if chance.random() < 0.3 else {}
    reason = chance.choice(("", "tile fell; put back", 'said "R7"'))
    return Correct(chance.randrange(seats), reason=reason, moves=tuple(moves), melded=melded)


def _give_tile(state: State, chance: random.Random) -> Action | None:
    """A player who drew too few tiles gets one more."""
    if state.book.family == "laying_off" or not state.pool or chance.random() < 0.5:
        return Correct(state.seat, reason="a word of warning")
    return Correct(state.seat, reason="a tile too few", moves=(Move(state.pool[-1], "rack", state.seat),))


def _leave(state: State, chance: random.Random) -> Action | None:
    if chance.random() < 0.1:
        return Abandon(state.seat, reason="fire alarm")
    how, seat = chance.random(), chance.randrange(len(state.players))
    if how < 0.2:
        return Resign(seat)
    return Withdraw(seat) if how < 0.5 else None


def _draw_early(state: State, chance: random.Random) -> Action | None:
    return Draw(state.seat) if state.book.family == "rearranging" else None
