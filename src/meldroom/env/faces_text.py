"""What a seat has learnt, as text: events in faces, so that equal tiles are told alike."""

from __future__ import annotations

from collections.abc import Iterable

from meldroom.game import Event, event_view
from meldroom.game import events as ev
from meldroom.rules.book import RuleBook
from meldroom.tiles import HIDDEN, Tile


def learnt(book: RuleBook, event: Event, seat: int | None) -> str:
    """One event as a seat, or a spectator (None), learns of it; empty where it adds nothing."""
    told = event_view(event, seat)

    def faces(tiles: Iterable[Tile]) -> str:
        names, face_of = book.tiles.face_names, book.tiles.face_of
        order = sorted([-1 if tile == HIDDEN else face_of[tile] for tile in tiles])
        return ",".join("?" if face < 0 else names[face] for face in order)

    match told:
        case ev.StarterChosen():
            return f"starter {told.seat}"
        case ev.Dealt():
            return f"dealt {faces(told.racks[seat])}" if seat is not None else "dealt"
        case ev.Drew():
            return f"{told.seat} drew {faces((told.tile,))}"
        case ev.Laid():
            return f"{told.seat} laid {faces(told.tiles)}: {'/'.join(sorted(map(faces, told.table)))}"
        case ev.Passed():
            return f"{told.seat} passed"
        case ev.Took():
            return f"{told.seat} took {told.source} {faces((told.tile,))}"
        case ev.Played():
            melds = [
                f"{meld.owner}{meld.reading.kind[0]}{meld.reading.low}-{meld.reading.high}:"
                f"{faces(meld.tiles)}"
                for meld in told.melds
            ]
            return f"{told.seat} played {faces(told.tiles)}: {'/'.join(melds)}"
        case ev.Discarded():
            return f"{told.seat} discarded {faces((told.tile,))}"
        case ev.Reshuffled():
            return "the stock was renewed"
        case ev.GameEnded():
            return f"ended {told.end} {','.join(map(str, told.scores))}"
        case _:
            return ""
