"""The kernel's arithmetic is the same when numba does not compile it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from meldroom.rules.library import book
from meldroom.solver import solve_faces
from meldroom.tiles import parse_set, parse_table

POSITIONS = [
    ("R1 R2 R3 | K9 R9 B9", "R4 O9 K1"),
    ("R5 B5 K5 *", "O5 O6 O7"),
    ("O11 * O13", "O12 R13 B13"),
    ("", "R10 R11 R12 K1 K2 K3 B7 O7 K7 *"),
    ("R1 R2 R3 | R1 R2 R3 | K5 R5 B5 O5", "R4 R4 * *"),
]
SCRIPT = """
import json, sys
from meldroom.rules.library import book
from meldroom.solver import solve_faces
from meldroom.tiles import parse_set, parse_table
tml = book("tml")
positions = json.load(sys.stdin)
found = [solve_faces(tml, parse_table(t, tml.tiles), parse_set(r, tml.tiles)) for t, r in positions]
print(json.dumps([[list(f.played), [list(s) for s in f.table]] for f in found]))
"""


def test_the_interpreted_kernel_gives_the_same_tables() -> None:
    tml = book("tml")
    compiled = [solve_faces(tml, parse_table(t, tml.tiles), parse_set(r, tml.tiles)) for t, r in POSITIONS]
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT],
        input=json.dumps(POSITIONS),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    expected = [[list(f.played), [list(s) for s in f.table]] for f in compiled]
    assert json.loads(run.stdout) == expected
