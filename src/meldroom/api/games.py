"""Finished games, positions, and turns to be checked: what is asked of them, answered in bytes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar

import msgspec

from meldroom.api import tasks
from meldroom.api.answers import JSON, PNG, SVG, TEXT, Answer
from meldroom.api.cache import AnswerCache
from meldroom.api.check import checked
from meldroom.api.errors import GameError, Problem, Trouble
from meldroom.api.positions import position_page, read_position, read_sets
from meldroom.api.replay.pictures import picture
from meldroom.api.schemas import Analysis, GameCard, TurnAnalysis
from meldroom.game.notation.png import to_png
from meldroom.i18n import Language
from meldroom.record import NotationError
from meldroom.rooms.errors import WorkerError
from meldroom.rooms.ports import FinishedGame, Offload, Store

TURNS_AT_ONCE = 5
_STEP_FILE = re.compile(r"([0-9]{1,5}|last)\.(svg|png|txt)")
# A picture is opened by itself too: it may draw, and nothing else.
_PICTURE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cache-Control": "private, max-age=3600",
}
# A preview is fetched by other sites' machines, again and again.
_PREVIEW_HEADERS = {"Cache-Control": "public, max-age=86400"}

Made = TypeVar("Made", str, bytes)

Run = Callable[[str, bytes], Awaitable[bytes]]
"""Calls `module:function` with a payload in a worker. Raises WorkerError."""

Held = Callable[[FinishedGame], Awaitable[bool]]
"""Whether other tables may still be playing the deal of a finished game."""


async def _never_held(_: FinishedGame) -> bool:
    return False


class Games:
    """The finished games of a store. What takes milliseconds is offloaded; what solves goes to a worker."""

    def __init__(
        self, store: Store, run: Run, offload: Offload = asyncio.to_thread, held: Held = _never_held
    ) -> None:
        self._store = store
        self._run = run
        self._offload = offload
        self._held = held
        self._cache = AnswerCache()
        self._previews = AnswerCache()

    async def page(self, game: str, mine: str, language: Language) -> Answer:
        """A finished game with all its steps; `mine` is the id of the player who asks, or empty."""
        found = await self._finished(game)
        with _readable():
            steps = await self._cache.answer(
                ("steps", game, language),
                lambda: self._offload(tasks.encoded_steps, found.record, language),
            )
        page = {"card": GameCard.of(found), "my_seat": _seat_of(found, mine), "steps": msgspec.Raw(steps)}
        return Answer(msgspec.json.encode(page))

    async def record(self, game: str, form: Literal["text", "json"]) -> Answer:
        """The record of a finished game, as a file to keep."""
        found = await self._finished(game)
        day = datetime.fromtimestamp(found.ended_at / 1000, UTC).date().isoformat()
        name = re.sub(r"[^A-Za-z0-9_-]", "", f"meldroom-{found.book}-{day}-{found.id}")
        if form == "text":
            body, ending, kind = found.record.encode(), "meld", TEXT
        else:
            with _readable():
                body = await self._offload(tasks.json_record, found.record)
            ending, kind = "json", JSON
        return Answer(body, kind, {"Content-Disposition": f'attachment; filename="{name}.{ending}"'})

    async def step(self, game: str, file: str, seat: int | None, dark: bool, language: Language) -> Answer:
        """A step as a picture, `17.svg`, as a link's preview, `17.png`, or as text, `17.txt`.

        `last` is the last step. With a seat, it is given as that player saw it.
        """
        found = await self._finished(game)
        asked = _STEP_FILE.fullmatch(file)
        if asked is None:
            raise GameError(404, "no_such_picture", "file")
        eyes = None if seat is None else _check_seat(found, seat)
        number = -1 if asked[1] == "last" else int(asked[1])
        with _readable():
            match asked[2]:
                case "png":
                    drawn = await self._previews.answer(
                        (game, number, eyes), lambda: self._step_preview(found.record, number, eyes)
                    )
                    return Answer(drawn, PNG, _PREVIEW_HEADERS)
                case "svg":
                    made = await self._offload(tasks.step_picture, found.record, number, eyes, dark, language)
                    return Answer(_there(made, number).encode(), SVG, _PICTURE_HEADERS)
                case _:
                    made = await self._offload(tasks.step_text, found.record, number, eyes)
                    return Answer(_there(made, number).encode(), TEXT)

    async def _step_preview(self, record: str, number: int, eyes: int | None) -> bytes:
        return _there(await self._offload(tasks.step_preview, record, number, eyes), number)

    async def verification(self, game: str, language: Language) -> Answer:
        """Everything about a finished game computed again: legality, tiles, shuffle and scores."""
        found = await self._finished(game)
        with _readable():
            return Answer(
                await self._cache.answer(
                    ("verification", game, language),
                    lambda: self._offload(tasks.encoded_verification, found.record, language),
                )
            )

    async def analysis(self, game: str, seat: int, language: Language) -> Answer:
        """For each turn of a seat: what was laid, what was possible, what was missed."""
        found = await self._finished(game)
        _check_seat(found, seat)
        with _available():
            return Answer(
                await self._cache.answer(
                    ("analysis", game, seat, language), lambda: self._analysed(found.record, seat, language)
                )
            )

    async def _analysed(self, record: str, seat: int, language: Language) -> bytes:
        """All turns, a few in each question: bots that wait for a worker get between them."""
        turns: list[TurnAnalysis] = []
        while True:
            asked = tasks.AnalysisQuestion(record, seat, language, len(turns), TURNS_AT_ONCE)
            answered = await self._run(tasks.ANALYSE, msgspec.json.encode(asked))
            some = msgspec.json.decode(answered, type=tuple[TurnAnalysis, ...])
            turns += some
            if len(some) < TURNS_AT_ONCE:
                return msgspec.json.encode(Analysis(seat, tuple(turns)))

    async def report(self, game: str, seat: int, language: Language) -> Answer:
        """The coach's report of a seat: chances, turning points, what was better in each turn, and why."""
        found = await self._finished(game)
        _check_seat(found, seat)
        asked = tasks.ReportQuestion(found.record, seat, language)
        with _available():
            return Answer(
                await self._cache.answer(
                    ("report", game, seat, language),
                    lambda: self._run(tasks.REPORT, msgspec.json.encode(asked)),
                )
            )

    async def reasons(self, game: str, language: Language) -> Answer:
        """Why each move of a finished game was made."""
        found = await self._finished(game)
        asked = tasks.ReasonsQuestion(found.record, language)
        with _available():
            return Answer(
                await self._cache.answer(
                    ("reasons", game, language),
                    lambda: self._run(tasks.REASONS, msgspec.json.encode(asked)),
                )
            )

    async def check(self, request: Mapping[str, Any], language: Language, standing: bool) -> Answer:
        """Is this turn legal? With `standing`, also which sets may lie so, and how far an opening is."""
        return Answer(msgspec.json.encode(await self._offload(checked, request, language, standing)))

    async def notation(self, text: str, book: str) -> Answer:
        """Sets of tiles given as text."""
        return Answer(msgspec.json.encode(await self._offload(read_sets, text, book)))

    async def position(self, text: str, book: str) -> Answer:
        """A position given as text, as a browser draws it."""
        shown = await self._offload(lambda: position_page(read_position(text, book)))
        return Answer(msgspec.json.encode(shown))

    async def position_picture(self, text: str, book: str, dark: bool, language: Language) -> Answer:
        """A position given as text, as a picture."""
        drawn = await self._offload(lambda: picture(read_position(text, book), language, dark=dark))
        return Answer(drawn.encode(), SVG, _PICTURE_HEADERS)

    async def position_preview(self, text: str, book: str) -> Answer:
        """A position given as text, as a link's preview: the table and the rack of whoever is to move."""
        drawn = await self._previews.answer((text, book), lambda: self._offload(_preview, text, book))
        return Answer(drawn, PNG, _PREVIEW_HEADERS)

    async def best_play(self, text: str, book: str, language: Language) -> Answer:
        """The best play of the player to move in a position given as text."""
        asked = tasks.BestQuestion(text, book, language)
        with _available():
            answered = await self._cache.answer(
                asked, lambda: self._run(tasks.FIND_BEST, msgspec.json.encode(asked))
            )
        found = msgspec.json.decode(answered, type=tasks.BestAnswer)
        if found.best is None:
            refused = Problem(Trouble(found.code, found.message, found.place))
            return Answer(msgspec.json.encode(refused), status=found.status)
        return Answer(msgspec.json.encode(found.best))

    async def _finished(self, game: str) -> FinishedGame:
        found = await self._store.finished(game)
        if found is None:
            raise GameError(404, "no_such_game", "id")
        if found.deal is not None and await self._held(found):
            raise GameError(403, "deal_being_played", "id")
        return found


