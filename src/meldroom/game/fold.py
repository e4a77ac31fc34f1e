"""State from events: one small pure step for each kind of event."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from meldroom.game import events as ev
from meldroom.game.actions import Move
from meldroom.game.state import Meld, Result, State
from meldroom.rules.library import resolve
from meldroom.tiles import Tile

Value = TypeVar("Value")


def fold(events: Iterable[ev.Event]) -> State:
    """The state after all these events. Raises ValueError if they do not begin with the game's creation."""
    state: State | None = None
    for event in events:
        state = created(event) if isinstance(event, ev.GameCreated) else evolve(_some(state), event)
    return _some(state)


def _some(state: State | None) -> State:
    if state is None:
        raise ValueError("a game begins with the event that creates it")
    return state


def created(event: ev.GameCreated) -> State:
    """The empty table of a new game."""
    return State(
        book=resolve(event.book),
        players=event.players,
        game=event.game,
        commitment=event.commitment,
        stand_ins=event.stand_ins,
        withdrawn=(False,) * len(event.players),
    )


def evolve(state: State, event: ev.Event) -> State:
    """The state after one more event."""
    return _STEPS[type(event)](state, event)


def put(values: tuple[Value, ...], index: int, value: Value) -> tuple[Value, ...]:
    """A tuple with one place changed."""
    return (*values[:index], value, *values[index + 1 :])


