"""Trains the network by which master fights for the last draw of WRC 11 between two, or a response to it.

    python bench/training/last_draws.py --minutes 10 --out results/last_draws      # with an accelerator
    python bench/training/last_draws.py --against master --minutes 10 --out …      # what beats master?
    python bench/training/last_draws.py --smoke --out results/last_draws           # a trial without one

Processes play whole games by what was learnt so far, with some chance: against themselves, against earlier
versions and against the second master; with `--against` only against that opponent. The network
learns by TD(λ) who wins after each play, with all tiles open; it begins with what master weighs and learns
what to add. New weights are handed to the players as they come. At the end it plays mirrored deals it has not
learnt from, without chance. Run from the repository's folder; needs torch.
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
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one thread for each of the players
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
ROOT = Path(__file__).resolve().parents[2]
for place in (ROOT, ROOT / "src"):
    if str(place) not in sys.path:
        sys.path.insert(0, str(place))  # also in other processes

import msgspec  # noqa: E402
import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from bench.exploiters.learned import Learned  # noqa: E402
from bench.exploiters.waiting import Waiting  # noqa: E402
from bench.exploiters.with_network import Master as WithNetwork  # noqa: E402
from bench.exploiters.with_network import network_of  # noqa: E402
from meldroom.bots.game_loop import NO_CLOCK, Game  # noqa: E402
from meldroom.bots.interface import Bot  # noqa: E402
from meldroom.bots.rearranging.base import Seat, best_or_none  # noqa: E402
from meldroom.bots.rearranging.last_draws import LAST_DRAWS, WORLDS, Network, SmallPlays  # noqa: E402
from meldroom.bots.rearranging.master import Master  # noqa: E402
from meldroom.game import Shuffle  # noqa: E402
from meldroom.game.actions import Action  # noqa: E402
from meldroom.rules.book import RuleBook  # noqa: E402
from meldroom.rules.library import find_book  # noqa: E402
from meldroom.solver.kernel import mode  # noqa: E402

BOOK = "wrc11"
THEIR_STUCK = 1
"""The feature that says whether the other player has tiles that are stuck."""


class Learner(Master):
    """A master with a network of its own, and some chance in the choice of plays."""

    def __init__(self, book: RuleBook, seed: str, network: Network | None, explore: float = 0.0) -> None:
        super().__init__(book, seed)
        self.network = network
        self.explore = explore
        self.chance = random.Random(seed)
        self.chosen: tuple[SmallPlays, int] | None = None

    def _last_draws(self, seat: Seat) -> Action:
        if seat.view.pool_size % 2:
            return seat.wait()
        plays = self._weigher(seat, LAST_DRAWS, WORLDS, self.network)
        worth = plays.win_chances(None)
        order = sorted(worth, key=lambda at: -self._tempting(worth[at]))
        if self.chance.random() < self.explore / 8:
            self.chance.shuffle(order)
        for at in order:
            faces = plays.faces(at)
            lay = best_or_none(self.book, seat.table, faces)
            if lay.tiles == len(faces):
                self.chosen = plays, at
                return seat.lay(lay.table)
        return super()._last_draws(seat)

    def _tempting(self, worth: float) -> float:
        """The chance to win as a logit, and by some chance more or less (Gumbel)."""
        gumbel = -math.log(-math.log(self.chance.random() or 0.5))
        return math.log((worth + 0.001) / (1.001 - worth)) + self.explore * gumbel


class Fight(NamedTuple):
    """One player's plays in a fight: what master's weights make of each, and the network's features."""

    rows: NDArray[np.float32]
    won: float


def fights_of(book: RuleBook, bots: list[Bot], name: str) -> Iterator[Fight]:
    """Plays a game; the fight as each learner saw it, with all tiles open."""
    game = Game(book, ["one", "two"], Shuffle(name), starter=0)
    rows: list[list[list[float]]] = [[], []]
    while not game.over:
        state = game.state
        bot = bots[state.seat]
        game.ask(bot, NO_CLOCK)
        if isinstance(bot, Learner) and bot.chosen is not None:
            plays, at = bot.chosen
            bot.chosen = None
            sum_, seen = plays.features_against(at, state.faces(state.racks[1 - state.seat]))
            if seen[THEIR_STUCK]:  # else they go out, and the network is not asked
                rows[state.seat].append([sum_, *seen])
    winners = game.state.result.winners if game.state.result is not None else ()
    for seat, bot in enumerate(bots):
        if isinstance(bot, Learner):
            yield Fight(np.array(rows[seat], np.float32), 1 / len(winners) if seat in winners else 0.0)


