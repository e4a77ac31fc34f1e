"""Categories, prizes, teams, fees and days: announced, counted, exported, verified and read back."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from meldroom.championship import (
    AmendEntrant,
    Arrange,
    ChampionshipError,
    CheckIn,
    CloseStage,
    DecideTie,
    Disqualify,
    Entrant,
    ImportEntrants,
    RecordPayment,
    UndoStatus,
    final_ranking,
    preset,
    standings,
    verify,
)
from meldroom.championship.arrangements.definition import (
    Arrangements,
    load_arrangements,
    read_arrangements,
)
from meldroom.championship.arrangements.members import accounts, members
from meldroom.championship.arrangements.prizes import awards, rule_text
from meldroom.championship.arrangements.teams import team_standings
from meldroom.championship.arrangements.text import format_fees, format_prizes, format_teams
from meldroom.championship.log.export import as_json, write_export
from meldroom.championship.log.restore import decode_document, state_of
from meldroom.championship.sittings import groups_by
from tests.championship.championship_play import Played, without_conditions
from tests.championship.command_line import club, run
from tests.championship.outside_verifier import outside

OPEN = """
[[categories]]
id = "junior"
name = { en = "junior", fr = "junior" }
born_from = 2008-01-01

[[categories]]
id = "new"
name = "newcomer"
newcomer = true

[[categories]]
id = "student"
name = "student"
column = "Student"

[[prizes]]
name = "First prize"
amount = "€100"

[[prizes]]
name = "Second prize"

[[prizes]]
name = "Best junior"
category = "junior"
not_first = 3

[[prizes]]
name = "Best newcomer"
category = "new"
again = true

[[prizes]]
name = "Best team"
to = "teams"

[teams]
best = 2

[fees]
currency = "EUR"
amount = 2000
reduced = { junior = 1000, student = 1500 }

[[days]]
date = 2026-11-15
sittings = ["night 1"]

