"""The search for what beats a bot: it finds it, repeats itself, goes on, and is not flattered."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner, Result

from meldroom.arena import ArenaError, load
from meldroom.arena.respond import Budget, Found, Progress, Question, respond, search, target_of
from meldroom.arena.respond.population import Candidate, Population, Tally
from meldroom.arena.respond.space import PRESETS, complete
from meldroom.cli.app import app

QUESTION = Question({"level": "tournament"}, "wrc11", seed="small", width=4)
BUDGET = Budget(games=120)


@pytest.fixture(scope="module", autouse=True)
def small_search() -> Iterator[None]:
    """Less of everything: fewer to begin with, fewer deals to choose and to measure by."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "LEVELS_TRIED", ("patient",))
        patch.setattr(search, "PRESETS", {name: PRESETS[name] for name in list(PRESETS)[:2]})
        patch.setattr(search, "FINALISTS", 2)
        patch.setattr(search, "SELECTION_DEALS", 2)
        patch.setattr(search, "FINAL_DEALS", 5)
        yield


class StoppedError(Exception):
    """Somebody pressed Ctrl-C."""


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Found]:
    folder = tmp_path_factory.mktemp("respond") / "one"
    return folder, respond(QUESTION, BUDGET, folder)


def comparable(found: Found) -> dict[str, Any]:
    """All but the time that it took."""
    made: dict[str, Any] = msgspec.json.decode(found.to_json())
    del made["spent"]["seconds"]
    for row in made["population"]:
        del row["seconds"]
    return made


def test_it_finds_what_beats_a_bot_that_is_easily_beaten(answer: tuple[Path, Found]) -> None:
    _, found = answer
    assert found.fresh.mean > 0.95
    assert found.fresh_games >= 20
    assert found.spent.games >= 120
    kinds = {"level", "preset", "cross_entropy", "mutation", "random", "play_outs"}
    assert {row["origin"] for row in found.population} == kinds


def test_the_folder_holds_the_report_and_an_experiment_with_the_best(answer: tuple[Path, Found]) -> None:
    folder, found = answer
    assert msgspec.json.decode((folder / "report.json").read_bytes())["best"]["id"] == found.best.id
    assert (folder / "report.txt").read_text(encoding="utf-8") == found.to_text()
    experiment = load(folder / "best.toml")
    assert experiment.entrant("target").level == "tournament"
    assert experiment.line_ups[0].seats == ("response", "target")


def test_the_last_figure_is_from_deals_that_chose_nothing(answer: tuple[Path, Found]) -> None:
    folder, found = answer
    seeds: dict[str, set[str]] = {}
    for line in (folder / "heats.jsonl").read_bytes().splitlines():
        heat = msgspec.json.decode(line)
        seeds.setdefault(heat["heat"].partition("-")[0], set()).add(heat["seed"])
    chosen_by = set.union(*(values for stage, values in seeds.items() if stage != "final"))
    assert not seeds["final"] & chosen_by
    tally = next(row for row in found.population if row["id"] == found.best.id)
    assert tally["games"] + found.fresh_games <= found.spent.games


def test_it_goes_on_where_it_was_stopped_and_two_processes_find_the_same(
    answer: tuple[Path, Found], tmp_path: Path
) -> None:
    told: list[Progress] = []

    def stop(now: Progress) -> None:
        told.append(now)
        if len(told) == 2:
            raise StoppedError

    with pytest.raises(StoppedError):
        respond(QUESTION, BUDGET, tmp_path, progress=stop)
    again = respond(QUESTION, BUDGET, tmp_path, jobs=2)
    assert comparable(again) == comparable(answer[1])
    assert [now.games for now in told] == sorted(now.games for now in told)


def test_a_finished_search_is_read_back_without_a_game(
    answer: tuple[Path, Found], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*anything: object) -> bytes:
        raise AssertionError("a game was played")

    monkeypatch.setattr("meldroom.arena.chunks.play_chunk", never)
    again = respond(QUESTION, BUDGET, answer[0])
    assert again.to_json() == answer[1].to_json()


def test_of_finished_heats_only_the_tallies_are_kept(answer: tuple[Path, Found]) -> None:
    folder, _ = answer
    assert not list((folder / "games").iterdir())


def test_heats_that_cannot_be_read_are_refused_and_stay(answer: tuple[Path, Found], tmp_path: Path) -> None:
    for name in ("question.json", "heats.jsonl"):
        (tmp_path / name).write_bytes((answer[0] / name).read_bytes())
    torn = (tmp_path / "heats.jsonl").read_bytes()[:-9]
    (tmp_path / "heats.jsonl").write_bytes(torn)
    with pytest.raises(ArenaError, match="not the arena’s"):
        respond(QUESTION, BUDGET, tmp_path)
    assert (tmp_path / "heats.jsonl").read_bytes() == torn


def test_another_question_in_the_same_folder_is_refused(answer: tuple[Path, Found]) -> None:
    other = msgspec.structs.replace(QUESTION, players=3)
    with pytest.raises(ArenaError, match="players differs"):
        respond(other, BUDGET, answer[0])


