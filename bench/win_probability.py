"""Are win probabilities true? Games of all levels are played, and what the coach says of them is checked.

python bench/win_probability.py play --games 200            games to check with, and others to fit with
python bench/win_probability.py imagine                     play-outs from some positions of them
python bench/win_probability.py fit                         the figures in src/meldroom/coach/fitted.json
python bench/win_probability.py check --write               reliability and Brier score: docs/coach.md
python bench/win_probability.py time                        processor time for an interval of ±2 %

Games lie in results/win_probability; the same command goes on where it was interrupted. What is fitted is
fitted on the games of one set, and checked on those of the other, whose deals it has never seen.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from math import exp, fsum, log
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from meldroom.bots import LEVELS, play
from meldroom.coach import Forecast, estimates
from meldroom.coach.at_sight import Fitted, features, fitted
from meldroom.coach.turns import turns_of
from meldroom.game import events as ev
from meldroom.game import view
from meldroom.record import loads, to_text
from meldroom.rules.library import BOOK_IDS
from meldroom.rules.library import book as book_of
from meldroom.solver.kernel import mode

SETS = ("fit", "held-out")
PLAYERS = (2, 3, 4)
OUT = Path("results/win_probability")
PAGE, PICTURE = Path("docs/coach.md"), Path("docs/reliability.svg")
FITTED = Path("src/meldroom/coach/fitted.json")
START, END = "<!-- reliability: start -->", "<!-- reliability: end -->"
POSITIONS, IMAGINED = 4, 32
"""So many positions of a game, and so many imagined games from each."""
SHRINK = 8.0
"""Weights are drawn towards nothing, the more the fewer positions there are."""
FEWEST_FITTED = 300
"""With fewer positions nothing is fitted: the figures stay as they are."""
FEWEST_DRAWN = 12
"""A dot of the plot stands for so many seats at least."""
TIMED = 3
NEAR = 4
"""At half of the tables levels are no more than so many rungs apart, at the others they are anything."""


class Played(msgspec.Struct, frozen=True):
    """A game of bots: its number in its set, the level of each seat, the record as text."""

    game: int
    levels: tuple[str, ...]
    record: str


def levels_of(chance: Random, players: int) -> tuple[str, ...]:
    """Who sits at a table."""
    every = list(LEVELS)
    base, near = chance.randrange(len(every)), chance.random() < 0.5
    low, high = (max(0, base - NEAR), min(len(every), base + NEAR + 1)) if near else (0, len(every))
    seats = [every[base], *(every[chance.randrange(low, high)] for _ in range(players - 1))]
    chance.shuffle(seats)
    return tuple(seats)


def file_of(book: str, players: int, which: str) -> Path:
    """Where games of a kind lie."""
    return OUT / f"{book}-{players}-{which}.jsonl"


def read(book: str, players: int, which: str) -> Iterator[Played]:
    """The games of a kind that are there."""
    path = file_of(book, players, which)
    lines = path.read_bytes().splitlines() if path.exists() else []
    return (msgspec.json.decode(line, type=Played) for line in lines)


def play_games(books: list[str], which: list[str], games: int) -> None:
    """Plays what is missing, a little of everything at a time."""
    OUT.mkdir(parents=True, exist_ok=True)
    began = time.process_time()
    for upto in range(20, games + 20, 20):
        for kind in which:
            for book in books:
                for players in PLAYERS:
                    done = sum(1 for _ in read(book, players, kind))
                    with file_of(book, players, kind).open("ab") as out:
                        for game in range(done, min(upto, games)):
                            seed = f"win probability {kind} {book} {players} {game}"
                            levels = levels_of(Random(seed), players)
                            record = play(book, list(levels), seed=seed)
                            line = msgspec.json.encode(Played(game, levels, to_text(record)))
                            out.write(line + b"\n")
        print(f"{min(upto, games)} games of each kind, {time.process_time() - began:.0f} s", flush=True)


class Sample(msgspec.Struct, frozen=True):
    """A position of a game: what can be counted of it, shares of imagined games, and what each seat won."""

    features: list[list[float]]
    shares: tuple[float, ...]
    won: tuple[float, ...]
    seat: int
    left: float


def samples_file(book: str, players: int, which: str) -> Path:
    """Where positions of a kind lie."""
    return OUT / f"samples-{book}-{players}-{which}.jsonl"


def samples_of(played: Played) -> Iterator[Sample]:
    """A few positions of a game, each as one of its seats saw it at the beginning of a turn."""
    record = loads(played.record)
    chance = Random(f"{played.game} {record.headers.players}")
    seat = chance.randrange(len(played.levels))
    turns = list(turns_of(record, seat))
    winners = next(event.winners for event in record.events if isinstance(event, ev.GameEnded))
    won = tuple(1 / len(winners) if each in winners else 0.0 for each in range(len(played.levels)))
    for turn in sorted(chance.sample(range(len(turns)), min(POSITIONS, len(turns)))):
        state = turns[turn].taking or turns[turn].state
        shown = view(state, seat)
        forecast = Forecast(shown, turns[turn].seen, seed=str(played.game), fit=False)
        forecast.more(IMAGINED)
        left = len(state.pool) / state.book.tiles.size
        yield Sample(features(state.book, shown, turns[turn].seen), forecast.raw, won, seat, left)


def imagine(books: list[str], which: list[str], games: int) -> None:
    """Positions of the games that have none yet."""
    for kind in which:
        for book in books:
            for players in PLAYERS:
                path = samples_file(book, players, kind)
                done = len(path.read_bytes().splitlines()) if path.exists() else 0
                with path.open("ab") as out:
                    for played in list(read(book, players, kind))[done:games]:
                        out.write(msgspec.json.encode(list(samples_of(played))) + b"\n")
                        out.flush()
        print(f"{kind}: positions imagined", flush=True)


def samples(book: str, players: int, which: str) -> list[list[Sample]]:
    """The positions of a kind, game by game."""
    path = samples_file(book, players, which)
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [msgspec.json.decode(line, type=list[Sample]) for line in lines]


def fit(books: list[str]) -> None:
    """Fits the weights at sight, the power and the worth; writes them where the package reads them."""
    kept = msgspec.json.decode(FITTED.read_bytes(), type=dict[str, Fitted])
    found: dict[str, Fitted] = {}
    for family in ("rearranging", "laying_off"):
        of_family = [each for each in books if book_of(each).family == family]
        for players in PLAYERS:
            pooled = [each for name in of_family for game in samples(name, players, "fit") for each in game]
            if len(pooled) < FEWEST_FITTED:
                found[f"{family} {players}"] = kept[f"{family} {players}"]
                continue
            weights = tuple(round(float(each), 4) for each in _weights(pooled))
            whole = found[f"{family} {players}"] = _bent(pooled, weights, family)
            print(f"{family}, {players} players: {len(pooled)} positions, {whole}")
    FITTED.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")


def _weights(positions: list[Sample]) -> Any:
    """Logistic regression over seats, by gradient descent with a little shrinkage."""
    import numpy as np

    data = np.array([each.features for each in positions])
    won = np.array([each.won for each in positions])
    scale = np.maximum(data.std(axis=(0, 1)), 1e-3)
    data = data / scale
    weights = np.zeros(data.shape[2])
    for _ in range(4000):
        told = data @ weights
        chances = np.exp(told - told.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        apart = (chances - won * (won.sum(axis=1, keepdims=True) > 0)) * (won.sum(axis=1, keepdims=True) > 0)
        slope = np.einsum("ns,nsk->k", apart, data) / len(data) + SHRINK / len(data) * weights
        weights -= 0.3 * slope
    return weights / scale


def _bent(positions: list[Sample], weights: tuple[float, ...], family: str) -> Fitted:
    """The power and the worth that make what happened likeliest, each half told with the other's weights."""
    if family != "rearranging":
        return Fitted(weights, 1.0, 1.0)
    half = len(positions) // 2
    halves = positions[:half], positions[half:]
    told = [(tuple(map(float, _weights(one))), other) for one, other in (halves, halves[::-1])]

    def lost(tried: tuple[float, float]) -> float:
        return fsum(
            surprise(predicted(each, Fitted(made, *tried)), each.won) for made, part in told for each in part
        )

    worths = (0.0, 4.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0)
    power, worth = min(((power / 20, worth) for power in range(8, 29) for worth in worths), key=lost)
    return Fitted(weights, power, worth)


