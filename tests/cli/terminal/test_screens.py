"""The game on the screen: keyboard and mouse, English and French, at 80×24 and larger."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.binding import Binding

from meldroom.bots import LEVELS, Bot, Clock
from meldroom.cli.terminal.screens.dialogs import Question
from meldroom.cli.terminal.screens.final import FinalScreen
from meldroom.cli.terminal.screens.game import GameScreen
from meldroom.cli.terminal.screens.start import ChoiceLine
from meldroom.cli.terminal.screens.turn import TurnScreen
from meldroom.cli.terminal.settings import Settings
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.i18n import Language, message
from meldroom.record import load, verify
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, book
from tests.cli.terminal.app_under_test import Idle, Player, run
from tests.cli.terminal.positions import state_of

WRC11, TML, RUMMYO = book("wrc11"), book("tml"), book("rummyo")
SIZES = [(80, 24), (120, 40)]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records are written to the folder one is in."""
    monkeypatch.chdir(tmp_path)


def settings(rules: RuleBook = WRC11, language: Language = "en") -> Settings:
    return Settings(book=rules, levels=("club",), seed="a quiet evening", language=language, pace=0)


@pytest.mark.parametrize("size", SIZES)
def test_a_run_is_laid_by_keys(size: tuple[int, int]) -> None:
    async def play(player: Player) -> None:
        await player.sit_at(state_of(WRC11, "R10 R11 R12 K9 B2", melded=False))
        assert "open with 30 points" in player.status
        await player.select("R12", "R10", "R11")
        assert "a set of 33 points" in player.status
        await player.press("n")
        assert player.lies == "R10 R11 R12"
        assert " 1✓ +R10 +R11 +R12" in player.text
        assert "3 tiles placed. Press f to finish." in player.status
        await player.press("f")
        assert player.table.session.view().melded[0]
        assert "You open with R10 R11 R12 (2 left)." in player.text
        assert "Ada draws a tile." in player.text

    run(play, settings(), size=size)


def test_tiles_go_into_sets_by_number_by_cursor_and_back() -> None:
    async def play(player: Player) -> None:
        await player.sit_at(state_of(WRC11, "R4 R5 K9", "R1 R2 R3 | K9 B9 O9"))
        await player.select("R4")
        await player.press("1")
        assert player.lies == "R1 R2 R3 R4 | K9 B9 O9"
        await player.select("R5")
        await player.press("up", "enter")
        assert player.lies == "R1 R2 R3 R4 R5 | K9 B9 O9"
        await player.press("u")
        assert player.lies == "R1 R2 R3 R4 | K9 B9 O9"
        await player.press("r")
        assert player.lies == "R1 R2 R3 R4 R5 | K9 B9 O9"
        await player.press("x")
        assert player.lies == "R1 R2 R3 | K9 B9 O9"
        await player.press("u")
        player.table.editor.cursor = player.table.editor.draft.sets[0].tiles[3]
        await player.press("b")
        assert player.lies == "R1 R2 R3 | R4 R5 | K9 B9 O9"
        assert "not in a set: R4 R5" in player.status
        await player.press("backspace")
        assert player.lies == "R1 R2 R3 | R5 | K9 B9 O9"
        player.table.editor.cursor = player.table.editor.draft.sets[0].tiles[0]
        await player.press("backspace")
        assert "stay on it" in player.status

    run(play, settings())


