"""Puzzles as pages ask for them: chosen, shown, judged and explained, without HTTP."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Annotated, Literal, TypeVar

import msgspec

from meldroom.api.errors import GameError
from meldroom.game.actions import Action, Draw, Lay, MeldPlay, Play, Take
from meldroom.game.legal.arrange import with_tiles
from meldroom.game.views import View, view
from meldroom.i18n import Language, Message, Parts
from meldroom.puzzles import Puzzle, PuzzleError, explaining, selector, starter_pack
from meldroom.puzzles.glicko2 import Rating
from meldroom.puzzles.judging import Judged, Verdict, judge_action
from meldroom.puzzles.puzzle import ANSWERS, KINDS, THEMES, Kind, PuzzlePosition, Theme
from meldroom.puzzles.ratings import NEWCOMER, Attempt, Rated, after_attempt, of_prior
from meldroom.puzzles.selector import DIFFICULTIES, Difficulty, Filter
from meldroom.rules.library import BOOK_IDS
from meldroom.tiles import Tile

PuzzleId = Annotated[str, msgspec.Meta(min_length=1, max_length=16)]
Seed = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
BookId = Annotated[str, msgspec.Meta(max_length=40)]
Day = Annotated[str, msgspec.Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
Sets = Annotated[
    tuple[Annotated[tuple[Tile, ...], msgspec.Meta(max_length=40)], ...], msgspec.Meta(max_length=60)
]
MOST_SEEN = 5_000

T = TypeVar("T")


class Named(msgspec.Struct, frozen=True):
    """An id with its name for people; `count` is how many puzzles have it."""

    id: str
    name: str
    count: int = 0


class PuzzleMenu(msgspec.Struct, frozen=True):
    """What can be asked for."""

    count: int
    books: tuple[Named, ...]
    kinds: tuple[Named, ...]
    themes: tuple[Named, ...]
    levels: tuple[Named, ...]
    round_seconds: int
    mistake_seconds: int


class PuzzleCard(msgspec.Struct, frozen=True):
    """A puzzle as it is shown: the question, and the game as its player sees it."""

    id: str
    book: str
    kind: Kind
    title: str
    question: str
    rating: int
    position: str
    game: View


class PuzzleSolution(msgspec.Struct, frozen=True):
    """The answer: the table it leads to, how the hands get there, and why, where chances decide."""

    played: tuple[Tile, ...]
    table: tuple[tuple[Tile, ...], ...]
    step_parts: tuple[Parts, ...]
    verdict: str
    themes: tuple[Named, ...]


class PuzzleIds(msgspec.Struct, frozen=True):
    """Puzzles one after the other."""

    ids: tuple[str, ...]


class AskPuzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which puzzle next; what was seen does not come again."""

    seed: Seed
    rating: Annotated[float, msgspec.Meta(ge=0, le=4000)] = 1500.0
    level: Difficulty = "normal"
    book: BookId | None = None
    kind: Kind | None = None
    theme: Theme | None = None
    seen: Annotated[tuple[PuzzleId, ...], msgspec.Meta(max_length=MOST_SEEN)] = ()


class PlayerRating(msgspec.Struct, frozen=True):
    """A player's rating for one book, as their browser keeps it."""

    rating: Annotated[float, msgspec.Meta(ge=0, le=4000)]
    deviation: Annotated[float, msgspec.Meta(ge=30, le=500)]
    volatility: Annotated[float, msgspec.Meta(ge=0.001, le=0.2)]
    attempts: Annotated[int, msgspec.Meta(ge=0)]
    day: Annotated[int, msgspec.Meta(ge=0)]

    def rated(self) -> Rated:
        """The same as ratings are worked out."""
        return Rated(Rating(self.rating, self.deviation, self.volatility), self.attempts, self.day)

    @classmethod
    def of(cls, rated: Rated) -> PlayerRating:
        """A rating that was worked out."""
        now = rated.rating
        return cls(now.rating, now.deviation, now.volatility, rated.attempts, rated.day)