OPPONENTS: dict[str, Callable[[RuleBook, str], Bot]] = {
    "master": Master,
    "second-master": WithNetwork,
    "learned": Learned,
    "waiting": Waiting,
}
"""Opponents of exams, and what a response may be trained against."""


def version_of(folder: Path) -> int:
    """How often weights were handed out."""
    place = folder / "version"
    return int(place.read_text()) if place.exists() else 0


def player(number: int, options: argparse.Namespace, fights: Any, over: Any) -> None:
    """One process: plays game after game with the newest weights."""
    mode.for_long_work()
    book = find_book(BOOK)
    networks: list[Network] = []
    version, game = 0, 0
    while not over.is_set():
        if (newest := version_of(options.out)) > version:
            version = newest
            networks.append(network_of(options.out / f"network_{version}.json"))
        name = f"{options.seed} {number} {game}"
        chance = random.Random(name)
        explore = options.explore if chance.random() > options.greedy else 0.0
        me = chance.randrange(2)
        bots: list[Bot] = [Learner(book, f"{name} {seat}", networks[-1], explore) for seat in range(2)]
        if options.against:
            bots[1 - me] = OPPONENTS[options.against](book, f"{name} other")
        elif (kind := chance.random()) < options.others:
            bots[1 - me] = WithNetwork(book, f"{name} other")
        elif kind < 2 * options.others:
            bots[1 - me] = older = WithNetwork(book, f"{name} other")
            older.network = chance.choice(networks)
        for fight in fights_of(book, bots, name):
            fights.put(fight)
        game += 1


