"""Of equal plays the one that changes few old sets: for little, and it says what is proven."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from meldroom.rules.library import book
from meldroom.rules.verify import Turn, verify
from meldroom.solver import solve, solve_faces
from meldroom.solver.fewest_changes import BUDGET
from meldroom.solver.kernel import mode
from meldroom.solver.kernel.engine import Engine
from meldroom.solver.request import answer
from meldroom.tiles import parse_set, parse_table
from testkit.solver.positions import random_position

TML, WRC11 = book("tml"), book("wrc11")
SEPARATORS = 252
FULL = (
    "R1 R2 R3 R4 | B1 B2 B3 B4 | O1 O2 O3 O4 | K1 K2 K3 K4 | R5 B5 K5 O5 | R6 B6 K6 O6 | R7 B7 K7 O7 | "
    "R8 R9 R10 | B8 B9 B10 | O8 O9 O10 | K8 K9 K10 | R11 B11 K11 O11 | R12 B12 K12 O12 | R13 B13 K13"
)


class Asked:
    """What the kernel is asked: how many questions, and what they count by their tiles."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.questions = self.work = 0
        one, many = Engine._answer, Engine._many

        def answered(engine: Engine, position: bytes, *rest: Any) -> list[int]:
            self.count(position)
            return one(engine, position, *rest)

        def answered_many(engine: Engine, positions: list[bytes], *rest: Any) -> list[int]:
            for position in positions:
                self.count(position)
            return many(engine, positions, *rest)

        monkeypatch.setattr(Engine, "_answer", answered)
        monkeypatch.setattr(Engine, "_many", answered_many)

    def count(self, position: bytes) -> None:
        self.questions += 1
        self.work += sum(octet < SEPARATORS for octet in position) ** 3


def test_tidiness_asks_the_kernel_little(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(16)
    positions = [random_position(TML, rng, tiles, rack, 2) for tiles in (30, 80, 100) for rack in (8, 14)]
    rack = parse_set("R1 B2 O3 K4 R5 B6 O7 K8 R9 B10 O11 K12 O13 *", TML.tiles)
    positions.append((parse_table(FULL, TML.tiles), rack))
    for table, rack in positions:
        plain = solve_faces(TML, table, rack)
        tiles = sum(map(len, table)) + len(rack)
        asked = Asked(monkeypatch)
        neat = solve_faces(TML, table, rack, neat="thorough")
        assert asked.work <= tiles**3 + BUDGET
        assert asked.questions < 60
        assert (neat.tiles, neat.points, neat.optimal) == (plain.tiles, plain.points, plain.optimal)
        assert not neat.played or not verify(TML, Turn(table, rack, neat.table, True))
        monkeypatch.undo()


def test_the_same_is_found_compiled_and_interpreted() -> None:
    pytest.importorskip("numba")
    before = mode.current()
    positions = [random_position(WRC11, Random(seed), tiles, 12, 2) for seed, tiles in ((5, 30), (6, 60))]
    found = []
    wishes: tuple[mode.Mode, ...] = ("compiled", "interpreted")
    for wish in wishes:
        mode.choose(wish)
        found.append([solve_faces(WRC11, table, rack, neat="thorough") for table, rack in positions])
    mode.choose(before)
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("table", "rack", "fewest"),
    [
        ("R1 R2 R3 | K9 B9 O9", "R4 K5", True),  # one tile changes one set
        ("R1 R2 R3 | K9 B9 O9", "R4 R9", True),  # two sets: none alone takes both
        ("R1 R2 R3 | K9 B9 O9", "B5 B6 B7", True),  # no old set changes
        ("", "B5 B6 B7", True),
        ("R1 R2 R3", "K9", True),  # nothing to play
    ],
)
def test_an_answer_says_that_fewest_is_proven(table: str, rack: str, fewest: bool) -> None:
    position = f"wrc11 / {f'table {table} / ' if table else ''}racks {rack}, ?x5 / turn 1 / melded 1"
    play = solve(position, neat="thorough")
    assert play.optimal
    assert play.fewest is fewest
    assert solve(position, neat=False).fewest is None
    request: dict[str, Any] = {
        "rulebook": "wrc11",
        "table": [faces.split() for faces in table.split(" | ") if faces],
        "rack": rack.split(),
    }
    assert answer({**request, "explain": True})["fewest"] is fewest
    assert "fewest" not in answer({**request, "neat": False})


def test_rummyo_says_nothing_about_it() -> None:
    assert solve("rummyo / racks K2 K3 K4 O9, ?x5 / turn 1 play").fewest is None
