"""Where everybody is, read plainly from a championship's log, and what every page says of it.

`Reader` knows nothing of Meldroom: it reads lines of JSON. `disagreements` compares it with the pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from meldroom.championship.log.export import document_of
from meldroom.championship.text import format_status
from meldroom.papers import ChampionshipPapers
from meldroom.papers.values import WallByName
from meldroom.server.championships.pages.desk import desk_of, state_for
from meldroom.server.championships.pages.person import person_page
from meldroom.server.championships.pages.public import RankBoundsCache, page_of, public_page
from meldroom.server.championships.pages.table import table_page
from meldroom.server.championships.storage.keys import Key
from testkit.championship.random_events import HOST, NOON, RandomEvent

GONE = ("declined", "no_show", "withdrawn", "replaced", "disqualified")
SCREEN = Key("screen", "", "display", "Wall", NOON)
Sheet = tuple[str, int, int]
Place = tuple[str, int, int, int]


class Reader:
    """A log, entry by entry, in dictionaries."""

    def __init__(self) -> None:
        self.stages: list[dict[str, Any]] = []
        self.status: dict[int, str] = {}
        self.by: dict[int, int] = {}
        self.names: dict[int, str] = {}
        self.tables: dict[tuple[str, int], list[list[int]]] = {}
        self.games: set[tuple[str, int, int, int]] = set()
        self.void: dict[tuple[str, int, int, int], tuple[bool, bool]] = {}
        """Games that are void: whether they had been played, and whether their stage ended early."""
        self.signed: set[Sheet] = set()
        self.went_on: dict[str, list[int]] = {}
        self.rooms: dict[Sheet, str] = {}
        self._sheets: list[tuple[Sheet, list[int]]] = []
        self._done: set[Sheet] = set()

    def read(self, line: bytes) -> None:
        """One line of the log."""
        action = json.loads(line)["action"]
        do = action["do"]
        if do == "found":
            self.stages = action["format"]["stages"]
        elif do == "import_entrants":
            for entrant in action["entrants"]:
                self._enter(entrant, "entered")
        elif do == "add_entrant":
            self._enter(action["entrant"], "entered")
        elif do in ("check_in", "no_show", "withdraw"):
            words = {"check_in": "present", "no_show": "no_show", "withdraw": "withdrawn"}
            self.status[action["number"]] = words[do]
        elif do == "substitute":
            old, new = action["number"], len(self.status) + 1
            self._enter(action["by"], "present")
            self.status[old], self.by[old] = "replaced", new
            for key, tables in self.tables.items():
                for place, table in enumerate(tables, start=1):
                    if not any(game[:3] == (*key, place) for game in self.games):
                        tables[place - 1] = [new if number == old else number for number in table]
        elif do == "reveal":
            first = [stage["id"] for stage in self.stages].index(action["stage"])
            keys = []
            for stage in self.stages[first:]:
                if stage["id"] != action["stage"] and stage["seating"] != "planned":
                    break
                keys += [(stage["id"], sitting + 1) for sitting in range(stage["sittings"])]
            for key, tables in zip(keys, action["sittings"], strict=False):
                self.tables[key] = [list(table) for table in tables]
        elif do == "seat_sitting":
            self.tables[action["stage"], action["sitting"]] = [list(table) for table in action["tables"]]
        elif do == "correct_seats":
            for each in action["tables"]:
                self.tables[action["stage"], action["sitting"]][each["table"] - 1] = list(each["players"])
        elif do == "enter_result":
            self.games.add((action["stage"], action["sitting"], action["table"], action["game"]))
        elif do == "void_game":
            self._make_void((action["stage"], action["sitting"], action["table"], action["game"]))
        elif do == "end_stage":
            for game in action.get("void", []):
                self._make_void((action["stage"], *game), ended=True)
        elif do == "undo_void":
            one = (action["stage"], action.get("sitting"), action.get("table"), action.get("game"))
            for game, (counted, ended) in [*self.void.items()]:
                if game == one or (ended and not action.get("game") and game[0] == action["stage"]):
                    del self.void[game]
                    self.games |= {game} if counted else set()
                    self.signed -= set() if counted else {game[:3]}
        elif do == "sign_sheet":
            self.signed.add((action["stage"], action["sitting"], action["table"]))
        elif do == "close_stage":
            self.went_on[action["stage"]] = action["order"]
        elif do not in ("announce_draw", "correct_result", "decide_tie"):
            raise AssertionError(f"the reader does not know {do}")
        self._sheets = [
            ((stage["id"], sitting, place), table)
            for stage in self.stages
            if stage["id"] not in self.went_on
            for sitting in range(1, stage["sittings"] + 1)
            for place, table in enumerate(self.tables.get((stage["id"], sitting), []), start=1)
            if table
        ]
        played = {game[:3] for game in self.games}
        self._done = {
            sheet
            for sheet, _ in self._sheets
            if self.all_in(sheet) and (sheet in self.signed or sheet not in played)
        }

    def _make_void(self, game: tuple[str, int, int, int], *, ended: bool = False) -> None:
        self.void[game] = (game in self.games, ended)
        self.games.discard(game)

    def _enter(self, entrant: Mapping[str, Any], status: str) -> None:
        number = len(self.status) + 1
        self.status[number], self.names[number] = status, entrant["name"]

    def playing(self) -> dict[str, Any] | None:
        """The stage being played; None when all are closed."""
        return next((stage for stage in self.stages if stage["id"] not in self.went_on), None)

    def sheets(self) -> list[tuple[Sheet, list[int]]]:
        """All tables of stages that are not closed, in the order of play."""
        return self._sheets

    def all_in(self, sheet: Sheet) -> bool:
        """Whether every game of a sheet is in or void."""
        games = next(stage["games"] for stage in self.stages if stage["id"] == sheet[0])
        return all({(*sheet, game + 1)} & {*self.games, *self.void} for game in range(games))

    def finished(self, sheet: Sheet) -> bool:
        """Whether every game is in or void, and it is signed; where all are void, nobody signs."""
        return sheet in self._done

    def sitting(self) -> tuple[str, int]:
        """The sitting being played."""
        stage = (self.playing() or self.stages[-1])["id"]
        left = [sheet[1] for sheet, _ in self.sheets() if sheet[0] == stage and not self.finished(sheet)]
        drawn = [key[1] for key in self.tables if key[0] == stage]
        return stage, min(left) if left else max(drawn, default=1)

    def seat(self, number: int) -> Place | None:
        """The first seat of somebody's that is not behind them."""
        if self.status[number] in GONE:
            return None
        for sheet, table in self.sheets():
            if number in table and not self.finished(sheet):
                return (*sheet, table.index(number))
        return None

    def in_play(self, sheet: Sheet) -> bool:
        """Whether a game of it is in, or nobody at it has anything else to finish first."""
        if any(game[:3] == sheet for game in self.games):
            return True
        stage = self.playing()
        if stage is None or stage["id"] != sheet[0]:
            return False
        table = next(table for each, table in self.sheets() if each == sheet)
        seats = [self.seat(number) for number in table if self.status[number] not in GONE]
        return all(seat is not None and seat[:3] == sheet for seat in seats)

    def field(self, stage: str) -> set[int]:
        """Who plays a stage."""
        place = [each["id"] for each in self.stages].index(stage)
        here = {number for number, status in self.status.items() if status == "present"}
        if place == 0:
            return here
        before = self.stages[place - 1]["id"]
        if before not in self.went_on:
            return self.field(before)
        order = []
        for number in self.went_on[before]:
            while number in self.by:
                number = self.by[number]
            order += [number] if self.status[number] not in GONE else []
        takes = self.stages[place]["takes"]
        return (set(order) | here - set(self.went_on[before])) if takes is None else set(order[:takes])

    def sits_out(self, number: int) -> list[tuple[str, int]]:
        """The sittings that others play or will play without somebody who is here."""
        found = []
        for key in sorted(
            {sheet[:2] for sheet, _ in self.sheets() if not self.finished(sheet)}, key=self._at
        ):
            seated = [other for table in self.tables[key] for other in table]
            if self.status[number] == "present" and number not in seated and number in self.field(key[0]):
                found.append(key)
        return found

    def _at(self, key: tuple[str, int]) -> tuple[int, int]:
        return [stage["id"] for stage in self.stages].index(key[0]), key[1]

    def doing(self, number: int, *, staff: bool) -> str:
        """What somebody does: `resting` is everything without a table."""
        if self.status[number] in GONE:
            return "out"
        seat = self.seat(number)
        if seat is None:
            return "resting"
        if not self.in_play(seat[:3]):
            return "next"
        return "to_sign" if staff and self.all_in(seat[:3]) else "playing"

    def at_table(self, table: int) -> Sheet:
        """The sheet that a table is at: the first in play, else the last finished, else the next."""
        stage, sitting = self.sitting()
        mine = [
            sheet
            for sheet, _ in self.sheets()
            if sheet[0] == stage and sheet[1] >= sitting and sheet[2] == table
        ]
        for sheet in mine:
            if not self.finished(sheet) and self.in_play(sheet):
                return sheet
        done = [sheet for sheet in mine if self.finished(sheet)]
        return done[-1] if done else (stage, sitting, table)


