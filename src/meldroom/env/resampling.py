"""Another game that looks the same to a player: hidden tiles dealt anew, with a history to explain them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from meldroom.env.chance import Node
from meldroom.env.event_text import event_text
from meldroom.game import Event, State, view
from meldroom.game import events as ev
from meldroom.tiles import Tile

Sampler = Callable[[], float]
"""Gives numbers from 0 up to, but not, 1."""


def resampled(node: Node, player: int, sampler: Sampler) -> Node:
    """A node with the same information state for a player; what they cannot know is drawn anew.

    All ways to deal the hidden tiles that fit what the player has seen are equally likely: a tile taken from
    the discards stays where it is, and what was in a renewed stock cannot have been held before. What the
    others chose is kept and says nothing about their racks.
    """
    state = node.state
    if state is None or state.over:
        return node
    others = [seat for seat in range(len(state.players)) if seat != player]
    known = {seat: _known(node.events, seat)[-1] for seat in others}
    racks = list(state.racks)
    pool = list(state.pool)
    for batch in _batches(node.events, state):
        places = [(seat, tile) for seat in others for tile in racks[seat] if tile in batch - known[seat]]
        hidden = [tile for _, tile in places] + [tile for tile in pool if tile in batch]
        _shuffle(hidden, sampler)
        given = iter(hidden)
        for seat in others:
            kept = [tile for tile in racks[seat] if tile not in batch - known[seat]]
            racks[seat] = (*kept, *(next(given) for _ in range(len(racks[seat]) - len(kept))))
        pool = [next(given) if tile in batch else tile for tile in pool]
    dealt = tuple(tuple(sorted(rack)) for rack in racks)
    events = node.events
    for seat in others:
        events = _explained(events, seat, dealt[seat], sampler)
    after = replace(state, racks=dealt, pool=tuple(pool), drawn=_drawn(state, events))
    mine = player == state.seat
    return replace(
        node,
        state=after,
        events=events,
        learnt=tuple(_learnt(node, events, seat) for seat in range(len(racks))),
        decision=node.decision if mine else node.settings.codec.begin(view(after, after.seat)),
    )


def _learnt(node: Node, events: Sequence[Event], seat: int) -> tuple[str, ...]:
    texts = (event_text(node.settings.book, event, seat) for event in events)
    return tuple(text for text in texts if text)


def _batches(events: Sequence[Event], state: State) -> list[set[Tile]]:
    """All tiles, by the stock they were last drawn from or still lie in; everybody can keep that apart."""
    batches = [set(state.book.tiles.every_tile)]
    for event in events:
        if isinstance(event, ev.Reshuffled):
            stock = set(event.stock)
            batches = [*(batch - stock for batch in batches), stock]
    return batches


def _known(events: Sequence[Event], seat: int) -> list[set[Tile]]:
    """After each event, the tiles on a rack that everybody knows of: those taken from the discards."""
    known: list[set[Tile]] = []
    held: set[Tile] = set()
    for event in events:
        if isinstance(event, ev.Took) and event.seat == seat and event.source == "discard":
            held = held | {event.tile}
        held = held - set(_released(event, seat))
        known.append(held)
    return known


def _released(event: Event, seat: int) -> tuple[Tile, ...]:
    """The tiles of a rack that an event puts on the table."""
    match event:
        case ev.Laid() | ev.Played() if event.seat == seat:
            return event.tiles
        case ev.Discarded() if event.seat == seat:
            return (event.tile,)
        case _:
            return ()


def _explained(
    events: tuple[Event, ...], seat: int, rack: tuple[Tile, ...], sampler: Sampler
) -> tuple[Event, ...]:
    """The events with other tiles dealt to and drawn by a seat, so that it holds this rack now.

    Told backwards: what was released comes back, what was drawn goes; what is left then was dealt.
    """
    known = _known(events, seat)
    stocks = [event.stock for event in events if isinstance(event, ev.Reshuffled)]
    hand, told = set(rack), []
    for place in range(len(events) - 1, -1, -1):
        event = events[place]
        hand |= set(_released(event, seat))
        match event:
            case ev.Drew() if event.seat == seat:
                event = ev.Drew(seat, _taken(hand, sampler))
            case ev.Took(source="stock") if event.seat == seat:
                fitting = hand - known[place]
                event = ev.Took(
                    seat, "stock", _taken(fitting & set(stocks[-1]) if stocks else fitting, sampler)
                )
                hand.discard(event.tile)
            case ev.Took() if event.seat == seat:
                hand.discard(event.tile)
            case ev.Reshuffled():
                stocks.pop()
            case ev.Dealt():
                racks = tuple(
                    tuple(sorted(hand)) if owner == seat else tiles for owner, tiles in enumerate(event.racks)
                )
                out = {tile for tiles in racks for tile in tiles}
                every = (*event.pool, *(tile for tiles in event.racks for tile in tiles))
                event = ev.Dealt(event.number, racks, tuple(sorted(set(every) - out)))
            case _:
                pass
        told.append(event)
    return tuple(reversed(told))


def _taken(hand: set[Tile], sampler: Sampler) -> Tile:
    """Takes some tile from a hand."""
    order = sorted(hand)
    tile = order[int(sampler() * len(order))]
    hand.discard(tile)
    return tile


def _drawn(state: State, events: Sequence[Event]) -> tuple[tuple[Tile, ...], ...]:
    """What each seat took since its last own turn began: as many as before, the last of them."""
    drawn = []
    for seat, before in enumerate(state.drawn):
        taken = [e.tile for e in events if isinstance(e, ev.Drew | ev.Took) and e.seat == seat]
        drawn.append(tuple(taken[len(taken) - len(before) :]))
    return tuple(drawn)


def _shuffle(tiles: list[Tile], sampler: Sampler) -> None:
    for last in range(len(tiles) - 1, 0, -1):
        other = int(sampler() * (last + 1))
        tiles[last], tiles[other] = tiles[other], tiles[last]
