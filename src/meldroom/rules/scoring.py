"""Final racks to scores, with the reason for every number (R36–R46, R54, R60)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from meldroom.errors import MeldroomError
from meldroom.i18n import Language, message
from meldroom.rules.book import Citation, RuleBook
from meldroom.rules.opening import opening
from meldroom.tiles import Face

Ending = Literal["out", "exhausted"]
GoingOut = Literal["open", "foot", "hand"]
Reason = Literal[
    "winner_takes_racks",
    "rack",
    "unmelded",
    "unmelded_able",
    "smallest_deducted",
    "winner_zero",
    "winner_zero_of_some",
    "difference",
    "winner_takes_differences",
    "winner_takes_differences_of_some",
    "unopened_cannot_win",
    "resigned_cannot_win",
    "own_tiles_and_bonus",
    "own_tiles",
    "not_on_board",
]


class FinalRack(msgspec.Struct, frozen=True, gc=False):
    """One player at the end: the rack, whether they ever opened or could have, and whether they gave up."""

    rack: tuple[Face, ...]
    melded: bool
    could_have_melded: bool = False
    resigned: bool = False


class Final(msgspec.Struct, frozen=True, gc=False):
    """A finished game as the referee sees it. The last two fields are the laying-off books' own."""

    players: tuple[FinalRack, ...]
    end: Ending
    winner: int | None = None
    going_out: GoingOut | None = None
    winner_tiles: tuple[Face, ...] = ()


class Line(msgspec.Struct, frozen=True, gc=False):
    """One player's line on the score sheet: what the rack counts, what is charged, the score, and why."""

    count: int
    charge: int
    score: int
    reason: Reason
    field: str

    def message(self, language: Language = "en") -> str:
        """Why this is the score."""
        return message(f"rules.score.{self.reason}", language, count=self.count, charge=self.charge)

    def __str__(self) -> str:
        return self.message()

    def cite(self, book: RuleBook) -> Citation:
        """The clauses and rulings that the score rests on."""
        return book.cite(self.field)


class ScoreSheet(msgspec.Struct, frozen=True, gc=False):
    """Scores by seat, the winners, and a line that explains each number."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    lines: tuple[Line, ...]

    def __str__(self) -> str:
        rows = enumerate(zip(self.scores, self.lines, strict=True), start=1)
        return "\n".join(f"seat {seat}: {score:+}  {line}" for seat, (score, line) in rows)


class ScoringError(MeldroomError, ValueError):
    """A finished game that cannot be scored."""

    domain = "rules.scoring"


def rack_count(book: RuleBook, rack: Sequence[Face]) -> int:
    """What the tiles left on a rack count, jokers included (R40)."""
    return sum(book.values[face] for face in rack)


def charge(book: RuleBook, player: FinalRack) -> tuple[int, Reason]:
    """What a player pays: the rack, or the flat charge for never having opened (R41, R45)."""
    if player.melded or not book.scoring.unmelded:
        return rack_count(book, player.rack), "rack"
    if book.family == "laying_off":
        return book.scoring.unmelded, "not_on_board"
    if player.could_have_melded:
        return book.scoring.unmelded_able, "unmelded_able"
    return book.scoring.unmelded, "unmelded"


_CHARGE_FIELD: dict[Reason, str] = {
    "rack": "scoring.values",
    "not_on_board": "scoring.unmelded",
    "unmelded": "scoring.unmelded",
    "unmelded_able": "scoring.unmelded_able",
}


def score(book: RuleBook, final: Final, corrected: bool = False) -> ScoreSheet:
    """The score sheet of a finished game. Raises ScoringError for a game that cannot have ended so.

    In a `corrected` game the referee may have left the winner with more or fewer tiles than were dealt.
    """
    _check(book, final, corrected)
    charges = [charge(book, player) for player in final.players]
    if final.end == "out":
        assert final.winner is not None
        lines = _going_out(book, final, charges, final.winner)
        winners: tuple[int, ...] = (final.winner,)
    elif book.scoring.exhausted == "all_minus":
        lines, winners = (
            [_loss(book, player, *c) for player, c in zip(final.players, charges, strict=True)],
            (),
        )
    else:
        lines, winners = _exhausted(book, final, charges)
    return ScoreSheet(tuple(line.score for line in lines), winners, tuple(lines))


def score_resigned(
    book: RuleBook, players: Sequence[FinalRack], winner: int, winner_tiles: Sequence[Face] = ()
) -> ScoreSheet:
    """The score sheet of a game that all but one have given up.

    They pay as if the other had gone out, with their racks as they stand (R50); where the winner counts their
    own tiles, those on the table count and there is no bonus.
    """
    charges = [charge(book, player) for player in players]
    lines = [_loss(book, player, *c) for player, c in zip(players, charges, strict=True)]
    count = rack_count(book, players[winner].rack)
    if book.scoring.winner == "opponents":
        total = sum(amount for seat, (amount, _) in enumerate(charges) if seat != winner)
        lines[winner] = Line(count, 0, total, "winner_takes_racks", "scoring.winner")
    else:
        own = rack_count(book, winner_tiles)
        lines[winner] = Line(count, 0, own, "own_tiles", "scoring.winner")
    return ScoreSheet(tuple(line.score for line in lines), (winner,), tuple(lines))


def _check(book: RuleBook, final: Final, corrected: bool) -> None:
    if not final.players:
        raise ScoringError("no_players", "players")
    if len(final.players) > book.players.maximum:
        raise ScoringError("players", "players", book=book.title(), count=book.players.maximum)
    if final.end == "exhausted":
        return
    if final.winner is None or not 0 <= final.winner < len(final.players):
        raise ScoringError("winner", "winner")
    if final.players[final.winner].rack:
        raise ScoringError("winner_rack", f"players[{final.winner}].rack")
    if book.scoring.winner == "own_tiles":
        if final.going_out is None:
            raise ScoringError("going_out", "going_out")
        if len(final.winner_tiles) != book.deal.tiles and not corrected:
            raise ScoringError("winner_tiles", "winner_tiles", count=book.deal.tiles)


def _loss(book: RuleBook, player: FinalRack, amount: int, reason: Reason) -> Line:
    return Line(rack_count(book, player.rack), amount, -amount, reason, _CHARGE_FIELD[reason])


def _going_out(book: RuleBook, final: Final, charges: list[tuple[int, Reason]], winner: int) -> list[Line]:
    """Losers pay their charge; the winner takes the total (R39, R42) or their own tiles and a bonus (R60)."""
    lines = [_loss(book, player, *c) for player, c in zip(final.players, charges, strict=True)]
    if book.scoring.winner == "opponents":
        total = sum(amount for seat, (amount, _) in enumerate(charges) if seat != winner)
        lines[winner] = Line(0, 0, total, "winner_takes_racks", "scoring.winner")
    else:
        own = rack_count(book, final.winner_tiles) + bonus(book, final)
        lines[winner] = Line(0, 0, own, "own_tiles_and_bonus", f"scoring.{final.going_out}_bonus")
    return lines


def bonus(book: RuleBook, final: Final) -> int:
    """The bonus for the way of going out; a hand's by the jokers laid in it (R59)."""
    if final.going_out == "open":
        return book.scoring.open_bonus
    if final.going_out == "foot":
        return book.scoring.foot_bonus
    return book.scoring.hand_bonus[final.winner_tiles.count(book.tiles.joker)]


