"""Rummy-O: were taking, going on board and discarding right? Compared by games that bots play on.

Such games are slow. So few choices are compared: those where a strong player chose otherwise and comes closer
to going out by it. Only what is far better can be told for sure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from meldroom.coach.at_sight import at_sight
from meldroom.coach.comparison import FAR, Gain, gain, is_better
from meldroom.coach.laid_off_games import LaidOffGames
from meldroom.coach.turns import Turn, actions_of
from meldroom.game import ActionError, Shuffle, apply
from meldroom.game.actions import Action, Play, Take
from meldroom.game.state import State
from meldroom.game.views import view

LayOffTheme = Literal["take_or_leave", "open", "most_tiles", "discard"]

MOST_COMPARED = 2
"""So many choices of a game are compared."""
LEAST_PROMISE = 0.02
"""By so much a choice must promise more at sight."""
GLANCE, PROMISED = 8, 0.12
"""So many games at first, and how much better a choice must be in them to go on."""


class Choice(NamedTuple):
    """What a player decided in a state, and what a strong player would have."""

    turn: Turn
    state: State
    did: Action
    strong: Action
    theme: LayOffTheme


def choices(turn: Turn, strong: Sequence[Action]) -> Iterator[Choice]:
    """Where a strong player would have decided otherwise in a turn: what to take, and what then to do."""
    did = actions_of(turn)
    states = [state for state in (turn.taking, turn.state) if state is not None]
    if len(did) != len(states) or len(strong) != len(states):
        return
    for state, done, better in zip(states, did, strong, strict=True):
        if done != better:
            yield Choice(turn, state, done, better, _theme(state, done, better))


def _theme(state: State, did: Action, strong: Action) -> LayOffTheme:
    if isinstance(strong, Take):
        return "take_or_leave"
    if isinstance(strong, Play) and strong.melds and _laid(strong) != _laid(did):
        return "most_tiles" if state.melded[state.seat] else "open"
    return "discard"


def _laid(action: Action) -> frozenset[int]:
    melds = action.melds if isinstance(action, Play) else ()
    return frozenset(tile for meld in melds for tile in meld.tiles)


def promise(choice: Choice, seat: int) -> float:
    """By how much the strong player's choice is better at sight."""
    seen = choice.turn.seen

    def worth(action: Action) -> float:
        if isinstance(action, Take) and action.source == "stock":
            return at_sight(choice.state.book, view(choice.state, seat), seen)[seat]
        after, _ = apply(choice.state, action, Shuffle("unused"))
        if after.result is not None:
            return float(seat in after.result.winners)
        return at_sight(after.book, view(after, seat), seen)[seat]

    try:
        return worth(choice.strong) - worth(choice.did)
    except ActionError:
        return 0.0


def compare(
    found: Sequence[Choice], seat: int, known: Mapping[int, Sequence[float]], seed: str, games: int
) -> Iterator[tuple[Choice, Gain]]:
    """The choices that were better for sure, with how much more often they win; so many games at most."""
    if games < 2 * GLANCE:
        return
    ranked = sorted(((promise(each, seat), place) for place, each in enumerate(found)), reverse=True)
    for promised, place in ranked[:MOST_COMPARED]:
        if promised < LEAST_PROMISE:
            return
        choice = found[place]
        imagined = LaidOffGames(view(choice.state, seat), known, seed=f"{seed} {place}")
        share = games // 4
        played = wins(imagined, choice, seat, 0, GLANCE)
        games -= 2 * GLANCE
        if gain(played, 1, 0).mean < PROMISED or share <= GLANCE:
            continue
        played += wins(imagined, choice, seat, GLANCE, share - GLANCE)
        games -= 2 * (share - GLANCE)
        first = gain(played, 1, 0)
        if not is_better(first, first):
            continue
        games -= 2 * share
        again = gain(wins(imagined, choice, seat, FAR, share), 1, 0)
        if is_better(first, again):
            yield choice, first.plus(again)


def wins(games: LaidOffGames, choice: Choice, seat: int, first: int, count: int) -> list[list[float]]:
    """What the seat wins after what it did and after the other choice, game by game."""
    played = []
    for game in range(first, first + count):
        won = (games.after(game, action) for action in (choice.did, choice.strong))
        played.append([1 / len(winners) if seat in winners else 0.0 for winners in won])
    return played
