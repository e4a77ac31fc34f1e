"""Learns to beat master over the last draws of WRC 11 between two, for `bench/exploiters/learned.py`.

    python bench/training/response.py --minutes 8 --out results/response    # with an accelerator
    python bench/training/response.py --smoke --out results/response        # a trial without one

Processes play whole games against the real master by what was learnt so far, with some chance; every position
of the fight is kept with all tiles open. A network learns from these who wins, by TD(λ); it begins with what
master weighs and learns what to add. New weights are handed to the players as they come. At the end the
response plays mirrored deals it has not learnt from, without chance. Run from the repository's folder; needs
torch.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import queue
import random
import sys
import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one thread for each of the players
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))  # the player is bench.exploiters.learned, also in other processes

import numpy as np  # noqa: E402

from bench.exploiters.learned import (  # noqa: E402
    BASE,
    FACES,
    WIDE,
    After,
    Learned,
    Look,
    Net,
    Octets,
    counted,
    encoded,
    loaded,
    logits,
    rows,
)
from meldroom.bots.game_loop import NO_CLOCK, Game  # noqa: E402
from meldroom.bots.interface import Bot  # noqa: E402
from meldroom.bots.rearranging.master import Master  # noqa: E402
from meldroom.game import Shuffle, State  # noqa: E402
from meldroom.rules.book import RuleBook  # noqa: E402
from meldroom.rules.library import find_book  # noqa: E402
from meldroom.solver.kernel import mode  # noqa: E402

LAST = 4
"""Tiles in the pool at which the fight begins."""


class Fight(NamedTuple):
    """The positions of a game from the last draws on, and the learner's share of the win."""

    version: int
    chance: bool
    positions: Octets
    won: float


def kept(look: Look, state: State, me: int, moved: bool) -> Octets:
    """A position of the fight as the network reads it, from the learner's side."""
    mine, theirs = (counted(state.faces(state.racks[seat]))[None] for seat in (me, 1 - me))
    table = counted(tuple(chain.from_iterable(map(state.faces, state.table))))
    return rows(look, After(table, mine, theirs, len(state.pool), moved))


def played(book: RuleBook, look: Look | None, bot: Bot, me: int, name: str) -> tuple[Octets, float]:
    """A game of the learner in one seat against master; with a look, what the fight was like."""
    bots: list[Bot] = [Master(book, f"{name} {seat}") for seat in range(2)]
    bots[me] = bot
    game = Game(book, ["one", "two"], Shuffle(name), starter=0)
    seen: list[Octets] = []
    while not game.over:
        seat = game.state.seat
        game.ask(bots[seat], NO_CLOCK)
        state = game.state
        if look is not None and len(state.pool) <= LAST and all(state.melded) and not game.over:
            seen.append(kept(look, state, me, seat == me))
    winners = game.state.result.winners if game.state.result is not None else ()
    won = 1 / len(winners) if me in winners else 0.0
    return np.concatenate(seen) if seen else np.zeros((0, WIDE), np.uint8), won


def version_of(folder: Path) -> int:
    """How often weights were handed out."""
    place = folder / "version"
    return int(place.read_text()) if place.exists() else 0


def player(number: int, options: argparse.Namespace, fights: Any, over: Any) -> None:
    """One process: plays game after game with the newest weights."""
    mode.for_long_work()
    book = find_book("wrc11")
    look = Look(book)
    game, version = 0, 0
    net: Net = {}
    while not over.is_set():
        newest = version_of(options.out)
        if newest > version:
            version, net = newest, loaded(str(options.out / f"response_{newest}.npz"))
        name = f"{options.seed} {number} {game}"
        chance = random.Random(name)
        me, explores = chance.randrange(2), chance.random() > options.greedy
        explore = options.explore if explores else 0.0
        bot = Learned(
            book, f"{name} learner", net=net, explore=explore, worlds=options.worlds, kept=options.kept
        )
        fights.put(Fight(version, explores, *played(book, look, bot, me, name)))
        game += 1


def examined(task: tuple[str, str, dict[str, Any], int, int]) -> tuple[str, int, float, float]:
    """One game of an exam: the setting, the deal, the share of the win and the seconds."""
    name, weights, setting, deal, me = task
    book = find_book("wrc11")
    began = time.perf_counter()
    bot = Learned(book, f"exam {deal} {me}", **{"weights": weights, **setting})
    _, won = played(book, None, bot, me, f"exam {deal}")
    return name, deal, won, time.perf_counter() - began


