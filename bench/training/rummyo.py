"""Learns how Rummy-O rounds between players who hold are won, for the master's discards and takes.

    python bench/training/rummyo.py --seconds 400 --out results/rummyo          # with an accelerator
    python bench/training/rummyo.py --seconds 60 --games 512 --nets 16x2        # a trial without one

Rounds are played by `rummyo_rounds.cpp` (built with `g++` on the way), in which nobody lays anything before
the whole rack goes out. A network tells how likely a player wins after each discard, or before drawing from
the stock; the player does what it likes best, and now and then something else. Its targets are what came of
it, mixed with what it thought a decision later (TD(λ), cut at experiments). First all play
as `patient` does, with the discards that leave the most ways out.
Several networks learn from the same rounds; the first of them plays. Needs torch and numpy.
"""

from __future__ import annotations

import argparse
import ctypes
import math
import subprocess
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PLANES, TOLD, OF_THE_RACK = 10, 24, 11
"""What is told of each face; of the whole; from which place on that differs between discards."""
WIDE = PLANES * 52 + TOLD
MOST_CHOICES = 18
CHUNK = 65536

torch: Any = import_module("torch")
np: Any = import_module("numpy")
functional: Any = torch.nn.functional
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def rounds_library(folder: Path) -> Any:
    """The simulated rounds, compiled for this machine."""
    built = folder / "rummyo_rounds.so"
    source = HERE / "rummyo_rounds.cpp"
    subprocess.run(
        ["g++", "-O3", "-march=native", "-shared", "-fPIC", "-pthread", "-o", str(built), str(source)],
        check=True,
    )
    library: Any = ctypes.CDLL(str(built))
    library.make.restype = ctypes.c_void_p
    library.step.restype = library.samples.restype = ctypes.c_long
    assert library.wide() == WIDE
    return library


def fresh_net(shape: str) -> dict[str, Any]:
    """Weights for `channels x layers`."""
    channels, layers = map(int, shape.split("x"))
    net: dict[str, Any] = {}

    def weights(name: str, *size: int) -> None:
        spread = math.sqrt(2 / math.prod(size[1:]))
        net[name] = (torch.randn(*size) * spread).to(DEVICE).requires_grad_()

    for layer in range(layers):
        ins = PLANES + 1 if layer == 0 else channels
        weights(f"run{layer}", channels, ins, 1, 5)
        weights(f"group{layer}", channels, ins, 1, 1)
        net[f"bias{layer}"] = torch.zeros(channels, device=DEVICE, requires_grad=True)
    weights("told", channels, OF_THE_RACK)
    weights("head", 2 * channels, channels + TOLD)
    net["head_bias"] = torch.zeros(2 * channels, device=DEVICE, requires_grad=True)
    net["last"] = torch.zeros(1, 2 * channels, device=DEVICE, requires_grad=True)
    net["last_bias"] = torch.zeros(1, device=DEVICE, requires_grad=True)
    return net


def logits(net: dict[str, Any], seen: Any) -> Any:
    """How likely each of these wins. A run reaches two tiles to each side, a group over all colours."""
    seen = seen.float() / 255
    told = seen[:, PLANES * 52 :]
    cells = seen[:, : PLANES * 52].view(-1, PLANES, 4, 13)
    cells = torch.cat([cells, cells[:, :, :, :1]], 3)  # a 1 lies after the 13 as well
    cells = torch.cat([cells, torch.ones_like(cells[:, :1])], 1)
    with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
        for layer in range(sum(name.startswith("run") for name in net)):
            new = functional.conv2d(cells, net[f"run{layer}"], net[f"bias{layer}"], padding=(0, 2))
            new = new + functional.conv2d(cells.sum(2, keepdim=True), net[f"group{layer}"])
            if layer == 0:
                new = new + functional.linear(told[:, :OF_THE_RACK], net["told"])[:, :, None, None]
            cells = functional.relu(new) + (cells if layer else 0)
    pooled = torch.cat([cells.float().sum((2, 3)) / 16, told], 1)
    head = functional.relu(functional.linear(pooled, net["head"], net["head_bias"]))
    return functional.linear(head, net["last"], net["last_bias"])[:, 0]


