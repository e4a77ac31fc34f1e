"""OpenSpiel: a game with explicit chance nodes, registered when it is asked for."""

from __future__ import annotations

import base64
from typing import Any

import msgspec
import numpy as np

from meldroom.env.chance import Node
from meldroom.env.compiling import compile_first
from meldroom.env.episode import Settings, settings
from meldroom.env.errors import EnvError
from meldroom.env.resampling import Sampler, resampled
from meldroom.env.rewards import reward_bound
from meldroom.errors import needs
from meldroom.game import view
from meldroom.rules.book import BookRef, RuleBook
from meldroom.rules.library import BookLike, find_book, id_at, resolve
from meldroom.rules.library import book as published
from meldroom.tiles import Tile

with needs("env"):
    import pyspiel  # type: ignore[import-not-found]

SHORT_NAME = "meldroom"
MOST_PLAYERS = 8
_BY_REF = "ref-"

GAME_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Meldroom: tile rummy by the book",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MOST_PLAYERS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={
        "book": "wrc11",
        "players": 2,
        "codec": "candidates",
        "slots": 32,
        "reward": "score",
        "starter": 0,
        "turn_limit": 0,
    },
)


def book_text(book: RuleBook) -> str:
    """A book as a game's parameter: the id of a published one, or its whole reference as letters."""
    if book.house is None and not book.options:
        return id_at(book.ref)
    data = msgspec.json.encode(book.ref)
    return _BY_REF + base64.urlsafe_b64encode(data).decode().rstrip("=")


def book_from(text: str) -> RuleBook:
    """The book that a parameter names. Raises BookError."""
    if not text.startswith(_BY_REF):
        return published(text)
    data = text.removeprefix(_BY_REF)
    ref = msgspec.json.decode(base64.urlsafe_b64decode(data + "=" * (-len(data) % 4)), type=BookRef)
    return resolve(ref)