class Trainer:
    """The network, on the accelerator where there is one."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.torch: Any = import_module("torch")
        self.torch.manual_seed(options.seed)
        self.device = "cuda" if self.torch.cuda.is_available() else "cpu"
        self.fights: deque[Fight] = deque(maxlen=options.window)
        self.aside: deque[Fight] = deque(maxlen=400)
        self.taken = self.positions = self.steps = 0
        self.hidden: Any = None
        self.last: Any = None
        self.adam: Any = None
        if options.start is not None:
            start = network_of(options.start)
            self._begin(np.array(start.hidden, np.float32), np.array(start.last, np.float32))

    def _begin(self, hidden: Any, last: Any) -> None:
        on = self.torch.as_tensor
        self.hidden = on(hidden, device=self.device).requires_grad_()
        self.last = on(last, device=self.device).requires_grad_()
        rate, decay = self.options.rate, self.options.decay
        self.adam = self.torch.optim.AdamW([self.hidden, self.last], lr=rate, weight_decay=decay)

    def fresh(self, features: int) -> None:
        """A hidden layer that adds nothing much yet."""
        chance = np.random.default_rng(self.options.seed)
        hidden = chance.standard_normal((self.options.hidden, features + 1)) / math.sqrt(features)
        last = 0.02 * chance.standard_normal(self.options.hidden + 1)
        hidden[:, -1], last[-1] = 0, 0
        self._begin(hidden.astype(np.float32), last.astype(np.float32))

    def said(self, given: Any) -> Any:
        """Logits for rows on the device."""
        units = self.torch.relu(given[:, 1:] @ self.hidden[:, :-1].T + self.hidden[:, -1])
        return given[:, 0] + units @ self.last[:-1] + self.last[-1]

    def take(self, fight: Fight) -> None:
        """One more fight; one in fifteen is set aside to see how well others are judged."""
        if len(fight.rows):
            self.taken += 1
            self.positions += len(fight.rows)
            (self.fights if self.taken % 15 else self.aside).append(fight)

    def goals(self) -> tuple[Any, Any]:
        """All positions, and what each is worth by TD(λ): the outcome, and what is said of later ones."""
        fights = list(self.fights)
        given = np.concatenate([fight.rows for fight in fights])
        given = self.torch.as_tensor(given, device=self.device)
        with self.torch.no_grad():
            likely = self.torch.sigmoid(self.said(given)).cpu().numpy()
        goal = np.zeros(len(likely), np.float32)
        at, mix = len(likely), self.options.mix
        for fight in reversed(fights):
            after = fight.won
            for step in range(len(fight.rows)):
                at -= 1
                if step:
                    after = mix * after + (1 - mix) * float(likely[at + 1])
                goal[at] = after
        return given, self.torch.as_tensor(goal, device=self.device)

    def learn(self, given: Any, goal: Any, batches: int, rate: float) -> float:
        """So many steps; returns the mean loss."""
        torch, total = self.torch, 0.0
        loss_of = torch.nn.functional.binary_cross_entropy_with_logits
        for group in self.adam.param_groups:
            group["lr"] = rate
        for _ in range(batches):
            chosen = torch.randint(len(given), (self.options.batch,), device=self.device)
            loss = loss_of(self.said(given[chosen]), goal[chosen])
            self.adam.zero_grad(set_to_none=True)
            loss.backward()
            self.adam.step()
            self.steps += 1
            total = total + loss.detach()
        return float(total) / max(1, batches)

    def judged(self) -> str:
        """How well fights set aside are foreseen: log loss and right guesses, first by the weights alone."""
        fights = list(self.aside)
        if not fights:
            return "nothing aside"
        rows = np.concatenate([fight.rows for fight in fights])
        won = np.concatenate([[fight.won] * len(fight.rows) for fight in fights]).astype(np.float32)
        given, wanted = (self.torch.as_tensor(each, device=self.device) for each in (rows, won))
        with self.torch.no_grad():
            told = [
                (float(self.torch.nn.functional.binary_cross_entropy_with_logits(said, wanted)),
                 float(((said > 0) == (wanted > 0.5)).float().mean()))
                for said in (given[:, 0], self.said(given))
            ]  # fmt: skip
        return "; ".join(f"{loss:.3f}/{right:.3f}" for loss, right in told)

    def network(self) -> Network:
        """The weights, rounded as they are kept."""
        hidden, last = (each.detach().double().cpu().numpy().round(4) for each in (self.hidden, self.last))
        return Network(hidden.tolist(), last.tolist())

    def hand_out(self, version: int) -> None:
        """New weights for the players."""
        save(self.options.out / f"network_{version}.json", self.network())
        unfinished = self.options.out / "version.tmp"
        unfinished.write_text(str(version))
        unfinished.replace(self.options.out / "version")


def save(place: Path, network: Network) -> None:
    """Writes a network down, a unit a line."""
    rows = ",\n".join(msgspec.json.encode(row).decode() for row in network.hidden)
    text = f'{{"hidden":[\n{rows}],\n"last":{msgspec.json.encode(network.last).decode()}}}\n'
    unfinished = place.with_suffix(".tmp")
    unfinished.write_text(text)
    unfinished.replace(place)


def train(options: argparse.Namespace) -> Path:
    """Plays and learns until the time is over; returns where the weights are."""
    began = time.monotonic()
    trainer = Trainer(options)
    context = multiprocessing.get_context("spawn")
    fights: Any = context.Queue()
    over = context.Event()
    (options.out / "version").unlink(missing_ok=True)
    version = 1
    if trainer.hidden is None:
        features = len(next(fight.rows[0] for fight in first_fights() if len(fight.rows))) - 1
        trainer.fresh(features)
    trainer.hand_out(version)
    players = [
        context.Process(target=player, args=(number, options, fights, over), daemon=True)
        for number in range(options.processes)
    ]
    for each in players:
        each.start()
    seconds = 60 * options.minutes
    handed = time.monotonic()
    used = 0.0
    while (now := time.monotonic() - began) < seconds:
        for fight in _waiting(fights):
            trainer.take(fight)
        if trainer.taken < options.first or used >= options.passes * trainer.positions:
            time.sleep(0.2)
            continue
        given, goal = trainer.goals()
        rate = options.rate * (0.05 + 0.95 * (1 + math.cos(math.pi * now / seconds)) / 2)
        batches = max(20, min(400, int(options.passes * trainer.positions - used) // options.batch))
        loss = trainer.learn(given, goal, batches, rate)
        used += batches * options.batch
        if time.monotonic() - handed > options.every:
            handed = time.monotonic()
            version += 1
            trainer.hand_out(version)
            won = [fight.won for fight in list(trainer.fights)[-1000:]]
            print(
                f"{now:.0f} s: version {version}, {trainer.taken} fights, {trainer.positions} positions,"
                f" {trainer.steps} steps, loss {loss:.4f}, wins {sum(won) / len(won):.3f};"
                f" aside {trainer.judged()}",
                flush=True,
            )
    over.set()
    time.sleep(1)
    for each in players:
        each.terminate()
    place: Path = options.out / "last_draws.json"
    save(place, trainer.network())
    print(
        f"{trainer.taken} fights, {trainer.positions} positions, {trainer.steps} steps on {trainer.device}",
        flush=True,
    )
    return place


def first_fights() -> Iterator[Fight]:
    """Fights without a trained network, to count the features."""
    book = find_book(BOOK)
    silent = Network([], [0.0])
    for game in range(50):
        bots: list[Bot] = [Learner(book, f"first {game} {seat}", silent) for seat in range(2)]
        yield from fights_of(book, bots, f"first {game}")


def _waiting(fights: Any) -> Iterator[Fight]:
    while True:
        try:
            yield fights.get_nowait()
        except queue.Empty:
            return


def examined(task: tuple[str, str, int, int]) -> tuple[str, int, float, float]:
    """One game of an exam: the opponent, the deal, the share of the win and the seconds."""
    opponent, weights, deal, me = task
    book = find_book(BOOK)
    began = time.perf_counter()
    bots = [OPPONENTS[opponent](book, f"exam {deal} {seat}") for seat in range(2)]
    bots[me] = Learner(book, f"exam {deal} {me}", network_of(Path(weights)))
    [fight] = list(fights_of(book, bots, f"exam {deal}"))
    return opponent, deal, fight.won, time.perf_counter() - began


def exam(options: argparse.Namespace, weights: Path) -> None:
    """Mirrored deals against each opponent, without chance, until the time is over."""
    tasks = (
        (opponent, str(weights), deal, me)
        for deal in range(options.exam_first, options.exam_first + options.deals)
        for opponent in options.exam
        for me in range(2)
    )
    until = time.monotonic() + options.exam_seconds
    won: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    taken: dict[str, float] = defaultdict(float)
    context = multiprocessing.get_context("spawn")
    with context.Pool(options.processes, initializer=mode.for_long_work) as pool:
        for opponent, deal, share, seconds in pool.imap(examined, tasks):
            won[opponent][deal].append(share)
            taken[opponent] += seconds
            if time.monotonic() > until:
                pool.terminate()
                break
    for opponent, deals in won.items():
        shares = [sum(each) / 2 for each in deals.values() if len(each) == 2]
        if len(shares) > 1:
            sure = 1.96 * float(np.std(shares, ddof=1)) / math.sqrt(len(shares))
            print(
                f"against {opponent}: {100 * float(np.mean(shares)):.1f} ± {100 * sure:.1f} %"
                f" of {len(shares)} mirrored deals,"
                f" {taken[opponent] / sum(map(len, deals.values())):.2f} s a game",
                flush=True,
            )


def main() -> None:
    """Learns, keeps the weights and says how they do."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--out", type=Path, default=Path("results/last_draws"))
    parser.add_argument("--against", choices=OPPONENTS, help="learn to beat this one, and nobody else")
    parser.add_argument("--processes", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=500, help="fights before anything is learnt")
    parser.add_argument("--window", type=int, default=12000, help="fights that are learnt from")
    parser.add_argument("--passes", type=float, default=200, help="how often a position is learnt from")
    parser.add_argument("--mix", type=float, default=0.9, help="λ: 1 learns from outcomes alone")
    parser.add_argument("--explore", type=float, default=0.1, help="chance in the choice of plays")
    parser.add_argument("--greedy", type=float, default=0.3, help="share of games without chance")
    parser.add_argument(
        "--others", type=float, default=0.2, help="share of games against no network, and against an old one"
    )
    parser.add_argument("--hidden", type=int, default=24, help="width of the hidden layer")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--decay", type=float, default=1e-2)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--every", type=float, default=20, help="seconds between new weights")
    parser.add_argument("--exam", nargs="*", default=["second-master", "learned"], choices=OPPONENTS)
    parser.add_argument("--exam-seconds", type=float, default=60)
    parser.add_argument("--exam-first", type=int, default=0)
    parser.add_argument("--deals", type=int, default=1000, help="the most deals of the exam")
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
