"""How soon the others may go out, as far as racks, melds and turns tell."""

from __future__ import annotations

from meldroom.bots.laying_off.base import Seat

# Chances to go out in one turn: on board by the tiles on the rack; off board rising with the turns played, as
# they will be some turns from now, when it matters.
ON_BOARD = (0.4, 0.28, 0.12, 0.12, 0.06, 0.05, 0.04, 0.03)
A_TURN_MORE = 0.015
TURNS_FROM_NOW = 1
OFF_BOARD_LEAST, OFF_BOARD_MOST = 0.03, 0.15


def goes_out(seat: Seat, other: int) -> float:
    """About the chance a turn that another player goes out."""
    view = seat.view
    if view.withdrawn[other]:
        return 0.0
    if view.melded[other]:
        return ON_BOARD[min(view.rack_sizes[other], len(ON_BOARD) - 1)]
    later = A_TURN_MORE * (view.turns[other] + TURNS_FROM_NOW)
    return min(OFF_BOARD_MOST, max(OFF_BOARD_LEAST, later))


def patience(seat: Seat) -> float:
    """The chance that nobody else goes out before this player's next turn."""
    stays = 1.0
    for other in range(len(seat.view.players)):
        if other != seat.me:
            stays *= 1.0 - goes_out(seat, other)
    return stays


def turns_left(seat: Seat) -> float:
    """About how many turns this player still has before the stock is used up for good."""
    view = seat.view
    renewed = 0 if seat.last_stock else len(view.discards)
    return (view.pool_size + renewed) / max(1, len(view.players) - sum(view.withdrawn))