def test_a_class_of_ones_own_joins_the_population() -> None:
    asked = msgspec.structs.replace(QUESTION, include=("tests.arena.own_bots:Moody",))
    found = respond(asked, Budget(games=1))
    (own,) = [row for row in found.population if row["origin"] == "included"]
    assert own["bot"] == {"python": "tests.arena.own_bots:Moody"}
    assert own["games"] > 0
    broken = msgspec.structs.replace(QUESTION, include=("tests.arena.own_bots:Nobody",))
    with pytest.raises(ArenaError, match="has no class “Nobody”"):
        respond(broken, Budget(games=1))


def test_rummy_o_is_answered_by_levels_alone() -> None:
    found = respond(Question({"level": "beginner"}, "rummyo", width=4), Budget(games=1))
    assert {row["origin"] for row in found.population} == {"level"}


def worth(candidate: Candidate) -> float:
    """A game in which some parameters are better than others: no preset wins more than 35 per cent of it."""
    habits = candidate.habits
    if habits is None:
        return 0.3
    near = math.exp(-(((float(habits["fight_pool"]) - 11) / 3) ** 2))
    good = (habits["wait_order"] == "dearest", habits["final"] == "tiles", float(habits["risk"]) < 0.4)
    return 0.15 + 0.2 * near + 0.2 * sum(good)


def pretended(
    self: search._Search, name: str, candidates: Sequence[Candidate], deals: int, *, counted: bool = True
) -> dict[str, Tally]:
    """That game, played by chance instead of by bots."""
    chance = Random(name)
    tallies: dict[str, Tally] = {}
    for each in candidates:
        tally = tallies[each.id] = Tally()
        for _ in range(deals):
            tally.wins.append((float(sum(chance.random() < worth(each) for _ in range(2))), 2))
            tally.scores.append((0.0, 2))
        if counted:
            self.population.tallies[each.id].add(tally)
        self.spent.games += 2 * deals
    return tallies


def test_round_by_round_it_finds_better_parameters_and_is_not_flattered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search._Search, "_play", pretended)
    monkeypatch.setattr(search, "FINAL_DEALS", 100)
    found = respond(Question({"level": "patient"}, "wrc11", seed="rounds"), Budget(games=8000))
    assert found.rounds > 10
    assert worth(found.best) > 0.6
    assert found.fresh.low is not None
    assert found.fresh.high is not None
    assert found.fresh.low < worth(found.best) < found.fresh.high


def test_after_the_first_block_play_outs_are_played_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    heats: list[tuple[int, int]] = []

    def noted(
        self: search._Search, name: str, candidates: Sequence[Candidate], deals: int, *, counted: bool = True
    ) -> dict[str, Tally]:
        if self.stage == "play_outs":
            heats.append((len(candidates), deals))
        return pretended(self, name, candidates, deals, counted=counted)

    monkeypatch.setattr(search._Search, "_play", noted)
    respond(Question({"level": "patient"}, "wrc11", seed="blocks"), Budget(games=1000))
    # Candidates and deals: a block a deal at a time, five of all three, six of the better two, then the best.
    assert heats[:15] == [(1, 1)] * 3 + [(3, 1)] * 5 + [(2, 1)] * 6 + [(1, 3)]


def test_few_games_promise_little() -> None:
    lucky, proven = Tally(), Tally()
    lucky.wins = [(2.0, 2)]
    proven.wins = [(1.6, 2)] * 50
    assert lucky.promise(0.5) < proven.promise(0.5)
    population = Population(4)
    assert population.level == 0.25
    one = population.add("preset", complete({}))
    assert population.add("random", complete({})) is one
    assert population.best(3) == []


def test_a_bot_is_named_by_level_class_or_program() -> None:
    assert target_of("master", {"effort": 2}) == {"level": "master", "effort": 2}
    assert target_of("my_bot:MyBot", {}) == {"python": "my_bot:MyBot"}
    assert target_of("python3 bot.py -x", {}) == {"command": ["python3", "bot.py", "-x"]}
    for wrong in ("mastre", "", "'"):
        with pytest.raises(ArenaError, match=r"^BOT: "):
            target_of(wrong, {})


def command(*words: str | Path) -> Result:
    return CliRunner().invoke(app(("arena", "demo")), ["arena", "respond", *map(str, words)])


def test_the_command_says_what_it_found_and_where_it_is(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = command("beginner", "--games", "1", "--width", "4", "--jobs", "1", "--out", out)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("What beats beginner in wrc11, 2 players?\nThe best response found won ")
    assert f"saved in {out}: report.txt, report.json, best.toml" in done.stdout
    assert "of the budget spent" in done.stderr
    french = command("beginner", "--games", "1", "--width", "4", "--jobs", "1", "--out", out, "--lang", "fr")
    assert "La meilleure réponse trouvée a gagné" in french.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("mastre",), "BOT: “mastre” is no bot"),
        (("patient", "--budget", "soon"), "--budget: needed: a time such as 30m"),
        (("patient", "--games", "0"), "--games: needed: at least one game"),
        (("patient", "--width", "1"), "--width: needed: a whole number from 4 to 64"),
        (("patient", "--players", "9"), "9 seats, but wrc11 is played by 2 to 4"),
        (("patient", "--set", "aim"), "--set: "),
        (("patient", "--set", "aim=wins"), "“patient” has no such parameter"),
        (("patient", "--book", "wrc12"), "wrc12"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    done = command(*words, "--out", tmp_path / "out", "--jobs", "1")
    assert done.exit_code == 2, done.output
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_help_shows_examples() -> None:
    assert "meldroom arena respond master --budget 30m" in command("--help").stdout
