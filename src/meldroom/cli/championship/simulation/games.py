"""Results that never were: a quick model with real racks, or real games between bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Protocol

import msgspec

from meldroom.championship import Format, GameResult
from meldroom.referee import GameAtEnd, SeatAtEnd, at_end_of, count_game
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet
from meldroom.tiles import Face

_EXHAUSTED = 0.08
_UNMELDED = 0.05


class Games(Protocol):
    """Plays a game at a table."""

    def play(self, made: Format, table: Sequence[int], here: Sequence[bool], starter: int) -> GameResult:
        """The result, by seat; who is not here has no score."""
        ...


class QuickGames:
    """Better players win more often; racks are drawn from a real box and counted by the referee."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.skill: dict[int, float] = {}

    def play(self, made: Format, table: Sequence[int], here: Sequence[bool], starter: int) -> GameResult:
        """A game with a winner chosen by skill, and racks from one box."""
        rules, random = made.rules(), self.random
        playing = [seat for seat, present in enumerate(here) if present]
        form = {seat: self._skill(table[seat]) + random.gauss(0, 1.5) for seat in playing}
        winner = None if random.random() < _EXHAUSTED else max(playing, key=form.__getitem__)
        box = random.sample(rules.tiles.face_of, rules.tiles.size)
        seats: list[SeatAtEnd | None] = []
        for seat, present in enumerate(here):
            if not present:
                seats.append(None)
            elif seat == winner:
                seats.append(SeatAtEnd())
            else:
                seats.append(self._loser(rules, box))
        return count_game(rules, GameAtEnd(tuple(seats), winner)).result

    def _skill(self, number: int) -> float:
        return self.skill.setdefault(number, self.random.gauss(0, 1))

    def _loser(self, rules: RuleBook, box: list[Face]) -> SeatAtEnd:
        melded = self.random.random() > _UNMELDED
        size = min(1 + int(self.random.expovariate(0.25)), 20) if melded else self.random.randint(14, 20)
        rack: FaceSet = tuple(box.pop() for _ in range(size))
        return SeatAtEnd(rack, melded, () if melded else rack[-1:])


class BotGames:
    """Real games: every player is a bot of a level, and keeps it for the whole championship."""

    def __init__(self, seed: str, levels: Sequence[str]) -> None:
        self.seed = seed
        self.levels = levels
        self.played = 0

    def play(self, made: Format, table: Sequence[int], here: Sequence[bool], starter: int) -> GameResult:
        """A whole game by the book, counted by the referee from its last position."""
        from meldroom.bots.game_loop import play_game
        from meldroom.bots.levels import make_bot
        from meldroom.game import Shuffle

        rules = made.rules()
        self.played += 1
        playing = [seat for seat, present in enumerate(here) if present]
        name = f"{self.seed} {self.played}"
        bots = [
            make_bot(self.levels[table[seat] % len(self.levels)], rules, seed=f"{name} {seat}")
            for seat in playing
        ]
        begins = playing.index(starter) if starter in playing else 0
        ended = at_end_of(play_game(rules, bots, Shuffle(name), starter=begins).state)
        seats: list[SeatAtEnd | None] = [None] * len(table)
        for seat, found in zip(playing, ended.seats, strict=True):
            seats[seat] = found
        winner = None if ended.winner is None else playing[ended.winner]
        return count_game(rules, msgspec.structs.replace(ended, seats=tuple(seats), winner=winner)).result


def dead_heat(games: int, winners: Sequence[int], seats: int) -> Mapping[int, GameResult]:
    """Results of a last table that leave two seats level in everything: they win by turns, and lose alike."""
    found = {}
    for game in range(1, games + 1):
        ahead, behind = winners if game % 2 else tuple(reversed(winners))
        scores = [-12 - seat for seat in range(seats)]
        scores[behind] = -20 - 5 * ((game + 1) // 2)
        scores[ahead] = 0
        scores[ahead] = -sum(scores)
        found[game] = GameResult(tuple(scores), (ahead,))
    return found
