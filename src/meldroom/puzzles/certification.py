"""From a moment of a game to a certified puzzle, and the same proof again for a puzzle that is there."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from meldroom.game.notation.position import format_position
from meldroom.game.state import State
from meldroom.puzzles import gates, laying_off
from meldroom.puzzles.candidate import Candidate
from meldroom.puzzles.features import Features, study, study_lay_off
from meldroom.puzzles.gates import Tally, first_failed
from meldroom.puzzles.holding import GAMES, Choice, Weighed, can_be_weighed, is_race, promises, weigh
from meldroom.puzzles.laying_off import LayOffCandidate
from meldroom.puzzles.prior import HOLD_RATING, LEAVE_RATING, opening_prior, prior
from meldroom.puzzles.puzzle import Answer, Kind, Puzzle, Source, Theme, puzzle_id
from meldroom.puzzles.themes import themes_of
from meldroom.rules.verify import Turn, verify
from meldroom.solver.best import Solution, solve_faces
from meldroom.solver.explanation.movements import TakeTile
from meldroom.solver.lay_off import explain_turn


def certify(state: State, source: Source, tally: Tally | None = None) -> Puzzle | None:
    """The puzzle of a moment, or None if it fails a gate; the gates it passes are counted in `tally`."""
    book = state.book.id
    if state.book.family == "laying_off":
        if state.phase not in ("take", "play"):
            return None
        each = LayOffCandidate(state)
        if state.phase == "play":
            failed = first_failed(laying_off.OUT, each, tally, (book, "out"))
            return None if failed else lay_off_puzzle(each, source)
        if not first_failed(laying_off.TAKE, each, tally, (book, "take")):
            return lay_off_puzzle(each, source)
        failed = first_failed(laying_off.LEAVE, each, tally, (book, "leave"))
        return None if failed else leave_puzzle(each, source)
    if state.phase != "turn":
        return None
    candidate = Candidate(state)
    track = "turn" if candidate.melded else "open"
    asked = gates.TURN if candidate.melded else gates.OPEN
    return None if first_failed(asked, candidate, tally, (book, track)) else turn_puzzle(candidate, source)


def offers_choice(state: State) -> bool:
    """True if a turn can both be laid and held, and somebody may go out soon."""
    if state.book.family != "rearranging" or state.phase != "turn":
        return False
    candidate = Candidate(state)
    return can_be_weighed(candidate) and is_race(candidate)


def certify_hold(state: State, choice: Choice, source: Source, tally: Tally | None = None) -> Puzzle | None:
    """The puzzle *hold or lay?* of a turn, or None if `choice` is not clearly right, by imagined games."""
    candidate = Candidate(state)
    seed = hold_seed(candidate)
    weighed: list[Weighed] = []

    def clear(each: Candidate) -> bool:
        found = weigh(each, seed)
        weighed.extend([] if found is None else [found])
        return found is not None and found.better == choice

    asked: tuple[gates.Gate[Candidate], ...] = (
        gates.Gate("two_choices", can_be_weighed),
        gates.Gate("promising", lambda each: promises(each, choice, seed)),
        gates.Gate("clear_difference", clear),
    )
    if first_failed(asked, candidate, tally, (state.book.id, choice)):
        return None
    return hold_puzzle(candidate, weighed[0], source)


def hold_seed(candidate: Candidate) -> str:
    """Where the imagined games of a position begin: its own id, so that anybody gets the same ones."""
    return puzzle_id(format_position(candidate.position), "hold")


def turn_puzzle(candidate: Candidate, source: Source) -> Puzzle:
    """The puzzle of a candidate that has passed."""
    found = candidate.neat
    studied = study(
        candidate.book, candidate.table, candidate.rack, found.table, candidate.melded, found.tiles
    )
    return _made(
        candidate,
        _kind(candidate, studied.features),
        _answer(candidate, found),
        candidate.second,
        prior(studied.features) if candidate.melded else _opening_rating(candidate),
        themes_of(
            studied.features,
            [step.movement for step in studied.explanation.steps],
            last_turns=candidate.state.queue is not None or not candidate.state.pool,
        ),
        source,
    )


def _opening_rating(candidate: Candidate) -> int:
    return opening_prior(len(candidate.rack), len(candidate.best.table) - len(candidate.table))


def _kind(candidate: Candidate, features: Features) -> Kind:
    if not candidate.melded:
        return "open"
    if candidate.goes_out:
        return "go_out"
    return "joker" if features.jokers and needs_a_joker(candidate) else "most_tiles"


def needs_a_joker(candidate: Candidate) -> bool:
    """True if as many tiles cannot be laid while every set with a joker stays as it is."""
    joker = candidate.book.tiles.joker
    others = tuple(faces for faces in candidate.table if joker not in faces)
    if len(others) == len(candidate.table):
        return False
    return solve_faces(candidate.book, others, candidate.rack).tiles < candidate.best.tiles


def hold_puzzle(candidate: Candidate, weighed: Weighed, source: Source) -> Puzzle:
    """The puzzle whether to hold or to lay."""
    lays = weighed.better == "lay"
    found = candidate.neat if lays else Solution((), 0, 0, candidate.table, True)
    gap = abs(weighed.chances.hold - weighed.chances.lay)
    made = _made(
        candidate,
        "hold",
        _answer(candidate, found),
        0,
        HOLD_RATING - round(1000 * gap),
        ("lay_now",) if lays else ("hold_on",),
        source,
    )
    return replace(made, margin=0, chances=weighed.chances)


def lay_off_puzzle(candidate: LayOffCandidate, source: Source) -> Puzzle:
    """The puzzle of a moment of Rummy-O that has passed."""
    play, tiles = candidate.best, candidate.book.tiles
    taken = candidate.offered
    take = None if taken is None else TakeTile("discard", taken, play.tiles)
    told = explain_turn(candidate.book, candidate.held if take else candidate.solved, play, take)
    features = study_lay_off(told, len(candidate.solved.rack), play.tiles, len(candidate.held.melds))
    answer = Answer(
        tiles.faces_text(play.played),
        _table_text(candidate, [meld.faces for meld in play.melds]),
        None if taken is None else "discard",
        tiles.face_names[play.discard] if candidate.goes_out else None,
    )
    themes = themes_of(features, [step.movement for step in told.steps])
    return _made(candidate, candidate.kind, answer, candidate.second, prior(features), themes, source)


def leave_puzzle(candidate: LayOffCandidate, source: Source) -> Puzzle:
    """The puzzle of a discard that should be left."""
    better = candidate.drawing(candidate.best.tiles + gates.LEAST_MARGIN) / candidate.drawn.total()
    table = _table_text(candidate, [meld.faces for meld in candidate.held.melds])
    answer = Answer("", table, "stock")
    return _made(candidate, "take", answer, 0, LEAVE_RATING - round(1000 * better), (), source)


def _answer(candidate: Candidate, found: Solution) -> Answer:
    return Answer(candidate.book.tiles.faces_text(found.played), _table_text(candidate, found.table))


def _table_text(candidate: Candidate | LayOffCandidate, table: Sequence[Sequence[int]]) -> str:
    tiles = candidate.book.tiles
    return " | ".join(" ".join(tiles.face_names[face] for face in faces) for faces in table)


def _made(
    candidate: Candidate | LayOffCandidate,
    kind: Kind,
    answer: Answer,
    second: int,
    rating: int,
    themes: tuple[Theme, ...],
    source: Source,
) -> Puzzle:
    text = format_position(candidate.position)
    return Puzzle(
        id=puzzle_id(text, kind),
        book=candidate.book.id,
        kind=kind,
        position=text,
        answer=answer,
        second=second,
        margin=len(answer.tiles.split()) - second,
        rating=rating,
        themes=themes,
        source=source,
    )


def recertify(puzzle: Puzzle, *, hold_games: int = GAMES) -> str | None:
    """Prove a puzzle again from its position alone: None if it holds, else the gate or field that does not.

    Raises PuzzleError for a puzzle that contradicts itself.
    """
    given = puzzle.read()
    state = given.state
    if puzzle.kind == "hold":
        candidate = Candidate(state)
        if not can_be_weighed(candidate):
            return "two_choices"
        found = weigh(candidate, hold_seed(candidate), hold_games)
        return None if found and (found.better == "lay") == bool(given.played) else "clear_difference"
    if state.book.family == "laying_off":
        each = LayOffCandidate(state)
        leaves = puzzle.answer.take == "stock"
        turn = laying_off.OUT if state.phase == "play" else laying_off.LEAVE if leaves else laying_off.TAKE
        return first_failed(turn, each) or _differs(puzzle, _lay_off_again(puzzle, each))
    candidate = Candidate(state)
    failed = first_failed(gates.TURN if candidate.melded else gates.OPEN, candidate)
    if failed:
        return failed
    if verify(state.book, Turn(given.table, given.rack, given.after, given.melded)):
        return "legal"
    return _differs(puzzle, turn_puzzle(candidate, puzzle.source))


def _lay_off_again(puzzle: Puzzle, candidate: LayOffCandidate) -> Puzzle:
    made = leave_puzzle if puzzle.answer.take == "stock" else lay_off_puzzle
    return made(candidate, puzzle.source)


def _differs(puzzle: Puzzle, again: Puzzle) -> str | None:
    """The first field that a puzzle made again has otherwise; another table of the same tiles is as good."""
    for name in ("id", "kind", "second", "margin"):
        if getattr(puzzle, name) != getattr(again, name):
            return name
    return None if puzzle.answer.tiles == again.answer.tiles else "answer"


def rerate(puzzle: Puzzle) -> Puzzle:
    """The puzzle with its prior and themes worked out anew. Raises PuzzleError."""
    state = puzzle.read().state
    if puzzle.kind == "hold":
        return puzzle
    if state.book.family == "laying_off":
        again = _lay_off_again(puzzle, LayOffCandidate(state))
    else:
        again = turn_puzzle(Candidate(state), puzzle.source)
    return replace(puzzle, rating=again.rating, themes=again.themes)
