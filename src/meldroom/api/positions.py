"""Positions given as text: what they show, and the best play in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from meldroom.api.errors import GameError
from meldroom.api.replay.analysis import LONGEST_SEARCH, Best, in_order, in_tiles
from meldroom.api.schemas import BestPlay, MeldView, NotationSets, PositionPage
from meldroom.game.notation.svg import as_read
from meldroom.game.state import Phase, State
from meldroom.i18n import Language, Message, joined
from meldroom.record import NotationError, Position, format_position, parse_position
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BookError, book
from meldroom.solver import explain, solve
from meldroom.tiles import HIDDEN, TileTextError, parse_table

_NAMES_A_BOOK = re.compile(r"\s*[^\s/@|]+@")


def read_position(text: str, book_id: str) -> Position:
    """The position of a text, which may leave its first part, the book, to `book_id`.

    Raises GameError: its message names the token, its place is `column N` of the text as it was given.
    """
    rules = _book(book_id) if book_id else None
    prefix = ""
    if rules is not None and not _NAMES_A_BOOK.match(text):
        prefix = f"{rules.id}@{rules.version} / "
    try:
        return parse_position(prefix + text)
    except NotationError as error:
        column = max(error.column - len(prefix), 1) if error.column else 0
        place = f"column {column}" if column else "text"
        raise GameError.of(error, 400, place) from None


def _book(book_id: str) -> RuleBook:
    try:
        return book(book_id)
    except BookError as error:
        raise GameError(400, "unknown_book", "book", reason=error.as_message()) from None


def read_sets(text: str, book_id: str) -> NotationSets:
    """The sets of a text. Raises GameError: its message names the token and where it is."""
    tiles = _book(book_id).tiles
    try:
        sets = parse_table(text, tiles)
    except TileTextError as error:
        place = f"column {error.position + 1}"
        raise GameError(400, "notation", place, token=error.token or "|", reason=error.as_message()) from None
    return NotationSets(tuple(tuple(tiles.face_names[face] for face in faces) for faces in sets))


def position_page(position: Position) -> PositionPage:
    """A position as the browser draws it."""
    return PositionPage(
        book=position.book.id,
        options=dict(position.book.options),
        text=format_position(position),
        table=tuple(as_read(position.book, tiles) for tiles in position.table),
        melds=tuple(MeldView(meld.tiles, meld.owner, meld.holders) for meld in position.melds),
        racks=position.racks,
        pool=position.pool,
        discards=position.discards,
        seat=position.seat if position.seat >= 0 else None,
        moment=position.moment,
        melded=position.melded,
    )


def best_in(text: str, book_id: str, language: Language) -> BestPlay:
    """The best play of the player to move. Raises GameError and SolverError."""
    return _best_play(_state(read_position(text, book_id)), language)


def _state(position: Position) -> State:
    """The moment as a state to be solved. Raises GameError if it is nobody's to decide."""
    seat = position.seat
    if seat < 0 or position.moment == "none":
        raise GameError(400, "nobody_to_move", "text")
    if HIDDEN in position.racks[seat]:
        raise GameError(400, "hidden_rack", "text")
    if position.moment == "take":
        raise GameError(400, "take_first", "text", seat=seat + 1)
    phase: Phase = "turn" if position.book.family == "rearranging" else "play"
    return replace(position.state(), phase=phase)


def _best_play(state: State, language: Language) -> BestPlay:
    found = solve(state, time_limit=LONGEST_SEARCH, neat="thorough")
    best = in_tiles(state, found)
    said = list(_said(state, best))
    line = explain(found) if found.played else None
    before = {tile for tiles in (*state.table, *(meld.tiles for meld in state.melds)) for tile in tiles}
    return BestPlay(
        seat=state.seat,
        played=tuple(tile for tiles in best.table for tile in tiles if tile not in before),
        tiles=best.tiles,
        points=best.points,
        table=best.table,
        owners=_owners(state, best),
        discard=best.discard,
        optimal=best.optimal,
        text=" ".join(each.text(language) for each in said),
        steps=line.lines(language) if line else (),
        parts=joined(each.parts(language) for each in said),
        step_parts=line.parts(language) if line else (),
    )


def _owners(state: State, best: Best) -> tuple[int, ...]:
    """Rummy-O: whose each meld is; a new one is the player's own."""
    if state.book.family == "rearranging":
        return ()
    old = [meld.owner for meld in state.melds]
    return (*old, *[state.seat] * (len(best.table) - len(old)))


def _said(state: State, best: Best) -> Iterator[Message]:
    book = state.book
    if not best.tiles:
        opened = state.melded[state.seat]
        key = "games.best.nothing" if opened else "games.best.no_opening"
        yield Message(key, {"needed": book.opening.points})
    else:
        yield Message(
            "games.best.play",
            {
                "best": Message("games.tiles", {"count": best.tiles}),
                "best_points": Message("games.points", {"count": best.points}),
                "tiles": in_order(book, best.played),
            },
        )
    if best.discard is not None:
        yield Message("games.best.discard", {"tile": in_order(book, state.faces((best.discard,)))})
    if best.outcome in ("ON_BOARD", "OPEN_RUMMY", "FOOT", "HAND"):
        yield Message(f"games.best.outcome.{best.outcome}")
    elif best.out:
        yield Message("games.best.out")
    if not best.optimal:
        yield Message("games.analysis.unproven")
