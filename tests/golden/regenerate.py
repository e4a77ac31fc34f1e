"""Writes the golden playthroughs: `python -m tests.golden.regenerate` plays the committed actions again.

With `--new` other games are drawn at random; do that only when the old actions can no longer be played.
"""

from __future__ import annotations

import sys

from tests.golden.playthrough import Golden, random_actions, read, written

WORDS = ("amber", "birch", "cedar", "delta")


def _golden(book_id: str, players: int, secret: str) -> Golden:
    return Golden(book_id, players, f"golden {book_id} {secret}", WORDS[:players])


GAMES = (
    _golden("wrc9", 2, "11"),
    _golden("wrc11", 3, "13"),
    _golden("nzrc2024", 4, "7"),
    _golden("tml", 3, "7"),
    _golden("rummyo", 2, "3"),
    _golden("rummyo", 4, "2"),
)


def main(arguments: list[str]) -> int:
    """Write every file; returns the exit status."""
    for game in GAMES:
        golden, actions = (game, random_actions(game)) if "--new" in arguments else read(game.path)
        golden.path.write_text(written(golden, actions), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