def predicted(position: Sample, fitted: Fitted) -> tuple[float, ...]:
    """The chances that the coach gives, from so many imagined games as the sample has."""
    told = [sum(w * f for w, f in zip(fitted.weights, row, strict=True)) for row in position.features]
    seen = [exp(each - max(told)) for each in told]
    sight = [each / fsum(seen) for each in seen]
    if not any(position.shares):
        return tuple(sight)
    bent = [share**fitted.power for share in position.shares]
    total = IMAGINED + fitted.worth
    return tuple(
        (IMAGINED * b / fsum(bent) + fitted.worth * s) / total for b, s in zip(bent, sight, strict=True)
    )


def surprise(chances: tuple[float, ...], won: tuple[float, ...]) -> float:
    """The loss in bits of nature, the smaller the better."""
    return -fsum(share * log(max(chance, 1e-4)) for chance, share in zip(chances, won, strict=True))


class Bin(NamedTuple):
    """Seats whose chance was called so: how many, what was said on average, what happened."""

    seats: int
    said: float
    won: float


def reliability(games: list[list[Sample]], which: Fitted) -> tuple[list[Bin], float, float, int]:
    """Ten bins, the Brier score, that of always saying the same, and how many positions."""
    told = [
        (chance, share, len(each.won))
        for game in games
        for each in game
        if any(each.won)
        for chance, share in zip(predicted(each, which), each.won, strict=True)
    ]
    bins = []
    for low in range(10):
        inside = [each for each in told if low <= min(9.999, each[0] * 10) < low + 1]
        if inside:
            said, won = (fsum(each[i] for each in inside) / len(inside) for i in (0, 1))
            bins.append(Bin(len(inside), said, won))
    brier = fsum((chance - won) ** 2 for chance, won, _ in told) / len(told)
    even = fsum((1 / players - won) ** 2 for _, won, players in told) / len(told)
    return bins, brier, even, sum(len(game) for game in games)


