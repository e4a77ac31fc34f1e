"""Checks an exported championship from its files alone; it shares no code with Meldroom.

    python3 championship_verifier.py FOLDER

The folder is what `meldroom championship export` wrote. Checked are the chain of the log, every raffle
(commitment and tables), that every sitting seats everybody once, every score sheet's sum, and the standings
of every closed stage with who goes on, against the log and against standings.csv. Seatings by standings are
checked for who sits, not searched for again.
"""

from __future__ import annotations

import csv
import hashlib
import hmac
import itertools
import json
import sys
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

Key = tuple[str, int, int, int]
TILES = [f"{colour}{number}" for colour in "KRBO" for number in range(1, 14) for _ in "12"] + ["*", "*"]
NO = ("", "0", "-", "–", "no", "n", "non", "false", "faux")


def packed(value: Any) -> bytes:
    """JSON without spaces, as it was hashed."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def shuffled(secret: str, words: list[str], label: str, items: Any) -> list[Any]:
    """Items in the order of a secret: Fisher–Yates from the last place down, 64-bit words of HMAC-SHA-256."""
    result, message = list(items), packed([*words, label])
    blocks = (
        hmac.digest(secret.encode(), message + n.to_bytes(8, "big"), "sha256") for n in itertools.count()
    )
    numbers = (int.from_bytes(block[at : at + 8], "big") for block in blocks for at in range(0, 32, 8))
    for last in range(len(result) - 1, 0, -1):
        fair = 2**64 - 2**64 % (last + 1)
        other = next(number for number in numbers if number < fair) % (last + 1)
        result[last], result[other] = result[other], result[last]
    return result


def drawn(entry: dict[str, Any], seed: str, words: list[str]) -> list[int] | None:
    """Which entrant, by place in the list, drew each number of the plan; None if no draw keeps apart."""
    entrants, plan = entry["entrants"], entry["plan"]
    groups, where = entry.get("apart", []), entry.get("apart_in", "all")
    digest, count = digest_of(entry), len(entrants)
    avoids = bool(entry.get("met") or entry.get("short"))
    best: tuple[tuple[int, int], list[int]] | None = None
    seen = [set(table) for sitting in (plan if where == "all" else plan[:1]) for table in sitting]
    meets = [set().union(*(table for table in seen if n in table)) - {n} for n in range(count)]
    apart = [set().union(*(set(group) for group in groups if n in group)) - {n} for n in range(count)]
    for attempt in range(100 if avoids else 5):
        order = shuffled(seed, [digest, *words], f"numbers {attempt}", range(count))
        resting: list[int] = []

        def clashes(number: int, order: list[int] = order) -> int:
            return sum(order[other] in apart[order[number]] for other in meets[number])

        def change(one: int, two: int, order: list[int] = order) -> int:
            before = clashes(one, order) + clashes(two, order)
            order[one], order[two] = order[two], order[one]
            after = clashes(one, order) + clashes(two, order)
            order[one], order[two] = order[two], order[one]
            return after - before

        for step in range(400):
            clashing = [number for number in range(count) if clashes(number, order)]
            if not clashing:
                break
            one = shuffled(seed, [digest, *words], f"clash {attempt} {step}", clashing)[0]
            options = {
                two: change(one, two, order) for two in range(count) if two != one and two not in resting
            }
            least = [two for two in options if options[two] == min(options.values())]
            two = shuffled(seed, [digest, *words], f"exchange {attempt} {step}", least)[0]
            order[one], order[two] = order[two], order[one]
            resting = [*resting, one, two][-(count // 3) :][-30:]
        if not any(clashes(number, order) for number in range(count)):
            again = avoided(entry, order) if avoids else (0, 0)
            if best is None or again < best[0]:
                best = again, order
            if not any(again):
                break
    return None if best is None else best[1]


def digest_of(entry: dict[str, Any]) -> str:
    """What the commitment of a draw is to, besides the seed."""
    listed = [entry["entrants"], entry["plan"], entry.get("apart", []), entry.get("apart_in", "all")]
    if entry.get("met") or entry.get("short"):
        listed += [entry.get("met", []), entry.get("short", [])]
    return hashlib.sha256(packed(listed)).hexdigest()


def avoided(entry: dict[str, Any], order: list[int]) -> tuple[int, int]:
    """Who sits at a short table again, and pairs who meet again: the draw with the fewest counts."""
    tables = [[order[n] for n in table] for sitting in entry["plan"] for table in sitting]
    full = max(map(len, tables))
    met = [set(table) for table in entry.get("met", [])]
    short = sum(n in entry.get("short", []) for table in tables if len(table) < full for n in table)
    pairs = [set(pair) for table in tables for pair in itertools.combinations(table, 2)]
    return short, sum(any(pair <= earlier for earlier in met) for pair in pairs)


def kept(status: str) -> str:
    """A status as far as it matters here."""
    return status if status in ("entered", "present", "disqualified") else "out"


class Championship:
    """What the log says, read line by line; `faults` is everything that does not hold."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.unchecked: list[str] = []
        self.notes: list[str] = []
        self.erased: set[int] = set()
        self.names: list[str] = []
        self.status: list[str] = []
        self.before: dict[int, str] = {}
        self.heir: dict[int, int] = {}
        self.format: dict[str, Any] = {}
        self.draws: dict[str, dict[str, Any]] = {}
        self.tables: dict[tuple[str, int], list[list[int]]] = {}
        self.results: dict[Key, dict[str, Any]] = {}
        self.signed: set[tuple[str, int, int]] = set()
        self.voids: dict[Key, dict[str, Any]] = {}
        self.ended: set[str] = set()
        self.resting: dict[tuple[str, int], set[int]] = {}
        self.lots: dict[str, list[tuple[list[int], str]]] = defaultdict(list)
        self.closed: dict[str, list[int]] = {}
        self.penalties: list[dict[str, Any]] = []
        self.people: list[dict[str, Any]] = []
        self.arranged: dict[str, Any] = {}
        self.deals: dict[str, dict[str, Any]] = {}
        self.pins: set[str] = set()
        self.checked = {"draws": 0, "sittings": 0, "results": 0, "stages": 0}

    def stages(self) -> list[str]:
        """The stages' ids in order."""
        return [stage["id"] for stage in self.format["stages"]]

    def stage(self, name: str) -> dict[str, Any]:
        """A stage as the founding entry gives it."""
        return next(stage for stage in self.format["stages"] if stage["id"] == name)

    def successor(self, number: int) -> int:
        """Who sits for somebody now."""
        while number in self.heir:
            number = self.heir[number]
        return number

    def present(self, number: int) -> bool:
        """Whether somebody plays on."""
        return self.status[number - 1] in ("entered", "present")

    def read(self, action: dict[str, Any], line: int, reason: str = "") -> None:
        """One entry of the log."""
        self.reason = reason
        handler = getattr(self, "on_" + action["do"], None)
        if handler is None:
            self.faults.append(f"line {line}: unknown action {action['do']}")
        else:
            handler(action, f"line {line}")

    def on_found(self, action: dict[str, Any], _: str) -> None:
        """The championship begins."""
        self.name, self.edition = action["name"], action["edition"]
        self.format = action["format"]
        self.checks = action.get("checks", 1)
        self.lot = action.get("lot", "")

    def draw_lot(self, action: dict[str, Any], where: str) -> tuple[str, list[str]]:
        """Secret and words of a lot: its own, committed to by an entry before, or the hall's word (R74)."""
        if self.checks < 3:
            return self.secret(), []
        lot = action.get("lot") or {}
        seed, word = lot.get("seed", ""), lot.get("word", "")
        if seed and hashlib.sha256(f"lot {seed}".encode()).hexdigest() != self.lot:
            self.faults.append(f"{where}: the secret of the lot does not give its commitment")
        if not seed and not word:
            self.faults.append(f"{where}: a lot was drawn from nothing")
        if not seed:
            self.notes.append(f"{where}: a lot was drawn from a word of the hall alone: {word}")
        return seed, [word] if word else []

    def on_adopt(self, action: dict[str, Any], _: str) -> None:
        """It continues from an exported document: what came before can be read, not checked."""
        document = action["document"]
        self.on_found(document["event"], "")
        for one in document["entrants"]:
            self.enter(one["entrant"])
            self.status.append(kept(one["status"]))
            if one["replaced_by"] is not None:
                self.heir[one["number"]] = one["replaced_by"]
        self.draws = {draw["stage"]: draw for draw in document["draws"]}
        self.tables = {(each["stage"], each["sitting"]): each["tables"] for each in document["seating"]}
        for each in document["games"]:
            self.results[each["stage"], each["sitting"], each["table"], each["game"]] = each["result"]
        for each in document["decisions"]:
            self.lots[each["stage"]].append((each["order"], each["how"]))
        self.closed = {each["stage"]: each["order"] for each in document["closings"]}
        for each in document["penalties"]:
            self.penalties.append({**each["penalty"], "cancelled": bool(each.get("cancelled_by"))})
        self.arranged = document.get("arrangements", {})
        self.deals = {each["stage"]: each for each in document.get("deals", [])}
        self.signed = {(each["stage"], each["sitting"], each["table"]) for each in document["sheets"]}
        self.ended = {each["stage"] for each in document.get("ended", [])}
        self.lot = action.get("lot", "") or self.lot
        for each in document.get("voids", []):
            self.voids[each["stage"], each["sitting"], each["table"], each["game"]] = each["void"]
        for each in document["seating"]:
            self.resting[each["stage"], each["sitting"]] = set(each.get("sitting_out", []))

    def enter(self, entrant: dict[str, Any]) -> None:
        """Somebody gets the next number."""
        self.names.append(entrant["name"])
        self.people.append(entrant)

    def on_import_entrants(self, action: dict[str, Any], _: str) -> None:
        """A list."""
        for entrant in action["entrants"]:
            self.enter(entrant)
            self.status.append("entered")

    def on_add_entrant(self, action: dict[str, Any], _: str) -> None:
        """A late entry."""
        self.enter(action["entrant"])
        self.status.append("entered")

    def on_amend_entrant(self, action: dict[str, Any], _: str) -> None:
        """Corrected details."""
        self.names[action["number"] - 1] = action["entrant"]["name"]
        self.people[action["number"] - 1] = action["entrant"]

    def become(self, number: int, status: str) -> None:
        """Somebody's status, and what it was before."""
        self.before[number] = self.status[number - 1]
        self.status[number - 1] = status

    def on_check_in(self, action: dict[str, Any], where: str) -> None:
        """Somebody is here; an override names what it admits them against."""
        for breach in action.get("breaks", []):
            how = "known not to be met" if breach["known"] else "not known to be met"
            name = self.names[action["number"] - 1]
            self.notes.append(f"{where}: {name} was admitted though {breach['condition']} is {how}")
        self.become(action["number"], "present")

    def gone(self, action: dict[str, Any], _: str) -> None:
        """Somebody plays no more."""
        self.become(action["number"], "out")

    on_decline = on_no_show = on_withdraw = gone

    def on_disqualify(self, action: dict[str, Any], where: str) -> None:
        """Somebody has no place any more."""
        if not self.reason:
            self.faults.append(f"{where}: somebody was disqualified without a reason")
        self.become(action["number"], "disqualified")

    def on_undo_status(self, action: dict[str, Any], where: str) -> None:
        """A slip is undone: the status must be the one before it."""
        number, to = action["number"], action["to"]
        to = kept(to)
        was = "entered" if action["undone"] == "present" else self.before.get(number, to)
        if to != was or not self.reason:
            self.faults.append(f"{where}: this is not what player {number} was before, or no reason is given")
        self.become(number, to)

    def on_substitute(self, action: dict[str, Any], _: str) -> None:
        """Somebody takes seats that are not yet played."""
        old, new = action["number"], len(self.names) + 1
        self.enter(action["by"])
        self.status.append("present")
        self.status[old - 1] = "out"
        self.heir[old] = new
        played = {key[:3] for key in self.results}
        for key, tables in self.tables.items():
            for place, table in enumerate(tables, start=1):
                if (*key, place) not in played:
                    table[:] = [new if number == old else number for number in table]
            if old in self.resting.get(key, set()) and not any(found[:2] == key for found in played):
                self.resting[key] = self.resting[key] - {old} | {new}

    def on_announce_draw(self, action: dict[str, Any], where: str) -> None:
        """The names must be those of the entrants."""
        listed = [self.names[number - 1] for number in action["numbers"]]
        if listed != action["entry"]["entrants"]:
            self.faults.append(f"{where}: the names of the draw are not those of the entrants")
        self.check_earlier(action, where)
        if action["stage"] in self.draws:
            why = action.get("why") or self.reason
            self.notes.append(
                f"{where}: the draw of {action['stage']} was announced again: {why or 'no reason'}"
            )
            if not why and self.checks > 1:
                self.faults.append(f"{where}: a draw was announced again without a reason")
        self.draws[action["stage"]] = {**action, "words": [], "seed": None}

    def check_earlier(self, action: dict[str, Any], where: str) -> None:
        """What a draw says of earlier tables must be so."""
        place = {number: index for index, number in enumerate(action["numbers"])}
        before = self.stages()[: self.stages().index(action["stage"])]
        tables = [table for key, all in self.tables.items() if key[0] in before for table in all]
        there = [sorted(place[n] for n in table if n in place) for table in tables]
        full = self.table_size()[0]
        short = {n for table, here in zip(tables, there, strict=True) if len(table) < full for n in here}
        entry = action["entry"]
        if "met" in entry and sorted(entry["met"]) != sorted(here for here in there if len(here) > 1):
            self.faults.append(f"{where}: the draw names other earlier tables than there were")
        if "short" in entry and entry["short"] != sorted(short):
            self.faults.append(f"{where}: the draw names others who sat at a short table")

    def on_add_word(self, action: dict[str, Any], _: str) -> None:
        """A word from the hall."""
        self.draws[action["stage"]]["words"].append(action["word"])

    def on_reveal(self, action: dict[str, Any], where: str) -> None:
        """The seed must give the commitment, and the tables must follow from it."""
        draw = self.draws[action["stage"]]
        draw["seed"] = action["seed"]
        entry = draw["entry"]
        digest = digest_of(entry)
        if self.erased & set(draw["numbers"]):
            self.unchecked.append(f"{where}: a name in this draw was erased; it cannot be computed again")
        else:
            if hashlib.sha256(f"{digest} {action['seed']}".encode()).hexdigest() != draw["commitment"]:
                self.faults.append(f"{where}: seed and entrants do not give the commitment")
            order = drawn(entry, action["seed"], draw["words"])
            numbers = [self.successor(draw["numbers"][place]) for place in order or ()]
            sittings = [[[numbers[n] for n in table] for table in sitting] for sitting in entry["plan"]]
            if sittings != action["sittings"]:
                self.faults.append(f"{where}: the tables are not those that the seed gives")
            keys = self.drawn_together(action["stage"])
            first = [
                self.first_starters(action["seed"], [digest, *draw["words"]], key, tables)
                for key, tables in zip(keys, action["sittings"], strict=True)
            ]
            if action.get("starters", []) != (first if any(first) else []):
                self.faults.append(f"{where}: the starters at short tables are not those that the seed gives")
            self.checked["draws"] += 1
        for key, tables in zip(self.drawn_together(action["stage"]), action["sittings"], strict=True):
            self.seat(key, tables, {self.successor(number) for number in draw["numbers"]}, where)

    def first_starters(
        self, secret: str, words: list[str], key: tuple[str, int], tables: list[list[int]]
    ) -> list[int]:
        """Which seat starts first, table by table, where not all start equally often (R66)."""
        games = self.stage(key[0])["games"]
        if self.stage(key[0]).get("duplicate"):
            return []
        if self.checks < 2 or not any(games % len(table) for table in tables if table):
            return []
        return [
            shuffled(secret, words, f"starter {key[0]} {key[1]} {place}", range(len(table)))[0]
            if table and games % len(table)
            else 0
            for place, table in enumerate(tables, start=1)
        ]

    def secret(self) -> str:
        """What later lots are drawn from: all seeds revealed."""
        seeds = [self.draws[s]["seed"] for s in self.stages() if self.draws.get(s, {}).get("seed")]
        return " ".join(seeds) or f"{self.name} {self.edition}"

    def check_starters(self, action: dict[str, Any], where: str) -> None:
        """Who starts at tables that no raffle seated, where that is drawn."""
        key, tables = (action["stage"], action["sitting"]), action["tables"]
        if self.checks < 3:
            return
        drawn = self.first_starters("", [], key, tables)
        if drawn or action["how"] == "standings":
            secret, words = self.draw_lot(action, where)
            drawn = self.first_starters(secret, words, key, tables)
        if action.get("starters", []) != drawn:
            self.faults.append(f"{where}: the starters are not those that the lot gives")

    def check_late(self, action: dict[str, Any], where: str) -> None:
        """Late entrants get open places by lot, and nobody else moves (R64)."""
        stage, sitting = action["stage"], action["sitting"]
        before, full = self.tables[stage, sitting], self.table_size()[0]
        there = {number for table in before for number in table}
        played = {key[:3] for key in self.results}
        unplayed = [
            n for n, table in enumerate(before, start=1) if table and (stage, sitting, n) not in played
        ]
        here = {n: [number for number in before[n - 1] if self.present(number)] for n in unplayed}
        alone = {n: here[n][0] for n in unplayed if len(here[n]) == 1 and self.checks > 2}
        newcomers = sorted({n for n in self.field(stage) if n not in there} | set(alone.values()))
        places = [n for n in unplayed if len(before[n - 1]) < full and n not in alone]
        freed = [n for n in unplayed if n not in places and n not in alone and len(here[n]) < full]
        label = f"late {stage} {sitting} {' '.join(map(str, newcomers))}"
        secret, words = self.draw_lot(action, where)
        drawn = shuffled(secret, words, label, places)
        if self.checks > 2:
            drawn += shuffled(secret, words, f"{label} freed", freed)
        joins = dict(zip(drawn, newcomers, strict=False))
        right = [
            [] if place in alone else self.joined(table, joins.get(place))
            for place, table in enumerate(before, start=1)
        ]
        if right != action["tables"]:
            self.faults.append(f"{where}: late entrants do not sit where the lot puts them")

    def joined(self, table: list[int], number: int | None) -> list[int]:
        """A table with somebody more: at the place of who has left, else at the end (R75)."""
        if number is None:
            return table
        empty = [n for n in table if not self.present(n)] if self.checks > 2 else []
        return [number if n == empty[0] else n for n in table] if empty else [*table, number]

    def drawn_together(self, stage: str) -> list[tuple[str, int]]:
        """The sittings of a raffle."""
        if self.stage(stage)["seating"] == "standings":
            return [(stage, 1)]
        names = [stage]
        for later in self.stages()[self.stages().index(stage) + 1 :]:
            if self.stage(later)["seating"] != "planned":
                break
            names.append(later)
        return [(name, n) for name in names for n in range(1, self.stage(name)["sittings"] + 1)]

    def house(self, section: str, field: str, published: Any) -> Any:
        """A field of the house book, or what the published books say."""
        return self.format.get("house", {}).get(section, {}).get(field, published)

    def table_size(self) -> tuple[int, int]:
        """How many sit at a full table and at a short one."""
        full = self.house("tournament", "table_size", 4)
        return full, max(full - 1, self.house("players", "minimum", 2), 2)

    def seat(self, key: tuple[str, int], tables: list[list[int]], field: set[int], where: str) -> None:
        """Everybody of the field once, at full or short tables; who fits at none sits out: one of five."""
        full, short = self.table_size()
        seated = [number for table in tables for number in table]
        missing = len(field - set(seated))
        fitting = max(
            (
                n
                for n in range(len(field) + 1)
                if -(-n // full) * short <= n and (short < full or n % full == 0)
            ),
            default=0,
        )
        if len(set(seated)) != len(seated) or set(seated) - field or missing != len(field) - fitting:
            self.faults.append(f"{where}: sitting {key} does not seat everybody once")
        if any(len(table) not in (full, short) for table in tables):
            self.faults.append(f"{where}: sitting {key} has a table of a wrong size")
        self.tables[key] = [list(table) for table in tables]
        self.resting[key] = field - set(seated)
        self.checked["sittings"] += 1

    def on_seat_sitting(self, action: dict[str, Any], where: str) -> None:
        """Tables by the standings, changed, by hand, or with late entrants."""
        key = (action["stage"], action["sitting"])
        if action["stage"] in self.ended:
            self.faults.append(f"{where}: sitting {key} was seated after its stage had ended")
        rested = self.resting.get(key, set())
        if action["how"] == "late":
            self.check_late(action, where)
        if action["how"] == "late" and self.checks > 2:
            # Compared with the lot as a whole: who has left keeps an empty place, a table may be broken up.
            self.tables[key] = [list(table) for table in action["tables"]]
            self.checked["sittings"] += 1
        else:
            self.seat(key, action["tables"], set(self.field(action["stage"])), where)
        if action["how"] != "late":
            self.check_starters(action, where)
        self.lot = (action.get("lot") or {}).get("next", self.lot)
        if action["how"] == "late":
            self.resting[key] = rested - {number for table in action["tables"] for number in table}

    def on_correct_seats(self, action: dict[str, Any], where: str) -> None:
        """Who actually sat there: nobody twice, and a seat for every score."""
        key = (action["stage"], action["sitting"])
        tables = [list(table) for table in self.tables[key]]
        for each in action["tables"]:
            place = each["table"] - 1
            scored = any(found[:3] == (*key, each["table"]) for found in self.results)
            if scored and len(tables[place]) != len(each["players"]):
                self.faults.append(f"{where}: the table has results for another number of seats")
            tables[place] = list(each["players"])
        seated = [number for table in tables for number in table]
        if len(set(seated)) != len(seated) or not set(seated) <= set(range(1, len(self.names) + 1)):
            self.faults.append(f"{where}: somebody sits twice, or is not known")
        there = {number for table in self.tables[key] for number in table}
        self.resting[key] = (there | self.resting.get(key, set())) - set(seated)
        self.tables[key] = tables
        self.notes.append(f"{where}: seats of sitting {key} were corrected: {self.reason}")
        self.reopen(action["stage"])

    def field(self, stage: str) -> list[int]:
        """Who plays a stage."""
        everybody = [n for n in range(1, len(self.names) + 1) if self.status[n - 1] == "present"]
        place = self.stages().index(stage)
        if not place:
            return everybody
        order = self.closed[self.stages()[place - 1]]
        here = [number for number in map(self.successor, order) if self.present(number)]
        takes = self.stage(stage).get("takes")
        if takes is not None:
            return here[:takes]
        return here + [number for number in everybody if number not in order and number not in here]

    def on_enter_result(self, action: dict[str, Any], where: str) -> None:
        """A game won by going out sums to zero, but in the book where winners count their own tiles."""
        key = (action["stage"], action["sitting"], action["table"], action["game"])
        result = action["result"]
        scores = [score for score in result["scores"] if score is not None]
        if result.get("end", "out") == "out" and not self.own_tiles() and sum(scores):
            self.faults.append(f"{where}: the scores do not add up")
        if key in self.voids:
            self.faults.append(f"{where}: a void game has no result")
        if self.checks > 1 and result.get("end", "out") == "out" and max(scores, default=0) <= 0:
            self.faults.append(f"{where}: somebody went out, but nobody is in plus")
        self.results[key] = result
        self.checked["results"] += 1

    def own_tiles(self) -> bool:
        """Whether a winner counts their own tiles instead of what the others lose."""
        book = self.format.get("house", {}).get("base", self.format["book"])
        counted = "own_tiles" if book == "rummyo" else "opponents"
        return bool(self.house("scoring", "winner", counted) == "own_tiles")

    def on_correct_result(self, action: dict[str, Any], where: str) -> None:
        """A stage that nothing was played after is open again; what was seated from it falls."""
        self.on_enter_result(action, where)
        self.reopen(action["stage"])

    def reopen(self, stage: str) -> None:
        """The standings of a stage have changed."""
        later = self.stages()[self.stages().index(stage) + 1 :]
        if stage not in self.closed or any(key[0] in later for key in self.results):
            return
        kept = {
            key
            for name, draw in self.draws.items()
            if name not in later and draw["seed"] is not None
            for key in self.drawn_together(name)
        }
        for name in (stage, *later):
            self.closed.pop(name, None)
        for name in later:
            self.draws.pop(name, None)
        self.tables = {key: t for key, t in self.tables.items() if key[0] not in later or key in kept}

    def on_sign_sheet(self, action: dict[str, Any], _: str) -> None:
        """What is signed counts when a stage ends early."""
        self.signed.add((action["stage"], action["sitting"], action["table"]))

    def on_settle_dispute(self, _: dict[str, Any], __: str) -> None:
        """Nothing to compute."""

    on_record_payment = on_settle_dispute

    def games(self, stage: str) -> list[Key]:
        """Every game of the sittings that are seated."""
        count = range(1, self.stage(stage)["games"] + 1)
        return [
            (*key, table, game)
            for key, tables in self.tables.items()
            if key[0] == stage
            for table in range(1, len(tables) + 1)
            if tables[table - 1]
            for game in count
        ]

    def make_void(self, key: Key, action: dict[str, Any], *, ended: bool) -> None:
        """No result for anybody; what was entered is kept."""
        result = self.results.pop(key, None)
        self.voids[key] = {"result": result, "ended": ended}
        if result is not None and key[:3] in self.signed:
            self.notes.append(f"game {key} was signed and is void: {action['why']}")

    def on_void_game(self, action: dict[str, Any], where: str) -> None:
        """A game without a result, for a reason that everybody can read."""
        key = (action["stage"], action["sitting"], action["table"], action["game"])
        if key not in self.games(key[0]) or key in self.voids or not self.reason:
            self.faults.append(f"{where}: there is no such game to make void, or no reason is given")
        had = key in self.results
        self.make_void(key, action, ended=False)
        if had:
            self.reopen(key[0])

    def on_end_stage(self, action: dict[str, Any], where: str) -> None:
        """Everything that is not signed is void, and nothing that is."""
        stage = action["stage"]
        out = [
            key
            for key in self.games(stage)
            if key not in self.voids and not (key in self.results and key[:3] in self.signed)
        ]
        if sorted(map(list, (key[1:] for key in out))) != sorted(action.get("void", [])):
            self.faults.append(f"{where}: {stage} does not end with just what is signed")
        if not self.reason or stage in self.ended or stage in self.closed:
            self.faults.append(f"{where}: {stage} cannot end here, or no reason is given")
        for void in action.get("void", []):
            self.make_void((stage, *void), action, ended=True)
        self.ended.add(stage)
        self.notes.append(f"{where}: {stage} ended early: {self.reason}")

    def on_undo_void(self, action: dict[str, Any], where: str) -> None:
        """Void games count again as they were entered, or are to be played."""
        stage = action["stage"]
        if action.get("game"):
            keys = [(stage, action["sitting"], action["table"], action["game"])]
        else:
            keys = [key for key, void in self.voids.items() if key[0] == stage and void["ended"]]
            if stage not in self.ended:
                self.faults.append(f"{where}: {stage} did not end early")
            self.ended.discard(stage)
        for key in keys:
            void = self.voids.pop(key, None)
            if void is None or not self.reason:
                self.faults.append(f"{where}: game {key} is not void, or no reason is given")
            elif void["result"] is not None:
                self.results[key] = void["result"]
            else:  # To be played, and signed anew.
                self.signed.discard(key[:3])
        self.reopen(stage)

    def on_set_pin(self, action: dict[str, Any], where: str) -> None:
        """Who has a PIN; the PIN itself is in no log."""
        if action.get("removed"):
            if action["referee"] not in self.pins:
                self.faults.append(f"{where}: {action['referee']} had no PIN")
            self.pins.discard(action["referee"])
        else:
            self.pins.add(action["referee"])

    def check_confirmed(self, action: dict[str, Any], referee: str, line: int) -> None:
        """Only who has a PIN confirms with it, and in no other name."""
        if referee not in self.pins or action.get("referee", referee) != referee:
            self.faults.append(f"line {line}: {referee} cannot have confirmed this with a PIN")

    def on_erase_entrant(self, action: dict[str, Any], _: str) -> None:
        """Nothing is known of somebody any more but their country."""
        known = self.people[action["number"] - 1]
        self.people[action["number"] - 1] = {"name": action["alias"], "country": known.get("country", "")}

    def on_announce_deals(self, action: dict[str, Any], where: str) -> None:
        """Deals are fixed before play; to announce them again is told."""
        stage = action["stage"]
        if any(key[0] == stage for key in self.results):
            self.faults.append(f"{where}: deals were announced for a stage that has results")
        if stage in self.deals:
            self.notes.append(f"{where}: the deals of {stage} were announced again: {self.reason}")
            if not self.reason:
                self.faults.append(f"{where}: deals were announced again without a reason")
        self.deals[stage] = {**action, "seed": None}

    def on_reveal_deals(self, action: dict[str, Any], where: str) -> None:
        """The seed must be the one committed to, and the stage played."""
        stage, seed = action["stage"], action["seed"]
        digest = hashlib.sha256(f"deals {stage} {seed}".encode()).hexdigest()
        if digest != self.deals[stage]["commitment"]:
            self.faults.append(f"{where}: the seed of the deals does not give the commitment")
        own = self.stage(stage)
        for sitting in range(1, own["sittings"] + 1):
            for table in range(1, len(self.tables.get((stage, sitting), [])) + 1):
                keys = [(stage, sitting, table, game) for game in range(1, own["games"] + 1)]
                if any(key not in self.results and key not in self.voids for key in keys):
                    self.faults.append(f"{where}: deals were shown while table {table} still played")
        self.deals[stage]["seed"] = seed

    def dealt(self, stage: str, seed: str, sitting: int, game: int) -> list[str]:
        """All tiles in the order of a deal: rack by rack, then the pool."""
        full = self.table_size()[0]
        doubles = 0 if self.format["book"] == "tml" else 3
        for attempt in itertools.count():
            message = packed(["deal", stage, sitting, game, attempt])
            secret = hmac.digest(seed.encode(), message, "sha256").hex()
            order = shuffled(secret, [], f"game {game} deal 1", TILES)
            racks = [order[14 * seat : 14 * seat + 14] for seat in range(full)]
            pairs = [sum(rack.count(tile) // 2 for tile in {*rack} - {"*"}) for rack in racks]
            if not doubles or max(pairs) < doubles:
                return order
        return []

    def add_field_points(self, found: dict[int, Any], stage: str) -> None:
        """Points against everybody who held the same racks in the same deal."""
        kind = self.stage(stage)["duplicate"]
        held: dict[tuple[int, int], dict[tuple[int, int], list[tuple[int, int]]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for key, result in self.results.items():
            if key[0] == stage:
                table = self.tables[key[0], key[1]][key[2] - 1]
                for seat, score in enumerate(result["scores"]):
                    if score is not None:
                        held[key[1], key[3]][len(table), seat].append((table[seat], score))
        for groups in held.values():
            most = max(map(len, groups.values()))
            for group in groups.values():
                for number, mine in group:
                    others = [score for other, score in group if other != number]
                    if not others:
                        found[number]["points"] += most - 1 if kind == "matchpoints" else 0
                        continue
                    value = mine * len(others) - sum(others)
                    if kind == "matchpoints":
                        beaten = sum(2 * (mine > other) + (mine == other) for other in others)
                        value = beaten * (most - 1)
                    size = (2 * abs(value) + len(others)) // (2 * len(others))
                    found[number]["points"] += size if value >= 0 else -size

    def on_arrange(self, action: dict[str, Any], where: str) -> None:
        """Prizes, categories and teams; when games have been played, a change is told."""
        if self.results:
            if not self.reason:
                self.faults.append(f"{where}: prizes or teams were changed during play without a reason")
            self.notes.append(f"{where}: prizes or teams were changed during play: {self.reason}")
        self.arranged = action["arrangements"]

    def belongs(self, category: dict[str, Any], number: int) -> bool:
        """Whether an entrant meets everything that a category asks."""
        one = self.people[number - 1]
        born = one.get("born") or ""
        said = {title.strip().casefold(): text.strip().casefold() for title, text in one.get("more", [])}
        text = said.get(category.get("column", "").strip().casefold(), "")
        wanted = category.get("value", "").strip().casefold()
        asked = [
            "born_from" not in category or (bool(born) and born >= category["born_from"]),
            "born_until" not in category or (bool(born) and born <= category["born_until"]),
            not category.get("country") or one.get("country", "") == category["country"],
            not category.get("team") or one.get("team", "") == category["team"],
            not category.get("newcomer") or one.get("editions") == [],
            not category.get("column") or (text == wanted if wanted else text not in NO),
            not category.get("players") or number in category["players"],
        ]
        return all(asked)

    def ranking(self) -> list[tuple[int, int]]:
        """Final places: by the last stage each has played."""
        found: list[tuple[int, int]] = []
        seen: set[int] = set()
        for stage in reversed(self.stages()):
            if not any(key[0] == stage for key in self.results):
                continue
            first, last_place, place = len(found), 0, 0
            rows = [row for row in self.standings(stage) if row["number"] not in seen]
            here = [row for row in rows if not row.get("none")]
            for position, row in enumerate(here):
                if not position or row["place"] != last_place:
                    place = first + position + 1
                last_place = row["place"]
                found.append((place, row["number"]))
            seen.update(row["number"] for row in here)
        return found

    def teams(self) -> list[dict[str, Any]]:
        """Team standings as they are exported, row by row."""
        rule = self.arranged.get("teams")
        if rule is None:
            return []
        stage = rule.get("stage") or self.stages()[0]
        if not any(key[0] == stage for key in self.tables):
            return []
        rows = [r for r in self.standings(stage) if self.status[r["number"] - 1] != "disqualified"]
        groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows:
            if team := self.people[row["number"] - 1].get("team", ""):
                groups[team].append(row)
        size = rule.get("best") or max(map(len, groups.values()), default=0)
        criteria = rule.get("ranking") or [name for name in self.criteria(stage) if name != "best_games"]
        found = []
        for team, members in groups.items():
            counted = members[:size]
            mine: dict[str, Any] = {
                name: sum(row[name] for row in counted) for name in ("wins", "points", "score")
            }
            mine["places"] = sum(row["place"] for row in counted) + (len(rows) + 1) * (size - len(counted))
            key = [-mine[name] if name == "places" else mine[name] for name in criteria]
            mine |= {"team": team, "key": (key, [-row["place"] for row in counted])}
            mine["counted"] = " ".join(str(row["number"]) for row in counted)
            found.append(mine)
        found.sort(key=lambda mine: mine["team"])
        found.sort(key=lambda mine: mine["key"], reverse=True)
        for place, mine in enumerate(found):
            level = place and mine["key"] == found[place - 1]["key"]
            mine["place"] = found[place - 1]["place"] if level else place + 1
        return found

    def awards(self) -> list[tuple[int, str]]:
        """Each prize, by its place in the list, with who gets it: a player's number or a team."""
        if len(self.closed) < len(self.stages()):
            return []
        categories = {each["id"]: each for each in self.arranged.get("categories", [])}
        served: dict[str, set[str]] = {"players": set(), "teams": set()}
        found: list[tuple[int, str]] = []
        for number, prize in enumerate(self.arranged.get("prizes", []), start=1):
            to = prize.get("to", "players")
            if to == "teams":
                ranked = [(row["place"], row["team"]) for row in self.teams()]
            else:
                category = categories.get(prize.get("category", ""), {})
                ranked = [(place, str(one)) for place, one in self.ranking() if self.belongs(category, one)]
            free = [
                (place, one)
                for place, one in ranked
                if place > prize.get("not_first", 0)
                and prize.get("place", 0) in (0, place)
                and (prize.get("again") or one not in served[to])
            ]
            winners = [one for place, one in free if place == free[0][0]]
            found += [(number, one) for one in winners]
            if not prize.get("again"):
                served[to].update(winners)
        return found

    def on_penalise(self, action: dict[str, Any], where: str) -> None:
        """Points taken off change the standings, and open a stage again that nothing was played after."""
        self.penalties.append({**action, "cancelled": False})
        if action.get("deduct", 0):
            if not self.reason or not self.may_take_off(action):
                self.faults.append(f"{where}: points were taken off without a reason, or where none count")
            self.reopen(action["stage"])

    def may_take_off(self, action: dict[str, Any]) -> bool:
        """Whether a stage has begun and ranks by what is taken off."""
        stage = action.get("stage", "")
        if action["deduct"] < 0 or not any(key[0] == stage for key in self.tables):
            return False
        return action.get("deduct_from", "score") in self.criteria(stage)

    def on_cancel_penalty(self, action: dict[str, Any], where: str) -> None:
        """Points that were taken off come back."""
        penalty = self.penalties[action["penalty"] - 1]
        if penalty["cancelled"] or not self.reason:
            self.faults.append(f"{where}: the penalty does not stand, or no reason is given")
        penalty["cancelled"] = True
        if penalty.get("deduct", 0):
            self.reopen(penalty["stage"])

    def on_decide_tie(self, action: dict[str, Any], where: str) -> None:
        """A lot must be the one that the revealed seeds give."""
        how = action.get("how", "game")
        if how == "lot":
            everybody = sorted(action["order"])
            label = f"lot {action['stage']} {' '.join(map(str, everybody))}"
            if shuffled(*self.draw_lot(action, where), label, everybody) != action["order"]:
                self.faults.append(f"{where}: the lot is not what the seeds give")
            self.lot = (action.get("lot") or {}).get("next", self.lot)
        self.lots[action["stage"]].append((action["order"], how))

    def on_close_stage(self, action: dict[str, Any], where: str) -> None:
        """The ranking must be that of the results, and those go on who should."""
        stage = action["stage"]
        seated = {key[1] for key in self.tables if key[0] == stage}
        if len(seated) < self.stage(stage)["sittings"] and stage not in self.ended:
            self.faults.append(f"{where}: {stage} was closed before all its sittings were seated")
        if any(key not in self.results and key not in self.voids for key in self.games(stage)):
            self.faults.append(f"{where}: {stage} was closed while games were still to be played")
        ranking = [row["number"] for row in self.standings(stage)]
        if ranking != action["ranking"]:
            self.faults.append(f"{where}: the ranking of {stage} is not that of the results")
        here = [number for number in ranking if self.present(number)]
        after = self.stages()[self.stages().index(stage) + 1 :]
        if after and self.stage(after[0]).get("cut") == "table_winners":
            last = self.tables[stage, self.stage(stage)["sittings"]]
            winners = {min(there, key=here.index) for t in last if (there := [n for n in t if n in here])}
            here = [n for n in here if n in winners] + [n for n in here if n not in winners]
        if here != action["order"]:
            self.faults.append(f"{where}: others should go on from {stage}")
        self.closed[stage] = action["order"]
        self.checked["stages"] += 1

    def totals(self, stage: str) -> dict[int, dict[str, Any]]:
        """Wins, points, score and single games of a stage, with what is carried."""
        place = self.stages().index(stage)
        seated = {
            n for key, tables in self.tables.items() if key[0] == stage for table in tables for n in table
        }
        if not place or self.stages()[place - 1] in self.closed:
            seated |= set(self.field(stage))
        found: dict[int, dict[str, Any]] = {
            n: {"wins": 0, "points": 0, "score": 0, "best_games": [], "due": 0} for n in sorted(seated)
        }
        carry = self.stage(stage)["carry"]
        if carry != "none":
            for number, before in self.totals(self.stages()[place - 1]).items():
                if number in found and carry == "all":
                    found[number] = before
                elif number in found:
                    found[number]["score"] = int(before["score"] / 2)
        sheets: dict[tuple[str, int, int], list[dict[str, Any]]] = defaultdict(list)
        for key, result in self.results.items():
            if key[0] == stage:
                sheets[key[:3]].append(result)
                for seat, score in enumerate(result["scores"]):
                    if score is not None:
                        mine = found[self.tables[key[0], key[1]][key[2] - 1][seat]]
                        mine["wins"] += seat in result["winners"]
                        mine["score"] += score
                        mine["best_games"].append(score)
        for number, count in self.due(stage, [key for key in self.results if key[0] == stage]).items():
            found[number]["due"] += count
        if self.stage(stage).get("duplicate"):
            self.add_field_points(found, stage)
        elif self.format.get("placement"):
            for sheet, games in sheets.items():
                self.add_points(found, self.tables[sheet[0], sheet[1]][sheet[2] - 1], stage, games)
        for penalty in self.penalties:
            taken = penalty.get("deduct", 0)
            if (
                taken
                and penalty["stage"] == stage
                and not penalty["cancelled"]
                and penalty["number"] in found
            ):
                found[penalty["number"]][penalty.get("deduct_from", "score")] -= taken
        return found

    def add_points(
        self, found: dict[int, Any], table: list[int], stage: str, games: list[dict[str, Any]]
    ) -> None:
        """Points for places at a table, by game or by sitting."""
        rule = self.format["placement"]
        if rule["each"] == "game":
            lists = [[(s in g["winners"], x) for s, x in enumerate(g["scores"])] for g in games]
        elif len(games) == self.stage(stage)["games"]:
            columns = [
                [g["scores"][s] for g in games if g["scores"][s] is not None] for s in range(len(table))
            ]
            lists = [[(False, sum(column) if column else None) for column in columns]]
        else:
            return
        for values in lists:
            for seat, value in enumerate(values):
                if value[1] is not None:
                    better = sum(other > value for other in values if other[1] is not None)
                    points = rule["points"]
                    found[table[seat]]["points"] += points[better] if better < len(points) else 0

    def criteria(self, stage: str) -> list[str]:
        """What decides places."""
        return list(self.stage(stage).get("ranking") or self.format["ranking"])

    def due(self, stage: str, games: list[Key]) -> dict[int, int]:
        """How many of some games were each player's to play: byes are not, missed sittings are (R73)."""
        everybody = {n for key, all in self.tables.items() if key[0] == stage for table in all for n in table}
        place = self.stages().index(stage)
        if not place or self.stages()[place - 1] in self.closed:
            everybody |= set(self.field(stage))
        found = dict.fromkeys(everybody, 0)
        for key, tables in self.tables.items():
            if key[0] == stage:
                counts = [sum(game[:3] == (*key, n) for game in games) for n in range(1, len(tables) + 1)]
                there = {n: counts[place] for place, table in enumerate(tables) for n in table}
                for number in everybody - self.resting.get(key, set()) | set(there):
                    found[number] += there.get(number, max(counts, default=0))
        return found

    def due_alike(self, stage: str, numbers: list[int]) -> bool:
        """Whether all were due the same number of games, those to come included."""
        planned = self.due(stage, [key for key in self.games(stage) if key not in self.voids])
        place = self.stages().index(stage)
        if len({planned.get(number, 0) for number in numbers}) > 1:
            return False
        if self.stage(stage)["carry"] == "all" and place:
            return self.due_alike(self.stages()[place - 1], numbers)
        return True

    def missed_all(self, stage: str, numbers: list[int]) -> bool:
        """Whether a stage that is played out has somebody without any game."""
        seated = {key[1] for key in self.tables if key[0] == stage}
        drawn = stage in self.ended or len(seated) == self.stage(stage)["sittings"]
        games = [key for key in self.games(stage) if key not in self.voids]
        if not drawn or not games or any(key not in self.results for key in games):
            return False
        there = {
            number
            for key, result in self.results.items()
            for number, score in zip(self.tables[key[:2]][key[2] - 1], result["scores"], strict=True)
            if score is not None
        }
        return any(number not in there for number in numbers)

    def keys(self, stage: str, totals: dict[int, Any], playing: list[int]) -> dict[int, list[Any]]:
        """What decides places; who was due too few games has none."""
        criteria = self.criteria(stage)
        alike = self.due_alike(stage, playing) and not self.missed_all(stage, playing)
        if not self.format.get("unequal") or alike:
            return {number: [totals[number][name] for name in criteria] for number in playing}
        most = max((totals[number]["due"] for number in playing), default=0)

        def value(mine: dict[str, Any], name: str) -> Any:
            games = len(mine["best_games"]) if name == "score" else mine["due"]
            return mine[name] if name == "best_games" else [Fraction(mine[name], games)] if games else []

        return {
            number: [value(totals[number], name) for name in criteria]
            for number in playing
            if 3 * totals[number]["due"] >= 2 * most
        }

    def standings(self, stage: str) -> list[dict[str, Any]]:
        """Rows, best first, with their places; who has none comes last."""
        totals = self.totals(stage)
        for mine in totals.values():
            mine["best_games"].sort(reverse=True)
        gone = [number for number in totals if self.status[number - 1] == "disqualified"]
        keys = self.keys(stage, totals, [number for number in totals if number not in gone])
        few = sorted(
            (number for number in totals if number not in keys and number not in gone),
            key=lambda n: (-totals[n]["due"], -totals[n]["wins"], -totals[n]["score"], n),
        )
        rows: list[dict[str, Any]] = []
        for key in sorted({repr(k): k for k in keys.values()}.values(), reverse=True):
            group = sorted(number for number in keys if keys[number] == key)
            first, decided = len(rows) + 1, False
            for order, _ in reversed(self.lots[stage]):
                if len(group) > 1 and set(group) <= set(order):
                    group, decided = [number for number in order if number in group], True
                    break
            for place, number in enumerate(group):
                rows.append({"number": number, "place": first + place * decided, **totals[number]})
        last = len(rows) + 1
        return rows + [{"number": n, "place": last, "none": True, **totals[n]} for n in (*few, *gone)]


def check(folder: Path) -> Championship:
    """Everything about an exported championship."""
    found = Championship()
    previous = "0" * 64
    texts = (folder / "log.jsonl").read_bytes().split(b"\n")[:-1]
    entries = [json.loads(text) for text in texts]
    erasures = [entry["action"] for entry in entries if entry["action"]["do"] == "erase_entrant"]
    found.erased = {action["number"] for action in erasures}
    attested = {line: digest for action in erasures for line, digest in action.get("lines", [])}
    for line, (text, entry) in enumerate(zip(texts, entries, strict=True), start=1):
        if entry["previous"] != previous or entry["number"] != line:
            found.faults.append(f"line {line}: the chain is broken")
        digest = hashlib.sha256(text).hexdigest()
        if ("original" in entry or line in attested) and attested.get(line) != digest:
            found.faults.append(f"line {line}: it was rewritten, and no entry attests what it says now")
        # A line that was rewritten to erase somebody is chained by what it said at first.
        previous = entry.get("original", digest)
        if "confirmed" in entry:
            found.check_confirmed(entry["action"], entry["confirmed"], line)
        found.read(entry["action"], line, entry["reason"])
    with (folder / "standings.csv").open(encoding="utf-8", newline="") as file:
        shown = [
            (row["stage"], *(int(row[name]) for name in ("place", "number", "wins", "points", "score")))
            for row in csv.DictReader(file)
        ]
    begun = [stage for stage in found.stages() if any(key[0] == stage for key in found.tables)]
    computed = [
        (stage, row["place"], row["number"], row["wins"], row["points"], row["score"])
        for stage in begun
        for row in found.standings(stage)
    ]
    if shown != computed:
        found.faults.append("standings.csv is not what the log gives")
    check_arranged(found, folder)
    check_deals(found, folder)
    return found


def check_arranged(found: Championship, folder: Path) -> None:
    """Team standings and prizes against what the log gives."""
    if found.arranged.get("teams") is not None:
        with (folder / "teams.csv").open(encoding="utf-8", newline="") as file:
            names = ("place", "team", "wins", "points", "score", "places", "counted")
            shown = [[plain(row[name]) for name in names] for row in csv.DictReader(file)]
        if shown != [[str(row[name]) for name in names] for row in found.teams()]:
            found.faults.append("teams.csv is not what the log gives")
        found.checked["teams"] = len(shown)
    if found.arranged.get("prizes"):
        with (folder / "prizes.csv").open(encoding="utf-8", newline="") as file:
            given = [
                (int(row["prize"]), row["number"] or plain(row["winner"])) for row in csv.DictReader(file)
            ]
        if given != found.awards():
            found.faults.append("prizes.csv is not what the log gives")
        found.checked["prizes"] = len(given)


def check_deals(found: Championship, folder: Path) -> None:
    """The deals that were revealed against what their seed gives."""
    seeds = {stage: each["seed"] for stage, each in found.deals.items() if each["seed"] is not None}
    if not seeds:
        return
    with (folder / "deals.csv").open(encoding="utf-8", newline="") as file:
        deals = list(csv.DictReader(file))
    for row in deals:
        stage, sitting, game = row["stage"], int(row["sitting"]), int(row["game"])
        where = f"deals.csv: {stage}, sitting {sitting}, game {game}"
        if found.format["book"] == "rummyo" or found.format.get("house"):
            found.unchecked.append(f"{where}: by another book, not computed again")
        elif row["tiles"].split() != found.dealt(stage, seeds[stage], sitting, game):
            found.faults.append(f"{where}: is not what the seed gives")
    found.checked["deals"] = len(deals)


def plain(cell: str) -> str:
    """A cell without the apostrophe that keeps a spreadsheet from taking it for a formula."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in "=+-@" else cell


def main() -> int:
    """Status 0 if everything holds."""
    if len(sys.argv) != 2:
        print("usage: championship_verifier.py FOLDER", file=sys.stderr)
        return 2
    found = check(Path(sys.argv[1]))
    for told in found.faults + found.unchecked + found.notes:
        print(told)
    counted = ", ".join(f"{count} {what}" for what, count in found.checked.items())
    print(f"{'NOT ' if found.faults else ''}confirmed: {counted}")
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