@pytest.mark.parametrize("size", SIZES)
def test_the_mouse_selects_puts_and_drags(size: tuple[int, int]) -> None:
    async def play(player: Player) -> None:
        await player.sit_at(state_of(WRC11, "R4 R5 K9 K10 K11", "R1 R2 R3 | K12 B12 O12 R12"))
        await player.click("R4")
        await player.click("R1", "table")
        assert player.lies == "R1 R2 R3 R4 | K12 B12 O12 R12"
        await player.drag("R5", "rack", ("table", player.where("R1", "table")))
        assert player.lies == "R1 R2 R3 R4 R5 | K12 B12 O12 R12"
        for name in ("K9", "K10", "K11"):
            await player.click(name)
        await player.click_cell("new")
        assert player.lies == "R1 R2 R3 R4 R5 | K12 B12 O12 R12 | K9 K10 K11"
        await player.click("K12", "table")
        await player.click_cell("label", 2)
        assert player.lies == "R1 R2 R3 R4 R5 | B12 O12 R12 | K9 K10 K11 K12"
        assert "to go out" in player.status
        await player.press("u", "u")
        await player.drag("K11", "rack", ("rack", player.where("K9", "rack")))
        tiles = WRC11.tiles
        shown = [tiles.face_names[tiles.face_of[tile]] for tile in player.table.editor.rack]
        assert shown == ["K11", "K9", "K10"]
        await player.drag("R5", "table", ("rack", player.where("K9", "rack")))
        assert player.lies == "R1 R2 R3 R4 | K12 B12 O12 R12"

    run(play, settings(), size=size)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_refused_turn_names_every_fault_with_its_clause(language: Language) -> None:
    async def play(player: Player) -> None:
        await player.sit_at(state_of(WRC11, "R10 R11 K4", "R1 R2 R3", melded=False))
        await player.select("R10", "R11")
        await player.press("n")
        await player.select("K4")
        await player.press("1", "f")
        text = " ".join(player.text.split())
        assert message("terminal.status.refused", language, count=4) in text
        for clause in ("WRC 11 #4", "R8", "R2"):
            assert clause in text
        needed = {"en": "you need at least 30", "fr": "il en faut au moins 30"}[language]
        assert needed in text
        assert player.table.session.view().turns[0] == 1
        await player.press("u")
        assert message("terminal.note.faults", language) not in player.text

    run(play, settings(language=language))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_hints_climb_the_ladder_and_can_be_laid(language: Language) -> None:
    async def play(player: Player) -> None:
        await player.sit_at(state_of(WRC11, "R4 K9 B1", "R1 R2 R3"))
        for number in range(1, 5):
            await player.press("h")
            said = message("terminal.note.hint", language, number=number, count=4, sentence="").strip()
            assert said in player.text
        assert "[R1 R2 R3 R4]" in player.text
        await player.press("l")
        assert player.lies == "R1 R2 R3 R4"
        assert message("terminal.status.ready", language, count=1) in player.status
        await player.press("f")
        assert len(player.table.session.view().rack) == 2

    run(play, settings(language=language))


def test_hints_can_be_off() -> None:
    async def off(player: Player) -> None:
        await player.press("h")
        assert message("terminal.note.hints_off") in player.status
        assert "h hint" not in player.text

    run(off, replace(settings(), hints=False))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_rummyo_hints_say_what_to_take_lay_and_discard(language: Language) -> None:
    async def play(player: Player) -> None:
        view = player.table.session.view
        await player.press("h")
        assert message("terminal.note.hint", language, number=1, count=1, sentence="").strip() in player.text
        await player.press("l", "f")
        assert view().phase == "take"
        assert view().turns[0] == 1
        await player.press("h", "h")
        assert {"en": "Take", "fr": "Prenez"}[language] in player.text
        await player.press("d")
        assert view().phase == "play"
        await player.press("l")
        assert player.table.editor.selected
        await player.press("f")
        assert view().turns[0] == 2

    run(play, settings(RUMMYO, language=language))


def test_drawing_with_a_draft_on_the_table_asks_first() -> None:
    async def play(player: Player) -> None:
        await player.sit_at(state_of(WRC11, "R4 K9 B1", "R1 R2 R3"))
        await player.select("R4")
        await player.press("1")
        assert "d draw" not in player.text
        await player.press("d")
        assert isinstance(player.app.screen, Question)
        await player.press("n")
        assert player.lies == "R1 R2 R3 R4"
        await player.press("d", "y")
        assert len(player.table.session.view().rack) == 4
        assert player.lies == "R1 R2 R3"

    run(play, settings())


def test_a_strict_book_asks_before_a_turn_costs_tiles() -> None:
    async def play(player: Player) -> None:
        await player.sit_at(state_of(TML, "R4 K9 B1", "R1 R2 R3"))
        await player.select("K9")
        await player.press("1", "f")
        assert isinstance(player.app.screen, Question)
        await player.press("n")
        assert "Why you can't finish yet" in player.text
        await player.press("f", "y")
        assert len(player.table.session.view().rack) == 6
        assert "You take 3 penalty tiles" in player.text

    run(play, settings(TML))


def test_own_order_and_sorting_of_the_rack() -> None:
    async def play(player: Player) -> None:
        await player.sit_at(state_of(WRC11, "R4 K9 B4 K1", "R1 R2 R3"))
        tiles, editor = WRC11.tiles, player.table.editor

        def shown() -> str:
            return " ".join(tiles.face_names[tiles.face_of[tile]] for tile in editor.rack)

        assert shown() == "K1 K9 R4 B4"
        await player.press("g")
        assert shown() == "K1 R4 B4 K9"
        editor.cursor = player.tile("K9")
        await player.press("comma", "comma", "comma")
        assert shown() == "K9 K1 R4 B4"
        await player.press("d")
        assert shown().startswith("K9 K1 R4 B4 ")

    run(play, settings())


