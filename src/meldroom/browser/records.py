"""Records opened from files: kept as games, each under an id that follows from its content.

The house book of a record is kept with it. A record that stops before the end of its game can be replayed as
far as it goes; it has no scores.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from meldroom.api.errors import GameError
from meldroom.browser.device import Device
from meldroom.browser.errors import DeviceError
from meldroom.i18n import Language
from meldroom.rooms.ports import FinishedGame
from meldroom.rooms.views.cards import take_backs_of

if TYPE_CHECKING:
    from meldroom.record import Record

LARGEST_RECORD = 1_000_000


class RecordError(GameError):
    """A record that cannot be read: the record's own error, with its line in the language of the reader."""

    def reason(self, language: Language = "en") -> str:
        """What is wrong, and where."""
        return super().reason(language) if self.reported is None else self.reported.message(language)


async def keep_record(device: Device, data: bytes) -> str:
    """Keep the game of a record; its id. One that is here already stays as it is. Raises HttpError."""
    record, text = _read(data)
    games = await device.store.finished_of("")
    same = next((game.id for game in games if game.record == text), None)
    if same is not None:
        return same
    house = record.headers.book.house
    if house is not None:
        await device.house_books.keep(house)
    result = record.result
    game = FinishedGame(
        id=f"file-{blake2b(text.encode(), digest_size=8).hexdigest()}",
        room="",
        game=record.headers.game,
        book=record.headers.book.id,
        players=record.headers.players,
        people=("",) * len(record.headers.players),
        scores=() if result is None else result.scores,
        winners=() if result is None else result.winners,
        ended_at=device.clock(),
        record=text,
        take_backs=take_backs_of(record),
    )
    await device.store.keep_game(game)
    return game.id


def _read(data: bytes) -> tuple[Record, str]:
    """A record that can be replayed, and its text. Raises HttpError."""
    from meldroom.api.tasks import encoded_steps
    from meldroom.record import NotationError, loads, to_text

    try:
        record = loads(data)
        text = to_text(record)
        steps = encoded_steps(text, "en")
    except NotationError as error:
        raise RecordError.of(error, 400, f"line {error.line}" if error.line else error.where) from None
    except Exception as error:  # Whatever a file holds, the game goes on.
        raise DeviceError(400, "impossible_record") from error
    if steps == b"[]":
        raise DeviceError(400, "empty_record")
    return record, text
