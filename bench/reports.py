"""Is every play that a report calls better legal, and better in games that the report has not seen?

python bench/reports.py --games 200                  a report for one seat of each game, every book
python bench/reports.py --games 200 --book wrc11
python bench/reports.py --so-far                     the table of what is there

Levels and seats are drawn at random. A play that goes out is checked by the engine alone; any other is played
on in fresh imagined games, with the same luck for what was done, until it is ahead or behind by three
standard errors or the games are used up. Reports lie in results/reports; the same command goes on where it
was stopped.
"""

from __future__ import annotations

import argparse
import time
from math import ceil
from pathlib import Path
from random import Random

import msgspec

from meldroom.bots import LEVELS, play
from meldroom.bots.answers import apply_answer
from meldroom.coach.comparison import gain, wins
from meldroom.coach.imagined_games import ImaginedGames
from meldroom.coach.laid_off_games import LaidOffGames
from meldroom.coach.lay_off_choices import Choice, choices
from meldroom.coach.lay_off_choices import wins as choice_wins
from meldroom.coach.report import StrongPlayer, TurnReport, report
from meldroom.coach.turns import Turn, turns_of
from meldroom.game import ActionError, Shuffle, view
from meldroom.game.actions import Action, Draw, Lay, Pass, Take
from meldroom.record import Record
from meldroom.rules.library import BOOK_IDS
from meldroom.solver import solve
from meldroom.solver.kernel import mode

OUT = Path("results/reports")
FRESH = 1 << 24
"""Games that check have numbers from here on; a report never comes so far."""
AT_ONCE, MOST = 200, 2000
AT_ONCE_LAID_OFF, MOST_LAID_OFF = 40, 400
AT_A_TIME = 2
"""So many reports of a book before the next book's."""


class Checked(msgspec.Struct, frozen=True):
    """A report: seconds of processor time, its turns, better plays, and of those the ones that failed.

    `gains` are those of better plays that do not go out: as reported, and in fresh games.
    """

    game: int
    seconds: float
    turns: int
    better: int
    exact: int
    illegal: int
    worse: int
    gains: list[tuple[float, float]]


def check(book: str, game: int) -> Checked:
    """One game, the report of one seat, and what it names."""
    chance = Random(f"reports {book} {game}")
    players = chance.choice((2, 2, 3, 4))
    levels = [chance.choice(list(LEVELS)) for _ in range(players)]
    record = play(book, levels, seed=f"reports {book} {game}")
    seat = chance.randrange(players)
    began = time.process_time()
    found = report(record, seat)
    seconds = time.process_time() - began
    told = {turn.step: turn for turn in found.turns}
    illegal = worse = exact = better = 0
    gains: list[tuple[float, float]] = []
    strong = StrongPlayer("")
    for turn in turns_of(record, seat):
        said = told.get(turn.step)
        # It remembers what it saw: it must see every turn.
        would = strong.moves(turn.state.book, turn, seat) if book == "rummyo" else []
        if said is None or said.better is None:
            continue
        better += 1
        exact += said.better.exact
        choice = None
        if would and not said.better.exact:
            found_choices = choices(turn, [action for _, action in would])
            choice = next(each for each in found_choices if each.theme == said.better.theme)
        illegal += not (legal(turn, said, seat) if choice is None else accepted(choice))
        if not said.better.exact:
            fresh = again(record, turn, said, seat) if choice is None else choose_again(choice, seat)
            gains.append((round(said.better.gain, 3), round(fresh, 3)))
            worse += fresh <= 0
    return Checked(game, round(seconds, 3), len(found.turns), better, exact, illegal, worse, gains)