class Trainer:
    """The network, on the accelerator where there is one."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.torch: Any = import_module("torch")
        self.torch.manual_seed(options.seed)
        self.device = "cuda" if self.torch.cuda.is_available() else "cpu"
        self.net = self._fresh(options.hidden)
        if options.start is not None:
            kept = loaded(str(options.start))
            self.net = {name: self._on(each).requires_grad_() for name, each in kept.items()}
        weights = list(self.net.values())
        self.adam = self.torch.optim.AdamW(weights, lr=options.rate, weight_decay=options.decay)
        self.fights: deque[Fight] = deque(maxlen=options.window)
        self.aside: deque[Fight] = deque(maxlen=max(20, options.window // 15))
        self.taken = self.positions = self.steps = 0
        self.chance = random.Random(options.seed)

    def _on(self, values: Any) -> Any:
        return self.torch.as_tensor(values).to(self.device)

    def _fresh(self, hidden: int) -> Net:
        """What master weighs, and a hidden layer that adds nothing much yet."""
        torch = self.torch
        told = encoded(np.zeros((1, WIDE), np.float32), np).shape[-1]
        net = {
            "base": torch.tensor(BASE),
            "hidden": torch.randn(told, hidden) / math.sqrt(told),
            "hidden_bias": torch.zeros(hidden),
            "last": 0.02 * torch.randn(hidden, 1),
            "last_bias": torch.zeros(1),
        }
        return {name: self._on(each).requires_grad_() for name, each in net.items()}

    def said(self, given: Any) -> Any:
        """The network's logits for rows on the device."""
        return logits(self.net, encoded(given.float(), self.torch))

    def take(self, fight: Fight) -> None:
        """One more game; one in fifteen is set aside to see how well others are judged."""
        self.taken += 1
        if len(fight.positions):
            (self.fights if self.taken % 15 else self.aside).append(fight)
            self.positions += len(fight.positions)

    def begin(self, place: Path) -> None:
        """Learns from the fights that an earlier run has written down."""
        with np.load(place) as kept:
            positions = np.split(kept["positions"], np.cumsum(kept["lengths"])[:-1])
            for each, won in zip(positions, kept["won"].tolist(), strict=True):
                self.take(Fight(0, True, each, won))
        for _ in range(8):
            given, goal = self.goals(list(self.fights), 1.0)
            self.learn(given, goal, 200, self.options.rate)
        print(f"earlier fights: {self.judged()}", flush=True)

    def goals(self, fights: list[Fight], mix: float) -> tuple[Any, Any]:
        """All positions, and what each is worth by TD(λ): the outcome, and what is said of later ones."""
        torch = self.torch
        lengths = [len(fight.positions) for fight in fights]
        given = self._on(np.concatenate([fight.positions for fight in fights]))
        won = self._on(np.array([fight.won for fight in fights], np.float32))
        with torch.no_grad():
            likely = torch.cat([torch.sigmoid(self.said(part)) for part in given.split(65536)])
            moved = given[:, -1] > 0
            likely = torch.where(moved & (given[:, -3] == 0), torch.zeros_like(likely), likely)
            likely = torch.where(~moved & (given[:, -4] == 0), torch.ones_like(likely), likely)
            longest = max(lengths)
            ends = np.cumsum(lengths)
            # every game ends in the last column
            place = np.full((len(fights), longest), -1)
            for row, (end, length) in enumerate(zip(ends, lengths, strict=True)):
                place[row, longest - length :] = np.arange(end - length, end)
            places = self._on(place)
            inside = places >= 0
            said = torch.where(inside, likely[places.clamp(min=0)], torch.zeros_like(likely[:1]))
            goal = torch.zeros_like(said)
            goal[:, -1] = won
            for column in range(longest - 2, -1, -1):
                goal[:, column] = mix * goal[:, column + 1] + (1 - mix) * said[:, column + 1]
            flat = torch.zeros_like(likely)
            flat[places[inside]] = goal[inside]
        return given, flat

    def swapped(self, given: Any) -> Any:
        """The same positions from the other player's side."""
        parts = given[:, : 6 * FACES].reshape(-1, 6, FACES)[:, [1, 0, 2, 3, 5, 4]].reshape(-1, 6 * FACES)
        stuck, rest = given[:, [-3, -4, -2]], 1 - given[:, -1:]
        return self.torch.cat([parts, stuck, rest], 1)

    def learn(self, given: Any, goal: Any, batches: int, rate: float) -> float:
        """So many steps; returns the mean loss."""
        torch, total = self.torch, 0.0
        loss_of = torch.nn.functional.binary_cross_entropy_with_logits
        for group in self.adam.param_groups:
            group["lr"] = rate
        for _ in range(batches):
            chosen = torch.randint(len(given), (self.options.batch,), device=self.device)
            batch, wanted = given[chosen], goal[chosen]
            if self.chance.random() < 0.5:
                batch, wanted = self.swapped(batch), 1 - wanted
            loss = loss_of(self.said(batch), wanted)
            self.adam.zero_grad(set_to_none=True)
            loss.backward()
            self.adam.step()
            self.steps += 1
            total = total + loss.detach()
        return float(total) / max(1, batches)

    def judged(self) -> str:
        """How well games set aside are foreseen: log loss and right guesses, by the tiles I hold."""
        fights = list(self.aside)
        if not fights:
            return "nothing aside"
        torch = self.torch
        given = self._on(np.concatenate([fight.positions for fight in fights]))
        won = self._on(
            np.concatenate([[fight.won] * len(fight.positions) for fight in fights]).astype(np.float32)
        )
        with torch.no_grad():
            said = torch.cat([self.said(part) for part in given.split(65536)])
        loss = torch.nn.functional.binary_cross_entropy_with_logits(said, won, reduction="none")
        right = ((said > 0) == (won > 0.5)).float()
        tiles = given[:, :FACES].sum(1)
        by_tiles = " ".join(
            f"{low}+:{float(loss[pick].mean()):.3f}/{float(right[pick].mean()):.3f}"
            for low, high in ((40, 99), (30, 40), (20, 30), (0, 20))
            if (pick := (tiles >= low) & (tiles < high)).any()
        )
        return f"{float(loss.mean()):.3f}/{float(right.mean()):.3f} ({by_tiles})"

    def save(self, place: Path) -> None:
        """Writes the network down."""
        flat = {name: each.detach().float().cpu().numpy() for name, each in self.net.items()}
        unfinished = place.with_suffix(".tmp.npz")
        np.savez(unfinished, **flat)
        unfinished.replace(place)

    def write_fights(self, place: Path) -> None:
        """Writes the last fights down."""
        few = list(self.fights)[-self.options.games_kept :]
        np.savez_compressed(
            place,
            positions=np.concatenate([fight.positions for fight in few]),
            lengths=np.array([len(fight.positions) for fight in few]),
            won=np.array([fight.won for fight in few]),
        )

    def hand_out(self, version: int) -> None:
        """New weights for the players."""
        self.save(self.options.out / f"response_{version}.npz")
        unfinished = self.options.out / "version.tmp"
        unfinished.write_text(str(version))
        unfinished.replace(self.options.out / "version")
        if version > 2:
            (self.options.out / f"response_{version - 2}.npz").unlink(missing_ok=True)