class MeldroomGame(pyspiel.Game):  # type: ignore[misc]
    """One book, one table size, one codec."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**GAME_TYPE.parameter_specification, **(params or {})}
        self.settings: Settings = settings(
            book_from(chosen["book"]),
            chosen["players"],
            codec=chosen["codec"],
            slots=chosen["slots"],
            reward=chosen["reward"],
            turn_limit=chosen["turn_limit"] or None,
        )
        compile_first()
        self.starter: int = chosen["starter"]
        made = self.settings
        bound = reward_bound(made.reward, made.book, made.players)
        info = pyspiel.GameInfo(
            num_distinct_actions=made.codec.numbers,
            max_chance_outcomes=max(made.book.tiles.size, made.players),
            num_players=made.players,
            min_utility=-bound if made.reward == "score" else 0.0,
            max_utility=bound,
            max_game_length=made.turn_limit * made.codec.longest_turn,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> MeldroomState:
        """The tiles face down, nothing dealt."""
        return MeldroomState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> MeldroomObserver:
        """The observer of the kind asked for."""
        return MeldroomObserver(self.settings, iig_obs_type, params)

    def max_chance_nodes_in_history(self) -> int:
        """No game deals and draws more often than this."""
        return int(self.settings.book.tiles.size + self.settings.turn_limit + 1)


class MeldroomState(pyspiel.State):  # type: ignore[misc]
    """A node of the tree. Everything is in one immutable value, which copies share."""

    def __init__(self, game: MeldroomGame) -> None:
        super().__init__(game)
        self.node = Node(game.settings, game.starter)

    def current_player(self) -> Any:
        """Whose decision it is, or that of chance, or nobody's."""
        node = self.node
        if node.over:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if node.is_chance or node.state is None else node.state.seat

    def _legal_actions(self, player: int) -> list[int]:
        decision = self.node.decision
        return [] if decision is None else [int(number) for number in np.flatnonzero(decision.mask)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Tiles, by their numbers, and how likely each is."""
        return self.node.outcomes()

    def _apply_action(self, action: int) -> None:
        node = self.node
        self.node = node.after_chance(action) if node.is_chance else node.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        node = self.node
        if player == pyspiel.PlayerId.CHANCE:
            starting = node.starter < 0
            return f"starter {action}" if starting else node.settings.book.tiles.name(Tile(action))
        decision = node.decision
        known = decision is not None and decision.mask[action]
        return decision.action_text(action) if decision is not None and known else str(action)

    def resample_from_infostate(self, player: int, sampler: Sampler) -> MeldroomState:
        """A state that a player cannot tell from this one, for IS-MCTS; its history stays this state's."""
        state: MeldroomState = self.clone()
        state.node = resampled(self.node, player, sampler)
        return state

    def is_terminal(self) -> bool:
        """True at the end of the game."""
        return self.node.over

    def returns(self) -> list[float]:
        """The rewards so far: zeros, until the game is over."""
        return list(self.node.returns)

    def __str__(self) -> str:
        node = self.node
        if node.state is None:
            return f"starter {node.starter}; dealt {node.settings.book.tiles.names(node.dealt)}"
        state, tiles = node.state, node.settings.book.tiles
        racks = "; ".join(tiles.names(rack) for rack in state.racks)
        sets = [tiles.names(each) for each in (*state.table, *(meld.tiles for meld in state.melds))]
        drawn = f"; {type(node.pending).__name__}" if node.pending is not None else ""
        chosen = node.decision.chosen if node.decision is not None else ()
        return (
            f"{state.phase} {state.seat}{drawn}; racks {racks}; table {' | '.join(sorted(sets))}; "
            f"discards {tiles.names(state.discards)}; turns {sum(state.turns)}; "
            f"chosen {tiles.faces_text(chosen)}"
        )


class MeldroomObserver:
    """What a player sees: the array of all environments, or in text everything they have learnt."""

    def __init__(self, made: Settings, kind: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise EnvError("observer", given=tuple(params))
        self._made = made
        self._recalls = kind is not None and kind.perfect_recall
        self.tensor = np.zeros(made.observer.size, np.float32)
        self.dict = made.observer.split(self.tensor)

    def set_from(self, state: MeldroomState, player: int) -> None:
        """Fills `tensor` with a player's observation; zeros until the tiles are dealt."""
        node = state.node
        self.tensor.fill(0)
        if node.state is not None:
            own = node.decision if node.state.seat == player else None
            self.tensor[:] = self._made.observer.observe(view(node.state, player), own)

    def string_from(self, state: MeldroomState, player: int) -> str:
        """With perfect recall all that a player has learnt and chosen this turn; else what they see now."""
        node = state.node
        if node.state is None:
            return f"player {player}: the tiles are being dealt"
        own = node.decision if node.state.seat == player else None
        chosen = self._made.book.tiles.faces_text(own.chosen) if own is not None else ""
        choosing = f"; {own.stage} {chosen}".rstrip() if own is not None else ""
        if self._recalls:
            return f"player {player}: {'; '.join(node.learnt[player])}{choosing}"
        seen = self._made.observer.observe(view(node.state, player), own)
        parts = self._made.observer.split(seen)
        shown = (
            f"{name} {' '.join(f'{at}:{part.flat[at]:g}' for at in np.flatnonzero(part))}"
            for name, part in parts.items()
        )
        return f"player {player}: {'; '.join(text for text in shown)}"


def register() -> str:
    """Makes `pyspiel.load_game("meldroom", …)` known, once; returns the game's name."""
    if SHORT_NAME not in pyspiel.registered_names():
        pyspiel.register_game(GAME_TYPE, MeldroomGame)
    return SHORT_NAME


def load(
    book: BookLike = "wrc11",
    players: int = 2,
    *,
    codec: str = "candidates",
    slots: int = 32,
    reward: str = "score",
    starter: int = 0,
    turn_limit: int | None = None,
) -> Any:
    """The OpenSpiel game of a book. `starter` is a seat, or -1 to let chance choose one.

    Raises EnvError, and BookError for a book that cannot be had.
    """
    rules = find_book(book)
    settings(rules, players, codec=codec, slots=slots, reward=reward, turn_limit=turn_limit)
    if not -1 <= starter < players:
        raise EnvError("starter", "starter", given=str(starter), last=players - 1)
    parameters = {
        "book": book_text(rules),
        "players": players,
        "codec": codec,
        "slots": slots,
        "reward": reward,
        "starter": starter,
        "turn_limit": turn_limit or 0,
    }
    return pyspiel.load_game(register(), parameters)