def check(books: list[str], write: bool) -> None:
    """Says how true the chances are on games that nothing was fitted on."""
    lines = [
        "| book | players | games | positions | Brier score | always even "
        "| called 0–20 % | 20–40 | 40–60 | 60–80 | 80–100 |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    every: list[tuple[str, list[Bin]]] = []
    for name in books:
        for players in PLAYERS:
            games = samples(name, players, "held-out")
            if not games:
                continue
            bins, brier, even, count = reliability(games, fitted(book_of(name), players))
            every.append((f"{name}, {players}", bins))
            shown = [f"{name}", str(players), str(len(games)), str(count), f"{brier:.3f}", f"{even:.3f}"]
            lines.append(f"| {' | '.join([*shown, *_fifths(bins)])} |")
    print("\n".join(lines))
    if write:
        PICTURE.write_text(drawn(every), encoding="utf-8")
        page = PAGE.read_text(encoding="utf-8")
        before, rest = page.split(START, 1)
        _, after = rest.split(END, 1)
        PAGE.write_text(f"{before}{START}\n\n" + "\n".join(lines) + f"\n\n{END}{after}", encoding="utf-8")


def _fifths(bins: list[Bin]) -> list[str]:
    """What was won of what was called so, in five classes: called → won (seats)."""
    found = []
    for low in range(5):
        inside = [each for each in bins if low / 5 <= min(0.9999, each.said) < (low + 1) / 5]
        seats = sum(each.seats for each in inside)
        if not seats:
            found.append("–")
            continue
        said = 100 * fsum(each.seats * each.said for each in inside) / seats
        won = 100 * fsum(each.seats * each.won for each in inside) / seats
        found.append(f"{said:.0f} → {won:.0f} ({seats})")
    return found


def drawn(every: list[tuple[str, list[Bin]]]) -> str:
    """The reliability plot: what was called across, what was won upwards."""
    size, margin = 360, 46
    marks = []
    for _, bins in every:
        for each in bins:
            if each.seats >= FEWEST_DRAWN:
                x, y = margin + each.said * size, margin + (1 - each.won) * size
                radius = min(7.0, 1 + each.seats**0.5 / 6)
                marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>')
    ticks = []
    for share in range(0, 101, 20):
        x, y = margin + share * size / 100, margin + (100 - share) * size / 100
        ticks.append(f'<text x="{x:.0f}" y="{margin + size + 18}" text-anchor="middle">{share}</text>')
        ticks.append(f'<text x="{margin - 8}" y="{y + 4:.0f}" text-anchor="end">{share}</text>')
    full = size + 2 * margin
    half = full // 2
    low, high = margin + size, margin
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full} {full}" ',
            'font-family="sans-serif" font-size="12">',
            "<title>Reliability: chance to win as called, and games won</title>",
            f'<rect width="{full}" height="{full}" fill="#fff"/>',
            f'<path d="M{high} {low}L{low} {high}" stroke="#999" stroke-dasharray="4 4"/>',
            f'<path d="M{high} {high}V{low}H{low}" fill="none" stroke="#333"/>',
            f'<g fill="#1f4fa3" fill-opacity=".45">{"".join(marks)}</g>{"".join(ticks)}',
            f'<text x="{half}" y="{full - 8}" text-anchor="middle">called, %</text>',
            f'<text x="14" y="{half}" text-anchor="middle" transform="rotate(-90 14 {half})">won, %</text>',
            "</svg>\n",
        )
    )


