"""Looks for what beats a bot, within a budget, and measures the best of it on deals that nobody has seen."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Literal

import msgspec

from meldroom import __version__
from meldroom.arena.bots import check
from meldroom.arena.config import read
from meldroom.arena.errors import ArenaError
from meldroom.arena.executors import Engine, Work, engine
from meldroom.arena.experiment import Conduct, Experiment, Parameter, to_json
from meldroom.arena.respond import play_outs, policy
from meldroom.arena.respond.cross_entropy import Distribution
from meldroom.arena.respond.heats import Heats
from meldroom.arena.respond.population import Candidate, Population, Tally, tallied
from meldroom.arena.respond.report import Finalist, Found, Spent
from meldroom.arena.respond.space import PRESETS, complete, mutated, uniform
from meldroom.arena.run import play_all
from meldroom.arena.store import Store
from meldroom.bots.levels import LEVELS
from meldroom.i18n import Language

TARGET = "target"
FIRST_DEALS = 2
"""Deals of the first heat of a race; every later heat has twice as many, and half the candidates."""
ELITES = 4
"""The distribution moves towards so many of the best so far, and half as many of the round."""
SEARCH, PLAY_OUTS, SELECTION = 0.5, 0.65, 0.75
"""The parts of the budget after which the search, play-outs and the choice of the best end."""
FINALISTS = 4
LEAST_WIDTH, MOST_WIDTH = 4, 64
MOST_PLAY_OUTS = 60
SELECTION_DEALS, MOST_SELECTIONS = 10, 10
FINAL_DEALS, LEAST_FINALS, MOST_FINALS = 25, 2, 20
"""Blocks of deals: finalists are compared on some, and the best is measured on others."""
PLAY_OUT_EFFORTS: tuple[dict[str, Parameter], ...] = (
    {"worlds": 3, "moves": 4, "from_pool": 4},
    {"worlds": 3, "moves": 4, "from_pool": 4},
    {"worlds": 8, "moves": 5, "from_pool": 4},
)
"""The best two policies, and the best once more with more thought."""
LEVELS_TRIED = tuple(LEVELS)[tuple(LEVELS).index("tournament") :]
"""The upper rungs of the ladder."""

Stage = Literal["race", "play_outs", "selection", "final"]


class Question(msgspec.Struct, frozen=True):
    """What is asked: whom to beat, at which table, and what the search begins with. It decides every game."""

    target: dict[str, Any]
    book: str | dict[str, Any]
    players: int = 2
    seed: str = "respond"
    include: tuple[str, ...] = ()
    width: int = 8
    conduct: Conduct = "competition"
    meldroom: str = __version__


class Progress(msgspec.Struct, frozen=True):
    """Where the search is: its stage and round, what was spent, and the best so far."""

    stage: Stage
    round: int
    tried: int
    games: int
    seconds: float
    share: float
    best: float


Hears = Callable[[Progress], None]


class Budget(msgspec.Struct, frozen=True):
    """How much may be played: processor seconds of all processes together, or games, or both."""

    seconds: float | None = None
    games: int | None = None

    def share(self, seconds: float, games: int) -> float:
        """The part of it that is spent."""
        parts = [0.0]
        if self.seconds is not None:
            parts.append(seconds / self.seconds)
        if self.games is not None:
            parts.append(games / self.games)
        return max(parts)


def respond(
    question: Question,
    budget: Budget,
    out: Path | str | None = None,
    *,
    jobs: int | None = 1,
    scheduler: str | None = None,
    progress: Hears = lambda told: None,
    language: Language = "en",
) -> Found:
    """The best response that was found, measured on fresh deals, and what was tried on the way.

    The same question plays the same games in the same order; a budget in seconds only decides where they
    end. With a folder, everything played is kept there, and a run that was stopped, or has a larger budget,
    goes on from it. Raises ArenaError for a bot that cannot be seated, or a folder of another question.
    """
    workers = engine(jobs, scheduler)
    with closing(workers):
        search = _Search(question, budget, out, workers, progress, here=scheduler is None)
        search.language = language
        return search.run()


class _Search:
    def __init__(
        self,
        question: Question,
        budget: Budget,
        out: Path | str | None,
        workers: Engine,
        progress: Hears,
        here: bool,
    ) -> None:
        self.question = question
        self.budget = budget
        self.folder = None if out is None else Path(out)
        self.workers = workers
        self.progress = progress
        self.population = Population(question.players)
        self.spent = Spent()
        self.finalists: list[Finalist] = []
        self.language: Language = "en"
        self.stage: Stage = "race"
        self.round = 0
        if not LEAST_WIDTH <= question.width <= MOST_WIDTH:
            raise ArenaError("respond.width", "--width", least=LEAST_WIDTH, most=MOST_WIDTH)
        if budget.games is not None and budget.games < 1:
            raise ArenaError("respond.games_needed", "--games")
        trial = self._experiment("trial", [Candidate(TARGET + "2", "", dict(question.target))], 1)
        self.rearranging = trial.books[0].book().family == "rearranging"
        self._begin()
        check(self._experiment("trial", self.population.members.values(), 1), programs=here)
        self.store: Store | None = None
        if self.folder is not None:
            asked = msgspec.json.format(msgspec.json.encode(question), indent=2) + b"\n"
            self.store = Store(self.folder, asked, "question.json")
            self.store.open()
        self.heats = Heats(self.store)

    def run(self) -> Found:
        """Race, play out, choose, measure."""
        distribution = Distribution(self.question.players)
        self._race(list(self.population.members.values()), distribution)
        while self.rearranging and not self._over(SEARCH):
            self.round += 1
            self._race(self._drawn(distribution), distribution)
        if self.rearranging and "command" not in self.question.target:
            self._play_outs()
        best = self._select()
        fresh = self._measure(best)
        found = self._found(best, fresh)
        if self.store is not None:
            self.store.write("report.json", found.to_json())
            self.store.write("report.txt", found.to_text(self.language).encode())
            self.store.write("best.toml", found.to_toml().encode())
        return found

    def _found(self, best: Candidate, fresh: Tally) -> Found:
        wins, score = fresh.win_rate(), fresh.score()
        assert wins is not None
        assert score is not None
        return Found(
            question=msgspec.to_builtins(self.question),
            best=best,
            fresh=wins,
            fresh_score=score,
            fresh_games=fresh.games,
            level=self.population.level,
            rounds=self.round,
            spent=self.spent,
            budget=msgspec.to_builtins(self.budget),
            finalists=tuple(self.finalists),
            population=self.population.to_table(),
        )

    def _begin(self) -> None:
        """What the search begins with: levels of the ladder, the bots that were included, and presets."""
        add = self.population.add
        for level in LEVELS_TRIED:
            add("level", {"level": level}, level)
        for reference in self.question.include:
            add("included", {"python": reference}, reference)
        if self.rearranging:
            for name, habits in PRESETS.items():
                add("preset", {"python": policy.CLASS, **complete(habits)}, name)

    def _drawn(self, distribution: Distribution) -> list[Candidate]:
        """The candidates of a round: from the distribution, changed from the best, and anything at all."""
        chance = Random(_digest(self.question.seed, "round", self.round))
        players = self.question.players
        parents = self._habits(ELITES)
        made = []
        for place in range(self.question.width):
            if place % 4 == 1 and parents:
                habits, origin = mutated(chance.choice(parents), chance, players), "mutation"
            elif place % 8 == 3:
                habits, origin = uniform(chance, players), "random"
            else:
                habits, origin = distribution.draw(chance), "cross_entropy"
            made.append(self.population.add(origin, {"python": policy.CLASS, **habits}))
        return list({each.id: each for each in made}.values())

    def _race(self, field: Sequence[Candidate], distribution: Distribution) -> None:
        """Heats on fresh deals: the better half goes on, and meets the best so far in the last one."""
        left, deals, heat = list(field), FIRST_DEALS, 0
        while left and not (heat and self._over(SEARCH)):
            last = len(left) <= 2
            if last:
                left += [each for each in self.population.best(2) if each not in left]
            self._play(f"race-{self.round:03}-{heat}", left, deals)
            if last:
                break
            left = self.population.best((len(left) + 1) // 2, left)
            deals, heat = 2 * deals, heat + 1
        distribution.move([*self._habits(ELITES // 2, field), *self._habits(ELITES)])

    def _habits(self, count: int, among: Sequence[Candidate] | None = None) -> list[Mapping[str, Parameter]]:
        """The parameters of the most promising policies."""
        known = list(self.population.members.values()) if among is None else among
        best = self.population.best(count, [each for each in known if each.habits is not None])
        return [each.habits for each in best if each.habits is not None]

    def _play_outs(self) -> None:
        """The best policies once more, with their last moves played out against the bot itself."""
        self.stage = "play_outs"
        parents = self._habits(2)
        target = {key: value for key, value in self.question.target.items() if key in ("level", "python")}
        rest = {key: value for key, value in self.question.target.items() if key not in target}
        if "effort" in LEVELS.get(target.get("level", ""), LEVELS["beginner"]).parameters:
            rest["effort"] = play_outs.QUICK * rest.get("effort", 1.0)
        against = msgspec.json.encode({**target, "parameters": rest}).decode()
        made = [
            self.population.add(
                "play_outs",
                {"python": play_outs.CLASS, "against": against, **effort, **parent},
            )
            for parent, effort in zip((*parents, *parents[:1]), PLAY_OUT_EFFORTS, strict=False)
        ]
        for block in range(MOST_PLAY_OUTS):
            name = f"play-outs-{self.round:03}-{block:02}"
            # A game may take a minute, and a small budget ends within the first block: that one is played
            # a deal at a time. Later ones keep all processes busy.
            for some in [made] if block else [[each] for each in made]:
                if self._over(PLAY_OUTS):
                    return
                self._play(name, some, len(PLAY_OUT_EFFORTS) // len(made))
            if block % 6 == 5:
                made = self.population.best(max(1, len(made) - 1), made)

    def _select(self) -> Candidate:
        """The best of the finalists, on deals that none of them was chosen by."""
        self.stage = "selection"
        played = self.population.best(len(self.population.members))
        finalists = [each for each in played if self._can_afford(each)][:FINALISTS] or played[:1]
        tallies = {each.id: Tally() for each in finalists}
        for block in range(MOST_SELECTIONS):
            if block and self._over(SELECTION):
                break
            name = f"selection-{self.round:03}-{block}"
            for id, tally in self._play(name, finalists, SELECTION_DEALS).items():
                tallies[id].add(tally)
        self.finalists = [
            Finalist(each.id, tallies[each.id].games, tallies[each.id].win_rate(), tallies[each.id].score())
            for each in finalists
        ]
        level = self.population.level
        return max(finalists, key=lambda each: tallies[each.id].promise(level))

    def _measure(self, best: Candidate) -> Tally:
        """The best alone, on fresh deals: this figure was chosen by nobody."""
        self.stage = "final"
        total = Tally()
        for block in range(MOST_FINALS):
            if block >= LEAST_FINALS and self._over(1.0):
                break
            name = f"final-{self.round:03}-{block:02}"
            tally = self._play(name, [best], FINAL_DEALS, counted=False)[best.id]
            total.add(tally)
        return total

    def _can_afford(self, candidate: Candidate) -> bool:
        """True if what is left of the time is enough to measure it; play-outs can be slow."""
        if self.budget.seconds is None:
            return True
        tally = self.population.tallies[candidate.id]
        games = (SELECTION_DEALS + LEAST_FINALS * FINAL_DEALS) * self.question.players
        return tally.seconds / tally.games * games <= self.budget.seconds - self.spent.seconds

    def _over(self, part: float) -> bool:
        return self.budget.share(self.spent.seconds, self.spent.games) >= part

    def _play(
        self, name: str, candidates: Sequence[Candidate], deals: int, *, counted: bool = True
    ) -> dict[str, Tally]:
        """Every candidate on the same fresh deals, which follow from the seed and the name."""
        experiment = self._experiment(name, candidates, deals)
        work = Work(to_json(experiment, __version__), records=False, version=__version__)
        # Who plays depends on the budget: another field on the same deals has a name of its own.
        place = f"{name}-{hashlib.sha256(work.configuration).hexdigest()[:8]}"
        tallies = self.heats.kept(place)
        if tallies is None:
            store = self.heats.store(place, work.configuration)
            if store is not None:
                store.open()
            finished = play_all(experiment, self.workers, work, store, lambda done, games: None)
            tallies = tallied(experiment, finished)
            self.heats.keep(place, experiment.seed, tallies)
        if counted:
            self.population.count(tallies)
        self.spent.games += experiment.games
        self.spent.seconds += sum(each.seconds for each in tallies.values())
        self._tell()
        return tallies

    def _tell(self) -> None:
        best = self.population.best(1)
        self.progress(
            Progress(
                stage=self.stage,
                round=self.round,
                tried=len(self.population.members),
                games=self.spent.games,
                seconds=self.spent.seconds,
                share=self.budget.share(self.spent.seconds, self.spent.games),
                best=self.population.promise(best[0]) if best else 0.0,
            )
        )

    def _experiment(self, name: str, candidates: Any, deals: int) -> Experiment:
        question = self.question
        others = [TARGET] * (question.players - 1)
        bots: dict[str, Mapping[str, Parameter]] = {each.id: each.bot for each in candidates}
        return read(
            {
                "title": name,
                "format": "tables",
                "books": [question.book],
                "deals": deals,
                "conduct": question.conduct,
                "seed": _digest(question.seed, name),
                "bots": {TARGET: question.target, **bots},
                "tables": [{"name": id, "seats": [id, *others]} for id in bots],
            }
        )


def _digest(*named: str | int) -> str:
    """A seed for one part of the search: what is drawn there tells nothing of other parts."""
    return hashlib.sha256(msgspec.json.encode(named)).hexdigest()


def target_of(text: str, parameters: Mapping[str, Parameter], seconds: float | None = None) -> dict[str, Any]:
    """The table of a bot given in a word: a level, `module:Class`, or a program with its arguments.

    Raises ArenaError.
    """
    if text in LEVELS:
        return {"level": text, **parameters}
    try:
        words = shlex.split(text)
    except ValueError:  # a quotation mark that is not closed
        words = []
    if len(words) == 1 and ":" in text and not Path(text).exists():
        return {"python": text, **parameters}
    if words and (len(words) > 1 or Path(text).exists()) and not parameters:
        return {"command": words, **({} if seconds is None else {"seconds": seconds})}
    raise ArenaError("error.target", "BOT", name=text, levels=tuple(LEVELS))
