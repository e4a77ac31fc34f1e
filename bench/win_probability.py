"""Are win probabilities true? Games of all levels are played, and what the coach says of them is checked.

python bench/win_probability.py play --games 200            games to check with, and others to fit with
python bench/win_probability.py imagine                     play-outs from some positions of them
python bench/win_probability.py gather --games 200          both, a few games of each kind at a time
python bench/win_probability.py fit                         the figures in src/meldroom/coach/fitted.json
python bench/win_probability.py check --write               reliability and Brier score: docs/coach.md
python bench/win_probability.py time                        processor time for an interval of ±2 %

Games lie in results/win_probability; the same command goes on where it was interrupted. What is fitted is
fitted on the games of one set, and checked on those of the other, whose deals it has never seen. In every
second game the levels of the other seats are told, as a table shows those of bots; the own level never is.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from math import exp, fsum, log
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias

import msgspec

from meldroom.bots import LEVELS, play
from meldroom.coach import Forecast
from meldroom.coach.at_sight import Fitted, combined, features, fitted
from meldroom.coach.matching import ladder
from meldroom.coach.styles import of_levels
from meldroom.coach.turns import turns_of
from meldroom.coach.win_probability import PRECISION
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
POSITIONS, IMAGINED = 3, 24
"""So many positions of a game, and so many imagined games from each."""
SHRINK = 3.0
"""Weights are drawn towards nothing, the more the fewer positions there are."""
FEWEST_FITTED = 100
"""With fewer positions nothing is fitted: the figures stay as they are."""
AT_ONCE, MOST_FITTED = 20, 200
"""How `gather` goes on: so many games of each kind at a time, and so many at most to fit with."""
FEWEST_DRAWN = 12
"""A dot of the plot stands for so many seats at least."""
TIMED, TIMED_GAMES = 3, 256
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
                            out.flush()
        print(f"{min(upto, games)} games of each kind, {time.process_time() - began:.0f} s", flush=True)


class Sample(msgspec.Struct, frozen=True):
    """A position of a game: what can be counted of it, wins in imagined games, and what each seat won.

    `ratings` are the true ones of the levels, which nobody is told: how much of a game they decide.
    """

    features: list[list[float]]
    wins: tuple[float, ...]
    games: int
    won: tuple[float, ...]
    seat: int
    left: float
    told: bool
    sizes: tuple[int, ...]
    melded: tuple[bool, ...]
    ratings: tuple[float, ...]


Rows: TypeAlias = Callable[[Sample], list[list[float]]]


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
    told = played.game % 2 == 1
    known = {each: style for each, style in of_levels(played.levels).items() if told and each != seat}
    rungs = ladder(record.headers.book.id)
    for turn in sorted(chance.sample(range(len(turns)), min(POSITIONS, len(turns)))):
        state, seen = turns[turn].taking or turns[turn].state, turns[turn].seen
        shown = view(state, seat)
        forecast = Forecast(shown, seen, known, seed=str(played.game), fit=False)
        # Rummy-O's games take a bot's time each: its chances are checked at sight.
        forecast.more(IMAGINED if state.book.family == "rearranging" else 0)
        yield Sample(
            features(state.book, shown, seen, known),
            tuple(forecast.games * each for each in forecast.raw),
            forecast.games,
            won,
            seat,
            len(state.pool) / state.book.tiles.size,
            told,
            shown.rack_sizes,
            shown.melded,
            tuple(rungs.get(level, 0) / 1000 for level in played.levels),
        )


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
    """Fits the weights at sight, and how imagined games are combined with it; writes them to the package.

    They are those of a family of books, all numbers of players together: fitted for each number alone they
    told of noise.
    """
    kept = msgspec.json.decode(FITTED.read_bytes(), type=dict[str, Fitted])
    for family in ("rearranging", "laying_off"):
        of_family = [each for each in books if book_of(each).family == family]
        games = [game for name in of_family for players in PLAYERS for game in samples(name, players, "fit")]
        # In every second game levels are told: pairs of games stay together.
        halves = tuple(
            [
                each
                for place, game in enumerate(games)
                if place // 2 % 2 == half
                for each in game
                if any(each.won)
            ]
            for half in (0, 1)
        )
        pooled = [each for half in halves for each in half]
        if len(pooled) < FEWEST_FITTED:
            print(f"{family}: {len(pooled)} positions are too few, nothing is changed")
            continue
        weights = tuple(round(float(each), 4) for each in _weights(pooled))
        kept[family] = _stacked(halves, weights)
        print(f"{family}: {len(pooled)} positions, {kept[family]}")
    FITTED.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")


def _weights(positions: Sequence[Sample], rows: Rows | None = None) -> Any:
    """Logistic regression over seats, by gradient descent with a little shrinkage."""
    import numpy as np

    of = rows or (lambda each: each.features)
    spread = np.concatenate([np.array(of(each)) for each in positions]).std(axis=0)
    scale = np.where(spread < 1e-3, 1.0, spread)
    by_players = []
    for players in PLAYERS:
        some = [each for each in positions if len(each.won) == players]
        if some:
            by_players.append(
                (np.array([of(each) for each in some]) / scale, np.array([e.won for e in some]))
            )
    weights = np.zeros(len(scale))
    for _ in range(1500):
        slope = SHRINK * weights
        for data, won in by_players:
            told = data @ weights
            chances = np.exp(told - told.max(axis=1, keepdims=True))
            chances /= chances.sum(axis=1, keepdims=True)
            slope = slope + np.einsum("ns,nsk->k", chances - won, data)
        weights -= 0.6 * slope / len(positions)
    return weights / scale


def _stacked(halves: Sequence[list[Sample]], weights: tuple[float, ...]) -> Fitted:
    """How both are combined so that what happened is likeliest, each half told with the other's weights.

    Without imagined games the weights are drawn together by as much as does best on the other half.
    """
    one, other = halves
    told = [(tuple(map(float, _weights(a))), b) for a, b in ((one, other), (other, one))]

    def lost(chances: Callable[[Sample, tuple[float, ...]], tuple[float, ...]]) -> float:
        return fsum(surprise(chances(each, made), each.won) for made, part in told for each in part)

    if not any(each.games for each in one):
        best = min(
            (part / 20 for part in range(4, 25)),
            key=lambda part: lost(lambda each, made: at_sight_of(each, [part * w for w in made])),
        )
        return Fitted(tuple(round(best * each, 4) for each in weights))
    grid = ((s / 4, p / 8, w) for s in range(5) for p in range(13) for w in (4.0, 8.0, 16.0, 32.0))
    sight, power, worth = min(
        grid, key=lambda tried: lost(lambda each, made: predicted(each, Fitted(made, *tried)))
    )
    return Fitted(weights, sight, power, worth)


def at_sight_of(position: Sample, weights: Sequence[float]) -> tuple[float, ...]:
    """The chances at sight."""
    return softmax(position.features, weights)


def softmax(rows: list[list[float]], weights: Sequence[float]) -> tuple[float, ...]:
    """Chances from weighed features."""
    told = [fsum(w * f for w, f in zip(weights, row, strict=True)) for row in rows]
    seen = [exp(each - max(told)) for each in told]
    return tuple(each / fsum(seen) for each in seen)


def predicted(position: Sample, fitted: Fitted) -> tuple[float, ...]:
    """The chances that the coach gives, from so many imagined games as the sample has."""
    sight = at_sight_of(position, fitted.weights)
    if not position.games:
        return sight
    return tuple(combined(fitted, sight, position.wins, position.games)[0])


def only_tiles(position: Sample) -> list[list[float]]:
    """What one can count without thinking: rack sizes, who has opened, what is left to draw."""
    own = [float(seat == position.seat) for seat in range(len(position.won))]
    return [
        [mine, size / 14, float(opened), opened * size / 14, opened * position.left, mine * opened]
        for mine, size, opened in zip(own, position.sizes, position.melded, strict=True)
    ]


def only_ratings(position: Sample) -> list[list[float]]:
    """Who plays, as if it were known, and nothing of the position."""
    return [[each, each * position.left] for each in position.ratings]


def compare(books: list[str]) -> list[str]:
    """How much better than always saying the same: Brier skill, by what is known, on the games to check.

    What the coach does not know of is told with weights from the other half of these games.
    """
    halves: dict[int, list[list[Sample]]] = {
        players: [
            [
                s
                for name in books
                for g in samples(name, players, "held-out")[half::2]
                for s in g
                if any(s.won)
            ]
            for half in (0, 1)
        ]
        for players in PLAYERS
    }
    every = {players: [s for half in both for s in half] for players, both in halves.items()}
    lines = ["| known | " + " | ".join(f"{n} players" for n in PLAYERS) + " |", "| --- | --- | --- | --- |"]
    if not all(half for both in halves.values() for half in both):
        return []
    first = {id(s) for both in halves.values() for s in both[0]}
    fits = [[s for both in halves.values() for s in both[half]] for half in (0, 1)]

    def from_other_half(rows: Rows) -> Callable[[Sample], tuple[float, ...]]:
        weights = [_weights(fit, rows) for fit in fits]
        return lambda s: softmax(rows(s), weights[1 if id(s) in first else 0])

    how = fitted(book_of(books[0]))
    tiles, ratings = from_other_half(only_tiles), from_other_half(only_ratings)
    told: list[tuple[str, Callable[[Sample], tuple[float, ...]], bool | None]] = [
        ("rack sizes, who has opened, tiles left", tiles, None),
        (
            "imagined games alone",
            lambda s: tuple((w + 0.5) / (s.games + len(s.wins) / 2) for w in s.wins),
            None,
        ),
        ("at sight, levels not told", lambda s: at_sight_of(s, how.weights), False),
        ("both, levels not told", lambda s: predicted(s, how), False),
        ("at sight, levels of the others told", lambda s: at_sight_of(s, how.weights), True),
        ("both, levels of the others told", lambda s: predicted(s, how), True),
        ("every level and nothing else (nobody can)", ratings, None),
    ]
    for name, chances, which in told:
        cells = []
        for players in PLAYERS:
            some = [each for each in every[players] if which is None or each.told == which]
            score, even = brier(some, chances), brier(some, lambda s: (1 / len(s.won),) * len(s.won))
            cells.append(f"{score:.3f} ({100 * (1 - score / even):+.0f} %)")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def brier(positions: Sequence[Sample], chances: Callable[[Sample], tuple[float, ...]]) -> float:
    """The mean of squared errors over all seats."""
    errors = [
        (chance - won) ** 2 for each in positions for chance, won in zip(chances(each), each.won, strict=True)
    ]
    return fsum(errors) / len(errors)


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
        "| book | players | games | positions | Brier score | always even | skill "
        "| called 0–20 % | 20–40 | 40–60 | 60–80 | 80–100 |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    every: list[tuple[str, list[Bin]]] = []
    for name in books:
        for players in PLAYERS:
            games = samples(name, players, "held-out")
            if not games:
                continue
            bins, score, even, count = reliability(games, fitted(book_of(name)))
            every.append((f"{name}, {players}", bins))
            skill = f"{100 * (1 - score / even):+.0f} %"
            shown = [name, str(players), str(len(games)), str(count), f"{score:.3f}", f"{even:.3f}", skill]
            lines.append(f"| {' | '.join([*shown, *_fifths(bins)])} |")
    rearranging = [each for each in books if book_of(each).family == "rearranging"]
    together = _together(rearranging)
    lines += [*together, "", *compare(rearranging)]
    print("\n".join(lines))
    if write:
        PICTURE.write_text(drawn(every), encoding="utf-8")
        page = PAGE.read_text(encoding="utf-8")
        before, rest = page.split(START, 1)
        _, after = rest.split(END, 1)
        PAGE.write_text(f"{before}{START}\n\n" + "\n".join(lines) + f"\n\n{END}{after}", encoding="utf-8")


def _together(books: list[str]) -> list[str]:
    """The rows of all books together, by the number of players."""
    lines = []
    for players in PLAYERS:
        games = [game for name in books for game in samples(name, players, "held-out")]
        if games:
            bins, score, even, count = reliability(games, fitted(book_of(books[0])))
            skill = f"{100 * (1 - score / even):+.0f} %"
            shown = [
                "all rearranging",
                str(players),
                str(len(games)),
                str(count),
                f"{score:.3f}",
                f"{even:.3f}",
            ]
            lines.append(f"| {' | '.join([*shown, skill, *_fifths(bins)])} |")
    return lines


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
    """Processor time until an estimate is sure to 2 %, from three positions of some games.

    So many games are timed; how many are needed follows from the interval, which narrows with their root.
    """
    print(
        "| book | players | positions | games in a second | games for ±2 %: middle | seconds: middle | 90 % |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in books:
        if book_of(name).family != "rearranging":
            continue
        for players in PLAYERS:
            rates, needed, seconds = [], [], []
            for played in list(read(name, players, "held-out"))[:TIMED]:
                turns = list(turns_of(loads(played.record), 0))
                for turn in turns[len(turns) // 6 :: max(1, len(turns) // 3)]:
                    forecast = Forecast(view(turn.state, 0), turn.seen)
                    began = time.process_time()
                    found = forecast.more(TIMED_GAMES)
                    rates.append(TIMED_GAMES / (time.process_time() - began))
                    needed.append(TIMED_GAMES * (found.doubt / PRECISION) ** 2)
                    seconds.append(needed[-1] / rates[-1])
            if seconds:
                half, most = len(seconds) // 2, int(0.9 * (len(seconds) - 1))
                middle = [f"{sorted(rates)[half]:.0f}", f"{sorted(needed)[half]:.0f}"]
                spent = [f"{sorted(seconds)[at]:.2f}" for at in (half, most)]
                print(
                    f"| {' | '.join([name, str(players), str(len(seconds)), *middle, *spent])} |", flush=True
                )


def main() -> None:
    """What is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("play", "imagine", "gather", "fit", "check", "time"))
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
        case "gather":
            for upto in range(AT_ONCE, asked.games + AT_ONCE, AT_ONCE):
                for kind in which:
                    some = min(upto, asked.games, MOST_FITTED if kind == "fit" else asked.games)
                    play_games(books, [kind], some)
                    imagine(books, [kind], some)
        case "fit":
            fit(books)
        case "check":
            check(books, asked.write)
        case _:
            measure_time(books)


if __name__ == "__main__":
    main()
