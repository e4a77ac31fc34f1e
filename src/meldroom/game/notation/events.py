"""Events as lines of text: the exact counterpart of `record.parse_events`; and actions in a few words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import get_args

from meldroom.game import actions as act
from meldroom.game import events as ev
from meldroom.game.actions import Move
from meldroom.game.notation.parsing import NOTHING, format_name, format_tile, format_tiles, quote, readings
from meldroom.game.state import Meld, State
from meldroom.rules.laying_off import Outcome
from meldroom.tiles import Tile

OUTCOME_WORDS: dict[str, str] = {outcome: outcome.lower().replace("_", " ") for outcome in get_args(Outcome)}


def deal_sizes(state: State) -> list[int]:
    """How many tiles the book deals to each seat."""
    deal = state.book.deal
    seats = range(len(state.players))
    return [deal.starter_tiles if seat == state.starter else deal.tiles for seat in seats]


class EventFormatter:
    """Formats the lines of one game, each given the position before it.

    An `exact` one leaves nothing to be inferred from the position: it marks the first copies as well.
    """

    def __init__(self, state: State, *, exact: bool = False) -> None:
        self.exact = exact
        self.tiles = state.book.tiles
        self.names = [format_name(name) for name in state.players]

    def line(self, event: ev.Event, state: State) -> str:
        """One event as a line."""
        match event:
            case ev.StarterChosen():
                return self._starter(event)
            case ev.Dealt():
                return self._dealt(event, state)
            case ev.TurnBegan():
                return f"turn {self.names[event.seat]}"
            case ev.PoolExhausted():
                return "pool empty" + self._after(": final turns ", map(self.names.__getitem__, event.order))
            case ev.Reshuffled():
                return f"reshuffle {event.number}: {self._tiles(event.stock)}"
            case ev.GameEnded():
                return self._ended(event)
            case ev.Corrected():
                return self._corrected(event)
            case ev.GameCreated() | ev.ShuffleRevealed():
                raise TypeError(f"{type(event).__name__} belongs in the headers")
            case _:
                return f"{self.names[event.seat]} {self._act(event, state)}"

    def _act(self, event: ev.Event, state: State) -> str:
        """What a player did, without their name."""
        match event:
            case ev.RedealGranted():
                return f"shows {self._tiles(event.tiles)}"
            case ev.Drew():
                return f"draws {self._tile(event.tile)}"
            case ev.Laid():
                return f"lays {self._tiles(event.tiles)} -> {self._table(event)}"
            case ev.Passed():
                return "passes"
            case ev.TimedOut():
                return "times out" + (" (touched)" if event.touched else "")
            case ev.Penalised():
                cause = ", ".join((event.cause, *event.codes))
                tiles = f": {self._tiles(event.tiles)}" if event.tiles else ""
                return f"is penalised {len(event.tiles)} ({cause}){tiles}"
            case ev.LeftoversRuled():
                to = "to rack" if event.to == "rack" else "under pool"
                return f"leaves {self._tiles(event.leftovers)} ({to}) -> {self._sets(event.table)}"
            case ev.Withdrew():
                return "withdraws"
            case ev.Resigned():
                return "resigns"
            case ev.Took():
                return f"takes {event.source} {self._tile(event.tile)}"
            case ev.Played():
                return self._played(event, state)
            case ev.Discarded():
                return f"discards {self._tile(event.tile)}"
            case _:
                pass
        raise TypeError(f"there is no line for {type(event).__name__}")

    def _tiles(self, tiles: Sequence[Tile]) -> str:
        return format_tiles(self.tiles, tiles, self.exact)

    def _tile(self, tile: Tile) -> str:
        return format_tile(self.tiles, tile, self.exact)

    def _after(self, opening: str, parts: Iterable[str]) -> str:
        text = ", ".join(parts)
        return opening + text if text else ""

    def _sets(self, table: Iterable[Sequence[Tile]]) -> str:
        return " | ".join(map(self._tiles, table)) or NOTHING

    def _starter(self, event: ev.StarterChosen) -> str:
        rounds = (
            ", ".join(f"{self.names[seat]} {self._tile(tile)}" for seat, tile in turned)
            for turned in event.rounds
        )
        return f"starter {self.names[event.seat]}" + (": " + " / ".join(rounds) if event.rounds else "")

    def _dealt(self, event: ev.Dealt, state: State) -> str:
        every = [tile for tiles in (*event.racks, event.pool) for tile in tiles]
        usual = [len(rack) for rack in event.racks] == deal_sizes(state) and len(every) == self.tiles.size
        if usual and event.number == state.deals + 1 and all(tile < 0 for tile in every):
            return "racks unknown"
        racks = (f"{name} {self._tiles(rack)}" for name, rack in zip(self.names, event.racks, strict=True))
        return f"deal {event.number}: " + " / ".join((*racks, f"pool {self._tiles(event.pool)}"))

    def _table(self, event: ev.Laid) -> str:
        sets = []
        for index, tiles in enumerate(event.table):
            meaning = event.stated.get(index)
            text = "" if meaning is None else f" = {self.tiles.faces_text(meaning) or NOTHING}"
            sets.append(self._tiles(tiles) + text)
        return " | ".join(sets) or NOTHING

    def _ended(self, event: ev.GameEnded) -> str:
        way = f" ({event.going_out})" if event.going_out else ""
        reason = f" {quote(event.reason)}" if event.reason else ""
        scores = (f"{name} {score}" for name, score in zip(self.names, event.scores, strict=True))
        winners = (f"winner {self.names[seat]}" for seat in event.winners)
        return f"end {event.end}{way}{reason}: " + ", ".join((*scores, *winners))

    def _corrected(self, event: ev.Corrected) -> str:
        reason = f" {quote(event.reason)}" if event.reason else ""
        items = [f"turn {self.names[event.seat]}", *map(self._move, event.moves)]
        for seat, melded in event.melded.items():
            items.append(f"{self.names[seat]} {'melded' if melded else 'not melded'}")
        return f"referee{reason}: " + ", ".join(items)

    def _move(self, move: Move) -> str:
        tile = self._tile(move.tile)
        if move.to == "rack":
            return f"{tile} to rack {self.names[move.index]}"
        if move.to == "table":
            return f"{tile} to table {move.index + 1}"
        place = move.to.replace("_", " ")
        return f"{tile} to {place} {move.index}" if move.index else f"{tile} to {place}"

    def _played(self, event: ev.Played, state: State) -> str:
        outcome = "" if event.outcome == "OK" else f" ({OUTCOME_WORDS[event.outcome]})"
        holder_of = {
            tile: holder
            for meld in state.melds
            for tile, holder in zip(meld.tiles, meld.holders, strict=True)
        }
        melds = (self._meld(meld, event.seat, holder_of, state) for meld in event.melds)
        return f"plays {self._tiles(event.tiles)}{outcome} -> " + (" | ".join(melds) or NOTHING)

    def _meld(self, meld: Meld, seat: int, holder_of: dict[Tile, int], state: State) -> str:
        """A meld with its owner, the holders that are not plain, and how it is read if that is not."""
        parts = []
        for tile, holder in zip(meld.tiles, meld.holders, strict=True):
            parts.append(self._tile(tile))
            if holder != holder_of.get(tile, seat):
                parts.append(f"({self.names[holder]})")
        every = readings(state.book, meld.tiles)
        kind = "" if meld.reading == every[0] else f" = {meld.reading.kind}"
        return f"{self.names[meld.owner]}: {' '.join(parts)}{kind}"


def format_action(state: State, action: act.Action) -> str:
    """An action of a state in a few words: `lay R4 -> R1 R2 R3 R4`."""
    tiles = state.book.tiles

    def sets(table: Iterable[Sequence[Tile]]) -> str:
        return " | ".join(format_tiles(tiles, some) for some in table) or NOTHING

    def new(table: Iterable[Sequence[Tile]]) -> str:
        old = {tile for some in (*state.table, *(meld.tiles for meld in state.melds)) for tile in some}
        return format_tiles(tiles, [tile for some in table for tile in some if tile not in old])

    match action:
        case act.Lay():
            return f"lay {new(action.table)} -> {sets(action.table)}"
        case act.Play():
            melds = [meld.tiles for meld in action.melds]
            discard = "" if action.discard is None else f", discard {format_tile(tiles, action.discard)}"
            return f"play {new(melds)} -> {sets(melds)}{discard}"
        case act.Discard():
            return f"discard {format_tile(tiles, action.tile)}"
        case act.Take():
            return f"take {action.source}"
        case act.TimeOut():
            return "time out" if action.table is None else f"time out -> {sets(action.table)}"
        case act.RequestRedeal():
            return f"ask for a new deal, showing {format_tiles(tiles, action.tiles)}"
        case act.RuleLeftovers():
            return f"leave {format_tiles(tiles, action.leftovers)} -> {sets(action.table)}"
        case act.Correct() | act.Abandon():
            return f"{type(action).__name__.lower()}: {action.reason}"
        case act.Draw() | act.Pass() | act.Withdraw() | act.Resign():
            return type(action).__name__.lower()
