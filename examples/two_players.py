"""A whole game between two players who lay the first thing they see, written to a record and verified.

python examples/two_players.py > game.meld
"""

import random
import sys

import meldroom as mr


def main() -> None:
    """Play, print the record, and say on standard error how it ended."""
    shuffle = mr.Shuffle(mr.new_secret(), contributions=("Ada's word", "Bo's word"))
    chance = random.Random()
    state, events = mr.new_game(mr.book("wrc11"), ["Ada", "Bo"], shuffle)
    while not state.over:
        state, more = state.apply(state.legal.sample(chance), shuffle)
        events += more
    record = mr.Record.of((*events, mr.reveal(state, shuffle)))
    print(record, end="")
    print(f"{state.result}, verified: {record.verify().ok}", file=sys.stderr)


if __name__ == "__main__":
    main()