def _preview(text: str, book: str) -> bytes:
    """The picture of a position given as text, with the rack of whoever is to move."""
    position = read_position(text, book)
    return to_png(position, rack=position.seat if 0 <= position.seat < len(position.racks) else None)


@contextmanager
def _readable() -> Iterator[None]:
    """A record that was kept and cannot be read is a fault of the server. Raises GameError."""
    try:
        yield
    except NotationError as error:
        raise GameError(500, "unreadable_record", reason=error.as_message()) from None


@contextmanager
def _available() -> Iterator[None]:
    """A worker that does not answer is busy, as far as a visitor can tell. Raises GameError."""
    try:
        yield
    except WorkerError:
        raise GameError(503, "busy") from None


def _there(made: Made | int, number: int) -> Made:
    """What was made of a step. Raises GameError if there was none, but only the number of the last."""
    if isinstance(made, int):
        raise GameError(404, "no_such_step", "file", step=number, last=made)
    return made


def _check_seat(found: FinishedGame, seat: int) -> int:
    """A seat of this game. Raises GameError."""
    if seat >= len(found.players):
        raise GameError(400, "no_such_seat", "seat", seat=seat, last=len(found.players) - 1)
    return seat


def _seat_of(found: FinishedGame, mine: str) -> int | None:
    """Where a player sat; None for anybody else. `people` has an id for each seat, a bot's is empty."""
    if not mine or mine not in found.people or len(found.people) != len(found.players):
        return None
    return found.people.index(mine)
