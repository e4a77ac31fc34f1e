"""The games of the vectorised environment: the kernel plays them, what it asks is answered here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meldroom.env.codecs.choices import KINDS, Choice
from meldroom.env.codecs.position import Position
from meldroom.env.codecs.rearranging import rearranging_choices
from meldroom.env.compiling import tell
from meldroom.env.episode import Settings
from meldroom.game import Shuffle, new_game
from meldroom.rules.scoring import could_have_melded
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.solver.errors import TooLargeError
from meldroom.solver.kernel import mode
from meldroom.solver.kernel.engine import Objective, weigh
from meldroom.solver.opening import best_opening
from meldroom.tiles import Face

OPPONENTS = ("beginner", "tournament", "patient")
"""The levels that the kernel plays, in the order of its numbers for them."""

STRETCHES = 4
"""Games are handed to threads in so many portions each, that they end together."""
_SET_END = 255


class KernelGames:
    """The kernel's games: what it asks is answered here, with the code that the other environments use."""

    def __init__(self, made: Settings, count: int, threads: int) -> None:
        self.settings, self.count = made, count
        self.book, self.players, self.slots = made.book, made.players, made.codec.numbers
        tiles = made.book.tiles
        mode.for_many_games(tell)
        self.kernel = kernel = mode.kernel("many_games")
        faces, colours = tiles.joker + 1, len(tiles.colours)
        self.games = kernel.make_games(count, self.players, faces, tiles.size, self.slots)
        self.desks: SimpleQueue[Any] = SimpleQueue()
        for _ in range(threads):
            self.desks.put(kernel.make_desk(colours, tiles.numbers, self.slots))
        self.rules = _rules(made, kernel)
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.stretch = -(-count // (STRETCHES * threads)) if threads > 1 else count
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
        for face in range(len(games.single[game])):
            games.single[game][face] = 0
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
        self.seen = np.asarray(self._seen, np.float32)
        self.mask = np.asarray(self._mask).astype(np.int8)
        self.features = np.asarray(self._features, np.float32).reshape(self.features.shape)

    def _run(self, first: int, last: int, desk: Any) -> None:
        self.kernel.run(first, last, self.games, self.rules, desk)

    def _show(self, first: int, last: int, desk: Any) -> None:
        self.kernel.show(first, last, self.games, self.rules, desk, self._seen, self._mask, self._features)

    def _in_threads(self, call: Callable[[int, int, Any], None]) -> None:
        """Calls for all games, a stretch of them at a time; whoever is done takes the next one."""

        def take(first: int) -> None:
            desk = self.desks.get()
            try:
                call(first, min(first + self.stretch, self.count), desk)
            finally:
                self.desks.put(desk)

        starts = range(0, self.count, self.stretch)
        list(map(take, starts) if self.pool is None else self.pool.map(take, starts))

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
        unopened_wins=book.scoring.exhausted_unopened == "counts",
        final_rack=book.scoring.charge_test == "final_rack",
        unmelded=book.scoring.unmelded,
        unmelded_able=book.scoring.unmelded_able,
        values=solver.ints(book.values),
        limits=solver.ints(book.tiles.limits),
        most_tiles=solver.ints(weigh(book, "tiles")),
        most_points=solver.ints(weigh(book, "points")),
        most_value=solver.ints(weigh(book, "value")),
    )
