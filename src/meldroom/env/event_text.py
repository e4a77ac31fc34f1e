"""What a seat has learnt, as text: events in faces, so that equal tiles look alike."""

from __future__ import annotations

from collections.abc import Iterable

from meldroom.game import Event, event_view
from meldroom.game import events as ev
from meldroom.rules.book import RuleBook
from meldroom.tiles import HIDDEN, Tile


def event_text(book: RuleBook, event: Event, seat: int | None) -> str:
    """One event as a seat, or a spectator (None), learns of it; empty where it adds nothing."""
    seen = event_view(event, seat)

    def faces(tiles: Iterable[Tile]) -> str:
        names, face_of = book.tiles.face_names, book.tiles.face_of
        order = sorted([-1 if tile == HIDDEN else face_of[tile] for tile in tiles])
        return ",".join("?" if face < 0 else names[face] for face in order)

    match seen:
        case ev.StarterChosen():
            return f"starter {seen.seat}"
        case ev.Dealt():
            return f"dealt {faces(seen.racks[seat])}" if seat is not None else "dealt"
        case ev.Drew():
            return f"{seen.seat} drew {faces((seen.tile,))}"
        case ev.Laid():
            return f"{seen.seat} laid {faces(seen.tiles)}: {'/'.join(sorted(map(faces, seen.table)))}"
        case ev.Passed():
            return f"{seen.seat} passed"
        case ev.Took():
            return f"{seen.seat} took {seen.source} {faces((seen.tile,))}"
        case ev.Played():
            melds = [
                f"{meld.owner}{meld.reading.kind[0]}{meld.reading.low}-{meld.reading.high}:"
                f"{faces(meld.tiles)}"
                for meld in seen.melds
            ]
            return f"{seen.seat} played {faces(seen.tiles)}: {'/'.join(melds)}"
        case ev.Discarded():
            return f"{seen.seat} discarded {faces((seen.tile,))}"
        case ev.Reshuffled():
            return "the stock was renewed"
        case ev.GameEnded():
            return f"ended {seen.end} {','.join(map(str, seen.scores))}"
        case _:
            return ""
