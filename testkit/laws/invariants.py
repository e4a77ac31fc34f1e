"""The laws of a game, watched from outside: one `Watch` follows a game event by event and checks them all.

Tiles are conserved, the log gives the state, views hide what a seat may not know, scores are counted again.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from meldroom.game import events as ev
from meldroom.game.events import Event
from meldroom.game.fold import created, evolve, fold
from meldroom.game.state import State
from meldroom.game.views import View, event_view, view
from meldroom.rules.opening import opening
from meldroom.tiles import Face
from testkit.laws import plain_scoring

_DECODER = msgspec.json.Decoder(Event)

TILE_FIELDS = {"rack", "table", "melds", "discards", "drawn", "racks"}
OTHER_FIELDS = {
    *("book", "players", "game", "commitment", "me", "phase", "starter", "seat", "deals", "rack_sizes"),
    "stand_ins",  # Tiles that a blank stands in for: told to all before the deal (R4).
    *("pool_size", "melded", "withdrawn", "turns", "exhausted", "queue", "passes", "reshuffles", "result"),
}


class Watch:
    """Follows one game. Every method fails by AssertionError where a law is broken."""

    def __init__(self, state: State, events: Iterable[Event]) -> None:
        self.events: list[Event] = []
        self.starts: list[list[tuple[Face, ...]]] = [[] for _ in state.players]
        self.corrected = False
        first, *rest = [round_trip(event) for event in events]
        assert isinstance(first, ev.GameCreated)
        self.events.append(first)
        resolved = created(first)
        assert resolved.book == state.book
        self.folded = replace(resolved, book=state.book)
        self.follow(rest, state)

    def follow(
        self, events: Iterable[Event], state: State, viewers: Iterable[int | None] | None = None
    ) -> None:
        """What an action led to: the events, told as JSON and back, must give the state."""
        seats: list[int | None] = [None, *range(len(state.players))]
        for event in map(round_trip, events):
            before = self.folded
            self.folded = evolve(before, event)
            self.events.append(event)
            self._note(before, event)
            for seat in seats if viewers is None else viewers:
                check_event_view(before, self.folded, event, seat)
        assert self.folded == state, "the events do not give the state"
        check_conserved(state)
        check_turn(state)
        check_melds(state)
        if state.book.family == "laying_off" and not self.corrected:
            check_shares(state)
        if state.over:
            self._check_end(state)

    def _note(self, before: State, event: Event) -> None:
        """What the scores will depend on: racks at the start of turns before a player has entered (R43)."""
        if isinstance(event, ev.Dealt):
            self.starts = [[] for _ in self.folded.players]
        elif isinstance(event, ev.Corrected):
            self.corrected = True
        elif isinstance(event, ev.TurnBegan) and not self.folded.melded[event.seat]:
            self.starts[event.seat].append(self.folded.faces(self.folded.racks[event.seat]))
        elif isinstance(event, ev.Played):
            check_holders(before, self.folded, event)

    def _check_end(self, state: State) -> None:
        assert state.result is not None
        result = state.result
        without_book = replace(fold(self.events), book=state.book)
        assert without_book == state, "folding the whole log does not give the state"
        if result.end == "abandoned":
            assert (set(result.scores), result.winners) == ({0}, ())
            return
        if result.end == "out" and state.book.family == "rearranging":
            assert sum(result.scores) == 0  # R39
        if not (self.corrected and state.book.scoring.unmelded_able != state.book.scoring.unmelded):
            assert (result.scores, result.winners) == self._counted_again(state)

    def _counted_again(self, state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
        assert state.result is not None
        book, result = state.book, state.result
        base = plain_scoring.base_of(book)
        names = book.tiles.face_names
        racks = []
        for seat, rack in enumerate(state.racks):
            entered = state.melded[seat]
            asked = not entered and base in plain_scoring.CHARGING
            able = asked and any(opening(book, faces) is not None for faces in self.starts[seat])
            racks.append(plain_scoring.Rack(tuple(names[f] for f in state.faces(rack)), entered, able))
        if result.end == "exhausted":
            wins = plain_scoring.unopened_wins(book)
            return plain_scoring.exhausted(base, racks, state.resigned, unopened_wins=wins)
        (winner,) = result.winners
        held = [
            names[book.tiles.face_of[tile]]
            for meld in state.melds
            for tile, holder in zip(meld.tiles, meld.holders, strict=True)
            if holder == winner
        ]
        if result.end == "resigned":
            return plain_scoring.won_by_resignation(base, racks, winner, held), (winner,)
        bonus = book.scoring.hand_bonus
        return plain_scoring.won_by_going_out(base, racks, winner, result.going_out, held, bonus), (winner,)


def round_trip(event: Event) -> Event:
    """An event written as JSON and read again: it must be the same event."""
    again: Event = _DECODER.decode(msgspec.json.encode(event))
    assert again == event
    return again


def check_conserved(state: State) -> None:
    """Every tile of the set lies in exactly one place."""
    places = [state.pool, state.discards, *state.racks, *state.table, *(meld.tiles for meld in state.melds)]
    tiles = [tile for place in places for tile in place]
    assert sorted(tiles) == list(range(state.book.tiles.size)), "tiles were lost, doubled or made up"


def check_turn(state: State) -> None:
    """While a game goes on, somebody who has not left has the turn."""
    if not state.over:
        assert not state.withdrawn[state.seat], "a player who has left has the turn"
        assert all(state.table), "an empty set lies on the table"


def check_melds(state: State) -> None:
    """Rummy-O: every meld is what it is said to be, and a run lies in order (R56)."""
    reader = state.book.reader
    for meld in state.melds:
        faces = state.faces(meld.tiles)
        assert meld.reading in reader.readings(faces), "a meld is not what it is said to be"
        in_order = not meld.reading.is_run or reader.faces_of(meld.reading, faces) is not None
        assert in_order, "a run out of order"
        assert len(meld.holders) == len(meld.tiles)


def check_shares(state: State) -> None:
    """Rummy-O: rack and tiles laid make up each player's deal, and one more while they play (R51, R58)."""
    for seat, rack in enumerate(state.racks):
        laid = sum(meld.holders.count(seat) for meld in state.melds)
        extra = len(rack) + laid - state.book.deal.tiles
        playing = state.phase in ("play", "opening_discard") and state.seat == seat
        expected = {0, 1} if state.withdrawn[seat] else {int(playing)}  # They may have left in their turn.
        assert extra in expected, f"seat {seat} has {len(rack)} tiles on the rack and {laid} on the table"


