"""The count at the end of a game: racks to scores, with the reason for every number.

The one scorer of racks: the command line, the server and the check of a championship's log all count here.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from meldroom.game import State
from meldroom.i18n import Language, message
from meldroom.referee.charges import ChargeRuling, LastDraw, draw_decides, rule_charge
from meldroom.referee.errors import RefereeError
from meldroom.referee.position import box_faults
from meldroom.rules.book import RuleBook
from meldroom.rules.scoring import (
    Ending,
    Final,
    FinalRack,
    GoingOut,
    Reason,
    ScoringError,
    rack_count,
    score,
)
from meldroom.rules.verify import FaceSet
from meldroom.rules.violations import Violation
from meldroom.tiles import TileTextError, parse_tile


class SeatAtEnd(msgspec.Struct, frozen=True):
    """One player when the racks are frozen (R46)."""

    rack: FaceSet = ()
    melded: bool = True
    drawn_last: FaceSet = ()
    """What they drew in their last turn: it decides between the two charges (R43)."""
    had_turn: bool = True
    last_draw: LastDraw = ""
    could_open: bool | None = None
    """The referee's decision where the last draw is not known, and why (R65)."""
    why: str = ""


class GameAtEnd(msgspec.Struct, frozen=True):
    """A game as the referee finds it; a seat is None where nobody played."""

    seats: tuple[SeatAtEnd | None, ...]
    winner: int | None
    """The seat that went out; None if the pool was exhausted and nobody did."""
    table: FaceSet | None = None
    """All tiles on the table, where they were entered too."""
    pool: int | None = None
    going_out: GoingOut | None = None
    """Open, foot or hand; with the winner's own tiles, for the books that count those (R60)."""
    winner_tiles: FaceSet = ()


class SeatCounted(msgspec.Struct, frozen=True):
    """One line of the score sheet."""

    seat: int
    tiles: int
    jokers: int
    count: int
    """What the tiles on the rack count, jokers included (R40)."""
    score: int
    won: bool
    reason: Reason
    charge: ChargeRuling
    clause: str
    ruling: str


