"""What can be done now, and by whom: the order of the day for a director's page."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from meldroom.championship.errors import ChampionshipError
from meldroom.championship.formats.closing import advancing, unfinished
from meldroom.championship.progress.now import Now
from meldroom.championship.roles import Role
from meldroom.championship.sittings import needs_draw
from meldroom.championship.standings import Standings, standings
from meldroom.championship.state import ChampionshipState
from meldroom.i18n import Language, message
from meldroom.server.championships.hall.state import Hall
from meldroom.server.championships.storage.keys import may


class NextStep(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that can be done: the command's name, what it is about, and a sentence."""

    do: str
    text: str
    may: bool
    """Whether the reader's role may do it."""
    stage: str = ""
    sitting: int = 0
    tables: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
    call: int = 0
    clash: int = 0
    how: str = ""
    game: int = 0


def next_steps(
    state: ChampionshipState, stands: Now, hall: Hall, role: Role, language: Language
) -> tuple[NextStep, ...]:
    """Everything that waits to be done, the hall's troubles first."""
    steps = _Steps(state, stands, hall, role, language)
    return (*steps.hall_steps(), *steps.championship_steps())


class _Steps:
    """The steps of one reader."""

    def __init__(
        self, state: ChampionshipState, stands: Now, hall: Hall, role: Role, language: Language
    ) -> None:
        self.state, self.stands, self.hall = state, stands, hall
        self.role, self.language = role, language

    def step(
        self,
        do: str,
        *,
        key: str = "",
        stage: str = "",
        sitting: int = 0,
        tables: tuple[int, ...] = (),
        numbers: tuple[int, ...] = (),
        call: int = 0,
        clash: int = 0,
        how: str = "",
        game: int = 0,
        named: str = "",
    ) -> NextStep:
        """A step with its message."""
        text = message(
            f"championships.next.{key or do}",
            self.language,
            stage=self.state.format.stage(stage).name[self.language] if stage else "",
            sitting=sitting,
            tables=", ".join(map(str, tables)),
            table=tables[0] if tables else 0,
            count=len(numbers) or len(tables),
            game=game,
            names=named,
        )
        return NextStep(
            do=do,
            text=text,
            may=may(self.role, do),
            stage=stage,
            sitting=sitting,
            tables=tables,
            numbers=numbers,
            call=call,
            clash=clash,
            how=how,
            game=game,
        )

    def hall_steps(self) -> Iterator[NextStep]:
        """Calls and clashes, for those who see them."""
        if may(self.role, "see_calls"):
            for call in self.hall.open_calls():
                yield self.step("answer_call", tables=(call.table,), call=call.number)
        if may(self.role, "see_clashes"):
            for met in self.hall.open_clashes():
                tables = (met.clash.table,) if met.clash.table is not None else ()
                yield self.step("settle_clash", tables=tables, clash=met.number)
            for each in self.hall.to_rule(self.state):
                game = each.game
                yield self.step(
                    "begin_game",
                    key=f"rule_{game.why}",
                    stage=game.stage,
                    sitting=game.sitting,
                    tables=(game.table,),
                    game=game.game,
                )

    def championship_steps(self) -> Iterator[NextStep]:
        """What the championship itself waits for."""
        state = self.state
        stage = state.stage_of_play()
        if stage is None:
            yield self.step("export")
            return
        if not state.participants:
            yield self.step("import_entrants")
            return
        first = state.format.place(stage) == 0
        if first and not any(key[0] == stage for key in state.seatings):
            waiting = [one.number for one in state.participants if one.status == "entered"]
            coming = tuple(number for number in waiting if state.nominated(number))
            if coming:
                yield self.step("check_in", numbers=coming)
        missing = unfinished(state, stage)
        if not missing:
            yield from self._closing(stage)
            return
        sitting = min(key[1] for key in missing)
        if (stage, sitting) in state.seatings:
            yield from self._playing(stage, sitting)
        else:
            yield from self._seating(stage, sitting)

    def _seating(self, stage: str, sitting: int) -> Iterator[NextStep]:
        """A sitting without seats: the draw, or the standings."""
        if sitting > 1 or not needs_draw(self.state, stage):
            yield self.step("seat_sitting", stage=stage, sitting=sitting, how="standings")
        elif stage not in self.state.draws:
            yield self.step("announce_draw", stage=stage, sitting=sitting)
        else:
            yield self.step("add_word", stage=stage, sitting=sitting)
            yield self.step("reveal", stage=stage, sitting=sitting)

    def _playing(self, stage: str, sitting: int) -> Iterator[NextStep]:
        """A sitting with seats: a change for who has left or come, games, signatures."""
        state = self.state
        tables = state.seatings[stage, sitting].tables
        begun = state.played((stage, sitting))
        for stale in self.stands.stale[:1]:
            if stale.sitting > sitting and not begun:
                continue  # what is played first comes first
            yield self.step(
                "seat_sitting",
                key="seat_late" if stale.how == "late" else "change_seating",
                stage=stale.stage,
                sitting=stale.sitting,
                numbers=stale.numbers,
                how=stale.how,
            )
        keys = [(stage, sitting, table) for table in range(1, len(tables) + 1)]
        online = bool(self.hall.rooms) and not begun
        if online and not any(key in self.hall.rooms for key in keys):
            yield self.step("open_rooms", stage=stage, sitting=sitting)
        open_keys = [key for key in keys if state.open_games(key)]
        if open_keys:
            places = tuple(key[2] for key in open_keys)
            yield self.step("enter_result", stage=stage, sitting=sitting, tables=places)
        ready = tuple(key[2] for key in keys if state.to_sign(key))
        if ready:
            yield self.step("sign_sheet", stage=stage, sitting=sitting, tables=ready)

    def _closing(self, stage: str) -> Iterator[NextStep]:
        """Everything is signed: ties that matter first, then the approval."""
        found = standings(self.state, stage)
        matters = [group for group in found.level if self._matters(found, group)]
        for group in matters:
            named = ", ".join(self.state.names(group)) if may(self.role, "see_full_names") else ""
            yield self.step("decide_tie", stage=stage, numbers=group, named=named)
        if not matters:
            yield self.step("close_stage", stage=stage)

    def _matters(self, found: Standings, group: tuple[int, ...]) -> bool:
        """Whether one group who are level stands on both sides of the cut."""
        try:
            advancing(self.state, replace(found, level=(group,)))
        except ChampionshipError:
            return True
        return False
