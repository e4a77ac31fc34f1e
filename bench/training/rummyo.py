"""Learns what the next player of Rummy-O could use: for the master's discards.

    python bench/training/rummyo.py --threads 16 --out results/rummyo                   # with an accelerator
    python bench/training/rummyo.py --seconds 60 --rounds 256 --batch 256 --exams 500   # a trial without one

Rounds are played by `rummyo_rounds.cpp` (built with `g++` on the way), in which nobody lays anything before
the whole rack goes out. A network is told what a seat has seen of the next player, and says of each of the
seat's own tiles how likely that player would take it, and how likely it would go out with it; the truth is
known here. At the end it says how well it knew in rounds it has not learnt from, and plays among patient
players with several weights for what it believes. Needs torch and numpy.
"""

from __future__ import annotations

import argparse
import ctypes
import math
import subprocess
import threading
import time
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PLANES, TOLD = 23, 12
"""What is told of each face, and of the whole."""
WIDE = PLANES * 52 + TOLD
CHUNK = 32768
MOST_SETTINGS = 64

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
    library: Any = ctypes.CDLL(str(built.resolve()))
    library.make.restype = ctypes.c_void_p
    library.step.restype = ctypes.c_long
    assert library.wide() == WIDE
    return library


def fresh_net(shape: str) -> dict[str, Any]:
    """Weights for `channels x layers`."""
    channels, layers = map(int, shape.split("x"))
    net: dict[str, Any] = {}

    def weights(name: str, *size: int) -> None:
        spread = math.sqrt(1 / math.prod(size[1:]))
        net[name] = (torch.randn(*size) * spread).to(DEVICE).requires_grad_()

    for layer in range(layers):
        ins = PLANES + 1 if layer == 0 else channels
        weights(f"run{layer}", channels, ins, 1, 5)
        weights(f"group{layer}", channels, ins, 1, 1)
        net[f"bias{layer}"] = torch.zeros(channels, device=DEVICE, requires_grad=True)
    weights("told", channels, TOLD)
    weights("all", channels, channels)
    weights("last", 2, channels)
    net["last_bias"] = torch.full((2,), -2.0, device=DEVICE, requires_grad=True)
    return net


def logits(net: dict[str, Any], seen: Any) -> Any:
    """By face: that it would be taken, and gone out with.

    A run reaches two tiles to each side, a group over all colours; before the last layer every cell is told
    of all others.
    """
    seen = seen.float() / 255
    told = seen[:, PLANES * 52 :]
    cells = seen[:, : PLANES * 52].view(-1, PLANES, 4, 13)
    cells = torch.cat([cells, cells[:, :, :, :1]], 3)  # a 1 lies after the 13 as well
    cells = torch.cat([cells, torch.ones_like(cells[:, :1])], 1)
    layers = sum(name.startswith("run") for name in net)
    with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
        for layer in range(layers):
            new = functional.conv2d(cells, net[f"run{layer}"], net[f"bias{layer}"], padding=(0, 2))
            new = new + functional.conv2d(cells.sum(2, keepdim=True), net[f"group{layer}"])
            if layer == 0:
                new = new + functional.linear(told, net["told"])[:, :, None, None]
            if layer == layers - 1:
                new = new + functional.linear(cells.mean((2, 3)), net["all"])[:, :, None, None]
            cells = functional.relu(new) + (cells if layer else 0)
        out = functional.conv2d(cells, net["last"][:, :, None, None])
    out = out.float() + net["last_bias"][:, None, None]
    out = torch.cat([out[:, :, :, :1] + out[:, :, :, 13:], out[:, :, :, 1:13]], 3)
    return out.flatten(2).transpose(1, 2)


