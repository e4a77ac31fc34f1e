"""Duplicate and team events: run from start to finish, and how much luck the same deals take out.

    python bench/duplicate.py events OUT
    python bench/duplicate.py luck RESULTS.jsonl --events 20

`events` runs a team event of 12 × 4 and a duplicate event of 16 bots, exports both, has the independent
verifier check them, and prints their papers into OUT. `luck` plays events of 16 bots of four close levels
twice: with deals of their own at every table, and with the same deals; seats, opponents and the number of
games are the same. It correlates the final order with the strength of the levels (Spearman, ties averaged),
and measures how much of the variance of a game's score comes from the deal: the intraclass correlation of the
scores of one seat in one deal at all tables. Events that RESULTS holds already are not played again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from random import Random
from statistics import mean, stdev

from meldroom.bots.game_loop import play_game
from meldroom.bots.levels import make_bot
from meldroom.championship import (
    Action,
    AnnounceDeals,
    AnnounceDraw,
    Arrange,
    ChampionshipLog,
    CheckIn,
    CloseStage,
    DecideTie,
    EnterResult,
    Entrant,
    Format,
    Found,
    GameResult,
    ImportEntrants,
    RecordPayment,
    Reveal,
    RevealDeals,
    SignSheet,
    preset,
    read_lines,
    standings,
    verify,
)
from meldroom.championship.actions import CHECKS
from meldroom.championship.arrangements.definition import read_arrangements
from meldroom.championship.duplicate.deals import deal_secret, deals_commitment
from meldroom.championship.duplicate.scoring import field_points
from meldroom.championship.formats.format import Duplicate, read_format
from meldroom.championship.log.export import document_of, write_export
from meldroom.championship.seating.plan import plan
from meldroom.championship.sittings import groups_by, prepare_draw
from meldroom.cli.championship.simulation.games import QuickGames
from meldroom.game import Shuffle
from meldroom.papers import KINDS, ChampionshipPapers, Order, print_pdf
from meldroom.papers.deal_sheets import deal_sheets
from meldroom.rules.book import RuleBook
from meldroom.rules.procedures import starters

LEVELS = ("beginner", "learner", "improver", "casual", "family", "regular", "keen", "skilled")
CLOSE = ("family", "regular", "keen", "skilled")
"""Levels whose differences luck can hide."""
GAMES = 2
"""Games of a sitting when luck is measured: eight for each player."""
VERIFIER = Path(__file__).resolve().parents[1] / "examples" / "championship_verifier.py"
DEALS = "deals of the bench"


def bot_game(
    rules: RuleBook, levels: Sequence[str], secret: str, seed: str, starter: int, game: int
) -> GameResult:
    """One game between bots on a given deal."""
    bots = [make_bot(level, rules, seed=f"{seed} {seat}") for seat, level in enumerate(levels)]
    done = play_game(rules, bots, Shuffle(secret), starter=starter, game=game).state.result
    assert done is not None
    return GameResult(done.scores, done.winners, "out" if done.end == "out" else "exhausted")


class Staff:
    """Writes a championship's log."""

    def __init__(self, path: Path, name: str, made: Format) -> None:
        found = Found(name, 1, date(2026, 11, 15), made, CHECKS)
        self.log = ChampionshipLog.create(path, found, author="Olga")

    def do(self, action: Action, reason: str = "") -> None:
        """The host does something."""
        self.log.append(action, author="Olga", role="host", reason=reason)

    def draw(self, stage: str, *, teams: bool = False) -> None:
        """A raffle, with teams kept apart if they count."""
        apart = groups_by(self.log.state, stage, "team") if teams else []
        numbers, entry = prepare_draw(self.log.state, stage, apart)
        self.do(AnnounceDraw(stage, numbers, entry, entry.commitment("seed")))
        self.do(Reveal(stage, "seed"))

    def close(self, stage: str) -> None:
        """Lots for who is level, and the end of the stage."""
        for group in standings(self.log.state, stage).level:
            self.do(DecideTie(stage, group, "lot"), "no time")
        self.do(CloseStage(stage))


