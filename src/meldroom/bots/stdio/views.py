"""A view as the wire carries it, tiles as text, and back again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from meldroom.bots.answers import may_foul
from meldroom.bots.stdio import messages as wire
from meldroom.game.state import Meld
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.procedures import three_doubles
from meldroom.rules.sets import Reading
from meldroom.tiles import HIDDEN, Face, Tile, TileSet, TileTextError, parse_marked

TileStyle = Literal["faces", "exact"]


def format_tile(tiles: TileSet, tile: Tile, style: TileStyle) -> wire.Word:
    """A tile as text: its face only, or exactly this copy (`R7!`, `R7'`)."""
    if tile < 0:
        return "?"
    if style == "faces":
        return tiles.face_names[tiles.face_of[tile]]
    return tiles.name(tile) + ("" if tiles.copy_of(tile) else "!")


def format_tiles(tiles: TileSet, some: Iterable[Tile], style: TileStyle) -> wire.Words:
    """Tiles as text."""
    return tuple([format_tile(tiles, tile, style) for tile in some])


def parse_tile_text(tiles: TileSet, text: wire.Word) -> tuple[Face, int | None]:
    """A face, and which copy if the text says so. Raises TileTextError."""
    first = text.endswith("!")
    face, marks = parse_marked(text.removesuffix("!"), tiles)
    if first and marks:
        raise TileTextError("both_marks", text)
    return face, 0 if first else marks or None


def format_view(book: RuleBook, view: View, style: TileStyle) -> wire.TableView:
    """A seat's view for the wire. Raises ValueError for a spectator's."""
    me = view.own_seat
    tiles = book.tiles
    rack = format_tiles(tiles, view.rack, style)
    return wire.TableView(
        me=me,
        seat=view.seat,
        phase=view.phase,
        rack=rack,
        racks=tuple(rack if i == me else ("?",) * size for i, size in enumerate(view.rack_sizes)),
        table=tuple(format_tiles(tiles, each, style) for each in view.table),
        melds=tuple(_format_meld(tiles, meld, style) for meld in view.melds),
        discards=format_tiles(tiles, view.discards, style),
        pool_size=view.pool_size,
        melded=view.melded,
        withdrawn=view.withdrawn,
        turns=view.turns,
        starter=view.starter,
        deals=view.deals,
        drawn=format_tiles(tiles, view.drawn, style),
        exhausted=view.exhausted,
        queue=view.queue,
        passes=view.passes,
        reshuffles=view.reshuffles,
    )


def _format_meld(tiles: TileSet, meld: Meld, style: TileStyle) -> wire.MeldShown:
    reading = meld.reading
    letter = tiles.colours[reading.colour].letter if reading.is_run else None
    return wire.MeldShown(
        format_tiles(tiles, meld.tiles, style),
        meld.owner,
        meld.holders,
        wire.Reading(reading.kind, reading.low, reading.high, letter),
    )


def actions_now(book: RuleBook, view: View) -> tuple[wire.Kind, ...]:
    """The kinds of action that are open to the seat to move."""
    if book.family == "laying_off":
        kinds: dict[str, tuple[wire.Kind, ...]] = {
            "take": ("take", "withdraw"),
            "opening_discard": ("discard", "withdraw"),
            "play": ("discard", "play", "withdraw"),
        }
        return kinds.get(view.phase, ())
    wait: wire.Kind = "draw" if view.pool_size else "pass"
    faces = [book.tiles.face_of[tile] for tile in view.rack]
    redeal = not sum(view.turns) and three_doubles(book, faces)
    further: tuple[wire.Kind, ...] = ("request_redeal",) if redeal else ()
    foul: tuple[wire.Kind, ...] = ("time_out",) if may_foul(book) else ()
    return (wait, "lay", *further, "withdraw", *foul)


def parse_view(begun: wire.NewGame, tiles: TileSet, sent: wire.TableView) -> View:
    """The view that a message in exact tiles holds. Raises TileTextError."""

    def read(some: wire.Words) -> tuple[Tile, ...]:
        return tuple([HIDDEN if text == "?" else _exactly(tiles, text) for text in some])

    return View(
        book=begun.book,
        players=begun.players,
        game=begun.game,
        commitment=begun.commitment,
        stand_ins=read(begun.stand_ins),
        me=sent.me,
        phase=sent.phase,
        starter=sent.starter,
        seat=sent.seat,
        deals=sent.deals,
        rack=read(sent.rack),
        rack_sizes=tuple(len(rack) for rack in sent.racks),
        pool_size=sent.pool_size,
        table=tuple(read(each) for each in sent.table),
        melds=tuple(_meld(tiles, each) for each in sent.melds),
        discards=read(sent.discards),
        melded=sent.melded,
        withdrawn=sent.withdrawn,
        turns=sent.turns,
        exhausted=sent.exhausted,
        queue=sent.queue,
        passes=sent.passes,
        reshuffles=sent.reshuffles,
        drawn=read(sent.drawn),
        result=None,
        racks=None,
    )


def _exactly(tiles: TileSet, text: wire.Word) -> Tile:
    face, copy = parse_tile_text(tiles, text)
    return tiles.tile(face, copy or 0)


def _meld(tiles: TileSet, meld: wire.MeldShown) -> Meld:
    sent = meld.reading
    colour = -1 if sent.colour is None else tiles.letters[sent.colour]
    reading = Reading(sent.kind, sent.low, sent.high, colour)
    return Meld(tuple(_exactly(tiles, text) for text in meld.tiles), meld.owner, meld.holders, reading)
