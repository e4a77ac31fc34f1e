"""House books kept on the device: each is played and explained like a published one."""

from __future__ import annotations

from typing import Any

import msgspec

from meldroom.api.errors import HttpError
from meldroom.browser.errors import DeviceError
from meldroom.browser.store import DeviceStore
from meldroom.decode import DecodeError, parse_toml
from meldroom.rules.book import RuleBook
from meldroom.rules.library import FIRST_VERSION, BookError, house_book, kept_house_book

KEY = "house_books"
LARGEST = 20_000
MOST = 50


class HouseBooks:
    """The house books of a device by id, in the order in which they came.

    Each says by which version of its base it is played; those kept before there were two say none: the first.
    """

    def __init__(self, store: DeviceStore) -> None:
        self._store = store
        self._definitions: dict[str, dict[str, Any]] = {}
        self._books: dict[str, RuleBook] = {}

    async def load(self) -> None:
        """Find the books that the device has; one that this version cannot play is left out, but kept."""
        text = await self._store.get(KEY)
        try:
            kept = {} if text is None else msgspec.json.decode(text, type=dict[str, dict[str, Any]])
        except msgspec.MsgspecError:
            kept = {}
        self._definitions = {book_id: _with_version(definition) for book_id, definition in kept.items()}
        self._books = {}
        for definition in self._definitions.values():
            try:
                made = kept_house_book(definition)
            except BookError:
                continue
            self._books[made.id] = made

    @property
    def books(self) -> tuple[RuleBook, ...]:
        """All of them."""
        return tuple(self._books.values())

    def find(self, book_id: str) -> RuleBook | None:
        """A house book by its id."""
        return self._books.get(book_id)

    def definition(self, book_id: str) -> dict[str, Any] | None:
        """What a house book is made from, as it travels with a room."""
        return self._definitions.get(book_id)

    async def add(self, data: bytes) -> RuleBook:
        """Keep the house book of a TOML file. Raises HttpError: the reason names the key that is wrong."""
        definition = _parsed(data)
        try:
            made = house_book(definition)
        except BookError as error:
            raise HttpError.of(error, 400, error.where) from None
        return await self.keep({**definition, "base_version": made.house and made.house["base_version"]})

    async def keep(self, definition: dict[str, Any]) -> RuleBook:
        """Keep the house book of a record. Raises HttpError."""
        definition = _with_version(definition)
        try:
            made = kept_house_book(definition)
        except BookError as error:
            raise HttpError.of(error, 400, error.where) from None
        if self._definitions.get(made.id) == definition:
            return made
        if made.id in self._definitions:
            await self._check_unused(made.id)
        elif len(self._definitions) >= MOST:
            raise DeviceError(400, "too_many_books", count=MOST)
        await self._keep({**self._definitions, made.id: definition})
        return made

    async def remove(self, book_id: str) -> None:
        """Delete a house book that no game here was played by. Raises HttpError."""
        if book_id not in self._definitions:
            raise HttpError(404, "no_such_book", "book", book=book_id[:40], books=", ".join(self._books))
        await self._check_unused(book_id)
        await self._keep({key: value for key, value in self._definitions.items() if key != book_id})

    def forget(self) -> None:
        """Everything was deleted."""
        self._definitions, self._books = {}, {}

    async def _keep(self, definitions: dict[str, dict[str, Any]]) -> None:
        await self._store.put(KEY, msgspec.json.encode(definitions).decode())
        await self.load()

    async def _check_unused(self, book_id: str) -> None:
        """Games are shown with the tiles of their book: it stays as long as they do. Raises HttpError."""
        rooms = [card.room for card in await self._store.cards() if card.book == book_id]
        games = [game.id for game in await self._store.finished_of("") if game.book == book_id]
        if rooms or games:
            raise DeviceError(409, "book_in_use", "id", book=book_id, count=len({*rooms, *games}))


def _with_version(definition: dict[str, Any]) -> dict[str, Any]:
    return {"base_version": FIRST_VERSION, **definition}


def _parsed(data: bytes) -> dict[str, Any]:
    """The tables of a TOML file. Raises HttpError."""
    if len(data) > LARGEST:
        raise HttpError(413, "too_large", most=LARGEST)
    try:
        return parse_toml(data.decode())
    except UnicodeDecodeError as error:
        raise HttpError.of(DecodeError.of(error), 400) from None
    except DecodeError as error:
        raise HttpError.of(error, 400, error.where) from None