class AskJudgement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player did: laid sets (in Rummy-O melds), took a tile, gave up, or else held.

    A guest's rating goes along.
    """

    seconds: Annotated[float, msgspec.Meta(ge=0)]
    sets: Sets | None = None
    take: Literal["stock", "discard"] | None = None
    gives_up: bool = False
    player: PlayerRating | None = None
    day: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0


class JudgedAttempt(msgspec.Struct, frozen=True):
    """What became of it, and the player's rating for this book after it.

    `first` is false for a puzzle that the account has tried before, perhaps elsewhere.
    """

    verdict: Verdict
    tiles: int
    best: int
    message: str
    player: PlayerRating
    shown: str
    change: int
    first: bool = True


def menu(language: Language) -> PuzzleMenu:
    """What puzzles there are."""
    pack = starter_pack()

    def named(ids: Sequence[str], group: str, has: Callable[[Puzzle, str], bool]) -> tuple[Named, ...]:
        counts = [(id, sum(has(each, id) for each in pack)) for id in ids]
        return tuple(
            Named(id, Message(f"puzzles.{group}.{id}").text(language) if group else id, count)
            for id, count in counts
            if count
        )

    return PuzzleMenu(
        count=len(pack),
        books=named(BOOK_IDS, "", lambda puzzle, id: puzzle.book == id),
        kinds=named(KINDS, "kind", lambda puzzle, id: puzzle.kind == id),
        themes=named(
            [each for each in THEMES if each not in ANSWERS], "theme", lambda puzzle, id: id in puzzle.themes
        ),
        levels=named(DIFFICULTIES, "difficulty", lambda puzzle, id: True),
        round_seconds=selector.ROUND_SECONDS,
        mistake_seconds=selector.MISTAKE_SECONDS,
    )


def daily(day: str, language: Language) -> PuzzleCard:
    """The puzzle of a day. Raises GameError for a day that does not exist."""
    try:
        date = datetime.date.fromisoformat(day)
    except ValueError:
        raise GameError(400, "no_such_day", "date", day=day) from None
    return card(_chosen(lambda: selector.daily(starter_pack(), date)), language)


def following(asked: AskPuzzle, language: Language) -> PuzzleCard:
    """The next puzzle. Raises GameError if none is left."""
    wanted = Filter(asked.book, asked.kind, asked.theme)
    return card(
        _chosen(
            lambda: selector.pick(
                starter_pack(),
                asked.rating,
                asked.seed,
                wanted=wanted,
                difficulty=asked.level,
                seen=frozenset(asked.seen),
            )
        ),
        language,
    )


def in_a_row(mode: Literal["streak", "round"], seed: str, book: str) -> PuzzleIds:
    """The puzzles of a streak or a timed round."""
    choose = selector.streak if mode == "streak" else selector.timed_round
    return PuzzleIds(tuple(each.id for each in choose(starter_pack(), seed, Filter(book or None))))


def find(id: str) -> Puzzle:
    """A puzzle of the pack. Raises GameError."""
    found = next((each for each in starter_pack() if each.id == id.lower()), None)
    if found is None:
        raise GameError(404, "no_such_puzzle", "id")
    return found


def card(puzzle: Puzzle, language: Language) -> PuzzleCard:
    """A puzzle as a page shows it."""
    given = puzzle.read()
    return PuzzleCard(
        id=puzzle.id,
        book=puzzle.book,
        kind=puzzle.kind,
        title=explaining.title(puzzle).text(language),
        question=explaining.question(puzzle).text(language),
        rating=puzzle.rating,
        position=puzzle.position,
        game=view(given.state, given.seat),
    )


def solution(puzzle: Puzzle, language: Language) -> PuzzleSolution:
    """The answer, step by step."""
    given = puzzle.read()
    told, why = explaining.solution(puzzle), explaining.verdict(puzzle)
    table, played = _in_tiles(given)
    return PuzzleSolution(
        played=played,
        table=table,
        step_parts=() if told is None else told.parts(language),
        verdict="" if why is None else why.text(language),
        themes=tuple(
            Named(id, name.text(language))
            for id, name in zip(puzzle.themes, explaining.theme_names(puzzle), strict=True)
        ),
    )


def _in_tiles(given: PuzzlePosition) -> tuple[tuple[tuple[Tile, ...], ...], tuple[Tile, ...]]:
    """The table of the answer with the tiles of the position; in Rummy-O with a tile that is taken."""
    position = given.position
    before = position.table or tuple(meld.tiles for meld in position.melds)
    rack = position.racks[given.seat]
    if position.moment == "take":
        rack = (*rack, *position.discards[-1:])
    table = with_tiles(position.book.tiles, before, rack, given.after)
    old = {tile for tiles in before for tile in tiles}
    return table, tuple(tile for tiles in table for tile in tiles if tile not in old)


def judge(puzzle: Puzzle, asked: AskJudgement) -> Judged:
    """Judge an attempt by the book and the answer. Raises GameError for tiles that are not there."""
    given = puzzle.read()
    if asked.gives_up:
        return Judged("not_best", 0, len(given.played))
    return judge_action(puzzle, _action(given, asked))


def judged(
    puzzle: Puzzle, asked: AskJudgement, language: Language, strength: Rated | None = None
) -> JudgedAttempt:
    """Judge a guest's attempt and rate it. An illegal one is none: it changes nothing."""
    found = judge(puzzle, asked)
    before = NEWCOMER if asked.player is None else asked.player.rated()
    after = before
    if found.verdict != "illegal":
        attempt = Attempt("", puzzle.id, puzzle.book, found.solved, asked.seconds, asked.day)
        after = after_attempt(before, strength or of_prior(puzzle.rating), attempt)[0]
    return told(found, before, after, language)


def told(
    found: Judged, before: Rated, after: Rated, language: Language, *, first: bool = True
) -> JudgedAttempt:
    """What a page is told of an attempt."""
    return JudgedAttempt(
        verdict=found.verdict,
        tiles=found.tiles,
        best=found.best,
        message=" ".join(each.message(language) for each in found.violations),
        player=PlayerRating.of(after),
        shown=after.shown,
        change=round(after.rating.rating) - round(before.rating.rating),
        first=first,
    )


def _action(given: PuzzlePosition, asked: AskJudgement) -> Action:
    if asked.take is not None:
        return Take(given.seat, source=asked.take)
    if asked.sets is None:
        return Draw(given.seat)
    if given.state.book.family == "rearranging":
        known = {
            *(tile for tiles in given.position.table for tile in tiles),
            *given.position.racks[given.seat],
        }
        if not known.issuperset(tile for tiles in asked.sets for tile in tiles):
            raise GameError(400, "unknown_tile", "sets")
        return Lay(given.seat, table=asked.sets)
    melds = tuple(MeldPlay(tiles, given.seat, None) for tiles in asked.sets)
    return Play(given.seat, melds=melds, discard=None)


def _chosen(choose: Callable[[], T]) -> T:
    try:
        return choose()
    except PuzzleError as error:
        raise GameError.of(error, 404) from None
