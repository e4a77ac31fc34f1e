"""The result of one game, checked by the rule book: from racks, or from scores that must add up."""

from __future__ import annotations

from collections.abc import Sequence

from meldroom.championship.errors import ChampionshipError, because
from meldroom.championship.formats.format import Format
from meldroom.i18n import Message
from meldroom.referee.counting import GameResult, Rack, count_racks
from meldroom.referee.errors import RefereeError
from meldroom.rules.book import RuleBook
from meldroom.rules.scoring import GoingOut

__all__ = ["GameResult", "Rack", "check_result", "format_scores", "from_racks", "from_scores"]

_LARGEST = 100_000


def from_racks(
    made: Format,
    racks: Sequence[Rack | None],
    winner: int | None,
    going_out: GoingOut | None = None,
    winner_tiles: Sequence[str] = (),
    *,
    as_written: bool = False,
    answered: bool = True,
) -> GameResult:
    """A result counted by the referee; without a winner the pool ran out. Raises ChampionshipError."""
    if winner is not None and not (0 <= winner < len(racks) and racks[winner] is not None):
        raise ChampionshipError("bad_result", why=Message("championship.result.no_rack"))
    try:
        return count_racks(
            made.rules(), racks, winner, going_out, winner_tiles, as_written=as_written, answered=answered
        ).result
    except RefereeError as error:
        raise ChampionshipError("bad_result", why=because(error)) from None


def from_scores(
    made: Format,
    scores: Sequence[int | None],
    winners: Sequence[int] = (),
    exhausted: bool | None = None,
) -> GameResult:
    """Plain scores: the one positive score has gone out; in an exhausted game the best have won.

    Where nobody is in plus, `exhausted` must say whether the pool ran out: a forgotten winner looks the same
    (R67). `check_result` says whether the book allows the rest. `winners` by seat, if the scores alone do not
    tell them. Raises ChampionshipError.
    """
    plus = tuple(seat for seat, score in enumerate(scores) if score is not None and score > 0)
    if not plus and not exhausted and not (exhausted is False and winners):
        raise ChampionshipError("did_pool_run_out" if exhausted is None else "winner_missing")
    result = _from_scores(made, scores, winners, plus, exhausted)
    _check_box(made.rules(), result)
    return result


def _from_scores(
    made: Format,
    scores: Sequence[int | None],
    winners: Sequence[int],
    plus: tuple[int, ...],
    exhausted: bool | None,
) -> GameResult:
    if exhausted is False or (len(plus) == 1 and not exhausted):
        return GameResult(tuple(scores), tuple(winners) or plus, "out")
    best = max((score for score in scores if score is not None), default=0)
    level = tuple(seat for seat, score in enumerate(scores) if score == best)
    nobody = made.rules().scoring.exhausted == "all_minus"
    return GameResult(tuple(scores), tuple(winners) or (() if nobody else level), "exhausted")


def check_result(made: Format, result: GameResult, seats: int, *, box: bool = False) -> GameResult:
    """The result, if the book allows it. Raises ChampionshipError, which says what does not add up.

    `box` refuses also what the first edition let pass: more than the tiles of the box are worth (R67), and a
    charge that rests on nobody's answer (R65).
    """
    if len(result.scores) != seats:
        raise ChampionshipError("wrong_seats", given=len(result.scores), seats=seats)
    played = [seat for seat, score in enumerate(result.scores) if score is not None]
    if len(played) < 2:
        raise ChampionshipError("bad_result", why=Message("championship.result.two"))
    if any(abs(score) > _LARGEST for score in result.scores if score is not None):
        raise ChampionshipError(
            "bad_result", why=Message("championship.result.large", {"least": -_LARGEST, "most": _LARGEST})
        )
    if not set(result.winners) <= set(played) or len(set(result.winners)) < len(result.winners):
        raise ChampionshipError("bad_result", why=Message("championship.result.winner"))
    if result.racks:
        winner = result.winners[0] if result.end == "out" and result.winners else None
        counted = from_racks(
            made, result.racks, winner, result.going_out, result.winner_tiles, as_written=True, answered=box
        )
        if counted != result:
            raise ChampionshipError("not_as_counted", scores=format_scores(counted.scores))
        return result
    _check_sum(made.rules(), result)
    if box:
        _check_box(made.rules(), result)
    return result


def format_scores(scores: Sequence[int | None]) -> str:
    """Scores by seat with their signs; a dash for an empty seat."""
    return " ".join("–" if score is None else f"{score:+d}" for score in scores)


def _check_box(rules: RuleBook, result: GameResult) -> None:
    """No rack is worth more than the tiles of the box, nor are all of them together (R67).

    A flat charge for never having opened is no rack. In an exhausted game the smallest rack was taken off
    all, so there any loss up to the largest flat charge may be one.
    """
    scoring = rules.scoring
    box = sum(limit * rules.values[face] for face, limit in enumerate(rules.tiles.limits))
    flat = (scoring.unmelded, scoring.unmelded_able)
    losses = [-score for score in result.scores if score is not None and score < 0]
    deducted = result.end == "exhausted" and scoring.exhausted != "all_minus"
    racks = [loss for loss in losses if (loss > max(flat) if deducted else loss not in flat)]
    if sum(racks) > box:
        raise ChampionshipError("more_than_box", points=sum(racks), most=box)
    if scoring.winner == "own_tiles":
        most = box + max(scoring.open_bonus, scoring.foot_bonus, *scoring.hand_bonus)
        for score in result.scores:
            if score is not None and score > most:
                raise ChampionshipError("more_than_box", points=score, most=most)


def _check_sum(rules: RuleBook, result: GameResult) -> None:
    """The checksum of a sheet: what the winner has is what the others have lost, by the book (R36–R39)."""
    lost = [s for seat, s in enumerate(result.scores) if s is not None and seat not in result.winners]
    won = [s for seat in result.winners if (s := result.scores[seat]) is not None]
    if any(score > 0 for score in lost):
        raise ChampionshipError("loser_above_zero", scores=format_scores(result.scores))
    if result.end == "out":
        if len(won) != 1:
            raise ChampionshipError("one_winner")
        if rules.scoring.winner == "opponents" and won[0] != -sum(lost):
            raise ChampionshipError("sum_differs", winner=won[0], others=-sum(lost))
        return
    match rules.scoring.exhausted:
        case "all_minus":
            if won:
                raise ChampionshipError("no_winner")
        case "deduct_smallest":
            if not won or any(won):
                raise ChampionshipError("winner_not_zero", scores=format_scores(result.scores))
        case "differences":
            if not won or any(score != -sum(lost) // len(won) for score in won):
                raise ChampionshipError("sum_differs", winner=sum(won), others=-sum(lost))
