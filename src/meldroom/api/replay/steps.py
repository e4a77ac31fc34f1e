"""A finished game as steps: what happened in a sentence, and how everything lies after it."""

from __future__ import annotations

from collections.abc import Sequence

from meldroom.api.schemas import MeldView, ReplayStep
from meldroom.game import events as ev
from meldroom.game.actions import TileSets
from meldroom.game.notation.svg import as_read
from meldroom.i18n import Language, Parts, TilePart, message
from meldroom.i18n.tile_parts import parts_of, together, without_marks
from meldroom.record import Record
from meldroom.record.moments import Moment, moments
from meldroom.record.narrate import Narrator, Span
from meldroom.tiles import HIDDEN, Tile


def seat_of(event: ev.Event) -> int | None:
    """Whose doing an event was; None for the deal, the pool and the end."""
    return None if isinstance(event, ev.Corrected) else getattr(event, "seat", None)


class StepTeller(Narrator):
    """Tells a record one event at a time, each as whole sentences."""

    def __init__(self, record: Record, language: Language) -> None:
        super().__init__(record, language)
        self._starter = next((e for e in record.events if isinstance(e, ev.StarterChosen)), None)

    def text(self, moment: Moment) -> str:
        """What happened, as one line of sentences."""
        return without_marks(self._told(moment))

    def parts(self, moment: Moment) -> Parts:
        """The same with its tiles apart from its words."""
        return parts_of(self._told(moment))

    def _told(self, moment: Moment) -> str:
        event = moment.event
        if isinstance(event, ev.Dealt):
            return self._the_deal(event)
        if isinstance(event, ev.GameEnded):
            return self._the_end(event)
        told = next(
            told
            for told in self._line(event, moment.before, moment.after, moment.unknown, moment.turn)
            if told.spans
        )
        said = _flat(told.spans)
        return f"{told.name} {said}." if told.name else _sentence(said)

    def _the_deal(self, event: ev.Dealt) -> str:
        """Who begins and how many tiles stay; a second deal needs no starter's tiles again."""
        said = [_sentence(self._message("deal", number=str(event.number), count=len(event.pool)))]
        if self._starter is not None:
            said.append(self._message("starter", name=self.players[self._starter.seat]) + ".")
            if event.number == 1 and self._starter.rounds:
                said += [_sentence(_flat(self._turned(turned).spans)) for turned in self._starter.rounds]
        return " ".join(said)

    def _the_end(self, event: ev.GameEnded) -> str:
        """How it ended and what everybody has."""
        if event.reason:
            said = self._message("because", reason=event.reason)
        else:
            names = ", ".join(self.players[seat] for seat in event.winners)
            said = self._message(f"over.{event.end}", name=names)
        signed = [f"{self.players[seat]} {_signed(score)}" for seat, score in enumerate(event.scores)]
        scores = message("games.steps.scores", self.language, scores=", ".join(signed))
        first = said[0].upper() + said[1:] if event.end != "out" else said
        return f"{first}. {scores}"


def _sentence(text: str) -> str:
    """The same with a capital at the beginning and a full stop at the end."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("." if text and text[-1] not in ".!?…" else "")


def _flat(spans: Sequence[Span]) -> str:
    """The text of a line, its tiles marked; tiles beside each other are together."""
    told = (TilePart((span.text,)).marked if span.style == "tile" else span.text for span in spans)
    return together("".join(told).strip())


def _signed(score: int) -> str:
    return f"−{-score}" if score < 0 else f"+{score}" if score else "0"


def steps_of(record: Record, language: Language) -> tuple[ReplayStep, ...]:
    """All steps of a record, told in one language."""
    teller = StepTeller(record, language)
    return tuple(_step(teller, moment) for moment in moments(record))


def _step(teller: StepTeller, moment: Moment) -> ReplayStep:
    after = moment.after
    return ReplayStep(
        number=moment.number,
        seat=seat_of(moment.event),
        kind=str(type(moment.event).__struct_config__.tag),
        text=teller.text(moment),
        parts=teller.parts(moment),
        table=tuple(as_read(after.book, tiles) for tiles in after.table),
        melds=tuple(MeldView(meld.tiles, meld.owner, meld.holders) for meld in after.melds),
        racks=tuple(
            tuple(HIDDEN if tile in moment.unknown else tile for tile in sorted(rack)) for rack in after.racks
        ),
        pool=len(after.pool),
        discards=after.discards,
        changed=changed(moment),
    )


def changed(moment: Moment) -> tuple[Tile, ...]:
    """The tiles that a step laid, moved, drew or threw."""
    match moment.event:
        case ev.Drew(tile=tile) | ev.Took(tile=tile) | ev.Discarded(tile=tile):
            return (tile,)
        case ev.Penalised(tiles=tiles) | ev.RedealGranted(tiles=tiles):
            return tiles
        case ev.Laid() | ev.LeftoversRuled():
            return moved(moment.before.table, moment.after.table)
        case ev.Played():
            before, after = moment.before.melds, moment.after.melds
            return moved([meld.tiles for meld in before], [meld.tiles for meld in after])
        case ev.Corrected(moves=moves):
            return tuple(move.tile for move in moves)
        case _:
            return ()


def moved(before: Sequence[Sequence[Tile]] | TileSets, after: Sequence[Sequence[Tile]]) -> tuple[Tile, ...]:
    """The tiles of each set that did not come from the old set which gave it the most."""
    home = {tile: index for index, tiles in enumerate(before) for tile in tiles}
    found: list[Tile] = []
    for tiles in after:
        origins = [home[tile] for tile in tiles if tile in home]
        main = max(origins, key=origins.count, default=-1)
        found += [tile for tile in tiles if home.get(tile, -2) != main]
    return tuple(found)
