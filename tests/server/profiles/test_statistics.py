"""Statistics: games counted from their records, put together, stored once, owned by whoever played them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from meldroom.api.profiles.statistics import Judged, counted, judged
from meldroom.api.replay.analysis import analysis
from meldroom.corpus import facts
from meldroom.record import loads, to_text
from meldroom.rooms.errors import WorkerError
from meldroom.rooms.ports import FinishedGame
from meldroom.server.identity import Identity
from meldroom.server.profiles import GameCounter, Profiles
from meldroom.server.storage import SqlStore
from tests.server.games.recorded import SEATS, WorkersHere, finished
from tests.server.storage.cards import card

BOOKS = tuple(SEATS)
ANSWERS: dict[tuple[str, bytes], bytes] = {}


async def remembered(function: str, payload: bytes) -> bytes:
    """The answer of a worker; the same question is worked out once."""
    if (function, payload) not in ANSWERS:
        ANSWERS[function, payload] = await WorkersHere().run(function, payload)
    return ANSWERS[function, payload]


Test = Callable[[SqlStore, Identity], Awaitable[None]]


def with_store(folder: Path, test: Test) -> None:
    """Run a test on a store of its own."""

    async def run() -> None:
        store = await SqlStore.open(folder)
        try:
            await test(store, Identity(store, lambda: 1_000))
        finally:
            await store.close()

    asyncio.run(run())


async def keep(store: SqlStore, *games: FinishedGame) -> None:
    """Keep finished games, each in a room of its own."""
    for number, game in enumerate(games):
        room = f"r{number}x{game.ended_at}"
        await store.append(room, 1, b"{}", card(room, players=game.people), replace(game, room=room))


@pytest.mark.parametrize("book", BOOKS)
def test_a_game_is_counted_as_the_corpus_counts_it(book: str) -> None:
    record = loads(finished(book).record)
    known = facts(record).players
    found = counted(record)
    assert [game.seat for game in found] == [player.seat for player in known]
    for game, player in zip(found, known, strict=True):
        assert (game.won, game.score, game.turns) == (player.won > 0, player.score, player.turns)
        assert game.opened == (None if player.opened is None else player.opened + 1)
        assert game.counts
        assert game.judged is None


def test_a_game_with_turns_taken_back_does_not_count() -> None:
    record = loads(finished("tml").record)
    tagged = replace(record, headers=replace(record.headers, tags={"take-backs": "2"}))
    assert not any(game.counts for game in counted(loads(to_text(tagged))))


@pytest.mark.parametrize("book", ["wrc11", "rummyo"])
def test_missed_tiles_are_those_of_the_analysis(book: str) -> None:
    record = loads(finished(book).record)
    seat = 2  # a beginner, who misses some
    turns = analysis(record, seat, "en")
    whole = judged(record, seat)
    assert whole.missed == sum(turn.best_laid - turn.laid for turn in turns if turn.best_laid > turn.laid)
    assert whole.missed > 0 or book == "rummyo"
    assert whole.seen == len(turns)
    parts = [judged(record, seat, first, 4) for first in range(0, whole.seen + 1, 4)]
    together = Judged(*(sum(getattr(one, name) for one in parts) for name in ("seen", "judged", "missed")))
    assert together == whole


@cache
def missed(book: str, seat: int) -> tuple[int, int]:
    found = judged(loads(finished(book).record), seat)
    return found.judged, found.missed


def recomputed(games: list[FinishedGame], player: str) -> dict[str, object]:
    """The same figures from the records alone, in the plainest way."""
    rows = []
    for game in sorted(games, key=lambda one: (one.ended_at, one.id)):
        if player in game.people:
            seat = game.people.index(player)
            others = {one for one in game.people if one} - {player}
            rows.append((game, seat, facts(loads(game.record)).players[seat], bool(others)))
    openings = [own.opened + 1 for _, _, own, _ in rows if own.opened is not None]
    looks = [missed(game.book, seat) for game, seat, _, _ in rows]
    turns = sum(judged for judged, _ in looks)
    runs = [len(list(group)) for won, group in groupby(own.won > 0 for _, _, own, _ in rows) if won]
    return {
        "games": len(rows),
        "wins": sum(own.won > 0 for _, _, own, _ in rows),
        "people_games": sum(people for _, _, _, people in rows),
        "people_wins": sum(people and own.won > 0 for _, _, own, people in rows),
        "longest_run": max(runs, default=0),
        "opened": round(sum(openings) / len(openings), 2) if openings else None,
        "missed": round(sum(tiles for _, tiles in looks) / turns, 2) if turns else None,
        "judged_games": len(rows),
        "scores": {
            book: round(sum(own.score for game, _, own, _ in rows if game.book == book) / number, 2)
            for book in {game.book for game, _, _, _ in rows}
            if (number := sum(game.book == book for game, _, _, _ in rows))
        },
    }


@st.composite
def evenings(draw: st.DrawFn) -> list[tuple[str, dict[int, int], int]]:
    """Games of one evening: the book, who sat where (people by number), and when it ended."""
    number = draw(st.integers(0, 7))
    found = []
    for _ in range(number):
        book = draw(st.sampled_from(["wrc11", "tml"]))
        seats = SEATS[book]
        people = draw(st.lists(st.integers(0, 2), min_size=1, max_size=seats, unique=True))
        places = draw(st.permutations(range(seats)))
        found.append((book, dict(zip(places, people, strict=False)), draw(st.integers(1, 5))))
    return found


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(evenings())
def test_statistics_are_what_the_records_give(evening: list[tuple[str, dict[int, int], int]]) -> None:
    async def test(store: SqlStore, identity: Identity) -> None:
        players = [(await identity.new_guest(f"Player {one}", "en"))[0].player.id for one in range(3)]
        games = [
            replace(
                finished(book),
                id=f"g-{number}",
                people=tuple(players[places[s]] if s in places else "" for s in range(SEATS[book])),
                ended_at=at,
            )
            for number, (book, places, at) in enumerate(evening)
        ]
        await keep(store, *games)
        counter = GameCounter(store, remembered)
        for game in games:
            await counter.count(game.id)
        for player in players:
            mine = await Profiles(store).mine(player)
            found = mine.statistics
            wanted = recomputed(games, player)
            scores = wanted.pop("scores")
            assert {name: getattr(found, name) for name in wanted} == wanted
            assert {book.book: book.score for book in found.books} == scores
            assert sum(book.games for book in found.books) == found.games
            assert mine.pending == 0

    with TemporaryDirectory() as folder:
        with_store(Path(folder), test)


def test_what_was_not_counted_is_counted_after_the_next_start_and_once(tmp_path: Path) -> None:
    async def test(store: SqlStore, identity: Identity) -> None:
        ada = (await identity.new_guest("Ada", "en"))[0].player.id
        game = replace(finished("tml"), people=(ada, ""))
        broken = replace(game, id="broken", record="not a record", ended_at=7)
        profiles = Profiles(store)
        await keep(store, game, broken)
        assert (await profiles.mine(ada)).pending == 2
        workers = WorkersHere()

        async def run(function: str, payload: bytes) -> bytes:
            if payload == b"not a record":
                raise WorkerError("failed", reason="no record")
            return await workers.run(function, payload)

        for _ in range(2):
            counter = GameCounter(store, run, pause=0.0)
            await counter.start()
            async with asyncio.timeout(30):
                while (await profiles.mine(ada)).pending:
                    await asyncio.sleep(0.02)
            await counter.close()
            asked = workers.asked
        assert workers.asked == asked > 0, "the second start had nothing to do"
        first = await profiles.mine(ada)
        assert first.statistics.games == 1, "a record that cannot be read does not count"
        await GameCounter(store, run).count(game.id)
        assert await profiles.mine(ada) == first

    with_store(tmp_path, test)


def test_a_guests_statistics_go_with_them_into_an_account(tmp_path: Path) -> None:
    async def test(store: SqlStore, identity: Identity) -> None:
        ada, _ = await identity.new_guest("Ada", "en")
        await identity.new_account(ada, "ada", "correct horse")
        guest, _ = await identity.new_guest("Visitor", "en")
        both = replace(finished("wrc11"), people=(guest.player.id, ada.player.id, ""))
        alone = replace(finished("tml"), people=("", guest.player.id))
        await keep(store, both, alone)
        counter = GameCounter(store, remembered)
        await counter.count(both.id)
        await counter.count(alone.id)
        profiles = Profiles(store)
        before = [(await profiles.mine(one.player.id)).statistics.games for one in (ada, guest)]
        assert before == [1, 2]
        await identity.sign_in("ada", "correct horse", guest)
        mine = await profiles.mine(ada.player.id)
        assert (mine.statistics.games, mine.pending) == (2, 0)
        await counter.count(both.id)
        await counter.count(alone.id)
        again = await profiles.mine(ada.player.id)
        assert (again.statistics.games, again.pending) == (2, 0)

    with_store(tmp_path, test)


def test_others_see_games_and_wins_and_no_more(tmp_path: Path) -> None:
    async def test(store: SqlStore, identity: Identity) -> None:
        ada, _ = await identity.new_guest("Ada", "en")
        bo, _ = await identity.new_guest("Bo", "en")
        game = replace(finished("tml"), people=(ada.player.id, ""))
        await keep(store, game)
        await GameCounter(store, remembered).count(game.id)
        profiles = Profiles(store)
        mine = (await profiles.mine(ada.player.id)).statistics
        assert mine.missed is not None
        for viewer in (None, bo.player.id):
            seen = (await profiles.page(ada.me.profile, viewer)).statistics
            assert (seen.games, seen.wins, seen.longest_run) == (mine.games, mine.wins, mine.longest_run)
            assert (seen.missed, seen.opened, seen.judged_games) == (None, None, 0)
            assert [(book.score, book.opened) for book in seen.books] == [(None, None)]

    with_store(tmp_path, test)
