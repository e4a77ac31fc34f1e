"""A line about what has just happened, where nobody should have to guess: penalties and time-outs."""

from __future__ import annotations

from meldroom.game import events as ev
from meldroom.i18n import Language, message
from meldroom.rooms.domain.state import Room
from meldroom.rules.book import Citation
from meldroom.rules.procedures import as_drawn, penalty_citation


def notice(room: Room, language: Language) -> str:
    """The line for the last action, empty if it speaks for itself."""
    if room.last is None or room.game is None:
        return ""
    lines = [line for event in room.last.events if (line := _line(room, event, language))]
    return " ".join(lines)


def cited(room: Room) -> Citation | None:
    """The rule behind the notice, where it rests on one."""
    for event in room.last.events if room.last is not None else ():
        if isinstance(event, ev.Penalised):
            return penalty_citation(room.book, len(event.tiles))
        if isinstance(event, ev.RedealGranted):
            return room.book.cite("redeal.doubles")
    return None


def _line(room: Room, event: ev.Event, language: Language) -> str:
    assert room.game is not None
    players = room.game.players
    match event:
        case ev.TimedOut():
            return message("rooms.notice.timed_out", language, name=players[event.seat])
        case ev.Penalised():
            rule = _text(penalty_citation(room.book, len(event.tiles)))
            kind = "as_drawn" if as_drawn(room.book, event.cause) else "penalised"
            key = f"rooms.notice.{kind}.{event.cause}"
            return message(key, language, name=players[event.seat], count=len(event.tiles), cited=rule)
        case ev.RedealGranted():
            rule = _text(room.book.cite("redeal.doubles"))
            return message("rooms.notice.redeal", language, name=players[event.seat], cited=rule)
        case ev.PoolExhausted():
            key = "last_turns" if event.order else "pool_empty"
            return message(f"rooms.notice.{key}", language)
        case ev.Reshuffled():
            return message("rooms.notice.reshuffled", language, count=len(event.stock))
        case ev.Withdrew():
            return message("rooms.notice.withdrew", language, name=players[event.seat])
        case ev.Resigned():
            return message("rooms.notice.resigned", language, name=players[event.seat])
        case _:
            return ""


def _text(citation: Citation) -> str:
    return ", ".join(part for part in (citation.clause, citation.ruling) if part)