_RESTING = ("expected", "waiting", "finished")


def disagreements(event: RandomEvent, reader: Reader, people: Iterable[int]) -> Iterator[str]:
    """Everything that some page says otherwise than the log; of `people`, each one's own page too."""
    snapshot = event.running.now
    shown = state_for(snapshot, "public")
    whole = page_of(snapshot, shown, live=False)
    # The whole public page says also who can still finish where, which takes long and is not asked here.
    quick = snapshot.version % 10
    public = msgspec.to_builtins(whole if quick else public_page(snapshot, RankBoundsCache()), str_keys=True)
    desk = msgspec.to_builtins(desk_of(event.running, snapshot, HOST, "en"), str_keys=True)
    screen = msgspec.to_builtins(desk_of(event.running, snapshot, SCREEN, "en"), str_keys=True)
    pages = {"public": public, "desk": desk["championship"], "screen": screen["championship"]}
    for name, page in pages.items():
        yield from _of_page(name, page, reader, staff=name == "desk")
    yield from _of_sheets(desk["sheets"], reader)
    for number in people:
        own = msgspec.to_builtins(person_page(snapshot, shown, whole, number), str_keys=True)
        yield from _of_person(own, reader, number)
    stage, sitting = reader.sitting()
    for table, there in enumerate(reader.tables.get((stage, sitting), []), start=1):
        if not there:
            continue
        device = table_page(event.running, snapshot, table, "", 0)
        if (device.stage, device.sitting, device.table) != (at := reader.at_table(table)):
            yield f"device of table {table}: {device.stage} {device.sitting}, not {at}"
        seats = [] if device.sheet is None else [each.number for each in device.sheet.seats]
        if seats != (reader.tables[at[:2]][table - 1] if at in reader.signed or device.sheet else []):
            yield f"device of table {table}: seats {seats}"
    yield from _of_papers(ChampionshipPapers(document_of(event.state)), reader)
    yield from of_status(format_status(event.state, "en"), reader)