def measure_time(books: list[str]) -> None:
    """Processor time until an estimate is sure to 2 %, by the part of the tiles that are left to draw."""
    print("| book | players | positions | seconds for ±2 %: middle | 90 % | games: middle |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in books:
        if book_of(name).family != "rearranging":
            continue
        for players in PLAYERS:
            spent, games = [], []
            for played in list(read(name, players, "held-out"))[:TIMED]:
                turns = list(turns_of(loads(played.record), 0))
                for turn in turns[:: max(1, len(turns) // 3)]:
                    began, last = time.process_time(), None
                    for last in estimates(view(turn.state, 0), turn.seen):  # noqa: B007
                        pass
                    spent.append(time.process_time() - began)
                    games.append(0 if last is None else last.games)
            if spent:
                half, most = len(spent) // 2, int(0.9 * (len(spent) - 1))
                times, counts = sorted(spent), sorted(games)
                seconds = f"{times[half]:.2f} | {times[most]:.2f}"
                print(f"| {name} | {players} | {len(spent)} | {seconds} | {counts[half]} |")


def main() -> None:
    """What is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("play", "imagine", "fit", "check", "time"))
    parser.add_argument("--write", action="store_true", help="into docs/coach.md and its picture")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--book", action="append", choices=BOOK_IDS)
    parser.add_argument("--set", action="append", choices=SETS)
    asked = parser.parse_args()
    mode.for_long_work()
    books, which = asked.book or list(BOOK_IDS), asked.set or list(SETS)
    match asked.what:
        case "play":
            play_games(books, which, asked.games)
        case "imagine":
            imagine(books, which, asked.games)
        case "fit":
            fit(books)
        case "check":
            check(books, asked.write)
        case _:
            measure_time(books)


if __name__ == "__main__":
    main()