def legal(turn: Turn, said: TurnReport, seat: int) -> bool:
    """True if the engine accepts the better play, and, where it is said to go out, the game is won with it.

    Rummy-O's report names tiles and no melds: there it is the solver's play of as many tiles.
    """
    assert said.better is not None
    move, state = said.better.move, turn.state
    action: Action | None = None
    if state.book.family != "rearranging":
        if said.better.theme == "take_or_leave":
            assert turn.taking is not None
            state, _ = apply_answer(turn.taking, Take(seat, source="discard"), Shuffle("unused"))
        found = solve(state)
        action = found.action if found.tiles >= len(move.laid) else None
    elif move.table is not None:
        action = Lay(seat, table=move.table)
    else:
        action = Draw(seat) if state.pool else Pass(seat)
    if action is None:
        return False
    try:
        after, _ = apply_answer(state, action, Shuffle("unused"))
    except ActionError:
        return False
    return not said.better.exact or (after.result is not None and seat in after.result.winners)


def accepted(choice: Choice) -> bool:
    """True if the engine accepts what Rummy-O's report names."""
    try:
        apply_answer(choice.state, choice.strong, Shuffle("unused"))
    except ActionError:
        return False
    return True


def choose_again(choice: Choice, seat: int) -> float:
    """By how much a choice in Rummy-O wins more often in fresh games of bots."""
    games = LaidOffGames(view(choice.state, seat), seed="fresh")
    played: list[list[float]] = []
    while len(played) < MOST_LAID_OFF:
        played += choice_wins(games, choice, seat, FRESH + len(played), AT_ONCE_LAID_OFF)
        found = gain(played, 1, 0)
        if abs(found.mean) > 3 * found.error:
            break
    return found.mean


def again(record: Record, turn: Turn, said: TurnReport, seat: int) -> float:
    """By how much the better play wins more often in fresh games."""
    assert said.better is not None
    imagined = ImaginedGames(view(turn.state, seat), turn.seen, seed=f"fresh {record.headers.players}")
    played: list[list[float]] = []
    while len(played) < MOST:
        played += wins(imagined, [said.did.laid, said.better.move.laid], FRESH + len(played), AT_ONCE)
        found = gain(played, 1, 0)
        if abs(found.mean) > 3 * found.error:
            break
    return found.mean


def table(books: list[str]) -> str:
    """What is there, book by book."""
    lines = [
        "| book | reports | turns | better plays | of them going out | illegal | not better again "
        "| gain reported, again | seconds: middle, 95 % |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for book in books:
        path = OUT / f"{book}.jsonl"
        if not path.exists():
            continue
        done = [msgspec.json.decode(line, type=Checked) for line in path.read_bytes().splitlines()]
        if not done:
            continue
        spent = sorted(each.seconds for each in done)
        pairs = [pair for each in done for pair in each.gains]
        shown = "–"
        if pairs:
            said, fresh = (100 * sum(pair[i] for pair in pairs) / len(pairs) for i in (0, 1))
            shown = f"{said:.0f}, {fresh:.0f} points"
        late = spent[ceil(0.95 * len(spent)) - 1]
        sums = [sum(getattr(each, name) for each in done) for name in ("turns", "better", "exact")]
        failed = [sum(getattr(each, name) for each in done) for name in ("illegal", "worse")]
        cells = [book, len(done), *sums, *failed, shown, f"{spent[len(spent) // 2]:.2f}, {late:.2f}"]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def main() -> None:
    """What is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--book", action="append", choices=BOOK_IDS)
    parser.add_argument("--so-far", action="store_true")
    asked = parser.parse_args()
    mode.for_long_work()
    books = asked.book or list(BOOK_IDS)
    OUT.mkdir(parents=True, exist_ok=True)
    for upto in range(0) if asked.so_far else range(AT_A_TIME, asked.games + AT_A_TIME, AT_A_TIME):
        for book in books:
            path = OUT / f"{book}.jsonl"
            done = len(path.read_bytes().splitlines()) if path.exists() else 0
            with path.open("ab") as out:
                for game in range(done, min(upto, asked.games)):
                    out.write(msgspec.json.encode(check(book, game)) + b"\n")
                    out.flush()
    print(table(books))


if __name__ == "__main__":
    main()