def team_event(folder: Path) -> Staff:
    """Twelve teams of four, four sittings of two games; the best three of each team count."""
    stage = {"id": "rounds", "sittings": 4, "games": 2}
    staff = Staff(
        folder / "teams.jsonl",
        "Team Open",
        read_format({"base": "club_night", "id": "teams", "stages": [stage]}),
    )
    people = [
        Entrant(
            f"Player {team + 1}{'ABCD'[member]}",
            team=f"Team {team + 1:02}",
            born=date(2010 if member == 3 else 1985, 3, 1),
        )
        for team in range(12)
        for member in range(4)
    ]
    staff.do(ImportEntrants(tuple(people)))
    arranged = {
        "categories": [{"id": "junior", "name": "junior", "born_from": date(2008, 1, 1)}],
        "prizes": [
            {"name": "Team prize", "amount": "Cup", "to": "teams"},
            {"name": "First prize", "amount": "€100"},
            {"name": "Second prize", "amount": "€50"},
            {"name": "Junior prize", "category": "junior", "not_first": 3},
        ],
        "teams": {"best": 3},
        "fees": {"amount": 1500, "reduced": {"junior": 500}},
        "days": [
            {"date": date(2026, 11, 14), "sittings": ["rounds 1", "rounds 2"]},
            {"date": date(2026, 11, 15), "sittings": ["rounds 3", "rounds 4"]},
        ],
    }
    staff.do(Arrange(read_arrangements(arranged)))
    for number in range(1, 49):
        staff.do(CheckIn(number))
        if number % 6:
            staff.do(RecordPayment(number, 500 if number % 4 == 0 else 1500))
    staff.draw("rounds", teams=True)
    games = QuickGames(Random(5))
    made = staff.log.state.format
    for sitting in range(1, 5):
        for place, table in enumerate(staff.log.state.seatings["rounds", sitting].tables, start=1):
            for game in (1, 2):
                result = games.play(made, table, [True] * len(table), (game - 1) % len(table))
                staff.do(EnterResult("rounds", sitting, place, game, result))
            staff.do(SignSheet("rounds", sitting, place, "Rita"))
    staff.close("rounds")
    return staff