def _of_papers(papers: ChampionshipPapers, reader: Reader) -> Iterator[str]:
    """The seat list that hangs on the wall: everybody's seat in the sitting, or a dash for who sits out."""
    stage, sitting = reader.sitting()
    if (played := papers.current()) is None or played != (stage, sitting):
        left = [sheet for sheet, _ in reader.sheets() if not reader.finished(sheet)]
        if reader.tables and (not left or played != left[0][:2]):
            yield f"papers: {played}, not {(stage, sitting)}"
    if (stage, sitting) not in reader.tables:
        return
    (wall,) = (paper for name, paper in papers.all(("wall_by_name",), stage, sitting))
    listed = {row.person.number: row.places[0] for row in wall.rows} if isinstance(wall, WallByName) else {}
    wanted: dict[int, tuple[int, int] | None] = {
        number: (place, seat)
        for place, table in enumerate(reader.tables[stage, sitting], start=1)
        for seat, number in enumerate(table, start=1)
    }
    wanted |= {number: None for number in reader.status if (stage, sitting) in reader.sits_out(number)}
    if listed != wanted:
        yield f"wall list: {listed}, not {wanted}"


def _of_page(name: str, page: Mapping[str, Any], reader: Reader, *, staff: bool) -> Iterator[str]:
    """A whole page: the sitting, everybody, who sits out."""
    now = page["now"]
    if not (page["stage"], page["sitting"]) == (now["stage"], now["sitting"]) == reader.sitting():
        yield f"{name}: sitting {page['stage']} {page['sitting']}, not {reader.sitting()}"
    if page["over"] != (reader.playing() is None):
        yield f"{name}: over {page['over']}"
    for number in reader.status:
        yield from (f"{name}: {told}" for told in of_one(now["people"][number - 1], reader, number, staff))
    sat_out = {number: reader.sits_out(number) for number in reader.status}
    for stage in page["stages"]:
        for one in stage["seated"]:
            key = (stage["id"], one["sitting"])
            out = [number for number in reader.status if key in sat_out[number]]
            if list(one["sits_out"]) != out:
                yield f"{name}: {key} is sat out by {one['sits_out']}, not {out}"
    if [each["table"] for each in now["tables"]] != sorted({each["table"] for each in now["tables"]}):
        yield f"{name}: tables {now['tables']}"
    for each in now["tables"]:
        sheet = (each["stage"], each["sitting"], each["table"])
        if sheet != reader.at_table(each["table"]):
            yield f"{name}: table {sheet}, not {reader.at_table(each['table'])}"
        ended = "finished" if reader.finished(sheet) else "playing"
        wanted = "to_sign" if staff and ended == "playing" and reader.all_in(sheet) else ended
        if each["state"] != wanted and reader.playing() is not None:
            yield f"{name}: table {each['table']} {each['state']}, not {wanted}"