def check_holders(before: State, after: State, event: ev.Played) -> None:
    """Rummy-O: a tile laid counts for the player, but one given for a joker takes the joker's place (R60).

    So the others lose nothing but claimed jokers, and have a numbered tile for each; equal tiles are alike.
    """
    joker = before.book.tiles.joker
    old, new = _held(before), _held(after)
    for seat in range(len(before.players)):
        if seat != event.seat:
            lost, gained = old[seat] - new[seat], new[seat] - old[seat]
            assert set(lost) <= {joker}, "a numbered tile on the table changed hands"
            assert joker not in gained, "a joker laid counts for somebody else"
            assert lost.total() == gained.total(), "a claimed joker was not paid for"
    laid = Counter(after.faces(event.tiles))
    expected = old[event.seat] + laid
    for seat in range(len(before.players)):
        if seat != event.seat:
            expected = expected + (old[seat] - new[seat]) - (new[seat] - old[seat])
    assert new[event.seat] == expected, "what was laid and claimed does not count for the player"


def _held(state: State) -> list[Counter[int]]:
    """The faces that count for each seat on a Rummy-O table."""
    held: list[Counter[int]] = [Counter() for _ in state.players]
    for meld in state.melds:
        for face, holder in zip(state.faces(meld.tiles), meld.holders, strict=True):
            held[holder][face] += 1
    return held


def public(state: State) -> set[int]:
    """The tiles everybody sees."""
    laid = {tile for tiles in (*state.table, *(meld.tiles for meld in state.melds)) for tile in tiles}
    return laid | set(state.discards)


