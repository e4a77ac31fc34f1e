"""States that look the same from one seat: the tiles nobody there may see are dealt anew."""

import random

import msgspec

from meldroom.game import State, view


def resampled(state: State, seat: int, chance: random.Random) -> State:
    """The state with all racks but one, and the pool, dealt again from the tiles this seat cannot see."""
    hidden = [tile for other, rack in enumerate(state.racks) if other != seat for tile in rack]
    hidden += state.pool
    chance.shuffle(hidden)
    racks = []
    for other, rack in enumerate(state.racks):
        if other == seat:
            racks.append(rack)
        else:
            racks.append(tuple(hidden[: len(rack)]))
            del hidden[: len(rack)]
    other_state = msgspec.structs.replace(state, racks=tuple(racks), pool=tuple(hidden))
    assert view(other_state, seat) == view(state, seat)
    return other_state
