"""One game of an experiment: played, counted and timed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal

import msgspec

from meldroom.arena.bots import seated
from meldroom.arena.errors import ArenaError
from meldroom.arena.experiment import Experiment
from meldroom.bots import Bot, Clock, Game, Observer, Step
from meldroom.bots.interface import Closes
from meldroom.game import Shuffle, State
from meldroom.game.actions import Abandon
from meldroom.game.events import Laid, Penalised, Played, TimedOut
from meldroom.rules.book import RuleBook

STARTER = 0
MOST_TURNS = 1000
"""A game in which a player has had so many turns is abandoned."""

LONGEST_FAULT = 300


class SeatRow(msgspec.Struct, frozen=True, array_like=True):
    """What one seat did in a game: `place` is its place in the line-up, `opened` an own turn, 0 the first.

    `longest_wait` is the longest row of own turns in which it laid nothing. `fault` says why it lost the game
    for its answers, where it did (R68).
    """

    place: int
    winner: bool
    score: int
    turns: int
    opened: int | None
    plays: int
    tiles: int
    left: int
    faults: int
    longest_wait: int = 0
    fault: str = ""


class GameRow(msgspec.Struct, frozen=True, array_like=True):
    """One finished game, its seats in order. Books, line-ups and deals are given by their numbers.

    `pool` is how many tiles could still be drawn at the end.
    """

    book: int
    line_up: int
    deal: int
    rotation: int
    end: Literal["out", "exhausted", "resigned", "abandoned"]
    going_out: Literal["open", "foot", "hand"] | None
    seats: tuple[SeatRow, ...]
    pool: int = 0

    @property
    def turns(self) -> int:
        """The turns of all players together."""
        return sum(seat.turns for seat in self.seats)

    @property
    def winners(self) -> int:
        """How many share the win; 0 when nobody won."""
        return sum(seat.winner for seat in self.seats)


class PlayedGame(msgspec.Struct, frozen=True):
    """A finished game, its row, and for each seat how long each answer took."""

    row: GameRow
    game: Game
    seconds: tuple[list[float], ...]


class Fixture(msgspec.Struct, frozen=True):
    """Which game of an experiment: the numbers of its book and line-up, its deal and its rotation."""

    book: int
    line_up: int
    deal: int
    rotation: int


def shuffle_of(seed: str, book_id: str, deal: int) -> Shuffle:
    """The shuffle of a deal. It knows nothing of who plays, so everybody gets the same tiles."""
    return Shuffle(_digest("deal", seed, book_id, deal))


def _digest(*named: str | int) -> str:
    return hashlib.sha256(msgspec.json.encode(named)).hexdigest()


def rotated(seats: int, rotation: int) -> tuple[int, ...]:
    """The line-up's places by seat, after so many moves round the table."""
    return tuple((seat + rotation) % seats for seat in range(seats))


def play(
    experiment: Experiment, book: RuleBook, fixture: Fixture, most_turns: int = MOST_TURNS
) -> PlayedGame:
    """The game of a fixture. The same fixture gives the same game, anywhere.

    Raises ArenaError when a bot of the ladder fails; that names the game.
    """
    line_up = experiment.line_ups[fixture.line_up]
    places = rotated(len(line_up.seats), fixture.rotation)
    bots, clocks = zip(*_seats(experiment, book, fixture, places), strict=True)
    sheet = _ScoreSheet(len(places))
    shuffle = shuffle_of(experiment.seed, book.id, fixture.deal)
    players = [line_up.players[place] for place in places]
    game = Game(book, players, shuffle, starter=STARTER, observers=[sheet])
    try:
        game.play_out(bots, clocks, most_turns=most_turns)
    except Exception as error:
        raise _failure(experiment, fixture, line_up.seats[places[game.state.seat]], error) from error
    finally:
        for bot in bots:
            if isinstance(bot, Closes):
                bot.close()
    return PlayedGame(sheet.row(fixture, places, game.state), game, sheet.seconds)


def _seats(
    experiment: Experiment, book: RuleBook, fixture: Fixture, places: Sequence[int]
) -> list[tuple[Bot, Clock]]:
    """The bots by seat, each with a seed of its own, from which nobody can tell the seed of the deals."""
    line_up = experiment.line_ups[fixture.line_up]
    game = (experiment.seed, book.id, line_up.name, fixture.deal, fixture.rotation)
    return [
        seated(experiment.entrant(line_up.seats[place]), book, _digest("bot", *game, seat))
        for seat, place in enumerate(places)
    ]


class _ScoreSheet(Observer):
    """Counts what each seat does, and how long it takes to answer."""

    def __init__(self, seats: int) -> None:
        self.seconds: tuple[list[float], ...] = tuple([] for _ in range(seats))
        self.opened: list[int | None] = [None] * seats
        self.plays = [0] * seats
        self.tiles = [0] * seats
        self.faults = [0] * seats
        self.fault = [""] * seats
        self.wait = [0] * seats
        self.longest_wait = [0] * seats

    def step(self, step: Step) -> None:
        """Count one answer."""
        if isinstance(step.action, Abandon):
            return
        seat = step.before.seat
        self.seconds[seat].append(step.seconds)
        if step.after.melded[seat] and not step.before.melded[seat]:
            self.opened[seat] = step.before.turns[seat]
        if step.after.turns[seat] > step.before.turns[seat]:
            self.wait[seat] += 1
        if step.fault:
            self.fault[seat] = step.fault[:LONGEST_FAULT]
        fault = int(bool(step.fault))
        for event in step.events:
            kind = type(event)
            if kind is Laid or kind is Played:
                self.plays[seat] += 1
                self.tiles[seat] += len(event.tiles)  # type: ignore[union-attr]
                self.wait[seat] = 0
            elif kind is TimedOut or kind is Penalised:
                fault = 1
        self.faults[seat] += fault
        self.longest_wait[seat] = max(self.longest_wait[seat], self.wait[seat])

    def row(self, fixture: Fixture, places: Sequence[int], state: State) -> GameRow:
        """The finished game in numbers."""
        result = state.result
        assert result is not None
        return GameRow(
            fixture.book,
            fixture.line_up,
            fixture.deal,
            fixture.rotation,
            result.end,
            result.going_out,
            tuple(
                SeatRow(
                    place=place,
                    winner=seat in result.winners,
                    score=result.scores[seat],
                    turns=state.turns[seat],
                    opened=self.opened[seat],
                    plays=self.plays[seat],
                    tiles=self.tiles[seat],
                    left=len(state.racks[seat]),
                    faults=self.faults[seat],
                    longest_wait=self.longest_wait[seat],
                    fault=self.fault[seat],
                )
                for seat, place in enumerate(places)
            ),
            len(state.pool),
        )


def _failure(experiment: Experiment, fixture: Fixture, bot: str, error: Exception) -> ArenaError:
    """An error that says which game to play again."""
    return ArenaError(
        "error.bot_failed",
        bot=bot,
        book=experiment.books[fixture.book].name,
        table=experiment.line_ups[fixture.line_up].name,
        deal=str(fixture.deal),
        rotation=str(fixture.rotation),
        reason=f"{type(error).__name__}: {error}",
    )