def duplicate_event(folder: Path) -> Staff:
    """Sixteen bots, four sittings of four games, the same deals at every table."""
    made = preset("duplicate")
    staff = Staff(folder / "duplicate.jsonl", "Duplicate Open", made)
    names = [f"{LEVELS[number // 2]} {'AB'[number % 2]}" for number in range(16)]
    staff.do(ImportEntrants(tuple(map(Entrant, names))))
    for number in range(1, 17):
        staff.do(CheckIn(number))
    staff.draw("duplicate")
    staff.do(AnnounceDeals("duplicate", deals_commitment("duplicate", DEALS)))
    rules = made.rules()
    for sitting in range(1, 5):
        for place, table in enumerate(staff.log.state.seatings["duplicate", sitting].tables, start=1):
            levels = [LEVELS[(number - 1) // 2] for number in table]
            begin = starters(rules, len(table), 4, 0)
            for game in range(1, 5):
                secret = deal_secret(made, DEALS, "duplicate", sitting, game)
                seed = f"event {sitting} {place} {game}"
                result = bot_game(rules, levels, secret, seed, begin[game - 1], game)
                staff.do(EnterResult("duplicate", sitting, place, game, result))
            staff.do(SignSheet("duplicate", sitting, place, "Rita"))
    staff.do(RevealDeals("duplicate", DEALS))
    staff.close("duplicate")
    return staff


def events(out: Path) -> bool:
    """Both events from start to finish; true if everything holds."""
    out.mkdir(parents=True, exist_ok=True)
    good = True
    for name, play in (("teams", team_event), ("duplicate", duplicate_event)):
        folder = out / name
        folder.mkdir()
        began = time.process_time()
        staff = play(folder)
        staff.log.close()
        state, lines = staff.log.state, read_lines(folder / f"{name}.jsonl")
        faults = verify(lines)[1]
        write_export(state, lines, folder / "export")
        outside = subprocess.run(
            [sys.executable, str(VERIFIER), str(folder / "export")],
            capture_output=True,
            text=True,
            check=False,
        )
        papers = ChampionshipPapers(document_of(state), Order(printed="bench"))
        (folder / "papers").mkdir()
        count = 0
        for kind in KINDS:
            for file, paper in papers.all([kind]):
                (folder / "papers" / f"{file}.pdf").write_bytes(print_pdf(papers.occasion(), paper))
                count += 1
        if name == "duplicate":
            sheets = deal_sheets(state.format, DEALS, "duplicate", "en")
            (folder / "papers" / "deals.pdf").write_bytes(print_pdf(papers.occasion(), sheets))
            count += 1
        seconds = time.process_time() - began
        print(
            f"{name}: {len(lines)} entries, {len(faults)} faults, {count} papers, {seconds:.0f} s of one core"
        )
        print(f"  independent verifier: {outside.stdout.strip()}")
        good = good and not faults and outside.returncode == 0
    return good


def one_event(number: int) -> dict[str, float]:
    """The correlation with strength of each ranking, in an ordinary and a duplicate event."""
    made = preset("duplicate")
    rules = made.rules()
    order = list(range(16))
    Random(number).shuffle(order)
    strength = [player // 4 for player in range(16)]
    found: dict[str, float] = {}
    for kind in ("own", "same"):
        totals = {what: [0.0] * 16 for what in ("wins", "score", "matchpoints", "difference")}
        held: list[list[int]] = []
        for sitting, tables in enumerate(plan(16, 4), start=1):
            for game in range(1, GAMES + 1):
                results: dict[int, GameResult] = {}
                for place, seats in enumerate(tables, start=1):
                    seed = f"{number} {kind} {place if kind == 'own' else ''}"
                    secret = deal_secret(made, seed, "duplicate", sitting, game)
                    levels = [CLOSE[strength[order[seat]]] for seat in seats]
                    starter = starters(rules, 4, game, 0)[-1]
                    chance = f"{number} {sitting} {place} {game}"
                    results[place] = bot_game(rules, levels, secret, chance, starter, game)
                _add(totals, [[order[seat] for seat in seats] for seats in tables], results)
                held += [[result.scores[seat] or 0 for result in results.values()] for seat in range(4)]
        by_wins = [won * 1e6 + score for won, score in zip(totals["wins"], totals["score"], strict=True)]
        found[f"{kind} wins"] = spearman(strength, by_wins)
        for what in ("score", "matchpoints", "difference"):
            found[f"{kind} {what}"] = spearman(strength, totals[what])
        found[f"{kind} deal"] = intraclass(held)
    return found


def _add(
    totals: dict[str, list[float]], tables: Sequence[Sequence[int]], results: dict[int, GameResult]
) -> None:
    """One deal's results, at all tables, to everybody's totals."""
    for place, result in results.items():
        for seat, player in enumerate(tables[place - 1]):
            totals["wins"][player] += seat in result.winners
            totals["score"][player] += result.scores[seat] or 0
    kinds: tuple[Duplicate, ...] = ("matchpoints", "difference")
    for scoring in kinds:
        for each in field_points(scoring, results):
            totals[scoring][tables[each.table - 1][each.seat]] += each.points


def intraclass(groups: Sequence[Sequence[float]]) -> float:
    """The share of the variance that members of a group have in common (one-way analysis of variance)."""
    size = len(groups[0])
    whole = mean(value for group in groups for value in group)
    between = size * sum((mean(group) - whole) ** 2 for group in groups) / (len(groups) - 1)
    within = sum((value - mean(group)) ** 2 for group in groups for value in group)
    within /= len(groups) * (size - 1)
    return float((between - within) / (between + (size - 1) * within))


def spearman(one: Sequence[float], two: Sequence[float]) -> float:
    """The rank correlation, ties averaged."""
    first, second = _ranks(one), _ranks(two)
    a, b = mean(first), mean(second)
    top = sum((x - a) * (y - b) for x, y in zip(first, second, strict=True))
    bottom = sum((x - a) ** 2 for x in first) * sum((y - b) ** 2 for y in second)
    return float(top / bottom**0.5)


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(values)
    return [order.index(value) + (order.count(value) - 1) / 2 for value in values]


def luck(file: Path, count: int) -> None:
    """Play what is missing, and print means with their standard errors."""
    known = {}
    if file.exists():
        known = {row["event"]: row["found"] for row in map(json.loads, file.read_text().splitlines())}
    for number in range(1, count + 1):
        if number not in known:
            began = time.process_time()
            known[number] = one_event(number)
            seconds = round(time.process_time() - began, 1)
            with file.open("a") as out:
                out.write(json.dumps({"event": number, "seconds": seconds, "found": known[number]}) + "\n")
    rows = [known[number] for number in sorted(known)]
    print(f"{len(rows)} events of 16, {4 * GAMES} games each; correlation of the final order with strength")
    print("(deal: share of a score's variance that the same seat has in common at all tables)")
    for name in sorted(rows[0]):
        values = [row[name] for row in rows]
        error = stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
        print(f"  {name:18} {mean(values):.3f} ± {error:.3f}")


def main() -> int:
    """Run one of the two."""
    parser = argparse.ArgumentParser(description="Duplicate and team events.")
    parser.add_argument("what", choices=("events", "luck"))
    parser.add_argument("place", type=Path)
    parser.add_argument("--events", type=int, default=20)
    asked = parser.parse_args()
    if asked.what == "luck":
        luck(asked.place, asked.events)
        return 0
    return 0 if events(asked.place) else 1


if __name__ == "__main__":
    sys.exit(main())