class Rounds:
    """Many rounds at once, each stopped where a learner decides."""

    def __init__(self, library: Any, count: int, threads: int, seed: int) -> None:
        self.library = library
        self.engine = ctypes.c_void_p(library.make(count, threads, ctypes.c_uint64(seed)))
        room = (count * MOST_CHOICES, WIDE)
        self.rooms = [torch.empty(room, dtype=torch.uint8, pin_memory=DEVICE == "cuda") for _ in range(2)]
        self.now = self.choices = 0
        self.values = torch.zeros(room[0])

    def rules(self, learns: bool, options: argparse.Namespace, imitates: bool = False) -> None:
        """How they are played from now on."""
        two, three, alike = options.two, options.three, options.alike if learns else 0.0
        doubt, trace = (options.doubt if learns else 0.0), (1.0 if imitates else options.trace)
        told = [doubt, 0.02, 0.1, trace, float(imitates), alike, two, three, float(not learns)]
        self.library.rules(self.engine, (ctypes.c_double * len(told))(*told))

    def deal(self) -> None:
        """Everything anew."""
        self.library.deal(self.engine)

    def step(self) -> None:
        """Decides all by `values`, and goes on to the next decisions."""
        before = self.rooms[self.now]
        told = (ctypes.c_void_p(each.data_ptr()) for each in (before, self.values))
        self.choices = self.library.step(self.engine, *told)
        self.now ^= 1
        self.library.choices(self.engine, ctypes.c_void_p(self.rooms[self.now].data_ptr()))

    def think(self, net: dict[str, Any]) -> None:
        """What a network says of every choice."""
        with torch.no_grad():
            for start in range(0, self.choices, CHUNK):
                end = min(self.choices, start + CHUNK)
                seen = self.rooms[self.now][start:end].to(DEVICE, non_blocking=True)
                self.values[start:end] = torch.sigmoid(logits(net, seen)).cpu()

    def lessons(self) -> tuple[Any, Any] | None:
        """What was seen in rounds that have ended, and what came of it."""
        count = self.library.samples(self.engine)
        if not count:
            return None
        seen, came = torch.empty(count, WIDE, dtype=torch.uint8), torch.empty(count)
        self.library.take_samples(
            self.engine, ctypes.c_void_p(seen.data_ptr()), ctypes.c_void_p(came.data_ptr())
        )
        return seen, came

    def tally(self) -> Any:
        """By players (two to four) and table (among patients, alike): rounds, wins and turns."""
        told = (ctypes.c_double * 18)()
        self.library.tally(self.engine, told)
        return np.array(told).reshape(3, 2, 3)


class Lessons:
    """The latest lessons, on the device."""

    def __init__(self, most: int) -> None:
        self.seen = torch.empty(most, WIDE, dtype=torch.uint8, device=DEVICE)
        self.came = torch.empty(most, device=DEVICE)
        self.most, self.place, self.size, self.made = most, 0, 0, 0

    def add(self, lessons: tuple[Any, Any] | None) -> None:
        """Over the oldest."""
        if lessons is None:
            return
        seen, came = lessons
        self.made += len(came)
        while len(came):
            fits = min(len(came), self.most - self.place)
            self.seen[self.place : self.place + fits] = seen[:fits].to(DEVICE)
            self.came[self.place : self.place + fits] = came[:fits].to(DEVICE)
            self.place, self.size = (self.place + fits) % self.most, min(self.most, self.size + fits)
            seen, came = seen[fits:], came[fits:]


def shown(tally: Any) -> str:
    """Wins by table."""
    rows = []
    for players in range(3):
        for alike, name in enumerate(("among patients", "alike")):
            rounds, wins, turns = tally[players, alike]
            if rounds:
                rate = wins / rounds
                sure = 196 * math.sqrt(max(1e-9, rate * (1 - rate) / rounds))
                won = f"{100 * rate:.2f} ± {sure:.2f} of {int(rounds)}"
                rows.append(f"{players + 2} {name} {won}, {turns / rounds:.2f} turns")
    return "; ".join(rows)


