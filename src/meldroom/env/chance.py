"""The game as a tree with chance nodes: tiles are dealt and drawn by outcomes that somebody else chooses."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import msgspec
from msgspec.structs import replace

from meldroom.env.codecs.codec import Decision
from meldroom.env.episode import Settings
from meldroom.env.event_text import event_text
from meldroom.env.rewards import final_rewards
from meldroom.game import Event, Shuffle, State, Withdraw, apply, view
from meldroom.game import events as ev
from meldroom.game.actions import Action, Draw, Take
from meldroom.game.fold import created, evolve
from meldroom.tiles import HIDDEN, Tile

Outcomes = list[tuple[int, float]]


class _Drawn(Shuffle, frozen=True):
    """A shuffle that puts the tile on top which chance has chosen; the others follow as they lay."""

    tile: Tile = HIDDEN

    def order(self, label: str, items: Sequence[Any]) -> tuple[Any, ...]:
        """The chosen tile first."""
        return (self.tile, *(item for item in items if item != self.tile))


class Node(msgspec.Struct, frozen=True):
    """A node of the tree: a deal in the making, a decision, a draw in the making, or the end.

    Immutable: copies of a tree's states share their nodes, and the book in them.
    """

    settings: Settings
    starter: int
    dealt: tuple[Tile, ...] = ()
    state: State | None = None
    decision: Decision | None = None
    pending: Action | None = None
    learnt: tuple[tuple[str, ...], ...] = ()
    events: tuple[Event, ...] = ()

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        return self

    @property
    def over(self) -> bool:
        """True at the end of the game."""
        return self.state is not None and self.state.over

    @property
    def is_chance(self) -> bool:
        """True where chance moves next."""
        return self.state is None or self.pending is not None

    @property
    def returns(self) -> tuple[float, ...]:
        """The rewards of all seats at the end; zeros before."""
        if self.state is None or self.state.result is None:
            return (0.0,) * self.settings.players
        return final_rewards(self.settings.reward, self.state.result)

    def outcomes(self) -> Outcomes:
        """What chance can bring, with probabilities: the starter's seat, or a tile by its number."""
        if self.starter < 0:
            players = self.settings.players
            return [(seat, 1 / players) for seat in range(players)]
        return self._deals() if self.state is None else self._draws(self.state)

    def _deals(self) -> Outcomes:
        """The next tile of a rack. Racks are dealt in rising order, so that each rack comes about once."""
        seat, held = self._next_rack()
        last = held[-1] if held else -1
        wanted = self._rack_size(seat) - len(held)
        taken = set(self.dealt)
        left = [tile for tile in range(last + 1, self.settings.book.tiles.size) if tile not in taken]
        ways = comb(len(left), wanted)
        chances = ((tile, comb(len(left) - at - 1, wanted - 1) / ways) for at, tile in enumerate(left))
        return [(tile, chance) for tile, chance in chances if chance]

    def _draws(self, state: State) -> Outcomes:
        """The tile drawn: equal tiles are one outcome, that of the first of them."""
        face_of = self.settings.book.tiles.face_of
        first: dict[int, Tile] = {}
        count: dict[Tile, int] = {}
        source = sorted(self._source(state))
        for tile in source:
            same = first.setdefault(face_of[tile], tile)
            count[same] = count.get(same, 0) + 1
        return [(tile, number / len(source)) for tile, number in count.items()]

    @staticmethod
    def _source(state: State) -> tuple[Tile, ...]:
        """Where a tile is drawn from: the pool, or the discards that become the stock again (R61)."""
        return state.pool or state.discards[:-1]

    def _rack_size(self, seat: int) -> int:
        deal = self.settings.book.deal
        return deal.starter_tiles if seat == self.starter else deal.tiles

    def _next_rack(self) -> tuple[int, tuple[Tile, ...]]:
        """The seat that gets the next tile, and what it has."""
        start = 0
        for seat in range(self.settings.players):
            size = self._rack_size(seat)
            if len(self.dealt) < start + size:
                return seat, self.dealt[start:]
            start += size
        raise ValueError("all racks are dealt")

    def after_chance(self, outcome: int) -> Node:
        """The node after an outcome of chance."""
        if self.starter < 0:
            return replace(self, starter=outcome)
        if self.state is None:
            node = replace(self, dealt=(*self.dealt, Tile(outcome)))
            seats = range(self.settings.players)
            return node._begun() if len(node.dealt) == sum(map(node._rack_size, seats)) else node
        assert self.pending is not None
        state, drawn = self.state, Tile(outcome)
        if state.pool:
            state = replace(state, pool=(drawn, *(tile for tile in state.pool if tile != drawn)))
        return self._applied(state, self.pending, _Drawn("chance", tile=drawn))

    def after(self, number: int) -> Node:
        """The node after the number that the seat to move chose. Raises EnvError if the mask forbids it."""
        assert self.decision is not None
        assert self.state is not None
        following = self.decision.after(number)
        if not isinstance(following, Action):
            return replace(self, decision=following)
        drawing = isinstance(following, Draw) or (isinstance(following, Take) and following.source == "stock")
        if drawing and self._can_draw(self.state):
            return replace(self, pending=following, decision=None)
        return self._applied(self.state, following, Shuffle("nothing is drawn"))

    def _can_draw(self, state: State) -> bool:
        renewable = state.reshuffles < state.book.pool_end.reshuffles and len(state.discards) > 1
        return bool(state.pool) or (state.book.family == "laying_off" and renewable)

    def _begun(self) -> Node:
        """The game as dealt, the first turn begun."""
        made = self.settings
        racks, start = [], 0
        for seat in range(made.players):
            racks.append(self.dealt[start : start + self._rack_size(seat)])
            start += self._rack_size(seat)
        pool = tuple(tile for tile in made.book.tiles.every_tile if tile not in set(self.dealt))
        names = tuple(f"player_{seat}" for seat in range(made.players))
        opened = ev.GameCreated(made.book.ref, names)
        state = replace(created(opened), book=made.book)
        events = (ev.StarterChosen(self.starter), ev.Dealt(1, tuple(racks), pool), ev.TurnBegan(self.starter))
        for event in events:
            state = evolve(state, event)
        return replace(self, learnt=((),) * made.players)._at(state, events)

    def _applied(self, state: State, action: Action, shuffle: Shuffle) -> Node:
        after, events = apply(state, action, shuffle)
        node = self._at(after, events)
        if not after.over and sum(after.turns) >= self.settings.turn_limit:
            for seat in range(self.settings.players):
                after, events = apply(after, Withdraw(seat), shuffle)
                node = node._at(after, events)
        return node

    def _at(self, state: State, events: Sequence[Event]) -> Node:
        """The node of a state, with what each seat learnt from the events that led there."""
        book = self.settings.book
        learnt = tuple(
            (*before, *(text for event in events if (text := event_text(book, event, seat))))
            for seat, before in enumerate(self.learnt)
        )
        decision = None if state.over else self.settings.codec.begin(view(state, state.seat))
        told = (*self.events, *events)
        return replace(self, state=state, decision=decision, pending=None, learnt=learnt, events=told)