class Rounds:
    """Many rounds at once."""

    def __init__(self, library: Any, count: int, threads: int, seed: int) -> None:
        self.library, self.count = library, count
        self.engine = ctypes.c_void_p(library.make(count, threads, ctypes.c_uint64(seed)))

    def begin(self, table: tuple[float, float, float, float, float], settings: Any = ()) -> None:
        """Deals: rounds of two, of three, seats that weigh, decisions that are kept, exam or not."""
        told = [*table, *(each for pair in settings for each in pair)]
        self.library.rules(self.engine, (ctypes.c_double * len(told))(*told), len(settings))

    def step(self, turns: int, beliefs: Any = None) -> tuple[Any, Any]:
        """Goes on: what was seen, and what was true."""
        place = None if beliefs is None else ctypes.c_void_p(beliefs.data_ptr())
        count = self.library.step(self.engine, turns, place)
        seen = torch.empty(count, WIDE, dtype=torch.uint8)
        true = torch.empty(count, 52, dtype=torch.uint8)
        self.library.fetch(self.engine, ctypes.c_void_p(seen.data_ptr()), ctypes.c_void_p(true.data_ptr()))
        return seen, true

    def tally(self) -> Any:
        """By players (two to four) and setting: rounds and wins."""
        told = (ctypes.c_double * (3 * MOST_SETTINGS * 2))()
        self.library.tally(self.engine, told)
        return np.array(told).reshape(3, MOST_SETTINGS, 2)


def loss_of(net: dict[str, Any], seen: Any, true: Any) -> Any:
    """Log loss over the tiles of the own rack: (taken, gone out with)."""
    asked = (true & 4) > 0
    said = logits(net, seen)[asked]
    taken, out = (true & 1)[asked].float(), ((true & 2) > 0)[asked].float()
    wrong = functional.binary_cross_entropy_with_logits
    return wrong(said[:, 0], taken), wrong(said[:, 1], out)


def ranked(said: Any, true: Any) -> float:
    """How often a tile that is of use is held for likelier than one that is not."""
    order = torch.argsort(said)
    places = torch.empty_like(order, dtype=torch.float64)
    places[order] = torch.arange(1, len(said) + 1, dtype=torch.float64, device=said.device)
    yes = true.double().sum()
    no = len(true) - yes
    return float(((places * true).sum() - yes * (yes + 1) / 2) / (yes * no))


def judge(net: dict[str, Any], seen: Any, true: Any) -> str:
    """How well a network knows what it has not learnt from."""
    with torch.no_grad():
        parts = range(0, len(seen), CHUNK)
        said = torch.cat([logits(net, seen[at : at + CHUNK].to(DEVICE)) for at in parts])
    true = true.to(DEVICE)
    asked, rows = (true & 4) > 0, []
    for place, name in enumerate(("taken", "out")):
        each, was = said[..., place][asked], ((true >> place) & 1)[asked].float()
        rate = float(was.mean())
        blind = -(rate * math.log(rate) + (1 - rate) * math.log(1 - rate))
        loss = float(functional.binary_cross_entropy_with_logits(each, was))
        likely = torch.sigmoid(each)
        bins = [(likely >= low) & (likely < low + 0.1) for low in np.arange(0, 1, 0.1)]
        meant = [(float(likely[b].mean()), float(was[b].mean()), int(b.sum())) for b in bins if b.sum()]
        told = " ".join(f"{said:.2f}:{came:.2f}({count})" for said, came, count in meant)
        rows.append(f"{name} loss {loss:.4f} (blind {blind:.4f}) ranked {ranked(each, was):.3f} {told}")
    return "\n  ".join(rows)


