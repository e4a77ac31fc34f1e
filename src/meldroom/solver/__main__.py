"""`python -m meldroom.solver warm`: compiles the kernel and keeps it, so that the first solve is quick."""

from __future__ import annotations

import sys
import time


def warm() -> float:
    """Compiles everything a solve may use; returns the seconds it took."""
    from meldroom.rules.library import book
    from meldroom.solver import solve_faces
    from meldroom.tiles import parse_set, parse_table

    start = time.monotonic()
    for name in ("tml", "wrc11"):
        rules = book(name)
        full = parse_table("R5 B5 K5 * | R1 R2 R3", rules.tiles)
        solve_faces(rules, full, parse_set("O5 K9", rules.tiles))
        solve_faces(rules, (), parse_set("R10 R11 R12 K9 *", rules.tiles), melded=False)
    return time.monotonic() - start


def main(arguments: list[str]) -> int:
    """The command; returns its exit status."""
    if arguments != ["warm"]:
        sys.stderr.write("usage: python -m meldroom.solver warm\n")
        return 2
    sys.stdout.write(f"the kernel is compiled and kept ({warm():.1f} s)\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
