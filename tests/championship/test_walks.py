"""Random events with faults, corrections, drop-outs and late entries: laws that hold whatever happens."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from meldroom.championship import (
    Action,
    AddEntrant,
    ChampionshipError,
    CheckIn,
    CloseStage,
    CorrectResult,
    DecideTie,
    EnterResult,
    Entrant,
    GameResult,
    NoShow,
    SeatSitting,
    SignSheet,
    Substitute,
    Withdraw,
    consequences,
    final_ranking,
    preset,
    rank_bounds,
    replay,
    standings,
    verify,
)
from meldroom.championship.formats.format import Conditions, Format
from meldroom.championship.log.entry import decode_entry
from meldroom.championship.log.export import as_json, write_export
from meldroom.championship.sittings import needs_draw
from tests.championship.championship_play import Played, some_result
from tests.championship.test_championship_command import verifier

STEPS = 150


def short(name: str) -> Format:
    """A preset with fewer games, for everybody."""
    made = preset(name)
    stages = tuple(replace(stage, games=min(stage.games, 2)) for stage in made.stages)
    return replace(made, stages=stages, conditions=Conditions())


def some_action(event: Played, random: Random) -> tuple[Action, str]:
    """Something that people do, sensible or not."""
    state = event.state
    stage = state.stage_of_play() or state.format.stages[-1].id
    somebody = random.randrange(1, len(state.participants) + 1)
    key = random.choice(sorted(state.results)) if state.results else (stage, 1, 1, 1)
    seated = [each for each in sorted(state.seatings) if each[0] == stage]
    sitting = random.choice(seated)[1] if seated else 1
    tables = state.seatings[stage, sitting].tables if seated else ((1, 2, 3, 4),)
    table = random.randrange(1, len(tables) + 1)
    newcomer = Entrant(f"New {len(event.lines)}")
    result = some_result(random.choice([3, 4, len(tables[table - 1])]), random)
    choices: list[tuple[Action, str]] = [
        (AddEntrant(newcomer), ""),
        (CheckIn(somebody), ""),
        (NoShow(somebody), ""),
        (Withdraw(somebody), "ill"),
        (Substitute(somebody, newcomer), "ill"),
        (SeatSitting(stage, sitting, "change"), "left"),
        (
            CorrectResult(
                *key, some_result(len(state.results[key].scores) if key in state.results else 4, random)
            ),
            "x",
        ),
        (EnterResult(stage, sitting, table, random.randrange(1, 4), result), ""),
        (SignSheet(stage, sitting, table, "Rita"), ""),
        (CloseStage(stage), ""),
    ]
    return random.choice(choices)


def go_on(event: Played, random: Random) -> None:
    """The next thing that a director would do, so that an event comes to its end."""
    stage = event.state.stage_of_play()
    if stage is None:
        return
    own = event.state.format.stage(stage)
    for sitting in range(1, own.sittings + 1):
        seated = event.state.seatings.get((stage, sitting))
        if seated is None:
            if sitting == 1 and needs_draw(event.state, stage):
                event.draw(stage, f"seed {stage}")
            else:
                event.do(SeatSitting(stage, sitting, "standings"))
            return
        for place, table in enumerate(seated.tables, start=1):
            for game in range(1, own.games + 1):
                if (stage, sitting, place, game) not in event.state.results:
                    event.do(EnterResult(stage, sitting, place, game, result_for(event, table, random)))
                    return
            if (stage, sitting, place) not in event.state.sheets:
                event.do(SignSheet(stage, sitting, place, "Rita"))
                return
    for group in standings(event.state, stage).level:
        event.do(DecideTie(stage, group, "lot"), "no time")
    event.do(CloseStage(stage))


def result_for(event: Played, table: tuple[int, ...], random: Random) -> GameResult:
    """A result in which only those play who are here; all of them if fewer than two are."""
    here = [seat for seat, number in enumerate(table) if not event.state.participant(number).out]
    if len(here) < 2 or len(here) == len(table):
        return some_result(len(table), random)
    few = some_result(len(here), random)
    scores: list[int | None] = [None] * len(table)
    for place, seat in enumerate(here):
        scores[seat] = few.scores[place]
    return replace(few, scores=tuple(scores), winners=tuple(here[winner] for winner in few.winners))


@pytest.mark.parametrize("seed", range(10))
def test_laws_of_random_events(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    event = Played(short(["wrc", "wrc_cut", "german", "polish", "japanese"][seed % 5]))
    event.enter(random.choice([17, 18, 21, 33]))
    refused: list[ChampionshipError] = []
    for _ in range(STEPS):
        before, lines = event.state, len(event.lines)
        try:
            if random.random() < 0.25:
                action, reason = some_action(event, random)
                if isinstance(action, CorrectResult) and action.stage in before.closings:
                    continue  # kept for the end, or events would never finish
                event.do(action, reason)
            else:
                go_on(event, random)
        except ChampionshipError as error:
            refused.append(error)
            assert (event.state, len(event.lines)) == (before, lines)
    for key in sorted(event.state.results)[:: max(1, len(event.state.results) // 5)]:
        correction = CorrectResult(*key, some_result(len(event.state.results[key].scores), random))
        try:
            found = consequences(event.state, correction)
            event.do(correction, "found on paper")
        except ChampionshipError:
            continue
        assert set(found.reopened).isdisjoint(event.state.closings)
    assert all(error.message("en") != error.message("fr") for error in refused)
    check_laws(event, tmp_path)


def check_laws(event: Played, folder: Path) -> None:
    """Verified, replayed to the same bytes, everybody seated once, and confirmed by the other verifier."""
    state, faults = verify(event.lines)
    assert faults == []
    again = replay(decode_entry(line) for line in event.lines)
    assert as_json(again) == as_json(event.state) == as_json(state)
    assert msgspec.json.decode(as_json(again))["format"] == "meldroom-championship/1"
    for seated in state.seatings.values():
        numbers = [number for table in seated.tables for number in table]
        assert len(numbers) == len(set(numbers))
        assert all(len(table) in (3, 4) for table in seated.tables)
    for key, result in state.results.items():
        assert len(result.scores) == len(state.seatings[key[:2]].tables[key[2] - 1])
    for stage in {key[0] for key in state.seatings}:
        places = {row.number: row.place for row in standings(state, stage).rows}
        for number, bounds in rank_bounds(replace(state, decisions={}), stage).items():
            assert bounds.best <= places[number] <= bounds.worst
    ranked = [number for _, number in final_ranking(state)]
    assert len(ranked) == len(set(ranked))
    write_export(state, event.lines, folder / "export")
    assert verifier().check(folder / "export").faults == []