def learn(library: Any, nets: dict[str, dict[str, Any]], options: argparse.Namespace) -> tuple[Any, Any]:
    """Plays and learns until the time is over; gives what was set aside."""
    table = Rounds(library, options.rounds, options.threads, options.seed)
    table.begin((options.two, options.three, options.weigh, options.keep, 0.0))
    table.step(40)  # so that rounds are not all at the same turn
    aside = table.step(6)
    while len(aside[0]) < options.aside:
        more = table.step(6)
        aside = (torch.cat([aside[0], more[0]]), torch.cat([aside[1], more[1]]))
    adams = [torch.optim.AdamW(net.values(), lr=options.rate, weight_decay=1e-4) for net in nets.values()]
    began = told = time.monotonic()
    fresh, learnt = table.step(6), 0
    while (now := time.monotonic() - began) < options.seconds:
        slow = 0.02 + 0.98 * (1 + math.cos(math.pi * now / options.seconds)) / 2
        for adam in adams:
            adam.param_groups[0]["lr"] = options.rate * min(1, now / 5 + 0.1) * slow
        coming: list[tuple[Any, Any]] = []
        playing = threading.Thread(target=lambda into: into.append(table.step(6)), args=(coming,))
        playing.start()
        seen, true = fresh[0].to(DEVICE), fresh[1].to(DEVICE)
        for _ in range(options.reuse):
            for chosen in torch.randperm(len(seen), device=DEVICE).split(options.batch):
                for net, adam in zip(nets.values(), adams, strict=True):
                    taken, out = loss_of(net, seen[chosen], true[chosen])
                    adam.zero_grad(set_to_none=True)
                    (taken + out).backward()
                    adam.step()
        learnt += len(seen)
        playing.join()
        fresh = coming[0]
        if time.monotonic() - told > options.every:
            told = time.monotonic()
            print(f"{now:.0f} s, {learnt} positions", flush=True)
            for shape, net in nets.items():
                print(f"{shape}: {judge(net, aside[0][:4096], aside[1][:4096])}", flush=True)
                save(shape, net, options)
    return aside


def exam(library: Any, net: dict[str, Any], options: argparse.Namespace, players: int) -> None:
    """How often the seat that weighs and believes wins among patient players, by setting."""
    settings = list(product(options.help, options.out_weights))
    table = Rounds(library, max(64, options.exams // 12), options.threads, 999)
    table.begin((float(players == 2), float(players == 3), 0.0, 0.0, 1.0), settings)
    beliefs, total = None, 0
    while total < options.exams * len(settings):
        seen, _ = table.step(0, beliefs)
        with torch.no_grad():
            parts = [logits(net, seen[at : at + CHUNK].to(DEVICE)) for at in range(0, len(seen), CHUNK)]
            beliefs = torch.sigmoid(torch.cat(parts)).float().cpu().contiguous()
        tally = table.tally()[players - 2]
        total = tally[:, 0].sum()
    for (helps, out), (rounds, wins) in zip(settings, tally[: len(settings)], strict=True):
        sure = 196 * math.sqrt(max(1e-9, wins / rounds * (1 - wins / rounds) / rounds))
        print(f"  {players} players, {helps}, {out}: {100 * wins / rounds:.2f} ± {sure:.2f}", flush=True)


def save(shape: str, net: dict[str, Any], options: argparse.Namespace) -> None:
    """Writes the weights down."""
    np.savez(
        options.out / f"rummyo_{shape}.npz",
        **{name: each.detach().cpu().numpy() for name, each in net.items()},
    )


def main() -> None:
    """Learns, keeps the weights and says how they do."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--rounds", type=int, default=32768, help="rounds at once")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--nets", nargs="+", default=["48x3", "32x3"], help="channels x layers")
    parser.add_argument("--two", type=float, default=0.6, help="share of rounds of two")
    parser.add_argument("--three", type=float, default=0.1, help="share of rounds of three")
    parser.add_argument("--weigh", type=float, default=0.2, help="share of seats that weigh their ways out")
    parser.add_argument("--keep", type=float, default=0.4, help="share of decisions to learn from")
    parser.add_argument("--aside", type=int, default=20_000, help="positions not to learn from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--reuse", type=int, default=2)
    parser.add_argument("--every", type=float, default=60, help="seconds between reports")
    parser.add_argument("--exams", type=int, default=10_000, help="rounds of each exam and setting")
    parser.add_argument("--help-weights", dest="help", type=float, nargs="+", default=[0.0, 0.15, 0.3, 0.5])
    parser.add_argument("--out-weights", type=float, nargs="+", default=[0.0, 1.0, 2.0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("results/rummyo"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(options.seed)
    library, nets = rounds_library(options.out), {shape: fresh_net(shape) for shape in options.nets}
    aside = learn(library, nets, options)
    for shape, net in nets.items():
        save(shape, net, options)
        print(f"{shape}: {judge(net, *aside)}", flush=True)
    for players in (2, 4):
        exam(library, next(iter(nets.values())), options, players)


if __name__ == "__main__":
    main()