def test_doubles_are_offered_a_fresh_start() -> None:
    async def play(player: Player) -> None:
        state = state_of(WRC11, "R4 R4 K9 K9 B1 B1 O5", melded=False)
        before = replace(state, turns=(0, 0), begun=(1, 0), melded=(False, False))
        player.table.session._game.state = before
        player.table._start()
        await player.settle()
        assert isinstance(player.app.screen, Question)
        assert "K9 K9" in player.text
        await player.press("ctrl+c")
        assert isinstance(player.app.screen, GameScreen)
        assert player.table.session.view().deals == 1, "an interrupt agrees to nothing"
        player.table._start()
        await player.settle()
        await player.press("y")
        assert player.table.session.view().deals == 2
        assert "new tiles for everybody" in player.text

    run(play, settings())


def test_the_clock_ends_a_turn_and_judges_what_lies_there() -> None:
    async def play(player: Player) -> None:
        table = player.table
        time = [100.0]
        table.now = lambda: time[0]
        await player.sit_at(state_of(WRC11, "R4 K9 B1", "R1 R2 R3"))
        assert "0:40" in player.text
        await player.select("R4")
        await player.press("1")
        time[0] += 39
        table._tick()
        assert player.table.session.view().turns[0] == 1
        time[0] += 2
        table._tick()
        await player.settle()
        assert "Your time is up." in player.text
        assert len(player.table.session.view().rack) == 2
        time[0] += 41
        table._tick()
        await player.settle()
        assert len(player.table.session.view().rack) == 3

    run(play, replace(settings(), clock=True))


def test_rummyo_take_go_on_board_and_discard() -> None:
    async def play(player: Player) -> None:
        state = state_of(
            RUMMYO, "R10 R11 R12 R13 K5 B5 K9 O2", "O5 * O7", melded=False, owners=[1], discard="O5"
        )
        await player.sit_at(replace(state, phase="take"))
        assert "take the discard O5 (t)" in player.status
        await player.press("f")
        assert "Take a tile first" in player.status
        await player.press("t")
        assert "You take the discard O5." in player.text
        await player.select("R10", "R11", "R12", "R13")
        await player.press("n")
        assert "40 of 50 points" in player.status
        await player.select("K5", "B5", "O5")
        await player.press("n")
        assert " 1✓ Ada" in player.text
        assert " 3✓ You" in player.text
        await player.press("f")
        assert "Select one tile" in player.status
        await player.select("K9")
        assert "Press f to discard K9" in player.status
        await player.press("f")
        assert player.table.session.view().melded[0]
        laid = "You lay K5 R10 R11 R12 R13 B5 O5 (1 left). That's going on board."
        assert f"You take the discard O5. {laid} You discard K9." in player.said

    run(play, settings(RUMMYO))


def test_rummyo_claims_a_joker_and_goes_out() -> None:
    async def play(player: Player) -> None:
        await player.sit_at(state_of(RUMMYO, "O6 K8 K9 B1", "O5 * O7", owners=[1]))
        await player.click("O6")
        await player.click("O5", "table")
        assert player.lies == "O5 O6 O7 | *"
        assert "not in a set: *" in player.status
        await player.select("B1")
        await player.press("f")
        assert "Not allowed yet" in player.status
        assert "a set needs at least 3 tiles" in player.said
        await player.press("escape")
        await player.select("K8", "K9")
        await player.press("2")
        assert player.lies == "O5 O6 O7 | K8 K9 *"
        assert "go out: Open Rummy!" in player.status
        await player.press("f")
        assert isinstance(player.app.screen, FinalScreen)
        assert "You went out" in player.text
        assert "round 1 of 4" in player.text
        await player.press("a")
        assert player.table.session.view().game == 2

    run(play, settings(RUMMYO))


def test_rummyo_piles_can_be_clicked() -> None:
    async def play(player: Player) -> None:
        state = replace(state_of(RUMMYO, "O6 K8 K9 B1", discard="R1"), phase="take")
        await player.sit_at(state)
        await player.click_cell("discard")
        assert "You take the discard R1." in player.text
        await player.sit_at(state)
        await player.click_cell("stock")
        assert "from the stock" in player.text

    run(play, settings(RUMMYO))


@pytest.mark.parametrize("size", SIZES)
def test_a_rack_of_thirty_is_wholly_visible(size: tuple[int, int]) -> None:
    rack = " ".join(f"{letter}{number}" for letter in "KRB" for number in range(1, 11))
    table = " | ".join(f"{c}{n} {c}{n + 1} {c}{n + 2}" for c in "KRBO" for n in (1, 4, 7, 10))

    async def play(player: Player) -> None:
        await player.sit_at(state_of(WRC11, rack, table))
        rows = player.text.splitlines()[-5:] if size[1] == 24 else player.text.splitlines()[-10:]
        shown = " ".join(rows).replace("▸", " ").split()
        assert all(name in shown for name in rack.split())
        assert max(len(row) for row in player.text.splitlines()) <= size[0]
        await player.press("tab")
        assert "16✓" in player.text

    run(play, settings(), size=size)


