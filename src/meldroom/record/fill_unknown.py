"""Follows a game of which some tiles are unknown, and fills in what can be known of them.

A *mask* is a negative number that stands for one unknown tile from the moment it is dealt until somebody
shows it. A *heap* is a set of tiles nobody has named together with the masks that stand for them, in an
order nobody knows: all tiles of a deal that were not seen, or a stock made of old discards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from meldroom.game import events as ev
from meldroom.game.actions import Move
from meldroom.game.apply import deal_order
from meldroom.game.fold import created, evolve, moved, put
from meldroom.game.log import Log, begin_next_turn, next_seat
from meldroom.game.notation.errors import NotationError
from meldroom.game.shuffle import Shuffle
from meldroom.game.state import State
from meldroom.record.event_checks import Soundness
from meldroom.record.model import Record
from meldroom.tiles import HIDDEN, Tile

Mask = Tile

MOST_STEPS = 30_000
"""How many events are followed at most to find out where tiles came from that were moved unseen."""

NEVER = 1 << 60

_ENDS_A_TURN = ev.Drew | ev.Laid | ev.Passed | ev.Penalised | ev.Discarded
_BEFORE_THE_DEAL = ev.StarterChosen | ev.Dealt | ev.GameEnded


class Heap(msgspec.Struct, eq=False):
    """Tiles nobody has named, and the masks that stand for them."""

    tiles: set[Tile]
    masks: list[Mask]


class Doubt(msgspec.Struct, frozen=True):
    """From one event to before another, nobody can say where this tile lies."""

    mask: Mask
    begin: int
    end: int


class Follower:
    """A game followed event by event. `state` holds masks where tiles are unknown.

    `origins` decide, one after the other, where a tile came from that a referee moved unseen; `choices` are
    the numbers of places that each could have come from. `later` gives, for each event, the tiles that are on
    the table when it is next shown. `faults` counts what no completion can explain.
    """

    def __init__(
        self,
        opened: ev.GameCreated,
        shuffle: Shuffle | None = None,
        origins: Sequence[int] = (),
        later: Sequence[frozenset[Tile] | None] = (),
    ) -> None:
        self.state: State = created(opened)
        self.events: list[ev.Event] = []
        self.faults = 0
        self.choices: list[int] = []
        self._shuffle = shuffle
        self._origins = origins
        self._later = later
        self._soundness = Soundness(self.state.book, len(self.state.players))
        self._heaps: list[Heap] = []
        self._heap_of: dict[Mask, Heap] = {}
        self._born: dict[Mask, int] = {}
        self._entered: dict[Mask, int] = {}
        self._named: dict[Mask, Tile] = {}
        self._certain: dict[Mask, int] = {}
        self._timed_out = False

    def add(self, event: ev.Event) -> None:
        """One more event. Raises NotationError if it cannot be an event of this game."""
        self.check(event)
        if self.choices and not self._follows(event):
            self.faults += 1
        masked = self._masked(event)
        self.events.append(masked)
        self.state = evolve(self.state, masked)
        if isinstance(event, ev.Corrected):
            self._show_named()

    def check(self, event: ev.Event) -> None:
        """Raises NotationError if this cannot be the next event of the game, right or wrong."""
        self._soundness.check(event)
        if not self.state.racks and not isinstance(event, _BEFORE_THE_DEAL):
            raise NotationError("not_dealt")
        if isinstance(event, ev.Dealt) and self.state.starter < 0:
            raise NotationError("no_starter")

    def due(self) -> tuple[ev.Event, ...]:
        """What follows the last event by itself: the empty pool, the next player's turn."""
        state, last = self.state, self.events[-1] if self.events else None
        if all(state.withdrawn) or state.over:
            return ()
        if isinstance(last, ev.Dealt):
            return (ev.TurnBegan(next_seat(state, state.starter)),)
        if isinstance(last, ev.Resigned) and state.withdrawn.count(False) == 1:
            return ()
        left_at_own_turn = isinstance(last, ev.Withdrew | ev.Resigned) and last.seat == state.seat
        if not left_at_own_turn and not isinstance(last, ev.PoolExhausted | _ENDS_A_TURN):
            return ()
        if isinstance(last, ev.Laid | ev.Discarded) and not state.racks[last.seat]:
            return ()
        # Only whose turn comes matters here, so nothing is left to be counted should the game be over.
        log = Log(replace(state, racks=((),) * len(state.players), melds=()))
        begin_next_turn(log)
        return tuple(event for event in log.events if not isinstance(event, ev.GameEnded))

    def _follows(self, event: ev.Event) -> bool:
        """Whether turns and the empty pool come when they are due: wrong origins show in this."""
        due = self.due()
        if due or isinstance(event, ev.TurnBegan | ev.PoolExhausted):
            return due[:1] == (event,)
        return True

    def may_hold(self, tiles: Iterable[Tile]) -> set[Tile]:
        """What may lie in a place: the tiles known to be there, and what its masks could be."""
        found: set[Tile] = set()
        for tile in tiles:
            if tile >= 0:
                found.add(tile)
            elif tile in self._heap_of:
                found |= self._heap_of[tile].tiles
        return found

    # Masks

    def _cover(self, heap: Heap, tiles: Iterable[Tile]) -> tuple[Tile, ...]:
        """The tiles with a mask in place of each unknown one."""
        return tuple(self._new_mask(heap) if tile == HIDDEN else tile for tile in tiles)

    def _new_mask(self, heap: Heap | None) -> Mask:
        mask = Tile(HIDDEN - 1 - len(self._born))
        self._born[mask] = self._entered[mask] = len(self.events)
        if heap is None:
            self.faults += 1
        else:
            heap.masks.append(mask)
            self._heap_of[mask] = heap
        return mask

    def _name(self, mask: Mask, tile: Tile, certain: int = 0) -> None:
        """A mask turns out to be a tile; where it lay was certain from that event on."""
        heap = self._heap_of.get(mask)
        if heap is None or tile not in heap.tiles:
            self.faults += 1
            return
        heap.tiles.discard(tile)
        self._named[mask] = tile
        self._certain[mask] = certain

    # Events

    def _masked(self, event: ev.Event) -> ev.Event:
        """The event with masks for what is unknown, after everything it shows has been learnt."""
        match event:
            case ev.Dealt():
                return self._dealt(event)
            case ev.Drew():
                return replace(event, tile=self._from_pool((event.tile,))[0])
            case ev.Penalised():
                return replace(event, tiles=self._from_pool(event.tiles))
            case ev.Took(source="stock"):
                return replace(event, tile=self._from_pool((event.tile,))[0])
            case ev.Took():
                top = self.state.discards[-1:]
                if top and top[0] < 0:
                    self._name(top[0], event.tile)
                elif top != (event.tile,):
                    self.faults += 1
            case ev.Laid() | ev.Played() | ev.RedealGranted():
                self._from_rack(event.seat, event.tiles)
            case ev.Discarded():
                self._from_rack(event.seat, (event.tile,))
            case ev.Reshuffled():
                return self._reshuffled(event)
            case ev.Corrected():
                return self._corrected(event)
            case ev.TimedOut() | ev.TurnBegan():
                self._timed_out = isinstance(event, ev.TimedOut)
            case _:
                pass
        return event

    def _dealt(self, event: ev.Dealt) -> ev.Dealt:
        state = self.state
        if self._shuffle is not None:
            label = f"game {state.game} deal {event.number}"
            order = self._shuffle.order(label, state.book.tiles.every_tile)
            meant = deal_order(state.book, len(state.players), state.starter, order)
            event = ev.Dealt(
                event.number,
                tuple(_filled(rack, by) for rack, by in zip(event.racks, meant.racks, strict=True)),
                _filled(event.pool, meant.pool),
            )
        shown = {tile for tiles in (*event.racks, event.pool) for tile in tiles}
        heap = Heap(set(state.book.tiles.every_tile) - shown, [])
        self._heaps.append(heap)
        racks = tuple(self._cover(heap, rack) for rack in event.racks)
        return ev.Dealt(event.number, racks, self._cover(heap, event.pool))

    def _reshuffled(self, event: ev.Reshuffled) -> ev.Reshuffled:
        state = self.state
        old = state.discards[:-1]
        if self._shuffle is not None and min(old, default=0) >= 0:
            label = f"game {state.game} deal {state.deals} stock {event.number}"
            event = replace(event, stock=_filled(event.stock, self._shuffle.order(label, old)))
        heap = Heap({tile for tile in old if tile >= 0} - set(event.stock), [])
        self._heaps.append(heap)
        return ev.Reshuffled(event.number, self._cover(heap, event.stock))

    def _from_pool(self, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
        """Tiles taken from the top of the pool: what is known of one side is known of the other."""
        taken = []
        for place, tile in enumerate(tiles):
            top = self.state.pool[place] if place < len(self.state.pool) else self._new_mask(None)
            if top < 0:
                self._entered[top] = len(self.events)
                if tile != HIDDEN:
                    self._name(top, tile)
            elif tile not in (HIDDEN, top):
                self.faults += 1
            taken.append(top if tile == HIDDEN else tile)
        return tuple(taken)

    def _from_rack(self, seat: int, tiles: Iterable[Tile]) -> None:
        """Tiles shown from a rack: those not known to be there are some of its masks."""
        rack = list(self.state.racks[seat])
        for tile in tiles:
            if tile in rack:
                continue
            possible = [m for m in rack if m in self._heap_of and tile in self._heap_of[m].tiles]
            if not possible:
                self.faults += 1
                continue
            # At the end of time the tile just taken goes back (R62); otherwise the longest held is as good.
            mask = (max if self._timed_out else min)(possible, key=self._entered.__getitem__)
            self._name(mask, tile, max(self._entered[m] for m in possible))
            rack[rack.index(mask)] = tile
        self.state = replace(self.state, racks=put(self.state.racks, seat, tuple(sorted(rack))))

    def _corrected(self, event: ev.Corrected) -> ev.Corrected:
        """Tiles moved unseen are given an origin, which `origins` may choose otherwise."""
        position = self.state
        moves = []
        for move in event.moves:
            unseen = replace(move, tile=self._origin(position, move, event.seat))
            moves.append(unseen)
            position = moved(position, unseen)
        return replace(event, moves=tuple(moves))

    def _origin(self, position: State, move: Move, seat: int) -> Tile:
        if move.tile != HIDDEN and move.tile in _known(position):
            return move.tile
        gone = self._gone_from_table(position) if move.tile == HIDDEN else None
        if gone is not None:
            return gone
        possible = list(self._origins_of(position, move, seat))
        if not possible:
            self.faults += 1
            return move.tile if move.tile != HIDDEN else self._new_mask(None)
        turn = len(self.choices)
        self.choices.append(len(possible))
        chosen = possible[self._origins[turn] if turn < len(self._origins) else 0]
        if move.tile != HIDDEN:
            self._name(chosen, move.tile, len(self.events))
        return chosen

    def _origins_of(self, position: State, move: Move, seat: int) -> Iterator[Tile]:
        """Where a tile can have come from, the likely places first.

        A rack gains from the pool, and the pool from the rack of who has the turn.
        """
        racks = [position.racks[(seat + step) % len(position.racks)] for step in range(len(position.racks))]
        pool = (*position.pool[-1:], *position.pool[:-1])  # The bottom first: its place is used least.
        for tiles in (pool, *racks) if move.to == "rack" else (*racks, pool):
            yield from self._in_place(tiles, move.tile)
        if move.tile == HIDDEN:
            yield from (tile for tile in position.discards[::-1] if tile >= 0)

    def _in_place(self, tiles: Iterable[Tile], tile: Tile) -> Iterator[Tile]:
        """What in some place may be the tile that was moved: one mask of each heap, or any known tile."""
        heaps: list[Heap] = []
        for found in tiles:
            heap = self._heap_of.get(found)
            if heap is None:
                if found >= 0 and tile == HIDDEN:
                    yield found
            elif heap not in heaps and (tile == HIDDEN or tile in heap.tiles):
                heaps.append(heap)
                yield found

    def _gone_from_table(self, position: State) -> Tile | None:
        """A tile on the table that is not there when the table is next shown: it was moved off unseen."""
        index = len(self.events)
        later = self._later[index] if index < len(self._later) else None
        if later is None:
            return None
        sets = (*position.table, *(meld.tiles for meld in position.melds))
        return next((tile for tiles in sets for tile in tiles if tile >= 0 and tile not in later), None)

    def _show_named(self) -> None:
        """Masks that a correction named become tiles in the state."""
        state = self.state

        def show(tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
            return tuple(self._named.get(tile, tile) for tile in tiles)

        self.state = replace(
            state,
            racks=tuple(tuple(sorted(show(rack))) for rack in state.racks),
            pool=show(state.pool),
            table=tuple(map(show, state.table)),
            discards=show(state.discards),
        )

    # What it all comes to

    def meanings(self) -> dict[Mask, Tile]:
        """A tile for every mask: the one it turned out to be, or one that nobody ever saw."""
        found = dict(self._named)
        for heap in self._heaps:
            open_masks = [mask for mask in heap.masks if mask not in found]
            found.update(zip(open_masks, sorted(heap.tiles), strict=False))
        return found

    def doubts(self) -> tuple[Doubt, ...]:
        """When which mask was unknown."""
        deals = [index for index, event in enumerate(self.events) if isinstance(event, ev.Dealt)]
        found = []
        for mask, begin in self._born.items():
            next_deal = next((index for index in deals if index > begin), NEVER)
            end = self._certain.get(mask, next_deal)
            if begin < end:
                found.append(Doubt(mask, begin, end))
        return tuple(found)


def _filled(tiles: tuple[Tile, ...], by: Sequence[Tile]) -> tuple[Tile, ...]:
    """Unknown tiles taken from the order that the revealed shuffle gives, if it fits what is known."""
    fits = len(tiles) == len(by) and all(tile in (HIDDEN, by[place]) for place, tile in enumerate(tiles))
    return tuple(by) if fits else tiles


def _known(position: State) -> set[Tile]:
    melds = (meld.tiles for meld in position.melds)
    places = (*position.racks, *position.table, *melds, position.pool, position.discards)
    return {tile for tiles in places for tile in tiles if tile >= 0}


class Completion(msgspec.Struct, frozen=True):
    """A record's events with a tile in every place, and when which of them was no more than a guess.

    `consistent` is False where no choice of tiles explains what the record shows.
    """

    events: tuple[ev.Event, ...]
    doubts: tuple[Doubt, ...]
    meanings: dict[Mask, Tile]
    consistent: bool

    def unknown(self, index: int) -> frozenset[Tile]:
        """The tiles whose place after an event is a guess."""
        return frozenset(
            self.meanings.get(doubt.mask, HIDDEN) for doubt in self.doubts if doubt.begin <= index < doubt.end
        )


def complete(record: Record) -> Completion:
    """The record with its unknown tiles filled in, consistently if that can be done.

    Raises NotationError if an event cannot belong to the game.
    """
    shuffle = None
    if record.headers.secret is not None:
        shuffle = Shuffle(record.headers.secret, record.headers.contributions)
    later = _tables_shown_later(record.events)
    origins: list[int] | None = []
    steps = 0
    while origins is not None and steps < MOST_STEPS:
        follower = Follower(record.headers.created, shuffle, origins, later)
        if _follow(follower, record, stop_at_fault=True):
            return _completed(follower)
        steps += len(follower.events)
        origins = _next_origins(origins, follower.choices)
    follower = Follower(record.headers.created, shuffle)
    _follow(follower, record, stop_at_fault=False)
    return _completed(follower)


def _follow(follower: Follower, record: Record, *, stop_at_fault: bool) -> bool:
    """True if every event could be explained. Raises NotationError."""
    for index, event in enumerate(record.events):
        try:
            follower.add(event)
        except NotationError as error:
            raise error.at(f"events[{index}]", line=record.line(index)) from None
        if follower.faults and stop_at_fault:
            break
    return not follower.faults


def _tables_shown_later(events: Sequence[ev.Event]) -> list[frozenset[Tile] | None]:
    """For each event, the tiles on the table after it, as the next event that shows the table has it."""
    found: list[frozenset[Tile] | None] = []
    shown: frozenset[Tile] | None = None
    for event in reversed(events):
        found.append(shown)
        match event:
            case ev.Laid():
                shown = frozenset(t for tiles in event.table for t in tiles) - set(event.tiles)
            case ev.Played():
                shown = frozenset(t for meld in event.melds for t in meld.tiles) - set(event.tiles)
            case ev.LeftoversRuled():
                shown = frozenset(t for tiles in (*event.table, event.leftovers) for t in tiles)
            case ev.Corrected() if shown is not None:
                shown -= {move.tile for move in event.moves if move.to == "table"}
            case ev.Dealt():
                shown = None
            case _:
                pass
    return found[::-1]


def _next_origins(origins: Sequence[int], choices: Sequence[int]) -> list[int] | None:
    """The next way to choose origins, the last choice changing first; None after the last way."""
    chosen = [*origins, *(0,) * (len(choices) - len(origins))][: len(choices)]
    while chosen:
        chosen[-1] += 1
        if chosen[-1] < choices[len(chosen) - 1]:
            return chosen
        chosen.pop()
    return None


def _completed(follower: Follower) -> Completion:
    meanings = follower.meanings()
    events = tuple(with_meanings(event, meanings) for event in follower.events)
    return Completion(events, follower.doubts(), meanings, not follower.faults)


def with_meanings(event: ev.Event, meanings: Mapping[Mask, Tile]) -> ev.Event:
    """The event with every mask replaced by its tile; what has none stays unknown."""

    def all_of(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
        return tuple(tile if tile >= 0 else meanings.get(tile, HIDDEN) for tile in tiles)

    match event:
        case ev.Dealt():
            return ev.Dealt(event.number, tuple(map(all_of, event.racks)), all_of(event.pool))
        case ev.Drew() | ev.Took():
            return replace(event, tile=all_of((event.tile,))[0])
        case ev.Penalised():
            return replace(event, tiles=all_of(event.tiles))
        case ev.Reshuffled():
            return replace(event, stock=all_of(event.stock))
        case ev.Corrected():
            moves = tuple(replace(move, tile=all_of((move.tile,))[0]) for move in event.moves)
            return replace(event, moves=moves)
        case _:
            return event
