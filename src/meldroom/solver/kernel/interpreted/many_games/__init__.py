"""Many games at once, for the vectorised environment: dealt racks in, turns, choices and observations out.

Each game is a row of every array. A game runs until its learner must choose, it is over, or it needs an
answer that is not found here (an opening with jokers, for one): then its status says what is asked. Books
whose jokers move freely are played exactly as the engine plays them; tables are flat, 255 after each set.
"""

from .. import best_play as solver
from ..arrays import grid, single_grid
from .games import (
    ASKS_OPENING,
    ASKS_OPENINGS,
    CHOICES,
    CHOOSING,
    EARNED,
    FACTS,
    LEARNER,
    OUT,
    OVER,
    PENDING,
    POOL_AT,
    POOL_END,
    RUNNING,
    SEAT,
    SETTLING,
    STARTER,
    STATUS,
    TABLE_END,
    Book,
    make_desk,
    make_games,
)
from .observations import show
from .turns import run

__all__ = [
    "ASKS_OPENING",
    "ASKS_OPENINGS",
    "CHOICES",
    "CHOOSING",
    "EARNED",
    "FACTS",
    "LEARNER",
    "OUT",
    "OVER",
    "PENDING",
    "POOL_AT",
    "POOL_END",
    "RUNNING",
    "SEAT",
    "SETTLING",
    "STARTER",
    "STATUS",
    "TABLE_END",
    "Book",
    "grid",
    "make_desk",
    "make_games",
    "run",
    "show",
    "single_grid",
    "solver",
]
