"""Everything that was tried against a bot, and how it did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from meldroom.arena.chunks import Finished
from meldroom.arena.experiment import Experiment, Parameter
from meldroom.arena.reporting.statistics import Estimate, clustered, share
from meldroom.arena.respond import policy

PRIOR_GAMES = 12
"""A candidate counts as if it had played so many games at level chances before: few games prove little."""


class Candidate(msgspec.Struct, frozen=True):
    """One response: where it comes from, and its table as a bot of an experiment."""

    id: str
    origin: str
    bot: dict[str, Parameter]
    name: str = ""

    @property
    def habits(self) -> Mapping[str, Parameter] | None:
        """The parameters of the policy; None for a bot of another kind."""
        if self.bot.get("python") != policy.CLASS:
            return None
        return {key: value for key, value in self.bot.items() if key != "python"}


class Tally(msgspec.Struct):
    """What one candidate did, deal by deal: shares of wins and scores; and the processor seconds of it."""

    seconds: float = 0.0
    wins: list[tuple[float, int]] = []
    scores: list[tuple[float, int]] = []

    @property
    def games(self) -> int:
        """How many games it played."""
        return sum(count for _, count in self.wins)

    def add(self, other: Tally) -> None:
        """The games of another tally too."""
        self.wins += other.wins
        self.scores += other.scores
        self.seconds += other.seconds

    def win_rate(self) -> Estimate | None:
        """Its share of wins with a 95 % interval; None before the first game."""
        return share(self.wins) if self.wins else None

    def score(self) -> Estimate | None:
        """Its mean score; None before the first game."""
        return clustered(self.scores) if self.scores else None

    def promise(self, level: float) -> float:
        """Its share of wins, drawn towards `level` the more, the fewer games there are."""
        won = sum(value for value, _ in self.wins)
        return (won + level * PRIOR_GAMES) / (self.games + PRIOR_GAMES)


class Population:
    """All candidates in the order in which they were thought of, with their tallies."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.members: dict[str, Candidate] = {}
        self.tallies: dict[str, Tally] = {}

    @property
    def level(self) -> float:
        """The share of wins of a bot that is as good as its opponents."""
        return 1 / self.players

    def add(self, origin: str, bot: Mapping[str, Parameter], name: str = "") -> Candidate:
        """A new candidate, or the one that plays the same already."""
        for known in self.members.values():
            if known.bot == bot:
                return known
        made = Candidate(f"r{len(self.members) + 1:04}", origin, dict(bot), name)
        self.members[made.id] = made
        self.tallies[made.id] = Tally()
        return made

    def count(self, tallies: Mapping[str, Tally]) -> None:
        """Take note of more games of some candidates."""
        for candidate, tally in tallies.items():
            self.tallies[candidate].add(tally)

    def promise(self, candidate: Candidate) -> float:
        """How good it seems so far."""
        return self.tallies[candidate.id].promise(self.level)

    def best(self, count: int, among: Iterable[Candidate] | None = None) -> list[Candidate]:
        """The most promising that have played, best first; the earlier one where two are level."""
        known = self.members.values() if among is None else among
        played = [each for each in known if self.tallies[each.id].games]
        return sorted(played, key=lambda each: (-self.promise(each), each.id))[:count]

    def to_table(self) -> list[dict[str, Any]]:
        """Every candidate with what it did, for a file."""
        rows = []
        for each in self.members.values():
            tally = self.tallies[each.id]
            rows.append(
                {
                    "id": each.id,
                    "origin": each.origin,
                    "name": each.name,
                    "bot": each.bot,
                    "games": tally.games,
                    "wins": tally.win_rate(),
                    "score": tally.score(),
                    "promise": round(self.promise(each), 6),
                    "seconds": round(tally.seconds, 2),
                }
            )
        return rows


def tallied(experiment: Experiment, finished: Iterable[Finished]) -> dict[str, Tally]:
    """What the first bot of every line-up did, by its name; the others of a line-up are what it plays.

    Games are in the order of their deals, whoever was done first.
    """
    sums: dict[tuple[int, int], list[float]] = {}
    finished = list(finished)
    rows = [row for each in finished for row in each.rows]
    for row in sorted(rows, key=lambda row: (row.line_up, row.deal, row.rotation)):
        mine = next(seat for seat in row.seats if seat.place == 0)
        found = sums.setdefault((row.line_up, row.deal), [0.0, 0.0, 0.0])
        found[0] += 1 / row.winners if mine.winner else 0.0
        found[1] += mine.score
        found[2] += 1
    tallies: dict[str, Tally] = {}
    for (line_up, _), (won, score, games) in sums.items():
        tally = tallies.setdefault(experiment.line_ups[line_up].seats[0], Tally())
        tally.wins.append((won, int(games)))
        tally.scores.append((score, int(games)))
    for each in finished:
        tallies[experiment.line_ups[each.chunk.line_up].seats[0]].seconds += each.processor
    return tallies
