"""One game as the environments play it: numbers in, views and decisions out, a limit for endless games."""

from __future__ import annotations

from typing import Any

import msgspec

from meldroom.bots import Bot, Game
from meldroom.env.codecs.codec import Codec, Decision, make_codec
from meldroom.env.errors import EnvError, check_choice
from meldroom.env.observation import Array, Observer
from meldroom.env.rewards import REWARDS, final_rewards
from meldroom.env.versions import ACTION_VERSION, OBSERVATION_VERSION
from meldroom.game import ActionError, Shuffle, State, View, Withdraw
from meldroom.game.actions import Action
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BookLike, find_book
from meldroom.rules.scoring import rack_count


class Settings(msgspec.Struct, frozen=True):
    """What an environment is made of; everything else follows from the seed."""

    book: RuleBook
    players: int
    codec: Codec
    observer: Observer
    reward: str
    shaping: float
    turn_limit: int

    @property
    def metadata(self) -> dict[str, Any]:
        """The versions and names that belong to recorded observations and actions."""
        return {
            "book": self.book.id,
            "book_version": self.book.version,
            "players": self.players,
            "codec": self.codec.name,
            "reward": self.reward,
            "observation_version": OBSERVATION_VERSION,
            "action_version": ACTION_VERSION,
        }


def settings(
    book: BookLike = "wrc11",
    players: int = 2,
    *,
    codec: str = "candidates",
    slots: int | None = None,
    reward: str = "score",
    shaping: float = 0.0,
    turn_limit: int | None = None,
) -> Settings:
    """Settings, checked. Raises EnvError, and BookError for a book that cannot be had.

    `shaping` rewards a seat, in its own turn, with so much for each point that leaves its rack. After
    `turn_limit` turns of all seats together the game is counted as if the pool had run out.
    """
    rules = find_book(book)
    low, high = max(2, rules.players.minimum), rules.players.maximum
    if not low <= players <= high:
        raise EnvError("players", "players", given=str(players), book=rules.id, least=low, most=high)
    check_choice("reward", reward, REWARDS)
    limit = most_turns(rules, players) if turn_limit is None else turn_limit
    if limit < 1:
        raise EnvError("turn_limit", "turn_limit", given=str(limit))
    observer = Observer(rules, players, limit)
    return Settings(rules, players, make_codec(codec, rules, slots), observer, reward, shaping, limit)


def most_turns(book: RuleBook, players: int) -> int:
    """More turns than a rearranging game can have; for a laying-off one, four times the tiles.

    A game of laying off could go on for ever, one discard being taken again and again.
    """
    if book.family == "laying_off":
        return 4 * book.tiles.size
    # Each draw and each play is made once at most for every tile; between two plays not everybody passes.
    return (2 + players) * (book.tiles.size + 1)


class Episode:
    """A game in progress, stepped from outside. Policies are given `observe` and `decision`, never the state.

    `game` holds the whole log, for a record of the game.
    """

    def __init__(self, made: Settings, secret: str, starter: int | None = None) -> None:
        self.settings = made
        names = [f"player_{seat}" for seat in range(made.players)]
        try:
            self.game = Game(made.book, names, Shuffle(secret), starter=starter)
        except ActionError as error:
            raise EnvError("game", error.where, reason=error.as_message()) from None
        self.truncated = False
        self._decision: Decision | None = None

    @property
    def decision(self) -> Decision | None:
        """What the seat to move decides; None at the end. Made when first asked for: bots do without."""
        if self._decision is None and not self.over:
            self._decision = self.settings.codec.begin(self.view())
        return self._decision

    @property
    def state(self) -> State:
        """The whole game, everything open; no policy may see it."""
        return self.game.state

    @property
    def seat(self) -> int:
        """Whose decision it is."""
        return self.state.seat

    @property
    def over(self) -> bool:
        """True when the game has ended, or was broken off at the turn limit."""
        return self.state.over

    def view(self, seat: int | None = None) -> View:
        """What a seat may see; the seat to move unless another is named."""
        return self.game.view(seat)

    def observe(self, seat: int) -> Array:
        """The observation of a seat."""
        own = self.decision if seat == self.seat and not self.over else None
        return self.settings.observer.observe(self.view(seat), own)

    def step(self, number: int) -> float:
        """Takes an action number for the seat to move; returns what it earns by shaping.

        Raises EnvError if the mask forbids it; nothing has happened then.
        """
        decision = self.decision
        if decision is None:
            raise EnvError("over")
        following = decision.after(number)
        if isinstance(following, Action):
            return self.act(following)
        self._decision = following
        return 0.0

    def act(self, action: Action) -> float:
        """Carries out an action of the seat to move; returns what it earns by shaping."""
        seat, before = self.seat, self._rack_points(self.seat)
        self.game.apply(action)
        self._next_decision()
        return self.settings.shaping * (before - self._rack_points(seat))

    def ask(self, bot: Bot) -> None:
        """Lets a bot act for the seat to move; its answer is judged like anybody's."""
        self.game.ask(bot)
        self._next_decision()

    def _next_decision(self) -> None:
        """On to the next decision; a game that has lasted too long is counted instead."""
        if not self.over and sum(self.state.turns) >= self.settings.turn_limit:
            self.truncated = True
            for seat in range(self.settings.players):
                if not self.state.withdrawn[seat]:  # A bot that lost the game for its answers is out already.
                    self.game.apply(Withdraw(seat))
        self._decision = None

    def final_rewards(self) -> tuple[float, ...]:
        """The rewards of all seats at the end; zeros before."""
        if self.state.result is None:
            return (0.0,) * self.settings.players
        return final_rewards(self.settings.reward, self.state.result)

    def _rack_points(self, seat: int) -> int:
        return rack_count(self.settings.book, self.state.faces(self.state.racks[seat]))


def position_text(episode: Episode, seat: int | None = None) -> str:
    """The game as a seat sees it, the one to move unless another is named, in a few lines of text."""
    seen, book = episode.view(seat), episode.settings.book
    faces = book.tiles.face_names
    names = [" ".join(faces[book.tiles.face_of[tile]] for tile in tiles) for tiles in seen.table]
    names += [" ".join(faces[book.tiles.face_of[tile]] for tile in meld.tiles) for meld in seen.melds]
    racks = ", ".join(f"{name} {size}" for name, size in zip(seen.players, seen.rack_sizes, strict=True))
    rack = " ".join(faces[book.tiles.face_of[tile]] for tile in seen.rack)
    lines = [f"{book.id}, {seen.phase}: {seen.players[seen.seat]}", f"table: {' | '.join(names) or '-'}"]
    if seen.discards:
        lines.append(f"last discard: {faces[book.tiles.face_of[seen.discards[-1]]]}")
    lines += [f"racks: {racks}; pool {seen.pool_size}", f"own rack: {rack or '-'}"]
    if seen.result is not None:
        lines.append(f"scores: {' '.join(map(str, seen.result.scores))}")
    return "\n".join(lines)
