"""A session shows its person nothing hidden, survives bad bots, and its record verifies."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest

from meldroom.bots import Bot, Clock
from meldroom.cli.terminal.narrate import Narrator
from meldroom.cli.terminal.result_text import Finish
from meldroom.cli.terminal.save_record import free, record_file, save
from meldroom.cli.terminal.series import Series, chairs
from meldroom.cli.terminal.session import Chair, Happened, Session
from meldroom.game import ActionError, Draw, Shuffle, legal, new_game
from meldroom.game import events as ev
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.i18n import Language, message
from meldroom.record import load, verify
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, book
from meldroom.tiles import HIDDEN


class Failing:
    """A bot that never answers."""

    def act(self, view: View, clock: Clock) -> Action:
        raise RuntimeError("no idea")


def failing(level: str, rules: RuleBook, seed: str) -> Bot:
    return Failing()


def played_out(session: Session, chance: random.Random) -> list[Happened]:
    """Everybody plays legal actions at random until the game is over; the bots' answers do not count."""
    happened: list[Happened] = []
    while not session.over:
        action = legal(session._game.state).sample(chance)
        happened += session.play(action)
    return happened


@pytest.mark.parametrize("name", BOOK_IDS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_whole_game_is_told_scored_and_verified(name: str, language: Language, tmp_path: Path) -> None:
    series = Series(book(name), chairs("Zoe", ["club", "club"]), seed="a seed", make=failing)
    session = series.next_game()
    happened = played_out(session, random.Random(name))
    view = session.view()
    narrator = Narrator(session.book, view.players, session.me, language)
    lines = [line for each in happened if (line := narrator.line(each)) is not None]
    assert len(lines) > 10
    assert not any("{" in line or "  " in line for line in lines)
    file = tmp_path / "game.meld"
    save(session.record(), file)
    report = verify(load(file))
    assert report.ok
    assert not report.unchecked
    standing = series.finished(view.result) if view.result is not None else None
    page = "\n".join(Finish(session, language).lines(series.match, standing))
    sheet = session.sheet()
    assert sheet is not None
    assert view.result is not None
    assert sheet.scores == view.result.scores
    assert all(f"{score:+d}" in page for score in view.result.scores)
    assert (standing is not None) == (name == "rummyo")


def hidden(event: ev.Event, me: int) -> bool:
    """True if an event of somebody else shows no tile that they alone may see."""
    match event:
        case ev.Drew(seat=seat, tile=tile):
            return seat == me or tile == HIDDEN
        case ev.Took(seat=seat, source="stock", tile=tile):
            return seat == me or tile == HIDDEN
        case ev.Dealt(racks=racks, pool=pool):
            others = (tile for seat, rack in enumerate(racks) if seat != me for tile in rack)
            return all(tile == HIDDEN for tile in (*pool, *others))
        case _:
            return True


@pytest.mark.parametrize("name", ["wrc11", "rummyo"])
def test_what_happened_shows_nothing_hidden(name: str) -> None:
    session = Session(book(name), chairs("Zoe", ["club"]), "a secret", failing)
    happened = played_out(session, random.Random(3))
    assert all(hidden(event, session.me) for event in session.opening_events())
    assert all(hidden(each.event, session.me) for each in happened)
    assert all(each.before.racks is None for each in happened)


@pytest.mark.parametrize("name", ["wrc11", "rummyo"])
def test_a_bot_that_fails_loses_its_turn_and_no_more(name: str) -> None:
    session = Session(book(name), chairs("Zoe", ["club"]), "a secret", failing, starter=1)
    assert session.view().seat == 1
    assert session.think() is None
    events = [each.event for each in session.answer(None)]
    assert session.view().seat == 0
    assert not any(isinstance(event, ev.Penalised) for event in events)


def test_the_secret_stays_one_until_the_game_is_over() -> None:
    session = Session(book("wrc11"), chairs("Zoe", ["club"]), "a secret", failing, starter=0)
    with pytest.raises(ActionError):
        _ = session.secret
    with pytest.raises(ActionError):
        session.record()
    session.play(Draw(0))
    session.abandon("enough")
    assert session.secret == "a secret"
    assert verify(session.record()).ok
    assert session.sheet() is None
    ending = list(Finish(session, "en").lines(None, None))
    assert ending[0] == message("terminal.final.abandoned")


def test_a_bots_seed_does_not_hold_the_secret() -> None:
    seeds: list[str] = []

    def keep(level: str, rules: RuleBook, seed: str) -> Bot:
        seeds.append(seed)
        return Failing()

    Session(book("wrc11"), chairs("Zoe", ["club", "club"]), "a secret", keep)
    assert len(set(seeds)) == 2
    assert not any("a secret" in seed for seed in seeds)


def deal(series: Series) -> View:
    return series.next_game().view()


def test_a_seed_repeats_the_deals_and_no_seed_does_not() -> None:
    def racks(seed: str | None) -> list[tuple[int, ...]]:
        series = Series(book("wrc11"), chairs("Zoe", ["club"]), seed=seed, make=failing)
        return [deal(series).rack for _ in range(2)]

    assert racks("one") == racks("one")
    assert racks("one") != racks("two")
    assert racks(None) != racks(None)
    state, _ = new_game(book("wrc11"), ["Zoe", "Ada"], Shuffle("one"))
    assert racks("one")[0] == state.racks[0]


def test_a_rummyo_match_has_four_rounds_and_then_another_begins() -> None:
    series = Series(book("rummyo"), chairs("Zoe", ["club"]), seed="a seed", make=failing)
    starts, numbers = [], []
    for _ in range(5):
        session = series.next_game()
        starts.append(session.view().starter)
        numbers.append(session.view().game)
        played_out(session, random.Random(len(starts)))
        result = session.view().result
        assert result is not None
        standing = series.finished(result)
        assert standing is not None
        assert (standing.winners is not None) == (len(starts) == 4)
    assert numbers == [1, 2, 3, 4, 1]
    assert all(one != other for one, other in pairwise(starts))


def test_people_have_names_of_their_own() -> None:
    assert [chair.name for chair in chairs("ada", ["club", "club", "club"])] == ["ada", "Bo", "Chi", "Dev"]
    assert chairs("Zoe", ["club"])[1] == Chair("Ada", "club")


def test_no_record_is_written_over_another(tmp_path: Path) -> None:
    session = Session(book("wrc11"), chairs("Zoe", ["club"]), "a secret", failing)
    session.abandon("enough")
    file = tmp_path / "game.meld"
    save(session.record(), file)
    with pytest.raises(FileExistsError):
        save(session.record(), file)
    assert free(file) == tmp_path / "game-2.meld"
    assert record_file(file, "wrc11", "abc", 1) == file
    assert record_file(file, "wrc11", "abc", 3) == tmp_path / "game-3.meld"
