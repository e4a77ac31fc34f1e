"""R37 in whole games by both versions of a book: what was stored by the first goes on by the first."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from meldroom.bots import Clock, make_bot
from meldroom.bots.game_loop import Game, play_game
from meldroom.championship.formats.format import Format, preset, read_format
from meldroom.game import Action, Draw, Pass, Shuffle
from meldroom.game.score_sheet import score_sheet
from meldroom.game.views import View
from meldroom.record import loads, parse_position, to_json, to_text, verify
from meldroom.rooms.domain.state import fold
from meldroom.rooms.protocol.events import RoomEvent, RoomOpened
from meldroom.rooms.protocol.settings import OpenRoom, Settings
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book, house_book
from tests.rooms.house import Guest, House

CHARGING = ("wrc9", "wrc11", "nzrc2024")


class Stubborn:
    """Draws until nothing is left; one who opens lays their first sets before that."""

    def __init__(self, rules: RuleBook, opens: bool) -> None:
        self.club = make_bot("club", rules) if opens else None

    def act(self, view: View, clock: Clock) -> Action:
        if self.club is not None and not view.melded[view.seat]:
            return self.club.act(view, clock)
        return Draw(view.seat) if view.pool_size else Pass(view.seat)


def stubborn(rules: RuleBook) -> Game:
    """The first player opens and never lays again, the other never opens; nobody goes out."""
    bots = [Stubborn(rules, opens=True), Stubborn(rules, opens=False)]
    return play_game(rules, bots, Shuffle("nobody goes out"), players=("Ada", "Bo"), starter=0)


@pytest.mark.parametrize("book_id", CHARGING)
def test_a_record_of_version_1_verifies_and_says_which_reading_it_used(book_id: str) -> None:
    now, before = stubborn(book(book_id)), stubborn(book(f"{book_id}@1"))
    for game, version, winners in ((now, "2", (1,)), (before, "1", (0,))):
        assert game.state.result is not None
        assert (game.state.result.end, game.state.result.winners) == ("exhausted", winners)
        record = game.record()
        for written in (to_text(record), to_json(record)):
            again = loads(written)
            assert (again.headers.book.id, again.headers.book.version) == (book_id, version)
            assert verify(again).ok
    # The same turns named as the other version's do not verify: who wins is part of the record.
    text = to_text(before.record())
    assert not verify(loads(text.replace(f"book: {book_id} 1", f"book: {book_id} 2"))).ok
    sheet = score_sheet(before.state)
    assert sheet is not None
    assert "of those who can win" in sheet.lines[0].message()
    assert "never opened can't win here" in sheet.lines[1].message()
    assert sheet.lines[1].cite(before.state.book).ruling == "R37"


def test_a_position_names_its_version_and_without_one_means_the_present() -> None:
    for named, reading in (("wrc11@1", "cannot_win"), ("wrc11@2", "counts"), ("wrc11", "counts")):
        position = parse_position(f"{named} / table K1 K2 K3 / racks R4, ?x13 / pool 60 / turn 1 / melded 1")
        assert position.book.scoring.exhausted_unopened == reading


def test_a_room_goes_on_by_the_version_it_was_opened_with() -> None:
    async def evening() -> None:
        house = House()
        guest = Guest(house, "ada")
        code = await house.rooms.open(guest.player, OpenRoom(Settings("wrc11"), ("me", "beginner")))
        opened = msgspec.json.decode(house.store.logs[code][0], type=RoomEvent)
        assert isinstance(opened, RoomOpened)
        assert opened.settings.book_version == "2"
        assert house.room(code).book == book("wrc11")
        # As rooms were stored before there were two versions.
        old = msgspec.structs.replace(
            opened, settings=msgspec.structs.replace(opened.settings, book_version="")
        )
        assert fold([old]).book == book("wrc11@1")
        assert fold([old]).settings.book_version == "1"
        asked = OpenRoom(Settings("wrc11", book_version="1"), ("me", "beginner"))
        code = await house.rooms.open(guest.player, asked)
        assert house.room(code).book.scoring.exhausted_unopened == "cannot_win"
        await house.rooms.close()

    asyncio.run(evening())


def test_a_championship_goes_on_by_the_version_it_was_founded_with() -> None:
    made = preset("german")
    assert (made.book_version, made.rules().version) == ("2", "2")
    plain = msgspec.to_builtins(made)
    del plain["book_version"]  # As championships were stored before there were two versions.
    old = msgspec.convert(plain, Format)
    assert old.rules() == book("wrc11@1")
    assert msgspec.to_builtins(old) == plain
    own = {"base": "german", "id": "club", "version": "1"}
    assert read_format(own).rules().version == "2"
    assert read_format({**own, "book": "rummyo"}).rules().version == "1"
    assert read_format({**own, "book_version": "1"}).rules() == book("wrc11@1")
    kitchen = {"id": "kitchen", "version": "7", "base": "tml"}
    by_house = preset("german", house_book(kitchen))
    assert by_house.rules().scoring.exhausted_unopened == "counts"
    stored = msgspec.to_builtins(by_house)
    del stored["book_version"], stored["house"]["base_version"]
    assert msgspec.convert(stored, Format).rules().scoring.exhausted_unopened == "cannot_win"