def exam(library: Any, net: dict[str, Any], options: argparse.Namespace, rounds: int, players: int) -> str:
    """How a network does among patients without experiments."""
    asked = argparse.Namespace(**vars(options))
    asked.two, asked.three = float(players == 2), float(players == 3)
    table = Rounds(library, max(64, rounds // 12), options.threads, 999)
    table.rules(False, asked)
    table.deal()
    total = np.zeros((3, 2, 3))
    while total[:, 0, 0].sum() < rounds:
        table.step()
        table.think(net)
        total += table.tally()
    return shown(total)


def keep(nets: dict[str, dict[str, Any]], options: argparse.Namespace) -> None:
    """Writes the weights down."""
    for shape, net in nets.items():
        weights = {name: each.detach().cpu().numpy() for name, each in net.items()}
        np.savez(options.out / f"rummyo_{shape}.npz", **weights)


def start(options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Networks to begin with: fresh, or those that were kept."""
    torch.manual_seed(options.seed)
    nets = {shape: fresh_net(shape) for shape in options.nets}
    for shape, net in nets.items():
        known = options.go_on and options.go_on / f"rummyo_{shape}.npz"
        if known and known.exists():
            for name, each in np.load(known).items():
                net[name].data.copy_(torch.tensor(each))
    return nets


def learn(library: Any, nets: dict[str, dict[str, Any]], options: argparse.Namespace) -> None:
    """Plays and learns until the time is over."""
    half = options.games // 2
    tables = [Rounds(library, half, options.threads, 2 * options.seed + each) for each in range(2)]
    imitates = options.imitate > 0
    for table in tables:
        table.rules(True, options, imitates)
        table.deal()
    adams = [torch.optim.AdamW(net.values(), lr=options.rate, weight_decay=1e-4) for net in nets.values()]
    lessons, used, began, told = Lessons(options.most), 0, time.monotonic(), time.monotonic()
    loss, turn = [0.0] * len(nets), 0
    tables[0].step()
    while (now := time.monotonic() - began) < options.seconds:
        slow = 0.03 + 0.97 * (1 + math.cos(math.pi * now / options.seconds)) / 2
        for adam in adams:
            adam.param_groups[0]["lr"] = options.rate * min(1, now / 10 + 0.1) * slow
        if imitates and now > options.imitate:
            imitates = False
            for table in tables:
                table.rules(True, options)
        thinks, plays = tables[turn % 2], tables[1 - turn % 2]
        playing = threading.Thread(target=plays.step)
        playing.start()
        thinks.think(next(iter(nets.values())))
        for batch in range(80):
            if lessons.size < 20 * options.batch or used >= lessons.made * options.reuse:
                break
            chosen = torch.randint(0, lessons.size, (options.batch,), device=DEVICE)
            seen, came = lessons.seen[chosen], lessons.came[chosen]
            for place, (net, adam) in enumerate(zip(nets.values(), adams, strict=True)):
                wrong = functional.binary_cross_entropy_with_logits(logits(net, seen), came)
                adam.zero_grad(set_to_none=True)
                wrong.backward()
                adam.step()
                if batch == 0:
                    loss[place] = 0.9 * loss[place] + 0.1 * float(wrong.detach())
            used += options.batch
        playing.join()
        lessons.add(plays.lessons())
        turn += 1
        if time.monotonic() - told > options.every:
            told = time.monotonic()
            tally = tables[0].tally() + tables[1].tally()
            losses = " ".join(f"{each:.4f}" for each in loss)
            print(
                f"{now:.0f} s, {lessons.made} made, {used} used, loss {losses} | {shown(tally)}", flush=True
            )
            keep(nets, options)
    keep(nets, options)


def main() -> None:
    """Learns, keeps the weights and says how they do."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--imitate", type=float, default=45, help="seconds in which all play as patient does")
    parser.add_argument("--games", type=int, default=65536, help="rounds at once")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--nets", nargs="+", default=["32x2", "16x2"], help="channels x layers")
    parser.add_argument("--two", type=float, default=0.75, help="share of rounds of two")
    parser.add_argument("--three", type=float, default=0.1, help="share of rounds of three")
    parser.add_argument("--alike", type=float, default=0.2, help="share of rounds where all seats learn")
    parser.add_argument("--doubt", type=float, default=0.1, help="share of decisions that are experiments")
    parser.add_argument("--trace", type=float, default=0.8, help="λ")
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--reuse", type=float, default=1.5)
    parser.add_argument("--most", type=int, default=8_000_000, help="lessons that are kept")
    parser.add_argument("--every", type=float, default=30, help="seconds between reports")
    parser.add_argument("--exams", type=int, default=40_000, help="rounds of each exam")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--go-on", type=Path, help="a folder with weights to begin with")
    parser.add_argument("--out", type=Path, default=Path("results/rummyo"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    library, nets = rounds_library(options.out), start(options)
    learn(library, nets, options)
    for shape, net in nets.items():
        for players in (2, 4):
            print(f"{shape}: {exam(library, net, options, options.exams, players)}", flush=True)


if __name__ == "__main__":
    main()