def may_know(state: State, seat: int | None) -> set[int]:
    """The tiles whose place a seat, or a spectator, sees."""
    if state.over:
        return public(state) | {tile for rack in state.racks for tile in rack}
    return public(state) | (set(state.racks[seat]) if seat is not None and state.racks else set())


def check_view(state: State, seat: int | None) -> View:
    """A view holds what the seat may know and nothing else."""
    seen = view(state, seat)
    unknown = set(View.__struct_fields__) ^ (TILE_FIELDS | OTHER_FIELDS)
    assert not unknown, f"fields of the view to decide about here: {unknown}"
    shown = {tile for tiles in (*seen.table, *(meld.tiles for meld in seen.melds)) for tile in tiles}
    shown |= {*seen.discards, *seen.rack, *(tile for rack in seen.racks or () for tile in rack)}
    assert shown == may_know(state, seat), "a view shows too much or too little"
    own_drawn = set(state.drawn[seat]) if seat is not None and state.drawn else set()
    assert set(seen.drawn) == own_drawn
    assert seen.rack_sizes == tuple(len(rack) for rack in state.racks)
    assert seen.pool_size == len(state.pool)
    assert seen.rack == (state.racks[seat] if seat is not None else ())
    return seen


def resampled(state: State, seat: int | None, chance: random.Random) -> State:
    """A state that differs only in what a seat may not see: the pool's order and the others' racks."""
    others = [] if state.over else [other for other in range(len(state.racks)) if other != seat]
    hidden = [*state.pool, *(tile for other in others for tile in state.racks[other])]
    mixed = chance.sample(hidden, len(hidden))
    becomes = dict(zip(hidden, mixed, strict=True))
    racks = [
        tuple(sorted(becomes[tile] for tile in rack)) if other in others else rack
        for other, rack in enumerate(state.racks)
    ]
    drawn = [
        tuple(becomes.get(tile, tile) for tile in tiles) if other in others else tiles
        for other, tiles in enumerate(state.drawn)
    ]
    pool = tuple(becomes[tile] for tile in state.pool)
    return replace(state, pool=pool, racks=tuple(racks), drawn=tuple(drawn))


def event_tiles(event: Event) -> set[int]:
    """Every tile that an event names; -1 stands for a hidden one."""
    match event:
        case ev.StarterChosen():
            return {tile for turned in event.rounds for _, tile in turned}
        case ev.Dealt():
            return {*event.pool, *(tile for rack in event.racks for tile in rack)}
        case ev.RedealGranted() | ev.Penalised():
            return set(event.tiles)
        case ev.Drew() | ev.Took() | ev.Discarded():
            return {event.tile}
        case ev.Laid():
            return {*event.tiles, *(tile for tiles in event.table for tile in tiles)}
        case ev.LeftoversRuled():
            return {*event.leftovers, *(tile for tiles in event.table for tile in tiles)}
        case ev.Corrected():
            return {move.tile for move in event.moves}
        case ev.Played():
            return {*event.tiles, *(tile for meld in event.melds for tile in meld.tiles)}
        case ev.Reshuffled():
            return set(event.stock)
        case (
            ev.GameCreated()
            | ev.TurnBegan()
            | ev.Passed()
            | ev.TimedOut()
            | ev.Withdrew()
            | ev.Resigned()
            | ev.PoolExhausted()
            | ev.GameEnded()
            | ev.ShuffleRevealed()
        ):
            return set()


def check_event_view(before: State, after: State, event: Event, seat: int | None) -> None:
    """An event tells a seat of no tile that it saw neither before nor after, and of every one it sees after.

    Tiles turned over for the start and doubles shown for a fresh start are seen by all.
    """
    told = event_tiles(event_view(event, seat)) - {-1}
    named = event_tiles(event)
    assert told <= named
    if isinstance(event, ev.StarterChosen | ev.RedealGranted):
        assert told == named
        return
    assert told <= may_know(before, seat) | may_know(after, seat), f"{event} tells seat {seat} too much"
    assert named & may_know(after, seat) <= told, f"{event} tells seat {seat} too little"