def of_one(told: Mapping[str, Any], reader: Reader, number: int, staff: bool) -> Iterator[str]:
    """One person, as a page or `status --json` has them."""
    if told["number"] != number:
        yield f"{told['number']} in the place of {number}"
    state = "resting" if told["state"] in _RESTING else told["state"]
    if state != reader.doing(number, staff=staff):
        yield f"{number} is {told['state']}, not {reader.doing(number, staff=staff)}"
    seat = told["seat"] and tuple(told["seat"][each] for each in ("stage", "sitting", "table", "seat"))
    if seat != reader.seat(number):
        yield f"{number} sits at {seat}, not {reader.seat(number)}"
    out = [(each["stage"], each["sitting"]) for each in told["sits_out"]]
    if out != reader.sits_out(number):
        yield f"{number} sits out {out}, not {reader.sits_out(number)}"
    expected = reader.status[number] == "entered" and reader.playing() is not None
    if (told["state"] == "expected") != expected:
        yield f"{number} is {told['state']}, on the list as {reader.status[number]}"
    if reader.playing() is None and told["state"] not in ("finished", "out"):
        yield f"{number} is {told['state']} when all is over"


def _of_person(page: Mapping[str, Any], reader: Reader, number: int) -> Iterator[str]:
    """A player's own page, and its way to the table."""
    name = f"page of {number}"
    yield from (f"{name}: {told}" for told in of_one(page["now"], reader, number, staff=False))
    seat = reader.seat(number)
    at = page["at"] and tuple(page["at"][each] for each in ("stage", "sitting", "table", "seat"))
    if at != seat:
        yield f"{name}: in big letters {at}, not {seat}"
    room = page["at"]["room"] if page["at"] else ""
    wanted = reader.rooms.get(seat[:3], "") if seat else ""
    if room != wanted:
        yield f"{name}: leads to room {room!r}, not {wanted!r}"


def _of_sheets(sheets: Iterable[Mapping[str, Any]], reader: Reader) -> Iterator[str]:
    """The desk's tables."""
    for sheet in sheets:
        key = (sheet["stage"], sheet["sitting"], sheet["table"])
        if key != reader.at_table(key[2]):
            yield f"desk: table {key}, not {reader.at_table(key[2])}"
        signed, whole = sheet["signed"] is not None, sheet["complete"]
        if (signed, whole) != (key in reader.signed, reader.all_in(key)):
            yield f"desk: table {key} signed {signed}, complete {whole}"
        if [each["number"] for each in sheet["seats"]] != reader.tables[key[:2]][key[2] - 1]:
            yield f"desk: table {key} has {sheet['seats']}"


_TABLES = re.compile(r"sitting (\d+): tables? ([\d, ]+) (is playing|are playing|has to sign|have to sign)$")
_OUT = re.compile(r"(.+) sits out sitting (\d+)(?:, next: sitting (\d+), table (\d+), seat (\d+))?$")


def of_status(lines: Iterable[str], reader: Reader) -> Iterator[str]:
    """The lines of `meldroom championship status`."""
    stage, sitting = reader.sitting()
    doing, out = {}, {}
    for line in lines:
        if found := _TABLES.match(line):
            for table in found[2].split(", "):
                doing[stage, int(found[1]), int(table)] = "sign" in found[3]
        elif found := _OUT.match(line):
            out[found[1]] = found.groups()[1:]
    tables = range(1, 1 + max((sheet[2] for sheet, _ in reader.sheets()), default=0))
    at = {reader.at_table(table) for table in tables}
    known = {sheet for sheet, _ in reader.sheets()}
    wanted = {
        sheet: reader.all_in(sheet)
        for sheet in at & known
        if not reader.finished(sheet) and reader.in_play(sheet)
    }
    if doing != wanted:
        yield f"status: tables {doing}, not {wanted}"
    for number, name in reader.names.items():
        told = out.get(name)
        if (told is not None) != ((stage, sitting) in reader.sits_out(number)):
            yield f"status: {name} sits out {told}"
        if told is not None:
            seat = reader.seat(number)
            after = (str(seat[1]), str(seat[2]), str(seat[3] + 1)) if seat else (None, None, None)
            if told != (str(sitting), *after):
                yield f"status: {name} {told}, not {after}"