[[days]]
date = 2026-11-16
sittings = ["night 2", "night 3"]
"""


def people() -> tuple[Entrant, ...]:
    """Sixteen in four teams: the first of each a junior, the second new, the third a student."""
    return tuple(
        Entrant(
            f"Player {number + 1}",
            born=date(2010, 5, 1) if number % 4 == 0 else date(1980, 5, 1),
            editions=() if number % 4 == 1 else (3,),
            team=["Red", "Blue", "Green", "White"][number // 4],
            more=(("Student", "yes"),) if number % 4 == 2 else (("Student", "no"),),
        )
        for number in range(16)
    )


def arranged(tmp_path: Path) -> Arrangements:
    file = tmp_path / "open.toml"
    file.write_text(OPEN, encoding="utf-8")
    return load_arrangements(file)


def evening(tmp_path: Path, *, whole: bool = True) -> Played:
    event = Played(without_conditions(preset("club_night")))
    stage = event.state.format.stages[0]
    made = arranged(tmp_path)
    days = tuple(replace(day, sittings=tuple((stage.id, n) for _, n in day.sittings)) for day in made.days)
    event.do(ImportEntrants(people()))
    event.do(Arrange(replace(made, days=days)), role="organiser")
    for number in range(1, 17):
        event.do(CheckIn(number))
    event.draw(stage.id, apart=tuple(map(tuple, groups_by(event.state, stage.id, "team"))))
    for sitting in range(1, stage.sittings + 1):
        event.play(stage.id, sitting, Random(sitting))
    if whole:
        for group in standings(event.state, stage.id).level:
            event.do(DecideTie(stage.id, group, "lot"), "no time")
        event.do(CloseStage(stage.id))
    return event


def outside_says(event: Played, folder: Path) -> tuple[int, str]:
    write_export(event.state, event.lines, folder / "out")
    return outside(folder / "out")


def test_who_belongs_to_a_category(tmp_path: Path) -> None:
    event = evening(tmp_path)
    junior, new, student = event.state.arrangements.categories
    assert members(event.state, junior) == (1, 5, 9, 13)
    assert members(event.state, new) == (2, 6, 10, 14)
    assert members(event.state, student) == (3, 7, 11, 15)
    event.do(AmendEntrant(1, replace(people()[0], born=None)), "not known")
    assert members(event.state, junior) == (5, 9, 13)


def test_prizes_go_by_their_rules(tmp_path: Path) -> None:
    event = evening(tmp_path)
    ranking = final_ranking(event.state)
    order = [number for _, number in ranking]
    first, second, junior, new, team = awards(event.state)
    assert (first.players, second.players) == ((order[0],), (order[1],))
    place = {number: place for place, number in ranking}
    fitting = [number for number in order if number % 4 == 1 and place[number] > 3]
    assert junior.players == (fitting[0],)
    assert new.players == (next(number for number in order if number % 4 == 2),)
    assert team.teams == (team_standings(event.state)[0].team,)
    assert (
        rule_text(event.state, event.state.arrangements.prizes[2], "en")
        == "best junior, not among the first 3"
    )
    assert rule_text(event.state, event.state.arrangements.prizes[2], "fr").endswith("sauf les 3 premiers")
    assert event.state.name_of(order[0]) in format_prizes(event.state, "en")[0]


def test_who_has_a_prize_is_passed_over_and_a_shared_place_shares() -> None:
    event = Played(without_conditions(preset("club_night")))
    event.enter(8)
    stage = event.state.format.stages[0]
    made = read_arrangements(
        {
            "categories": [{"id": "all", "name": "all", "players": list(range(1, 9))}],
            "prizes": [{"name": "one"}, {"name": "best of all", "category": "all"}],
        }
    )
    event.do(Arrange(made))
    event.draw(stage.id)
    assert awards(event.state)[0].players == ()
    event.play(stage.id, 1, Random(1))
    one, two = awards(event.state)
    leaders = [number for place, number in final_ranking(event.state) if place == 1]
    assert one.players == tuple(leaders)
    assert two.passed == tuple(leaders)


def test_teams_are_the_sums_of_their_best(tmp_path: Path) -> None:
    event = evening(tmp_path)
    rows = standings(event.state, event.state.format.stages[0].id).rows
    for team in team_standings(event.state):
        mine = [row for row in rows if event.state.participant(row.number).entrant.team == team.team]
        assert team.counted == tuple(row.number for row in mine[:2])
        assert team.wins == sum(row.wins for row in mine[:2])
        assert team.score == sum(row.score for row in mine[:2])
    keys = [(row.wins, row.score) for row in team_standings(event.state)]
    assert keys == sorted(keys, reverse=True)
    assert format_teams(event.state, "fr")[0].split()[1] == "équipe"
    best = team_standings(event.state)[0].counted[0]
    event.do(Disqualify(best), "a tile up the sleeve")
    assert best not in [
        number for row in team_standings(event.state) for number in (*row.counted, *row.others)
    ]
    event.do(UndoStatus(best, "disqualified"), "slip")
    tables = [table for seated in event.state.seatings.values() for table in seated.tables]
    assert all(len({(number - 1) // 4 for number in table}) == len(table) for table in tables)


def test_fees_are_paid_and_due(tmp_path: Path) -> None:
    event = evening(tmp_path)
    assert [each.fee for each in accounts(event.state)[:4]] == [1000, 2000, 1500, 2000]
    event.do(RecordPayment(1, 1000, "cash"), role="check_in")
    event.do(RecordPayment(2, 2500))
    with pytest.raises(ChampionshipError) as caught:
        event.do(RecordPayment(2, -500))
    assert caught.value.code == "no_reason"
    event.do(RecordPayment(2, -500), "too much")
    assert [each.due for each in accounts(event.state)[:3]] == [0, 0, 1500]
    told = format_fees(event.state, "en", due_only=True)
    assert "Player 1 " not in "\n".join(told)
    assert told[-1].startswith("paid: 30.00")
    with pytest.raises(ChampionshipError):
        event.do(RecordPayment(2, 0))


def test_it_is_exported_verified_and_read_back(tmp_path: Path) -> None:
    event = evening(tmp_path)
    event.do(RecordPayment(1, 1000, "cash"))
    assert verify(event.lines)[1] == []
    status, told = outside_says(event, tmp_path)
    assert status == 0, told
    assert "4 teams, 5 prizes" in told
    assert state_of(decode_document(as_json(event.state))).arrangements == event.state.arrangements
    assert as_json(state_of(decode_document(as_json(event.state)))) == as_json(event.state)


@pytest.mark.parametrize(("file", "column"), [("prizes.csv", "number"), ("teams.csv", "score")])
def test_the_outside_verifier_finds_a_wrong_prize_and_a_wrong_team(
    tmp_path: Path, file: str, column: str
) -> None:
    event = evening(tmp_path)
    write_export(event.state, event.lines, tmp_path / "out")
    with (tmp_path / "out" / file).open(newline="") as source:
        rows = list(csv.DictReader(source))
    rows[0][column] = "12345"
    with (tmp_path / "out" / file).open("w", newline="") as target:
        writer = csv.DictWriter(target, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    status, told = outside(tmp_path / "out")
    assert status == 1
    assert f"{file} is not what the log gives" in told


def test_a_change_during_play_needs_a_reason_and_is_told(tmp_path: Path) -> None:
    event = evening(tmp_path)
    with pytest.raises(ChampionshipError) as caught:
        event.do(Arrange(Arrangements()))
    assert caught.value.code == "no_reason"
    event.do(Arrange(replace(event.state.arrangements, prizes=())), "the sponsor left")
    status, told = outside_says(event, tmp_path)
    assert status == 0
    assert "changed during play: the sponsor left" in told


@pytest.mark.parametrize(
    "wrong",
    [
        {"prizes": [{"name": "x", "category": "nobody"}]},
        {"categories": [{"id": "a", "name": "A"}, {"id": "a", "name": "B"}]},
        {"categories": [{"id": "a", "name": "A", "players": [99]}]},
        {"prizes": [{"name": "x", "to": "teams"}]},
        {"teams": {"ranking": ["points"]}},
        {"teams": {"stage": "nowhere"}},
        {"fees": {"reduced": {"nobody": 1}}},
        {"days": [{"date": "2026-11-15", "sittings": ["evening 9"]}]},
    ],
)
def test_what_does_not_fit_is_refused(wrong: dict[str, object]) -> None:
    event = Played(without_conditions(preset("club_night")))
    event.enter(8)
    with pytest.raises(ChampionshipError):
        event.do(Arrange(read_arrangements(wrong)))


def test_on_the_command_line(tmp_path: Path) -> None:
    log = club(tmp_path, made="club_night")
    stage = preset("club_night").stages[0].id
    file = tmp_path / "open.toml"
    file.write_text(OPEN.replace("night ", f"{stage} "), encoding="utf-8")
    for words, said in [
        (("arrange", log, str(file), "--by", "Olga"), "3 categories, 5 prizes, 2 days"),
        (("team", log, "Red", "Ada", "2", "--by", "Olga"), "Red: Ada and Ben"),
        (("pay", log, "Ada", "12,50", "--by", "Chris"), "Ada has paid 12.50"),
        (("fees", log, "--due"), "20.00"),
        (("days", log), "16 November 2026"),
        (("prizes", log), "best junior, not among the first 3"),
        (("teams", log), "No teams count here"),
    ]:
        status, told = run(*words)
        assert status == 0, told
        assert said in told
    assert run("fees", log, "--as", "public")[0] != 0