def _without(rack: tuple[Tile, ...], tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    gone = set(tiles)
    return tuple(tile for tile in rack if tile not in gone)


def _with(rack: tuple[Tile, ...], tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    return tuple(sorted((*rack, *tiles)))


def _turn_done(state: State, seat: int, drawn: tuple[Tile, ...], **changes: Any) -> State:
    """The common part of everything that completes a turn."""
    done = {
        "phase": "ready",
        "turns": put(state.turns, seat, state.turns[seat] + 1),
        "drawn": put(state.drawn, seat, drawn),
        "passes": 0,
    }
    return replace(state, **{**done, **changes})


def _starter_chosen(state: State, event: ev.StarterChosen) -> State:
    return replace(state, starter=event.seat)


def _dealt(state: State, event: ev.Dealt) -> State:
    seats = len(state.players)
    return replace(
        state,
        phase="ready",
        deals=event.number,
        racks=tuple(tuple(sorted(rack)) for rack in event.racks),
        pool=event.pool,
        table=(),
        melds=(),
        discards=(),
        melded=(False,) * seats,
        begun=(0,) * seats,
        turns=(0,) * seats,
        drawn=((),) * seats,
        exhausted=False,
        queue=None,
        passes=0,
        reshuffles=0,
    )


def _turn_began(state: State, event: ev.TurnBegan) -> State:
    if state.book.family == "rearranging":
        phase = "turn"
    else:
        opens = event.seat == state.starter and not sum(state.turns)
        phase = "opening_discard" if opens else "take"
    queue = state.queue
    if queue and queue[0] == event.seat:
        queue = queue[1:]
    begun = put(state.begun, event.seat, state.begun[event.seat] + 1)
    drawn = put(state.drawn, event.seat, ())
    return replace(state, seat=event.seat, phase=phase, queue=queue, begun=begun, drawn=drawn)


def _drew(state: State, event: ev.Drew) -> State:
    racks = put(state.racks, event.seat, _with(state.racks[event.seat], (event.tile,)))
    return _turn_done(state, event.seat, (event.tile,), racks=racks, pool=state.pool[1:])


def _laid(state: State, event: ev.Laid) -> State:
    racks = put(state.racks, event.seat, _without(state.racks[event.seat], event.tiles))
    melded = put(state.melded, event.seat, True)
    return _turn_done(state, event.seat, (), racks=racks, table=event.table, melded=melded)


def _passed(state: State, event: ev.Passed) -> State:
    return _turn_done(state, event.seat, (), passes=state.passes + 1)


def _penalised(state: State, event: ev.Penalised) -> State:
    racks = put(state.racks, event.seat, _with(state.racks[event.seat], event.tiles))
    gained = state.drawn[event.seat] if event.cause == "leftovers" else ()
    passes = 0 if event.tiles else state.passes + 1  # With nothing left to draw it is no more than a pass.
    pool = state.pool[len(event.tiles) :]
    return _turn_done(state, event.seat, gained + event.tiles, racks=racks, pool=pool, passes=passes)


def _leftovers_ruled(state: State, event: ev.LeftoversRuled) -> State:
    if event.to == "under_pool":
        pool = state.pool + event.leftovers
        return replace(state, table=event.table, pool=pool, drawn=put(state.drawn, event.seat, ()))
    racks = put(state.racks, event.seat, _with(state.racks[event.seat], event.leftovers))
    return replace(state, table=event.table, racks=racks, drawn=put(state.drawn, event.seat, event.leftovers))


def _withdrew(state: State, event: ev.Withdrew) -> State:
    queue = None if state.queue is None else tuple(seat for seat in state.queue if seat != event.seat)
    passes = state.passes - (event.seat in _just_passed(state))
    return replace(state, withdrawn=put(state.withdrawn, event.seat, True), queue=queue, passes=passes)


def _resigned(state: State, event: ev.Resigned) -> State:
    return replace(_withdrew(state, ev.Withdrew(event.seat)), resigned=state.resigned | {event.seat})


def _just_passed(state: State) -> list[int]:
    """The players who passed in the current succession: those before the player to move (R35)."""
    seats = len(state.players)
    before = [(state.seat - state.book.step * turn) % seats for turn in range(1, seats)]
    return [seat for seat in before if not state.withdrawn[seat]][: state.passes]


def _corrected(state: State, event: ev.Corrected) -> State:
    for move in event.moves:
        state = moved(state, move)
    melded = state.melded
    for seat, value in event.melded.items():
        melded = put(melded, seat, value)
    refilled = state.exhausted and bool(state.pool)
    return replace(
        state,
        seat=event.seat,
        melded=melded,
        exhausted=state.exhausted and not refilled,
        queue=None if refilled else state.queue,
        passes=0,
    )


def moved(state: State, move: Move) -> State:
    """The state with one tile taken from wherever it lies and put elsewhere; emptied sets vanish."""
    gone = (move.tile,)
    racks = tuple(_without(rack, gone) for rack in state.racks)
    table = tuple(_without(tiles, gone) for tiles in state.table)
    pool = _without(state.pool, gone)
    discards = _without(state.discards, gone)
    match move.to:
        case "rack":
            racks = put(racks, move.index, _with(racks[move.index], gone))
        case "table" if move.index < len(table):
            table = put(table, move.index, table[move.index] + gone)
        case "table":
            table = (*table, gone)
        case "pool_top":
            pool = gone + pool
        case "pool_bottom":
            pool = pool + gone
        case "discards":
            discards = discards + gone
    table = tuple(tiles for tiles in table if tiles)
    melds = tuple(meld for old in state.melds if (meld := _meld_without(state, old, move.tile)) is not None)
    return replace(state, racks=racks, table=table, pool=pool, discards=discards, melds=melds)


def _meld_without(state: State, meld: Meld, tile: Tile) -> Meld | None:
    """A meld without one tile, read anew if it still can be; None if nothing is left of it."""
    if tile not in meld.tiles:
        return meld
    kept = [pair for pair in zip(meld.tiles, meld.holders, strict=True) if pair[0] != tile]
    if not kept:
        return None
    tiles, holders = zip(*kept, strict=True)
    readings = state.book.reader.written(state.faces(tiles))
    same = [reading for reading in readings if reading.kind == meld.reading.kind]
    return Meld(tiles, meld.owner, holders, (same or [meld.reading])[0])


def _pool_exhausted(state: State, event: ev.PoolExhausted) -> State:
    return replace(state, exhausted=True, queue=event.order or None, passes=0)


def _took(state: State, event: ev.Took) -> State:
    racks = put(state.racks, event.seat, _with(state.racks[event.seat], (event.tile,)))
    drawn = put(state.drawn, event.seat, (event.tile,))
    if event.source == "stock":
        return replace(state, phase="play", racks=racks, drawn=drawn, pool=state.pool[1:])
    return replace(state, phase="play", racks=racks, drawn=drawn, discards=state.discards[:-1])


def _played(state: State, event: ev.Played) -> State:
    racks = put(state.racks, event.seat, _without(state.racks[event.seat], event.tiles))
    return replace(state, racks=racks, melds=event.melds, melded=put(state.melded, event.seat, True))


def _discarded(state: State, event: ev.Discarded) -> State:
    racks = put(state.racks, event.seat, _without(state.racks[event.seat], (event.tile,)))
    discards = (*state.discards, event.tile)
    return _turn_done(state, event.seat, state.drawn[event.seat], racks=racks, discards=discards)


def _reshuffled(state: State, event: ev.Reshuffled) -> State:
    return replace(state, pool=event.stock, discards=state.discards[-1:], reshuffles=event.number)


def _game_ended(state: State, event: ev.GameEnded) -> State:
    result = Result(event.end, event.scores, event.winners, event.going_out)
    return replace(state, phase="over", result=result)


def _unchanged(state: State, event: ev.Event) -> State:
    return state


_STEPS: dict[type[Any], Callable[[State, Any], State]] = {
    ev.StarterChosen: _starter_chosen,
    ev.Dealt: _dealt,
    ev.RedealGranted: _unchanged,
    ev.TurnBegan: _turn_began,
    ev.Drew: _drew,
    ev.Laid: _laid,
    ev.Passed: _passed,
    ev.TimedOut: _unchanged,
    ev.Penalised: _penalised,
    ev.LeftoversRuled: _leftovers_ruled,
    ev.Withdrew: _withdrew,
    ev.Resigned: _resigned,
    ev.Corrected: _corrected,
    ev.PoolExhausted: _pool_exhausted,
    ev.Took: _took,
    ev.Played: _played,
    ev.Discarded: _discarded,
    ev.Reshuffled: _reshuffled,
    ev.GameEnded: _game_ended,
    ev.ShuffleRevealed: _unchanged,
}
