"""Runs the game: finishing turns, bots, the clock, hints, and the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType

from meldroom.bots.advice import advise
from meldroom.cli.terminal.draft import DraftError
from meldroom.cli.terminal.result_text import Finish
from meldroom.cli.terminal.save_record import save
from meldroom.cli.terminal.screens.dialogs import Choice, Question
from meldroom.cli.terminal.screens.final import FinalScreen
from meldroom.cli.terminal.screens.turn import TurnScreen
from meldroom.cli.terminal.status_line import names
from meldroom.game import ActionError, Draw, Pass, RequestRedeal, Take, TimeOut
from meldroom.game.actions import Action, Resign
from meldroom.i18n import message
from meldroom.rules.procedures import three_doubles
from meldroom.solver import SolverError
from meldroom.solver.advice import Advice
from meldroom.tiles import Tile


class GameScreen(TurnScreen):
    """One game after another at one table, from the deal to the scores."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "finish", show=False),
        Binding("d,p", "draw", show=False),
        Binding("t", "take_discard", show=False),
        Binding("h", "hint", show=False),
        Binding("l", "lay_hint", show=False),
        Binding("q,ctrl+c,ctrl+d,ctrl+q", "quit", show=False),
    ]

    advice: Advice | None = None
    rung = 0
    final_page: Callable[[], FinalScreen] | None = None
    """Makes the page with the scores, once the game is over."""

    def on_mount(self) -> None:
        """The first game starts; a clock, where there is one, is looked at four times a second."""
        if self.session.seconds:
            self.set_interval(0.25, self._tick)
        self.call_after_refresh(self._start)

    def _start(self) -> None:
        self.redraw()
        if self._doubles():
            self._offer_redeal()
        else:
            self._go_on()

    # The course of the game

    def _go_on(self) -> None:
        """Whoever is next: the bots think, or the clock of the person starts, or the game is over."""
        self.editor.show(self.session.view())
        self.advice, self.rung, self.hint = None, 0, []
        self.deadline = None
        if self.session.over:
            self.redraw()
            self._show_final()
            return
        if self.session.bot_to_act is not None:
            self.run_worker(self._bots_play(), group="bots", exclusive=True)
        elif self.session.seconds:
            self.deadline = self.now() + self.session.seconds
        self.redraw()

    async def _bots_play(self) -> None:
        """Let bots act, each in a thread, until it is the person's turn or the game is over."""
        while self.session.bot_to_act is not None:
            began = self.now()
            action = await asyncio.to_thread(self.session.think)
            rest = self.settings.pace - (self.now() - began)
            if rest > 0:
                await asyncio.sleep(rest)
            self.tell(self.session.answer(action))
            self.editor.show(self.session.view())
            self.redraw()
        self._go_on()

    def _play(self, action: Action) -> bool:
        """Do what the person asks; what is refused is explained and nothing has happened."""
        try:
            happened = self.session.play(action)
        except ActionError as error:
            self._refused(error)
            return False
        self.quieten()
        self.editor.clear()
        self.tell(happened)
        self._go_on()
        return True

    def _refused(self, error: ActionError) -> None:
        if not error.violations:
            self.remark(error.message(self.language))
            return
        self.note = [message("terminal.note.faults", self.language), *map(self.fault_text, error.violations)]
        text = message("terminal.status.refused", self.language, count=len(error.violations))
        self.line = (text, "bad")
        self.redraw()

    # The end of a turn

    def action_finish(self) -> None:
        """Hand the draft in."""
        self.quieten()
        try:
            action = self.editor.finish()
        except DraftError as error:
            self.remark(error.message(self.language))
            return
        strict = self.book.family == "rearranging" and self.book.penalty.strict_declare
        if not strict or self.editor.standing.legal:
            self._play(action)
            return

        def answered(answer: str | None) -> None:
            if answer == "yes":
                self._play(action)
            else:
                self.action_why()

        text = message(
            "terminal.ask.strict",
            self.language,
            book=self.book.title(self.language),
            count=self.book.penalty.tiles,
        )
        self.app.push_screen(Question(text, self._yes_no()), answered)

    def action_draw(self) -> None:
        """Draw, pass, or take from the stock; with a draft on the table it is asked first."""
        editor = self.editor
        self.quieten()
        if not editor.my_turn:
            key = "status.over" if self.session.over else "draft.not_your_turn"
            self.remark(message(f"terminal.{key}", self.language))
            return
        action: Action = Draw(self.session.me) if editor.view.pool_size else Pass(self.session.me)
        if self.book.family == "laying_off":
            action = Take(self.session.me, source="stock")
        if not editor.draft.touched or self.book.family == "laying_off":
            self._play(action)
            return

        def answered(answer: str | None) -> None:
            if answer == "yes":
                self._play(action)

        key = "draw" if editor.view.pool_size else "pass"
        text = message(f"terminal.ask.{key}", self.language)
        self.app.push_screen(Question(text, self._yes_no()), answered)

    def action_take_discard(self) -> None:
        """Take the last discard."""
        self.quieten()
        if not self.editor.my_turn:
            self.remark(message("terminal.draft.not_your_turn", self.language))
            return
        self._play(Take(self.session.me, source="discard"))

    def take_from(self, source: Literal["stock", "discard"]) -> None:
        """A pile was clicked."""
        if source == "stock":
            self.action_draw()
        else:
            self.action_take_discard()

    def action_put_here(self) -> None:
        """After the game, show its scores."""
        if self.session.over:
            self._show_final()
        else:
            super().action_put_here()

    def action_clear(self) -> None:
        """After the game, show its scores."""
        if self.session.over:
            self._show_final()
        else:
            super().action_clear()

    def _tick(self) -> None:
        """The clock goes on; at its end, what lies on the table is judged."""
        if self.deadline is None:
            return
        if self.now() < self.deadline:
            self.show_clock()
            return
        self.deadline = None
        if isinstance(self.app.screen, Question):
            self.app.pop_screen()
        table = self.editor.draft.as_lay().table if self.editor.draft.touched else None
        self._play(TimeOut(self.session.me, table=table))

    # Fresh start

    def _doubles(self) -> tuple[Tile, ...]:
        """Doubles that give the right to a fresh start, before anybody has completed a turn."""
        view, tiles = self.session.view(), self.book.tiles
        if sum(view.turns) or not three_doubles(self.book, [tiles.face_of[tile] for tile in view.rack]):
            return ()
        by_face: dict[int, list[Tile]] = {}
        for tile in view.rack:
            by_face.setdefault(tiles.face_of[tile], []).append(tile)
        pairs = [same[:2] for face, same in by_face.items() if len(same) > 1 and face != tiles.joker]
        return tuple(tile for pair in pairs[: self.book.redeal.doubles] for tile in pair)

    def _offer_redeal(self) -> None:
        tiles = self._doubles()

        def answered(answer: str | None) -> None:
            if answer == "yes":
                self.tell(self.session.play(RequestRedeal(self.session.me, tiles=tiles)))
                self.editor.show(self.session.view())
                self._start()
            else:
                self._go_on()

        cited = self.book.cite("redeal.doubles").clause
        text = message("terminal.ask.redeal", self.language, tiles=names(self.editor, tiles), clause=cited)
        self.app.push_screen(Question(text, self._yes_no()), answered)

    # Hints

    def action_hint(self) -> None:
        """A hint; again, a stronger one."""
        self._with_advice(self._show_hint)

    def action_lay_hint(self) -> None:
        """The best play as a draft."""
        self._with_advice(self._lay_hint)

    def _with_advice(self, use: Callable[[Advice], None]) -> None:
        """Find the hints of this turn in a thread, unless they are known, and use them."""
        self.quieten()
        if not self.settings.hints:
            self.remark(message("terminal.note.hints_off", self.language))
        elif not self.editor.my_turn:
            self.remark(message("terminal.draft.not_your_turn", self.language))
        elif self.advice is not None:
            use(self.advice)
        else:
            self.line = (message("terminal.status.searching", self.language), "wait")
            self.redraw()
            self.run_worker(self._find_advice(use), group="hints", exclusive=True)

    async def _find_advice(self, use: Callable[[Advice], None]) -> None:
        view = self.editor.view
        try:
            advice = await asyncio.to_thread(advise, self.book, view)
        except SolverError as error:
            self.remark(message("terminal.note.hint_failed", self.language, reason=str(error)))
            return
        self.line = None
        if self.editor.view is view:
            self.advice = advice
            use(advice)

    def _show_hint(self, advice: Advice) -> None:
        count = len(advice.hints)
        self.rung = min(self.rung + 1, count)
        sentence = advice.text(self.rung, self.language)
        told = message("terminal.note.hint", self.language, number=self.rung, count=count, sentence=sentence)
        self.hint = told.split("\n")
        self.redraw()

    def _lay_hint(self, advice: Advice) -> None:
        last = advice.last
        if last.table is None and last.melds is None:
            self.remark(advice.text(len(advice.hints), self.language))
            return
        self.hint = []
        self.attempt(lambda: self.editor.follow(last))
        if last.discard is not None:
            tile = self.book.tiles.face_names[self.book.tiles.face_of[last.discard]]
            self.note = [message("terminal.note.hint_discard", self.language, tile=tile)]
        else:
            self.note = [message("terminal.note.hint_laid", self.language)]
        self.redraw()

    # The end

    def _yes_no(self) -> tuple[Choice, Choice]:
        def choice(answer: str, *keys: str) -> Choice:
            own = message(f"terminal.ask.{answer}_key", self.language)
            return Choice((own, *keys), message(f"terminal.ask.{answer}", self.language), answer)

        return choice("yes", "y", "enter"), choice("no", "n")

    def _show_final(self) -> None:
        """The scores; the game is counted and its record written when they are first shown."""
        result = self.session.view().result
        if self.final_page is None and result is not None:
            standing, failure = self.series.finished(result), self._save()
            finish = Finish(self.session, self.language)
            self.final_page = partial(FinalScreen, finish, self.series.match, standing, self.file, failure)
        if self.final_page is not None:
            self.app.push_screen(self.final_page(), self._after_final)

    def _after_final(self, answer: str | None) -> None:
        if answer == "again":
            self.final_page = None
            self.deal()
            self._start()
        elif answer == "quit":
            self.app.exit()
        else:
            self.redraw()

    def _save(self) -> str | None:
        """Write the record; what went wrong if it could not be written."""
        try:
            save(self.session.record(), self.file)
        except OSError as error:
            return error.strerror or str(error)
        self.saved = self.file
        return None

    def action_quit(self) -> None:
        """Leave; an unfinished game can be saved first."""
        if self.session.over:
            self.app.exit()
            return

        def answered(answer: str | None) -> None:
            if answer == "stay":
                return
            self.workers.cancel_all()
            if answer == "resign" and not self.session.over:
                self._play(Resign(self.session.me))
                return
            self.session.abandon(message("terminal.final.reason", self.language))
            # The game may have ended, and been written down, while the question stood there.
            failure = self._save() if answer == "save" and self.saved != self.file else None
            if failure is None:
                self.app.exit()
            else:
                self.app.exit(
                    message=message(
                        "terminal.final.not_saved", self.language, file=str(self.file), reason=failure
                    )
                )

        choices = (
            Choice(("r",), message("terminal.ask.resign", self.language), "resign"),
            Choice(("s", "y"), message("terminal.ask.save", self.language, file=self.file.name), "save"),
            Choice(("w", "n"), message("terminal.ask.leave", self.language), "leave"),
            Choice(("Esc", "q"), message("terminal.ask.stay", self.language), "stay"),
        )
        text = message("terminal.ask.quit", self.language)
        self.app.push_screen(Question(text, choices, interrupted="save"), answered)
