"""A whole game between two players who lay the first thing they see, written to a record and verified.

python examples/two_players.py > game.meld
"""

import random
import sys

from meldroom import Shuffle, apply, book, legal, new_game, new_secret, reveal
from meldroom.record import Record, to_text, verify


def main() -> None:
    """Play, print the record, and say on standard error how it ended."""
    shuffle = Shuffle(new_secret(), contributions=("Ada's word", "Bo's word"))
    chance = random.Random()
    state, events = new_game(book("wrc11"), ["Ada", "Bo"], shuffle)
    while not state.over:
        state, more = apply(state, legal(state).sample(chance), shuffle)
        events += more
    record = Record.of((*events, reveal(state, shuffle)))
    print(to_text(record), end="")
    assert state.result is not None
    print(f"scores {state.result.scores}, verified: {verify(record).ok}", file=sys.stderr)


if __name__ == "__main__":
    main()