def _exhausted(
    book: RuleBook, final: Final, charges: list[tuple[int, Reason]]
) -> tuple[list[Line], tuple[int, ...]]:
    """Nobody went out: the smallest amount of those who did not give up wins (R36, R37, R38).

    Under `exhausted_unopened=cannot_win` it must be theirs who have opened, if anybody has. A smaller amount
    that cannot win is named on its own line.
    """
    playing = [seat for seat, player in enumerate(final.players) if not player.resigned]
    eligible = playing = playing or list(range(len(final.players)))
    if book.scoring.exhausted_unopened == "cannot_win":
        eligible = [seat for seat in playing if final.players[seat].melded] or playing
    smallest = min(charges[seat][0] for seat in eligible)
    winners = tuple(seat for seat in eligible if charges[seat][0] == smallest)
    differences = [max(0, amount - smallest) for amount, _ in charges]
    takes = book.scoring.exhausted == "differences"
    share = sum(differences) // len(winners) if takes else 0
    wins: Reason = "winner_takes_differences" if takes else "winner_zero"
    if min(charges)[0] < smallest:
        wins = "winner_takes_differences_of_some" if takes else "winner_zero_of_some"
    loses: Reason = "difference" if takes else "smallest_deducted"
    lines = []
    for seat, player in enumerate(final.players):
        count, amount = rack_count(book, player.rack), charges[seat][0]
        if seat in winners:
            lines.append(Line(count, amount, share, wins, "scoring.exhausted"))
        elif amount > smallest:
            lines.append(Line(count, amount, -differences[seat], loses, "scoring.exhausted"))
        elif player.resigned:
            lines.append(Line(count, amount, 0, "resigned_cannot_win", "scoring.exhausted"))
        else:
            lines.append(Line(count, amount, 0, "unopened_cannot_win", "scoring.exhausted_unopened"))
    return lines, winners


def could_have_melded(
    book: RuleBook, rack: Sequence[Face], drawn_in_last_turn: Sequence[Face], had_turn: bool
) -> bool:
    """Whether an unmelded player could have opened at the start of one of their turns (R43, R44).

    An unmelded rack only grows, so the rack before the last turn decides; with `charge_test=final_rack`
    the rack at the end does.
    """
    held = list(rack)
    if book.scoring.charge_test == "own_turns":
        if not had_turn:
            return False
        for face in drawn_in_last_turn:
            if face not in held:
                tile = book.tiles.face_names[face]
                raise ScoringError("drawn", "drawn_in_last_turn", tile=tile)
            held.remove(face)
    return opening(book, held) is not None
