"""Events turned back into the action that led to them, so that the engine can be asked again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import msgspec

from meldroom.game import actions as act
from meldroom.game import events as ev
from meldroom.game.judgement import TurnStart
from meldroom.game.shuffle import Item, Shuffle
from meldroom.game.state import State


class RecordedOrders(Shuffle, frozen=True):
    """A shuffle that gives the orders of a record, where they are orders of the right tiles."""

    orders: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict)

    def order(self, label: str, items: Sequence[Item]) -> tuple[Item, ...]:
        """The recorded order of a label; the items as they are if there is none."""
        found = cast("tuple[Item, ...]", self.orders.get(label, ()))
        return found if len(found) == len(items) and set(found) == set(items) else tuple(items)


def recorded_orders(events: Sequence[ev.Event], game: int, size: int) -> RecordedOrders:
    """The orders of tiles in a game's events, by label."""
    orders: dict[str, tuple[int, ...]] = {}
    deal = 0
    for event in events:
        match event:
            case ev.StarterChosen():
                for number, turned in enumerate(event.rounds, start=1):
                    first = [tile for _, tile in turned]
                    rest = [tile for tile in range(size) if tile not in first]
                    orders[f"game {game} start {number}"] = (*first, *rest)
            case ev.Dealt():
                deal = event.number
                dealt = (tile for tiles in (*event.racks, event.pool) for tile in tiles)
                orders[f"game {game} deal {deal}"] = tuple(dealt)
            case ev.Reshuffled():
                orders[f"game {game} deal {deal} stock {event.number}"] = event.stock
            case _:
                pass
    return RecordedOrders("", (), orders)


def action_of(state: State, events: Sequence[ev.Event]) -> act.Action | None:
    """What somebody asked for that led to these events; None if nothing can have.

    A table that was taken back is in no record: any illegal table stands for it.
    """
    event = events[0]
    after = events[1] if len(events) > 1 else None
    match event:
        case ev.Drew():
            return act.Draw(event.seat)
        case ev.Laid():
            return act.Lay(event.seat, table=event.table, stated=event.stated)
        case ev.Passed():
            return act.Pass(event.seat)
        case ev.RedealGranted():
            return act.RequestRedeal(event.seat, tiles=event.tiles)
        case ev.Withdrew():
            return act.Withdraw(event.seat)
        case ev.Resigned():
            return act.Resign(event.seat)
        case ev.Corrected():
            return act.Correct(event.seat, reason=event.reason, moves=event.moves, melded=event.melded)
        case ev.TimedOut():
            return _time_out(state, event, after)
        case ev.Penalised(cause="declared"):
            return act.Lay(event.seat, table=_spoilt(state, event.seat) or ())
        case ev.LeftoversRuled():
            return act.RuleLeftovers(event.seat, table=event.table, leftovers=event.leftovers)
        case ev.Took():
            return act.Take(event.seat, source=event.source)
        case ev.Reshuffled():
            return act.Take(state.seat, source="stock")
        case ev.Played():
            return _play(state, event, after)
        case ev.Discarded():
            return act.Discard(event.seat, tile=event.tile)
        case ev.GameEnded(end="abandoned"):
            return act.Abandon(max(state.seat, 0), reason=event.reason)
        case ev.GameEnded(end="exhausted") if state.phase == "take":
            return act.Take(state.seat, source="stock")
        case _:
            return None


def _time_out(state: State, event: ev.TimedOut, after: ev.Event | None) -> act.Action:
    if isinstance(after, ev.Laid):
        return act.TimeOut(event.seat, table=after.table, stated=after.stated)
    if isinstance(after, ev.Penalised) and state.book.family == "rearranging":
        return act.TimeOut(event.seat, table=_spoilt(state, event.seat))
    return act.TimeOut(event.seat)


def _spoilt(state: State, seat: int) -> act.TileSets | None:
    """Some illegal table that this player could have left."""
    if seat != state.seat:
        return state.table
    return next((table for table in _untidy(state) if TurnStart.of(state).judge_table(table)), None)


def _untidy(state: State) -> Iterator[act.TileSets]:
    rack = state.racks[state.seat]
    for tile in rack:
        yield (*state.table, (tile,))
    if rack:
        yield (*state.table, rack)
    for index, tiles in enumerate(state.table):
        yield (*state.table[:index], tiles[1:], *state.table[index + 1 :])


def _play(state: State, event: ev.Played, after: ev.Event | None) -> act.Play:
    melds = tuple(
        act.MeldPlay(meld.tiles, meld.owner, meld.reading.kind if index >= len(state.melds) else None)
        for index, meld in enumerate(event.melds)
    )
    discard = after.tile if isinstance(after, ev.Discarded) else None
    return act.Play(event.seat, melds=melds, discard=discard)
