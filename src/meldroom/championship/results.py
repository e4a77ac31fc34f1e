"""The result of one game, checked by the rule book: from racks, or from scores that must add up."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from meldroom.championship.errors import ChampionshipError
from meldroom.championship.formats.format import Format
from meldroom.rules.book import RuleBook
from meldroom.rules.requests import RequestError, score_racks
from meldroom.rules.scoring import Ending, GoingOut

_LARGEST = 100_000


class Rack(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One player's tiles at the end, as the referee counted them."""

    tiles: tuple[str, ...] = ()
    melded: bool = True
    drawn_in_last_turn: tuple[str, ...] = ()
    had_turn: bool = True
    """Whether he had a turn before the game ended; who had none is charged as one who could not (R43)."""


class GameResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Scores and winners by seat; a seat without a score was empty."""

    scores: tuple[int | None, ...]
    winners: tuple[int, ...]
    end: Ending = "out"
    racks: tuple[Rack | None, ...] = ()
    """What was counted, where tiles were entered; the scores follow from it."""
    going_out: GoingOut | None = None
    """Open, foot or hand, and the winner's own tiles, where the book counts those (R60)."""
    winner_tiles: tuple[str, ...] = ()


def from_racks(
    made: Format,
    racks: Sequence[Rack | None],
    winner: int | None,
    going_out: GoingOut | None = None,
    winner_tiles: Sequence[str] = (),
) -> GameResult:
    """A result counted by the book; without a winner the pool was exhausted. Raises ChampionshipError."""
    seats = [seat for seat, rack in enumerate(racks) if rack is not None]
    if winner is not None and winner not in seats:
        raise ChampionshipError("bad_result", why="@result.no_rack")
    request = {
        "rulebook": made.book,
        "options": made.book_options,
        "players": [
            {
                "rack": rack.tiles,
                "melded": rack.melded,
                "drawn_in_last_turn": rack.drawn_in_last_turn,
                "had_turn": rack.had_turn,
            }
            for rack in racks
            if rack is not None
        ],
        "end": "exhausted" if winner is None else "out",
        "winner": None if winner is None else seats.index(winner),
        "going_out": going_out,
        "winner_tiles": winner_tiles,
    }
    try:
        counted = score_racks(msgspec.to_builtins(request))
    except RequestError as error:
        raise ChampionshipError("bad_result", why=str(error)) from None
    scores: list[int | None] = [None] * len(racks)
    for seat, score in zip(seats, counted["scores"], strict=True):
        scores[seat] = score
    winners = tuple(seats[place] for place in counted["winners"])
    end: Ending = "exhausted" if winner is None else "out"
    return GameResult(tuple(scores), winners, end, tuple(racks), going_out, tuple(winner_tiles))


def from_scores(made: Format, scores: Sequence[int | None], winners: Sequence[int] = ()) -> GameResult:
    """Plain scores: the one positive score has gone out; without one, the best have won an exhausted game.

    This reads a score sheet; `check_result` says whether the book allows it. `winners` by seat, if the scores
    alone do not tell them. Raises ChampionshipError if the book cannot be found.
    """
    plus = tuple(seat for seat, score in enumerate(scores) if score is not None and score > 0)
    if len(plus) == 1:
        return GameResult(tuple(scores), tuple(winners) or plus, "out")
    best = max((score for score in scores if score is not None), default=0)
    level = tuple(seat for seat, score in enumerate(scores) if score == best)
    nobody = made.rules().scoring.exhausted == "all_minus"
    return GameResult(tuple(scores), tuple(winners) or (() if nobody else level), "exhausted")


def check_result(made: Format, result: GameResult, seats: int) -> GameResult:
    """The result, if the book allows it. Raises ChampionshipError, which says what does not add up."""
    if len(result.scores) != seats:
        raise ChampionshipError("wrong_seats", given=len(result.scores), seats=seats)
    played = [seat for seat, score in enumerate(result.scores) if score is not None]
    if len(played) < 2:
        raise ChampionshipError("bad_result", why="@result.two")
    if any(abs(score) > _LARGEST for score in result.scores if score is not None):
        raise ChampionshipError("bad_result", why="@result.large")
    if not set(result.winners) <= set(played) or len(set(result.winners)) < len(result.winners):
        raise ChampionshipError("bad_result", why="@result.winner")
    if result.racks:
        winner = result.winners[0] if result.end == "out" and result.winners else None
        counted = from_racks(made, result.racks, winner, result.going_out, result.winner_tiles)
        if counted != result:
            raise ChampionshipError("not_as_counted", scores=told_scores(counted.scores))
        return result
    _check_sum(made.rules(), result)
    return result


def told_scores(scores: Sequence[int | None]) -> str:
    """Scores by seat with their signs; a dash for an empty seat."""
    return " ".join("–" if score is None else f"{score:+d}" for score in scores)


def _check_sum(rules: RuleBook, result: GameResult) -> None:
    """The checksum of a sheet: what the winner has is what the others have lost, by the book (R36–R39)."""
    lost = [s for seat, s in enumerate(result.scores) if s is not None and seat not in result.winners]
    won = [s for seat in result.winners if (s := result.scores[seat]) is not None]
    if any(score > 0 for score in lost):
        raise ChampionshipError("loser_above_zero", scores=told_scores(result.scores))
    if result.end == "out":
        if len(won) != 1:
            raise ChampionshipError("one_winner", winners=len(won))
        if rules.scoring.winner == "opponents" and won[0] != -sum(lost):
            raise ChampionshipError("sum_differs", winner=won[0], others=-sum(lost))
        return
    match rules.scoring.exhausted:
        case "all_minus":
            if won:
                raise ChampionshipError("no_winner", winners=len(won))
        case "deduct_smallest":
            if not won or any(won):
                raise ChampionshipError("winner_not_zero", scores=told_scores(result.scores))
        case "differences":
            if not won or any(score != -sum(lost) // len(won) for score in won):
                raise ChampionshipError("sum_differs", winner=sum(won), others=-sum(lost))
