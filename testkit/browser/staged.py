"""A table set as one wishes: what the server says of a room is changed on its way to the page.

Drafts are judged here, by the same rules, because the server knows nothing of the tiles that were set.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from playwright.sync_api import Page, WebSocketRoute, expect

from meldroom.game.judgement import TurnStart, judge_draft_table
from meldroom.rooms.domain.drafts import judgement
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book as book_of
from meldroom.tiles import Tile
from testkit.browser.table import Table, start_against_bots

FULL_TABLE = (
    "R1 R2 R3 R4 R5",
    "B1 B2 B3 B4",
    "O1 O2 O3",
    "K5 K6 K7 K8 K9 K10",
    "R7 B7 O7",
    "R9 B9 O9 K9",
    "R10 R11 R12 R13",
    "B10 B11 B12 B13",
    "K1 K2 K3 K4",
    "O4 O5 O6",
    "R8 B8 O8 K8",
    "K11 K12 K13",
    "R1 B1 O1 K1",
    "B3 B4 B5 B6",
    "O10 O11 O12 O13",
    "R6 B6 K6",
    "R2 B2 K2",
    "O7 O8 O9",
)
"""Eighteen sets of a game that is nearly over; no face more than twice."""
RACK = "R11 R12 R13 B12 O12 K12 K3 O2 O3 B5 R5 K13 B13 *"


class StagedEnding:
    """Sets how a game of WRC 11 ends, whatever ends it; to be made before the page goes anywhere.

    The first seat laid the last set of the table, and what is left on every rack is the same.
    """

    def __init__(self, page: Page, end: str = "out", table: Sequence[str] = FULL_TABLE) -> None:
        book = book_of("wrc11")
        left: dict[str, list[int]] = {}
        for tile, face in enumerate(book.tiles.faces_text(book.tiles.face_of).split()):
            left.setdefault(face, []).append(tile)
        *self.table, self.rack = [
            [left[face].pop(0) for face in each.split()] for each in (*table, "R11 R12 K3 O2 *")
        ]
        self.end = end
        page.route_web_socket("**/api/v1/live", self._listen)

    def _listen(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def said(text: str | bytes) -> None:
            message = json.loads(text)
            view = message.get("view")
            if view and view["stage"] == "over" and view["game"]:
                self._set(view)
                for event in message["events"]:
                    if event["kind"] == "game_played":
                        self._lay(event)
            socket.send(json.dumps(message))

        server.on_message(said)
        socket.on_message(server.send)

    def _set(self, view: dict[str, Any]) -> None:
        game, seats = view["game"], len(view["seats"])
        racks = [[] if self.end == "out" and seat == 0 else self.rack for seat in range(seats)]
        winners = [] if self.end == "abandoned" else [0]
        game.update(table=self.table, racks=racks, rack_sizes=[len(rack) for rack in racks])
        game["rack"] = [] if view["me"] is None else racks[view["me"]]
        game["withdrawn"] = [self.end == "resigned" and seat > 0 for seat in range(seats)]
        game["result"].update(end=self.end, winners=winners, going_out=None)
        for seat, line in enumerate(view["sheet"] or ()):
            line["rack"] = racks[seat]

    def _lay(self, event: dict[str, Any]) -> None:
        """Another seat lays all but the last set: nothing is left of what the real game had on the table."""
        *before, last = self.table
        tiles = [tile for each in before for tile in each]
        others = {"event": "laid", "seat": 1, "table": before, "tiles": tiles}
        laid = {"event": "laid", "seat": 0, "table": self.table, "tiles": last}
        event["events"] = [others, laid, *event["events"]]


class Stage:
    """Sets tables for one page; to be made before the page goes anywhere."""

    def __init__(self, page: Page, book: str = "wrc11") -> None:
        self.page = page
        self.book: RuleBook = book_of(book)
        self.game: dict[str, Any] = {}
        self.room: dict[str, Any] = {}
        self.hints: Sequence[str] = ()
        self.playable = True
        page.route_web_socket("**/api/v1/live", self._listen)

    def tiles(self, sets: Sequence[str]) -> list[list[int]]:
        """Tiles for faces, each tile once, in the order of asking."""
        left = {face: list(tiles) for face, tiles in self._tiles_by_face().items()}
        return [[left[face].pop(0) for face in each.split()] for each in sets]

    def _tiles_by_face(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = {}
        for tile, face in enumerate(self.book.tiles.faces_text(self.book.tiles.face_of).split()):
            found.setdefault(face, []).append(tile)
        return found

    def set(self, table: Sequence[str] = (), rack: str = RACK, **changes: Any) -> None:
        """What the page is told from now on. Changes are those of the room's view."""
        *laid, held = self.tiles([*table, rack])
        self.game = {"table": laid, "rack": held, "phase": "turn"}
        self.room = changes

    def play(self, *, opponents: int = 1) -> Table:
        """Start a game; the page shows the table that was set, and it is one's turn."""
        table = start_against_bots(self.page, self.book.id, opponents=opponents)
        expect(table.find("draw")).to_be_enabled()
        return table

    def _listen(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        shown = False

        def said(text: str | bytes) -> None:
            nonlocal shown
            message = json.loads(text)
            # Once the table is set nothing disturbs it, whatever the bots of the real game do.
            if shown and message["type"] in ("update", "drafted"):
                return
            shown = shown or self._set(message)
            socket.send(json.dumps(message))

        server.on_message(said)

        def heard(text: str | bytes) -> None:
            answer = self._answer(json.loads(text))
            if answer is None:
                server.send(text)
            else:
                socket.send(json.dumps(answer))

        socket.on_message(heard)

    def _set(self, message: dict[str, Any]) -> bool:
        """Put the table into a message that has one; False if it has none."""
        view = message.get("view")
        if not view or not view.get("game") or not self.game:
            return False
        game, me = view["game"], view["me"]
        game.update(self.game, seat=me, melded=[True] * len(view["seats"]))
        game["rack_sizes"][me] = len(game["rack"])
        game["pool_size"] = max(1, 106 - sum(game["rack_sizes"]) - sum(len(tiles) for tiles in game["table"]))
        view.update({"changed": [], "draft": None, **self.room})
        return True

    def _answer(self, command: dict[str, Any]) -> dict[str, Any] | None:
        if not self.game:
            return None
        answer = {"type": "done", "id": command["id"], "now": 0}
        match command["do"]:
            case "draft":
                return {**answer, "judgement": self._judged(command.get("table") or self.game["table"])}
            case "playable":
                return {**answer, "playable": self.playable}
            case "hint" if self.hints:
                step = command["step"]
                lines = [{"parts": [line]} for line in self.hints[step - 1].splitlines()]
                return {
                    **answer,
                    "hint": {"step": step, "steps": len(self.hints), "text": "", "lines": lines},
                }
            case _:
                return None

    def _judged(self, table: list[list[int]]) -> Any:
        before = tuple(tuple(tiles) for tiles in self.game["table"])
        start = TurnStart(self.book, 0, 2, tuple(self.game["rack"]), True, before, ())
        found = judge_draft_table(start, tuple(tuple(map(Tile, tiles)) for tiles in table))
        return msgspec.to_builtins(judgement(found, "en"))
