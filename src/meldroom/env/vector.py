"""Gymnasium's vector environment: many games at once in the kernel, each as `MeldroomEnv` plays it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meldroom.env.codecs.choices import KINDS, Choice
from meldroom.env.codecs.position import Position
from meldroom.env.codecs.rearranging import rearranging_choices
from meldroom.env.episode import Settings, settings
from meldroom.env.errors import EnvError, check_choice
from meldroom.env.spaces import action_space, observation_space
from meldroom.errors import needs
from meldroom.game import Shuffle, new_game
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BookLike
from meldroom.rules.scoring import could_have_melded
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.solver.errors import TooLargeError
from meldroom.solver.kernel import mode
from meldroom.solver.kernel.engine import Objective, fits, weigh
from meldroom.solver.opening import best_opening
from meldroom.tiles import Face

with needs("env"):
    from gymnasium.utils import seeding
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

OPPONENTS = ("beginner", "tournament", "patient")
"""The levels that the kernel plays, in the order of its numbers for them."""

_ROOM = 160
_MOST = 2
_SET_END = 255


class MeldroomVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games of one learner each. The same seeds and actions give what `MeldroomEnv` gives, game by game.

    After a game has ended the next step deals a new one and uses no action (`AutoresetMode.NEXT_STEP`).
    """

    def __init__(
        self,
        num_envs: int = 64,
        book: BookLike = "tml",
        players: int = 2,
        *,
        opponents: str | Sequence[str] = "tournament",
        seat: int | None = None,
        slots: int | None = None,
        reward: str = "score",
        shaping: float = 0.0,
        observation: str = "array",
        threads: int = 1,
    ) -> None:
        """Settings as in `MeldroomEnv`; numbers that a mask forbids are replaced by the lowest allowed one.

        `threads` changes how fast games are stepped, and nothing else. Raises EnvError or BookError.
        """
        self.settings: Settings = settings(book, players, slots=slots, reward=reward, shaping=shaping)
        check_book(self.settings.book)
        if num_envs < 1 or threads < 1:
            raise EnvError(
                "count", "num_envs" if num_envs < 1 else "threads", given=str(min(num_envs, threads))
            )
        if seat is not None and not 0 <= seat < players:
            raise EnvError("seat", "seat", given=str(seat), last=players - 1)
        self.num_envs = num_envs
        self.learner = seat
        self.form = observation
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, **self.settings.metadata}
        self.single_observation_space = observation_space(self.settings, observation)
        self.single_action_space = action_space(self.settings)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._levels = _levels(opponents, players)
        self._random: list[np.random.Generator] = [seeding.np_random(None)[0] for _ in range(num_envs)]
        self._over = np.ones(num_envs, bool)
        self._games = _Games(self.settings, num_envs, threads)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """New games up to each learner's first decision; each game's seed is one more than the one before."""
        seeds = [seed + game for game in range(self.num_envs)] if isinstance(seed, int) else seed
        for game, given in enumerate(seeds if seeds is not None else [None] * self.num_envs):
            if given is not None:
                self._random[game] = seeding.np_random(given)[0]
        self._over[:] = True
        chosen = options or {}
        self._play(np.ones(self.num_envs, bool), chosen.get("seat"), chosen.get("starter"))
        return self._seen(), self._info()

    def _play(self, fresh: NDArray[np.bool_], seat: int | None = None, starter: int | None = None) -> None:
        """Deals some games, and plays on in all; a game that ends before its learner moves is dealt again."""
        asked = self.learner if seat is None else seat
        waiting = fresh.copy()
        while True:
            for game in np.flatnonzero(waiting).tolist():
                self._deal(game, asked, starter)
            self._games.run()
            self._over = self._games.over()
            waiting &= self._over
            if not waiting.any():
                return

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """One choice in each game, and everything up to the next one."""
        games, fresh = self._games, self._over.copy()
        illegal = np.zeros(self.num_envs, bool)
        for game, number in enumerate(np.asarray(actions).tolist()):
            if not fresh[game]:
                illegal[game] = not games.act(game, number)
        self._play(fresh)
        rewards = np.zeros(self.num_envs)
        for game in range(self.num_envs):
            if not fresh[game]:
                rewards[game] = self._reward(game)
        info = self._info()
        if not fresh.all():
            info |= {"illegal": illegal, "_illegal": ~fresh}
        return self._seen(), rewards, self._over.copy(), np.zeros(self.num_envs, bool), info

    def _deal(self, game: int, seat: int | None, starter: int | None) -> None:
        """A new game by the game's own generator, as `MeldroomEnv.reset` deals it."""
        chance, players = self._random[game], self.settings.players
        secret = f"seed {int(chance.integers(2**62))}"
        drawn = int(chance.integers(players))
        learner = drawn if seat is None else int(seat)
        if not 0 <= learner < players:
            raise EnvError("seat", "seat", given=str(learner), last=players - 1)
        self._games.deal(game, secret, learner, starter, self._levels)

    def _reward(self, game: int) -> float:
        earned = self.settings.shaping * self._games.earned(game)
        if self._over[game]:
            scores, won, learner = self._games.result(game)
            if self.settings.reward == "score":
                earned += scores[learner]
            elif won[learner]:
                earned += 1 / sum(won)
        return earned

    def _seen(self) -> Any:
        games = self._games
        if self.form == "array":
            return games.seen.copy()
        return {"observation": games.seen.copy(), **self._choices()}

    def _choices(self) -> dict[str, Any]:
        games = self._games
        return {"action_mask": games.mask.copy(), "candidates": games.features.copy()}

    def _info(self) -> dict[str, Any]:
        """What `MeldroomEnv` tells, in arrays; `_key` says which games have a key."""
        everywhere = np.ones(self.num_envs, bool)
        info: dict[str, Any] = {**self._choices(), "seat": self._games.learners()}
        info |= {f"_{key}": everywhere.copy() for key in tuple(info)}
        if self._over.any():
            ends, sheets = np.full(self.num_envs, None, object), np.full(self.num_envs, None, object)
            wins = np.zeros(self.num_envs, bool)
            for game in np.flatnonzero(self._over).tolist():
                scores, won, learner = self._games.result(game)
                ends[game] = self._games.ending(game)
                sheets[game], wins[game] = scores, won[learner]
            for key, values in (("end", ends), ("scores", sheets), ("won", wins)):
                info |= {key: values, f"_{key}": self._over.copy()}
        return info

    def action_masks(self) -> NDArray[np.bool_]:
        """The masks as libraries for masked policies ask for them."""
        return self._games.mask.astype(bool)

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads."""
        self._games.close()


def check_book(book: RuleBook) -> None:
    """Raises EnvError for a book that the kernel does not play."""
    tiles = book.tiles
    exact = (
        book.family == "rearranging"
        and book.jokers.reuse == "any_set"
        and fits(book)
        and tiles.copies <= _MOST
        and tiles.jokers <= _MOST
        and tiles.size + tiles.size // book.sets.shortest <= _ROOM
        and not book.opening.run_required
        and book.opening.joker_value == "represented"
        and book.scoring.winner == "opponents"
        and book.scoring.exhausted != "all_minus"
    )
    if not exact:
        raise EnvError("vector_book", "book", book=book.id)


def _levels(opponents: str | Sequence[str], players: int) -> list[int]:
    """The kernel's number of each opponent's level. Raises EnvError."""
    names = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
    if len(names) != players - 1:
        raise EnvError("opponents", "opponents", given=len(names), count=players - 1)
    for name in names:
        check_choice("opponents", name, OPPONENTS)
    return [OPPONENTS.index(name) for name in names]


class _Games:
    """The kernel's games: what it asks is answered here, with the code that the other environments use."""

    def __init__(self, made: Settings, count: int, threads: int) -> None:
        self.settings, self.count = made, count
        self.book, self.players, self.slots = made.book, made.players, made.codec.numbers
        tiles = made.book.tiles
        self.kernel = kernel = mode.kernel("many_games")
        faces, colours = tiles.joker + 1, len(tiles.colours)
        self.games = kernel.make_games(count, self.players, faces, tiles.size, self.slots)
        self.desks = [kernel.make_desk(colours, tiles.numbers, self.slots) for _ in range(threads)]
        self.rules = _rules(made, kernel)
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._seen = kernel.single_grid(count, made.observer.size)
        self._mask = kernel.grid(count, self.slots)
        self._features = kernel.single_grid(count, self.slots * len(made.codec.feature_names))
        self.seen = np.zeros((count, made.observer.size), np.float32)
        self.mask = np.zeros((count, self.slots), np.int8)
        self.features = np.zeros((count, self.slots, len(made.codec.feature_names)), np.float32)

    def close(self) -> None:
        """Ends the threads."""
        if self.pool is not None:
            self.pool.shutdown()
            self.pool = None

    def deal(self, game: int, secret: str, learner: int, starter: int | None, levels: Sequence[int]) -> None:
        """Deals a game as the engine does."""
        kernel, games, players = self.kernel, self.games, self.players
        names = [f"player_{seat}" for seat in range(players)]
        state, _ = new_game(self.book, names, Shuffle(secret), starter)
        face_of = self.book.tiles.face_of
        for seat in range(players):
            row = games.racks[game * players + seat]
            for face in range(len(row)):
                row[face] = 0
            for tile in state.racks[seat]:
                row[face_of[tile]] += 1
            for facts, value in ((games.melded, 0), (games.turns, 0), (games.drawn, -1)):
                facts[game][seat] = value
            games.begun[game][seat] = int(seat == state.seat)
        others = [seat for seat in range(players) if seat != learner]
        for seat, level in zip(others, levels, strict=True):
            games.level[game][seat] = level
        for place, tile in enumerate(state.pool):
            games.pool[game][place] = face_of[tile]
        for face in range(len(games.dead[game])):
            games.dead[game][face] = 0
        facts = games.facts[game]
        for column in range(kernel.FACTS):
            facts[column] = 0
        facts[kernel.STATUS], facts[kernel.PENDING] = kernel.RUNNING, -1
        facts[kernel.SEAT], facts[kernel.STARTER], facts[kernel.LEARNER] = state.seat, state.starter, learner
        facts[kernel.POOL_END] = len(state.pool)

    def act(self, game: int, number: int) -> bool:
        """The learner's choice; False if the mask forbids it, and the lowest allowed one is taken instead."""
        mask, facts, kernel = self.mask[game], self.games.facts[game], self.kernel
        legal = 0 <= number < self.slots and bool(mask[number])
        facts[kernel.PENDING] = number if legal else int(np.argmax(mask))
        facts[kernel.STATUS], facts[kernel.EARNED] = kernel.RUNNING, 0
        return legal

    def run(self) -> None:
        """Plays until every learner is to choose or its game is over, and writes down what each sees."""
        self._in_threads(self._run)
        while self._answer_all():
            self._in_threads(self._run)
        self._in_threads(self._show)
        self.seen[:] = self._seen
        self.mask[:] = self._mask
        self.features[:] = np.asarray(self._features).reshape(self.features.shape)

    def _run(self, first: int, last: int, thread: int) -> None:
        self.kernel.run(first, last, self.games, self.rules, self.desks[thread])

    def _show(self, first: int, last: int, thread: int) -> None:
        desk = self.desks[thread]
        self.kernel.show(first, last, self.games, self.rules, desk, self._seen, self._mask, self._features)

    def _in_threads(self, call: Callable[[int, int, int], None]) -> None:
        """Calls for stretches of games, one a thread."""
        if self.pool is None:
            call(0, self.count, 0)
            return
        threads = len(self.desks)
        bounds = [self.count * place // threads for place in range(threads + 1)]
        list(self.pool.map(call, bounds[:-1], bounds[1:], range(threads)))

    def _answer_all(self) -> bool:
        """Answers what games ask; False if none does."""
        kernel, asked = self.kernel, False
        for game in range(self.count):
            status = self.games.facts[game][kernel.STATUS]
            if status in (kernel.CHOOSING, kernel.OVER):
                continue
            asked = True
            if status == kernel.ASKS_OPENINGS:
                self._answer_openings(game)
            elif status == kernel.ASKS_OPENING:
                self._answer_opening(game)
            else:
                self._answer_charges(game)
        return asked

    def _answer_openings(self, game: int) -> None:
        """The learner's ways to open."""
        facts, kernel = self.games.facts[game], self.kernel
        position = Position(
            rack=self._rack(game, facts[kernel.SEAT]),
            table=tuple(sorted(tuple(sorted(faces)) for faces in self._table(game))),
            melded=False,
            pool_empty=facts[kernel.POOL_AT] == facts[kernel.POOL_END],
        )
        choices = rearranging_choices(self.book, position, self.slots)
        for slot, choice in enumerate(choices):
            if choice is not None and choice.table is not None:
                self._write(game, slot, choice, choice.table)
        facts[kernel.CHOICES], facts[kernel.STATUS] = len(choices), kernel.CHOOSING

    def _answer_opening(self, game: int) -> None:
        """A bot's opening, or that it waits."""
        facts, kernel = self.games.facts[game], self.kernel
        seat = int(facts[kernel.SEAT])
        last = facts[kernel.POOL_AT] == facts[kernel.POOL_END]
        patient = self.games.level[game][seat] == OPPONENTS.index("patient")
        objective: Objective = "points" if patient and last else "tiles"
        try:
            found = best_opening(self.book, self._rack(game, seat), objective)
        except TooLargeError:
            found = None
        if found is not None:
            self._write(game, 1, Choice((), found.played), (*self._table(game), *found.sets))
        facts[kernel.PENDING], facts[kernel.STATUS] = int(found is not None), kernel.RUNNING

    def _answer_charges(self, game: int) -> None:
        """Who could have opened and did not (R43)."""
        games, kernel = self.games, self.kernel
        for seat in range(self.players):
            if games.able[game][seat]:
                late = int(games.drawn[game][seat])
                drawn = (Face(late),) if late >= 0 else ()
                begun = games.begun[game][seat] > 0
                able = could_have_melded(self.book, self._rack(game, seat), drawn, begun)
                games.able[game][seat] = int(able)
        games.facts[game][kernel.STATUS] = kernel.SETTLING

    def _rack(self, game: int, seat: int) -> FaceSet:
        row = self.games.racks[game * self.players + seat]
        return tuple(Face(face) for face, count in enumerate(row) for _ in range(count))

    def _table(self, game: int) -> FaceTable:
        end = int(self.games.facts[game][self.kernel.TABLE_END])
        flat = bytes(self.games.table[game][:end])
        return tuple(tuple(map(Face, faces)) for faces in flat.split(bytes((_SET_END,)))[:-1])

    def _write(self, game: int, slot: int, choice: Choice, table: FaceTable) -> None:
        """A choice into the kernel's slot."""
        games, row = self.games, game * self.slots + slot
        for place, face in enumerate(choice.faces):
            games.played[row][place] = face
        flat = [number for faces in table for number in (*faces, _SET_END)]
        for place, number in enumerate(flat):
            games.after[row][place] = number
        games.tiles[game][slot], games.ends[game][slot] = len(choice.faces), len(flat)
        games.kinds[game][slot] = sum(1 << KINDS.index(kind) for kind in choice.kinds)

    def over(self) -> NDArray[np.bool_]:
        """Which games have ended."""
        kernel = self.kernel
        return np.array([facts[kernel.STATUS] == kernel.OVER for facts in self.games.facts], bool)

    def learners(self) -> NDArray[np.int64]:
        """The learners' seats."""
        return np.array([facts[self.kernel.LEARNER] for facts in self.games.facts], np.int64)

    def earned(self, game: int) -> int:
        """Points that left the learner's rack in its own turn."""
        return int(self.games.facts[game][self.kernel.EARNED])

    def ending(self, game: int) -> str:
        """How a game ended."""
        return "out" if self.games.facts[game][self.kernel.OUT] >= 0 else "exhausted"

    def result(self, game: int) -> tuple[list[int], list[bool], int]:
        """Scores and winners by seat, and the learner's seat."""
        scores = [int(score) for score in self.games.scores[game]]
        won = [bool(each) for each in self.games.won[game]]
        return scores, won, int(self.games.facts[game][self.kernel.LEARNER])


def _rules(made: Settings, kernel: Any) -> Any:
    """A book as the kernel knows it."""
    book, solver = made.book, kernel.solver
    return kernel.Book(
        colours=len(book.tiles.colours),
        numbers=book.tiles.numbers,
        players=made.players,
        opening=book.opening.points,
        step=book.step,
        slots=made.codec.numbers,
        sets=made.observer.sets,
        final_turns=book.pool_end.ending == "final_turns",
        drawer_first=book.pool_end.final_turns_start == "drawer",
        must_play=book.pool_end.must_play_if_able,
        takes_differences=book.scoring.exhausted == "differences",
        final_rack=book.scoring.charge_test == "final_rack",
        unmelded=book.scoring.unmelded,
        unmelded_able=book.scoring.unmelded_able,
        values=solver.ints(book.values),
        limits=solver.ints(book.tiles.limits),
        most_tiles=solver.ints(weigh(book, "tiles")),
        most_points=solver.ints(weigh(book, "points")),
        most_value=solver.ints(weigh(book, "value")),
    )