def test_leaving_asks_and_saves_the_unfinished_game(tmp_path: Path) -> None:
    async def play(player: Player) -> None:
        await player.press("d", "ctrl+c")
        assert isinstance(player.app.screen, Question)
        await player.press("escape")
        assert isinstance(player.app.screen, GameScreen)
        await player.press("q", "s")

    app = run(play, settings())
    assert app.saved is not None
    report = verify(load(tmp_path / app.saved))
    assert report.ok

    async def leave(player: Player) -> None:
        await player.press("ctrl+q", "w")

    assert run(leave, settings()).saved is None


def test_bots_and_hints_think_in_threads_of_their_own() -> None:
    threads: list[threading.Thread] = []

    class Watching(Idle):
        def act(self, view: View, clock: Clock) -> Action:
            threads.append(threading.current_thread())
            return super().act(view, clock)

    def watching(level: str, rules: RuleBook, seed: str) -> Bot:
        return Watching()

    async def play(player: Player) -> None:
        await player.sit_at(state_of(WRC11, "R4 K9 B1", "R1 R2 R3"))
        await player.press("d")

    run(play, settings(), make=watching)
    assert threads
    assert all(thread is not threading.main_thread() for thread in threads)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_help_names_every_key(language: Language) -> None:
    text = message("terminal.help.text", language)
    keys = [binding.key for binding in _bindings() if len(binding.key) == 1 and not binding.key.isdigit()]
    assert len(keys) > 15
    for key in keys:
        assert any(key in line[:17].replace(",", " ").split() for line in text.splitlines()), key

    async def play(player: Player) -> None:
        await player.press("question_mark")
        assert message("terminal.help.title", language) in player.text
        await player.press("pagedown", "pagedown", "pagedown", "escape")
        assert isinstance(player.app.screen, GameScreen)

    run(play, settings(language=language))


def _bindings() -> list[Binding]:
    declared = [*GameScreen.BINDINGS, *TurnScreen.BINDINGS]
    return list(Binding.make_bindings(one for one in declared if isinstance(one, Binding)))


def test_the_start_page_shows_books_levels_and_how_they_think() -> None:
    async def play(player: Player) -> None:
        await player.press("down", "down")
        for _ in LEVELS:
            level = LEVELS[player.app.screen.query_one("#level1", ChoiceLine).chosen]
            assert level.thinks("en")[:40] in player.text
            assert f"{level.name('en')}, {level.label('en')}" in player.text
            await player.press("right")
        await player.press("up", "up")
        for _ in range(BOOK_IDS.index("rummyo") - BOOK_IDS.index("wrc11")):
            await player.press("right")
        assert RUMMYO.name["en"] in player.text
        await player.press("down", "right", "down", "right")
        await player.press("down", "down", "down", "down", "right")
        assert LEVELS["tournament"].thinks("fr", "laying_off")[:40] in player.text
        choices = player.app.screen.query_one("#level1", ChoiceLine).choices
        assert choices == ("beginner", "regular", "club", "tournament", "thrifty", "patient", "master")
        await player.press("enter")
        table = player.table
        assert (table.book.id, table.settings.language) == ("rummyo", "fr")
        assert [chair.level for chair in table.session.chairs] == [None, "tournament", "club"]
        assert "Rummy-O" in player.text

    run(play, settings(), choose=True)


def test_without_colour_nothing_is_coloured_and_marks_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def play(player: Player) -> None:
        await player.sit_at(state_of(WRC11, "R4 K9 B1", "R1 R2 R3"))
        await player.press("space")
        assert "◆" in player.text
        assert "1✓" in player.text
        for strip in player.app.screen._compositor.render_strips():
            for segment in strip.apply_filter(player.app._filters[-1], player.app.screen.styles.background):
                style = segment.style
                assert style is None or style.color is None or style.color.is_default

    run(play, settings())
    monkeypatch.delenv("NO_COLOR")


def test_light_and_dark() -> None:
    async def play(player: Player) -> None:
        assert player.app.theme == "meldroom-dark"
        await player.press("i")
        assert player.app.theme == "meldroom-light"

    run(play, settings())


def test_resigning_shows_the_final_page_and_is_recorded() -> None:
    async def play(player: Player) -> None:
        await player.press("ctrl+q")
        assert isinstance(player.app.screen, Question)
        await player.press("r")
        await player.pilot.pause()
        assert isinstance(player.app.screen, FinalScreen)
        assert "You resigned." in player.text
        assert player.app.saved is not None
        record = load(player.app.saved)
        assert verify(record).ok
        assert record.result is not None
        assert (record.result.end, record.result.winners) == ("resigned", (1,))

    run(play, settings())
