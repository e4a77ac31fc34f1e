"""Games as unruly tables play them: illegal turns, time-outs, referees' rulings, people leaving."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Literal, NamedTuple

from meldroom.game import actions as act
from meldroom.game.apply import apply, new_game
from meldroom.game.errors import ActionError
from meldroom.game.events import Event
from meldroom.game.legal.actions import legal
from meldroom.game.shuffle import Shuffle
from meldroom.game.state import State
from meldroom.rules.book import RuleBook

NAMES = ("Ada", "Bo", "Chi", "Dee")
MOST_ACTIONS = 250
PLACES: tuple[Literal["rack", "table", "pool_top", "pool_bottom", "discards"], ...] = (
    *("rack", "table", "pool_top", "pool_bottom", "discards"),
)


class Step(NamedTuple):
    """One action at a table: what it led to, or the error that refused it (the state is then as before)."""

    before: State
    action: act.Action | None
    after: State
    events: tuple[Event, ...]
    error: ActionError | None


def wild_game(book: RuleBook, players: int, name: str, wildness: float = 0.5) -> Iterator[Step]:
    """A game from the deal to its end, or to a limit. `wildness` is how often the unusual happens."""
    chance = random.Random(name)
    shuffle = Shuffle(name, NAMES[:players])
    state, events = new_game(book, NAMES[:players], shuffle)
    yield Step(state, None, state, events, None)
    for _ in range(MOST_ACTIONS):
        if state.over:
            return
        odd = chance.random() < (wildness if sum(state.turns) else 0.6)
        action = wild_action(state, chance) if odd else legal(state).sample(chance)
        before = state
        try:
            state, events = apply(state, action, shuffle)
        except ActionError as error:
            yield Step(before, action, state, (), error)
        else:
            yield Step(before, action, state, events, None)


def wild_action(state: State, chance: random.Random) -> act.Action:
    """Something unusual that may still be lawful: a clock, a referee, a careless or a leaving player."""
    kinds = ["time_out", "time_out", "careless", "careless", "correct", "redeal", "withdraw", "leftovers"]
    kind = chance.choice(kinds)
    if not sum(state.turns):
        kind = chance.choice(("redeal", "redeal", "redeal", "withdraw"))  # Only now can a fresh start be had.
    seat, anybody = state.seat, chance.randrange(len(state.players))
    if kind == "withdraw":
        how = chance.random()
        if how < 0.25:
            return act.Withdraw(anybody)
        return act.Resign(anybody) if how < 0.35 else act.TimeOut(seat)
    if kind == "redeal":
        return act.RequestRedeal(anybody, tiles=state.racks[anybody])
    if kind == "correct":
        return correction(state, chance)
    if kind == "leftovers":
        return leftovers(state, chance)
    if state.book.family == "laying_off":
        careful = kind == "time_out" or state.phase == "take"
        return act.TimeOut(seat) if careful else careless_play(state, chance)
    table = chance.choice((None, state.table, _sampled(state, chance), careless_table(state, chance)))
    if kind == "time_out":
        return act.TimeOut(seat, table=table)
    return act.Lay(seat, table=careless_table(state, chance))


def _sampled(state: State, chance: random.Random) -> act.TileSets | None:
    action = legal(state).sample(chance)
    return action.table if isinstance(action, act.Lay) else None


def careless_table(state: State, chance: random.Random) -> act.TileSets:
    """The table with tiles moved about and some from the rack thrown in."""
    sets = [list(tiles) for tiles in state.table] + [[]]
    rack = state.racks[state.seat]
    for tile in chance.sample(rack, min(len(rack), chance.randint(0, 3))):
        chance.choice(sets).append(tile)
    for _ in range(chance.randint(0, 2)):
        source, target = chance.choice(sets), chance.choice(sets)
        if source:
            target.append(source.pop(chance.randrange(len(source))))
    if chance.random() < 0.1 and sets[0]:
        sets[0].pop()
    return tuple(tuple(tiles) for tiles in sets if tiles)


def careless_play(state: State, chance: random.Random) -> act.Action:
    """Rummy-O: a play with something wrong or odd about it, or a discard."""
    rack = state.racks[state.seat]
    action = legal(state).sample(chance)
    if not isinstance(action, act.Play):
        return act.Discard(state.seat, tile=chance.choice(rack))
    melds = [list(meld.tiles) for meld in action.melds]
    odd = chance.choice(melds)
    if chance.random() < 0.5:
        chance.shuffle(odd)
    else:
        odd.append(chance.choice(rack))
    plays = tuple(
        act.MeldPlay(tuple(tiles), meld.owner, chance.choice((meld.kind, None, "run", "group")))
        for tiles, meld in zip(melds, action.melds, strict=True)
    )
    return act.Play(state.seat, melds=plays, discard=action.discard)


def correction(state: State, chance: random.Random) -> act.Correct:
    """The referee moves a few tiles, gives the turn to somebody, or says who has entered."""
    tiles = chance.sample(state.book.tiles.every_tile, chance.choice((0, 0, 1, 2)))
    seats = range(len(state.players))
    moves = tuple(act.Move(tile, chance.choice(PLACES), chance.choice(seats)) for tile in tiles)
    seat = state.seat if chance.random() < 0.5 else chance.randrange(len(state.players))
    melded = {chance.randrange(len(state.players)): chance.random() < 0.5} if chance.random() < 0.2 else {}
    return act.Correct(seat, reason="as the referee saw it", moves=moves, melded=melded)


def leftovers(state: State, chance: random.Random) -> act.Action:
    """The referee restores the table but for some tiles nobody can place."""
    tiles = [tile for tiles in state.table for tile in tiles]
    left = set(chance.sample(tiles, min(len(tiles), chance.choice((0, 1, 2, 3)))))
    table = tuple(tuple(tile for tile in tiles if tile not in left) for tiles in state.table)
    kept = tuple(tiles for tiles in table if tiles)
    return act.RuleLeftovers(state.seat, table=kept, leftovers=tuple(sorted(left)))


def tally(steps: list[Step]) -> Counter[str]:
    """What happened in a game: events by name, errors by code, endings."""
    counts: Counter[str] = Counter()
    for step in steps:
        counts.update(type(event).__name__ for event in step.events)
        if step.error is not None:
            counts[step.error.code] += 1
    return counts