def train(options: argparse.Namespace) -> Path:
    """Plays and learns until the time is over; returns where the weights are."""
    began = time.monotonic()
    trainer = Trainer(options)
    context = multiprocessing.get_context("spawn")
    fights: Any = context.Queue()
    over = context.Event()
    (options.out / "version").unlink(missing_ok=True)
    version = 1
    if options.fights is not None:
        trainer.begin(options.fights)
    trainer.hand_out(version)
    players = [
        context.Process(target=player, args=(number, options, fights, over), daemon=True)
        for number in range(options.processes)
    ]
    for each in players:
        each.start()
    seconds = 60 * options.minutes
    results: dict[tuple[int, bool], float] = defaultdict(float)
    games: Counter[tuple[int, bool]] = Counter()
    told = handed = time.monotonic()
    used = options.passes * trainer.positions
    while (now := time.monotonic() - began) < seconds:
        for fight in _waiting(fights):
            trainer.take(fight)
            results[fight.version, fight.chance] += fight.won
            games[fight.version, fight.chance] += 1
        enough = sum(games.values()) >= options.first
        if not enough or used >= options.passes * trainer.positions:
            time.sleep(0.2)
        else:
            given, goal = trainer.goals(list(trainer.fights), options.mix)
            rate = options.rate * (0.05 + 0.95 * (1 + math.cos(math.pi * now / seconds)) / 2)
            batches = max(20, min(400, int(options.passes * trainer.positions - used) // options.batch))
            loss = trainer.learn(given, goal, batches, rate)
            used += batches * options.batch
            caught_up = used >= options.passes * trainer.positions
            if time.monotonic() - handed > options.every and (version > 1 or caught_up):
                handed = time.monotonic()
                version += 1
                trainer.hand_out(version)
                print(
                    f"{now:.0f} s: version {version}, {trainer.taken} games, {trainer.positions} positions,"
                    f" {trainer.steps} steps, loss {loss:.4f}; aside {trainer.judged()}",
                    flush=True,
                )
        if time.monotonic() - told > 20:
            told = time.monotonic()
            lately = [key for key in games if key[0] >= version - 3]
            rates = ", ".join(
                f"v{key[0]}{' with chance' if key[1] else ''} {results[key] / games[key]:.3f} of {games[key]}"
                for key in sorted(lately)
            )
            print(f"{now:.0f} s: wins {rates}", flush=True)
    over.set()
    time.sleep(1)
    for each in players:
        each.terminate()
    place: Path = options.out / "learned.npz"
    trainer.save(place)
    if options.games_kept:
        trainer.write_fights(options.out / "fights.npz")
    print(
        f"{trainer.taken} games, {trainer.positions} positions, {trainer.steps} steps on {trainer.device}",
        flush=True,
    )
    return place


def _waiting(fights: Any) -> Iterator[Fight]:
    while True:
        try:
            yield fights.get_nowait()
        except queue.Empty:
            return


SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "draws": {"draws": True},
    "answered": {"worlds": 5, "answered": 3, "draws": True},
    "base": {"weights": "base"},
}
"""Ways to play that an exam compares."""


def exam(options: argparse.Namespace, weights: Path) -> None:
    """Mirrored deals against master, without chance, until the time is over."""
    chosen = {name: SETTINGS[name] for name in options.settings}
    tasks = (
        (name, str(weights), setting, deal, me)
        for deal in range(options.exam_first, options.exam_first + options.deals)
        for name, setting in chosen.items()
        for me in range(2)
    )
    until = time.monotonic() + options.exam_seconds
    won: dict[str, dict[int, list[float]]] = {name: {} for name in chosen}
    taken: dict[str, float] = defaultdict(float)
    context = multiprocessing.get_context("spawn")
    with context.Pool(options.processes, initializer=mode.for_long_work) as pool:
        for name, deal, share, seconds in pool.imap(examined, tasks):
            won[name].setdefault(deal, []).append(share)
            taken[name] += seconds
            if time.monotonic() > until:
                pool.terminate()
                break
    for name, deals in won.items():
        shares = [sum(each) / 2 for each in deals.values() if len(each) == 2]
        if len(shares) > 1:
            sure = 1.96 * float(np.std(shares, ddof=1)) / math.sqrt(len(shares))
            print(
                f"{name}: {100 * float(np.mean(shares)):.1f} ± {100 * sure:.1f} %"
                f" of {len(shares)} mirrored deals,"
                f" {taken[name] / sum(map(len, deals.values())):.2f} s a game",
                flush=True,
            )


def main() -> None:
    """Learns, keeps the weights and says how they do."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--out", type=Path, default=Path("results/response"))
    parser.add_argument("--processes", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=500, help="games before anything is learnt")
    parser.add_argument("--window", type=int, default=5000, help="games that are learnt from")
    parser.add_argument("--passes", type=float, default=20, help="how often a position is learnt from")
    parser.add_argument("--mix", type=float, default=0.9, help="λ: 1 learns from outcomes alone")
    parser.add_argument("--explore", type=float, default=0.08, help="chance in the choice of plays")
    parser.add_argument("--greedy", type=float, default=0.3, help="share of games without chance")
    parser.add_argument("--worlds", type=int, default=6)
    parser.add_argument("--kept", type=int, default=5)
    parser.add_argument("--hidden", type=int, default=24, help="width of the hidden layer")
    parser.add_argument("--fights", type=Path, help="fights of an earlier run to begin with")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--decay", type=float, default=1e-2)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--every", type=float, default=20, help="seconds between new weights")
    parser.add_argument("--exam-seconds", type=float, default=60)
    parser.add_argument("--exam-first", type=int, default=0)
    parser.add_argument("--deals", type=int, default=1000, help="the most deals of the exam")
    parser.add_argument("--settings", nargs="*", default=["plain", "base"], choices=SETTINGS)
    parser.add_argument("--games-kept", type=int, default=0, help="write so many of the last fights down")
    parser.add_argument("--smoke", action="store_true", help="everything, tiny")
    options = parser.parse_args()
    if options.smoke:
        options.minutes, options.processes, options.first, options.every = 0.5, 1, 6, 2
        options.batch, options.exam_seconds, options.deals = 256, 12, 2
    options.out.mkdir(parents=True, exist_ok=True)
    mode.for_long_work(print)
    weights = train(options) if options.minutes else options.start
    if options.exam_seconds:
        exam(options, weights)


if __name__ == "__main__":
    main()