class Rack(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One player's tiles at the end, as they are written down: tiles as text."""

    tiles: tuple[str, ...] = ()
    melded: bool = True
    drawn_in_last_turn: tuple[str, ...] = ()
    had_turn: bool = True
    """False for a player who never had a turn: they are charged as one who could not open (R43)."""
    last_draw: LastDraw = ""
    """Where no tile is named: `nothing` was drawn in the last turn, or it is `unknown` (R65)."""
    could_open: bool | None = None
    """What the referee has decided where it is not known: whether they could have opened, and why."""
    why: str = ""


class GameResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The result of a game as a championship's log keeps it: by seat; a seat without a score was empty."""

    scores: tuple[int | None, ...]
    winners: tuple[int, ...]
    end: Ending = "out"
    racks: tuple[Rack | None, ...] = ()
    """What was counted, where tiles were entered; the scores follow from it."""
    going_out: GoingOut | None = None
    """Open, foot or hand, and the winner's own tiles, where the book counts those (R60)."""
    winner_tiles: tuple[str, ...] = ()


class Count(msgspec.Struct, frozen=True):
    """A counted game: a line for each player, and what the referee should look at before signing."""

    lines: tuple[SeatCounted, ...]
    result: GameResult
    notes: tuple[Violation, ...]
    check: str
    """Which sum check the book has for this ending."""

    def check_message(self, language: Language = "en") -> str:
        """The sum check as a sentence."""
        return message(f"referee.sum.{self.check}", language)


def count_racks(
    book: RuleBook,
    racks: Sequence[Rack | None],
    winner: int | None,
    going_out: GoingOut | None = None,
    winner_tiles: Sequence[str] = (),
    *,
    as_written: bool = False,
    answered: bool = True,
) -> Count:
    """The score sheet from racks as they are written down; without a winner the pool ran out.

    A result that is in a log already is counted `as_written`, even if a loser's rack is empty there. What
    decides between the two charges must be `answered` (R65). Raises RefereeError, which says what cannot be
    and where.
    """
    seats = tuple(
        None
        if rack is None
        else SeatAtEnd(
            parse_faces(book, rack.tiles, f"racks[{seat}].tiles"),
            rack.melded,
            parse_faces(book, rack.drawn_in_last_turn, f"racks[{seat}].drawn_in_last_turn"),
            rack.had_turn,
            rack.last_draw,
            rack.could_open,
            rack.why,
        )
        for seat, rack in enumerate(racks)
    )
    if answered:
        check_last_draws(book, seats, winner)
    own = parse_faces(book, winner_tiles, "winner_tiles")
    game = GameAtEnd(seats, winner, going_out=going_out, winner_tiles=own)
    return count_game(book, game, as_written=as_written)


def check_last_draws(book: RuleBook, seats: Sequence[SeatAtEnd | None], winner: int | None) -> None:
    """Refuse to assume what decides between the two charges (R65). Raises RefereeError."""
    for place, each in enumerate(seats):
        if each is None or each.melded or place == winner or each.drawn_last or each.last_draw == "nothing":
            continue
        decided = each.last_draw == "unknown" and each.could_open is not None and each.why.strip()
        if not decided and draw_decides(book, each.rack, each.had_turn):
            code = "undecided" if each.last_draw == "unknown" else "last_draw"
            low, high = book.scoring.unmelded, book.scoring.unmelded_able
            raise RefereeError(code, f"racks[{place}].last_draw", seat=place + 1, low=low, high=high)


def parse_faces(book: RuleBook, tiles: Sequence[str], place: str) -> FaceSet:
    """Tiles from their names. Raises RefereeError, which says which one is wrong."""
    found = []
    for number, text in enumerate(tiles):
        try:
            found.append(parse_tile(text, book.tiles))
        except TileTextError:
            raise RefereeError("tile", f"{place}[{number}]", tile=text) from None
    return tuple(found)


def count_game(book: RuleBook, game: GameAtEnd, *, as_written: bool = False) -> Count:
    """The score sheet of a finished game. Raises RefereeError, which says what cannot be.

    Tiles that are missing from the box do not stop the count: they are noted.
    """
    places = _check(book, game, as_written)
    played = [each for each in game.seats if each is not None]
    rulings = [
        rule_charge(
            book,
            each.rack,
            melded=each.melded,
            drawn_last=each.drawn_last,
            had_turn=each.had_turn,
            ruled=each.could_open if each.last_draw == "unknown" else None,
            seat=place,
        )
        for place, each in zip(places, played, strict=True)
    ]
    players = tuple(
        FinalRack(each.rack, each.melded, ruled.able) for each, ruled in zip(played, rulings, strict=True)
    )
    end: Ending = "exhausted" if game.winner is None else "out"
    winner = None if game.winner is None else places.index(game.winner)
    try:
        sheet = score(book, Final(players, end, winner, game.going_out, game.winner_tiles))
    except ScoringError as error:
        raise RefereeError("scoring", error.where, why=error.as_message()) from None
    lines = []
    for index, (place, each) in enumerate(zip(places, played, strict=True)):
        line, cited = sheet.lines[index], book.cite(sheet.lines[index].field)
        lines.append(
            SeatCounted(
                seat=place,
                tiles=len(each.rack),
                jokers=each.rack.count(book.tiles.joker),
                count=rack_count(book, each.rack),
                score=line.score,
                won=index in sheet.winners,
                reason=line.reason,
                charge=rulings[index],
                clause=cited.clause,
                ruling=cited.ruling,
            )
        )
    return Count(tuple(lines), _result(book, game, lines, end), _notes(book, game), _check_of(book, end))


def at_end_of(state: State) -> GameAtEnd:
    """A game that was played on Meldroom's own tables, as a referee would find it. Raises RefereeError."""
    if state.result is None or state.result.end == "abandoned":
        raise RefereeError("not_over")
    winner = state.result.winners[0] if state.result.end == "out" else None
    seats = tuple(
        SeatAtEnd(
            state.faces(rack),
            state.melded[seat],
            () if state.melded[seat] else state.faces(tuple(t for t in state.drawn[seat] if t in rack)),
            state.begun[seat] > 0,
            "" if state.melded[seat] or state.drawn[seat] else "nothing",
        )
        for seat, rack in enumerate(state.racks)
    )
    on_table = (*state.table, *(meld.tiles for meld in state.melds), state.discards)
    own = tuple(
        tile
        for meld in state.melds
        for tile, holder in zip(meld.tiles, meld.holders, strict=True)
        if holder == winner
    )
    table = state.faces(tuple(tile for tiles in on_table for tile in tiles))
    return GameAtEnd(
        seats,
        winner,
        table,
        len(state.pool),
        state.result.going_out,
        state.faces(own) if winner is not None else (),
    )


def _check(book: RuleBook, game: GameAtEnd, as_written: bool) -> list[int]:
    """The seats that played, if the game can have ended so. Raises RefereeError."""
    places = [place for place, each in enumerate(game.seats) if each is not None]
    least, most = book.players.minimum, book.players.maximum
    if not least <= len(places) <= most:
        raise RefereeError("players", minimum=least, maximum=most, count=len(places))
    for fault in box_faults(book, _parts(game), game.pool, whole=False):
        raise RefereeError(
            "no_more" if fault.code == "TILE_TOO_OFTEN" else "full",
            **{key: fault.details[key] for key in ("tile", "limit", "size") if key in fault.details},
        )
    if game.winner is not None and game.winner not in places:
        raise RefereeError("winner", seat=game.winner + 1)
    for place, each in enumerate(game.seats):
        if each is None:
            continue
        if place == game.winner and each.rack:
            raise RefereeError("winner_rack", seat=place + 1, tiles=book.tiles.faces_text(each.rack))
        if place != game.winner and not each.rack and not as_written:
            raise RefereeError("nobody_out", seat=place + 1)
    return places


def _parts(game: GameAtEnd) -> list[FaceSet]:
    racks = [each.rack for each in game.seats if each is not None]
    return [*racks, game.table or (), game.winner_tiles if game.table is None else ()]


def _notes(book: RuleBook, game: GameAtEnd) -> tuple[Violation, ...]:
    whole = game.table is not None and game.pool is not None
    notes = box_faults(book, _parts(game), game.pool, whole=whole)
    return tuple(notes)


def _check_of(book: RuleBook, end: Ending) -> str:
    if end == "out":
        return "out" if book.scoring.winner == "opponents" else "own"
    return {"deduct_smallest": "winner_zero", "differences": "differences", "all_minus": "all_minus"}[
        book.scoring.exhausted
    ]


def _result(book: RuleBook, game: GameAtEnd, lines: Sequence[SeatCounted], end: Ending) -> GameResult:
    scores: list[int | None] = [None] * len(game.seats)
    for line in lines:
        scores[line.seat] = line.score
    names = book.tiles.face_names
    racks = tuple(
        None
        if each is None
        else Rack(
            tuple(names[face] for face in each.rack),
            each.melded,
            tuple(names[face] for face in each.drawn_last),
            each.had_turn,
            each.last_draw,
            each.could_open,
            each.why,
        )
        for each in game.seats
    )
    winners = tuple(line.seat for line in lines if line.won)
    own = tuple(names[face] for face in game.winner_tiles)
    return GameResult(tuple(scores), winners, end, racks, game.going_out, own)
