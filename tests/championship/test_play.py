"""Formats, results by the book, raffles and later sittings of an event."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from pathlib import Path
from random import Random

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from meldroom.championship import (
    AddEntrant,
    AddWord,
    AnnounceDraw,
    ChampionshipError,
    CheckIn,
    CloseStage,
    EnterResult,
    Entrant,
    Format,
    Found,
    GameResult,
    ImportEntrants,
    Rack,
    Reveal,
    SeatSitting,
    SignSheet,
    Withdraw,
    from_racks,
    from_scores,
    load_format,
    preset,
    verify,
)
from meldroom.championship.formats.format import PRESETS, read_format
from meldroom.championship.results import check_result
from meldroom.championship.sittings import groups_by, prepare_draw
from meldroom.i18n import has_message, message_ids, template
from meldroom.i18n.catalogue import Template
from tests.championship.championship_play import Played, whole_championship
from tests.championship.independent import faults, repeats
from tests.championship.independent import verify as verify_seating

SOURCES = Path(__file__).resolve().parents[2] / "src" / "meldroom"


def test_both_languages_have_the_same_texts_and_details() -> None:
    own = [id for id in message_ids() if id.split(".")[0] in ("championship", "seating", "simulation")]
    assert len(own) > 200
    for id in own:
        english, french = template(id, "en"), template(id, "fr")
        assert isinstance(english, str) == isinstance(french, str) or id == "championship.command.checked_in"
        assert _places(english) == _places(french), id


def _places(found: Template) -> set[str]:
    texts = [found] if isinstance(found, str) else found.values()
    assert all(texts)
    return {name for text in texts for name in re.findall(r"{(\w+)[:}]", text)}


def test_every_code_that_is_raised_has_its_message() -> None:
    raised: set[str] = set()
    for path in [
        *(SOURCES / "championship").rglob("*.py"),
        *(SOURCES / "cli" / "championship").rglob("*.py"),
    ]:
        for kind, code in re.findall(r"(Championship|Seating)Error\(\s*\"(\w+)\"", path.read_text("utf-8")):
            raised.add(f"{kind.lower()}.error.{code}")
    assert len(raised) > 60
    assert [id for id in raised if not has_message(id)] == []


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_plays_from_the_founding_to_the_end_and_verifies(name: str) -> None:
    event = whole_championship(17, name, 8)
    assert event.state.stage_of_play() is None
    assert verify(event.lines)[1] == []
    made = preset(name)
    assert made.about["en"]
    assert made.about["fr"]


def test_the_default_format_is_the_regulations_of_wrc9() -> None:
    made = preset("wrc")
    assert [(stage.games, stage.takes, stage.carry) for stage in made.stages] == [
        (4, None, "none"),
        (4, None, "all"),
        (4, 4, "none"),
    ]
    assert made.ranking == ("wins", "score", "best_games")
    assert made.conditions.citizens_only
    assert made.conditions.not_twice_running


def test_a_format_comes_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text(
        'base = "german"\nid = "club"\nversion = "3"\nbook = "tml"\nname = { en = "Club", fr = "Club" }\n',
        encoding="utf-8",
    )
    made = load_format(file)
    assert (made.id, made.version, made.book, made.stages) == ("club", "3", "tml", preset("german").stages)
    file.write_text("id = ", encoding="utf-8")
    with pytest.raises(ChampionshipError, match=r"club\.toml"):
        load_format(file)
    with pytest.raises(ChampionshipError):
        load_format(tmp_path / "missing.toml")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ('id = "wrc"', "id of its own"),
        ('id = "x"\nbook = "wrc99"', "wrc99"),
        ('id = "x"\nstages = []', "at least one stage"),
        ('id = "x"\nranking = []', "criterion"),
        ('id = "x"\nranking = ["points"]', "placement"),
        ('id = "x"\nranking = ["luck"]', "luck"),
        ('id = "x"\ncolour = "red"', "colour"),
        ('id = "x"\n[[stages]]\nid = "a b"\nname = { en = "A", fr = "A" }', "single word"),
        ('id = "x"\n[[stages]]\nid = "a"\nsittings = 0\nname = { en = "A", fr = "A" }', "sittings"),
        ('id = "x"\n[[stages]]\nid = "a"\ntakes = 4\nname = { en = "A", fr = "A" }', "everybody"),
        ('id = "x"\n[[stages]]\nid = "a"\ncarry = "all"\nname = { en = "A", fr = "A" }', "carry"),
        (
            'id = "x"\n[[stages]]\nid = "a"\nseating = "planned"\nname = { en = "A", fr = "A" }',
            "plan can only",
        ),
    ],
)
def test_a_format_that_cannot_be_played_is_refused_with_its_place(change: str, said: str) -> None:
    with pytest.raises(ChampionshipError, match=said) as caught:
        read_format(tomllib.loads('base = "wrc"\n' + change))
    assert caught.value.message("fr")


WRC, TML, RUMMYO = (
    replace(preset("wrc"), book=book, book_version=UNSET) for book in ("wrc11", "tml", "rummyo")
)


@pytest.mark.parametrize(
    ("made", "scores", "code"),
    [
        (WRC, (60, -10, -20, -30), None),
        (WRC, (61, -10, -20, -30), "sum_differs"),
        (WRC, (0, -10, -20, -30), None),  # 16: an exhausted game is won with 0
        (WRC, (0, 0, -20, -30), None),
        (WRC, (-1, -10, -20, -30), "winner_not_zero"),
        (WRC, (30, 30, -30, -30), "winner_not_zero"),
        (WRC, (10, None, -10, None), None),
        (WRC, (10, None, None, None), "bad_result"),
        (WRC, (10, -10, 0), "wrong_seats"),
        (WRC, (200_000, -200_000, 0, 0), "more_than_box"),
        (TML, (60, -10, -20, -30), None),
        (TML, (25, 25, -20, -30), None),  # two share an exhausted game
        (TML, (26, 26, -20, -30), "sum_differs"),
        (RUMMYO, (-10, -10, -20, -30), None),  # nobody wins an exhausted game
        (RUMMYO, (99, -10, -20, -30), None),  # the winner counts their own tiles
    ],
)
def test_scores_must_add_up_by_the_book(
    made: Format, scores: tuple[int | None, ...], code: str | None
) -> None:
    pool = True if all(score is None or score <= 0 for score in scores) else None
    if code is None:
        result = from_scores(made, scores, exhausted=pool)
        assert check_result(made, result, 4) == result
    else:
        with pytest.raises(ChampionshipError) as caught:
            check_result(made, from_scores(made, scores, exhausted=pool), 4)
        assert caught.value.code == code


def test_racks_are_counted_by_the_book() -> None:
    racks = (
        Rack(),
        Rack(("*", "R3")),
        Rack(("K2",)),
        Rack(("R10", "B10", "K10", "R1"), melded=False, last_draw="nothing"),
    )
    result = from_racks(WRC, racks, 0)
    assert result.scores == (305, -103, -2, -200)
    assert check_result(WRC, result, 4) == result
    forged = replace(result, scores=(304, -102, -2, -200))
    with pytest.raises(ChampionshipError, match=r"\+305 -103 -2 -200"):
        check_result(WRC, forged, 4)
    with pytest.raises(ChampionshipError, match="is not possible"):
        from_racks(WRC, (Rack(), Rack(("R3", "R3", "R3"))), 0)
    with pytest.raises(ChampionshipError):
        from_racks(WRC, (Rack(("R3",)), None), 1)


def test_a_game_needs_scores_of_all_who_are_here() -> None:
    event = Played(preset("german"))
    event.enter(4)
    event.draw("rounds")
    gone = event.state.seatings["rounds", 1].tables[0][3]
    result = GameResult((12, -5, -7, None), (0,))
    with pytest.raises(ChampionshipError, match=event.state.name_of(gone)):
        event.do(EnterResult("rounds", 1, 1, 1, result))
    event.do(Withdraw(gone), "ill")
    event.do(EnterResult("rounds", 1, 1, 1, result))


def test_what_is_not_there_cannot_be_entered_or_signed() -> None:
    event = Played(preset("german"))
    event.enter(8)
    good = GameResult((6, -1, -2, -3), (0,))
    for sitting, table, game, code in (
        (1, 1, 1, "not_seated"),
        (1, 3, 1, "no_table"),
        (1, 0, 1, "no_table"),
        (1, 1, 5, "no_game"),
    ):
        if code == "no_table" and ("rounds", 1) not in event.state.seatings:
            event.draw("rounds")
        with pytest.raises(ChampionshipError) as caught:
            event.do(EnterResult("rounds", sitting, table, game, good))
        assert caught.value.code == code
    with pytest.raises(ChampionshipError, match="no stage"):
        event.do(EnterResult("nowhere", 1, 1, 1, good))
    with pytest.raises(ChampionshipError, match="no result yet"):
        event.do(SignSheet("rounds", 1, 1, "Rita"))
    event.do(EnterResult("rounds", 1, 1, 1, good))
    with pytest.raises(ChampionshipError, match="Correct it"):
        event.do(EnterResult("rounds", 1, 1, 1, good))
    with pytest.raises(ChampionshipError, match="not been played or signed"):
        event.do(CloseStage("rounds"))


def test_a_refused_signature_needs_a_reason() -> None:
    event = Played(preset("german"))
    event.enter(4)
    event.draw("rounds")
    event.play("rounds", 1, Random(1), sign=False)
    with pytest.raises(ChampionshipError, match="reason"):
        event.do(SignSheet("rounds", 1, 1, "Rita", (2,)))
    event.do(SignSheet("rounds", 1, 1, "Rita", (2,)), "count upheld")


def test_a_changed_list_fails_the_commitment() -> None:
    event = Played()
    event.enter(13)
    numbers, entry = prepare_draw(event.state, "round1")
    promise = entry.commitment("secret")
    event.do(AddEntrant(Entrant("Late", no_country=True)))
    event.do(CheckIn(14))
    with pytest.raises(ChampionshipError, match="Announce the draw again"):
        event.do(AnnounceDraw("round1", numbers, entry, promise))
    numbers, entry = prepare_draw(event.state, "round1")
    event.do(AnnounceDraw("round1", numbers, entry, promise))
    with pytest.raises(ChampionshipError, match="commitment"):
        event.do(Reveal("round1", "secret"))


def test_words_from_the_hall_change_the_draw_and_end_with_it() -> None:
    tables = []
    for word in ("", "4 2 6"):
        event = Played()
        event.enter(16)
        numbers, entry = prepare_draw(event.state, "round1")
        event.do(AnnounceDraw("round1", numbers, entry, entry.commitment("seed")))
        if word:
            event.do(AddWord("round1", word), role="scorer")
        event.do(Reveal("round1", "seed"))
        tables.append(event.state.seatings["round1", 1].tables)
        for action in (AddWord("round1", "late"), Reveal("round1", "seed")):
            with pytest.raises(ChampionshipError, match="already been made"):
                event.do(action)
    assert tables[0] != tables[1]


def test_a_plan_goes_through_two_stages_without_repeats() -> None:
    made = preset("wrc")
    stages = (made.stages[0], replace(made.stages[1], seating="planned"), made.stages[2])
    event = Played(replace(made, stages=stages))
    event.enter(33)
    event.draw("round1")
    both = [event.state.seatings[stage, 1].tables for stage in ("round1", "semifinals")]
    verdict = verify_seating(range(1, 34), both)
    assert not verdict.faults
    assert verdict.repeats == 0


def test_team_mates_are_kept_apart_in_every_sitting() -> None:
    event = Played(preset("german"))
    event.do(ImportEntrants(tuple(Entrant(f"P{n}", team="ABCDEF"[n % 6]) for n in range(24))))
    for number in range(1, 25):
        event.do(CheckIn(number))
    groups = tuple(tuple(group) for group in groups_by(event.state, "rounds", "team"))
    assert len(groups) == 6
    event.draw("rounds", apart=groups)
    event.play("rounds", 1, Random(1))
    event.do(SeatSitting("rounds", 2, "standings"))
    for sitting in (1, 2):
        for table in event.state.seatings["rounds", sitting].tables:
            assert len({(number - 1) % 6 for number in table}) == len(table)


def test_drop_outs_and_late_entries_changed_the_plan_of_earlier_logs_without_repeats() -> None:
    """Logs begun since then leave everybody in their seat (R75)."""
    event = Played.founded(Found("Earlier", 12, date(2026, 11, 15), preset("japanese"), 2))
    event.enter(33)
    event.draw("preliminaries")
    event.play("preliminaries", 1, Random(1))
    event.do(Withdraw(5), "ill")
    event.do(Withdraw(12), "ill")
    event.do(AddEntrant(Entrant("Late")))
    event.do(CheckIn(34))
    event.do(SeatSitting("preliminaries", 2, "change"), "5 and 12 left, 34 came")
    sittings = [event.state.seatings["preliminaries", n].tables for n in (1, 2)]
    here = [n for n in range(1, 35) if n not in (5, 12)]
    assert faults(here, sittings[1], 2) == []
    assert repeats(sittings) == 0
    assert verify(event.lines)[1] == []


def test_the_director_may_seat_by_hand_everybody_once() -> None:
    event = Played(preset("german"))
    event.enter(7)
    for tables in (((1, 2, 3, 4), (5, 6)), ((1, 2, 3, 4), (5, 6, 6)), ((1, 2, 3, 4), (5, 6, 8))):
        with pytest.raises(ChampionshipError, match="exactly one seat"):
            event.do(SeatSitting("rounds", 1, "hand", tables), "draw by cards")
    event.do(SeatSitting("rounds", 1, "hand", ((1, 2, 3, 4), (5, 6, 7))), "draw by cards")
    assert event.state.seatings["rounds", 1].how == "hand"


def test_a_raffle_never_replaces_tables_that_have_begun() -> None:
    event = Played(preset("german"))
    event.enter(4)
    numbers, entry = prepare_draw(event.state, "rounds")
    event.do(AnnounceDraw("rounds", numbers, entry, entry.commitment("seed")))
    event.do(SeatSitting("rounds", 1, "hand", ((4, 3, 2, 1),)), "draw by cards")
    event.do(EnterResult("rounds", 1, 1, 1, GameResult((6, -1, -2, -3), (0,))))
    with pytest.raises(ChampionshipError, match="has started"):
        event.do(Reveal("rounds", "seed"))


def test_standings_wait_for_the_sitting_before() -> None:
    event = Played(preset("german"))
    event.enter(8)
    with pytest.raises(ChampionshipError, match="by lot"):
        event.do(SeatSitting("rounds", 1, "standings"))
    event.draw("rounds")
    with pytest.raises(ChampionshipError, match="not finished"):
        event.do(SeatSitting("rounds", 2, "standings"))
    with pytest.raises(ChampionshipError, match="sittings 1 to 4"):
        event.do(SeatSitting("rounds", 5, "standings"))


def test_one_who_withdraws_before_the_final_makes_room_for_the_next() -> None:
    event = Played()
    event.enter(8)
    for stage in ("round1", "semifinals"):
        event.play_stage(stage, Random(3))
    field = event.state.field("final")
    order = event.state.closings["semifinals"].order
    event.do(Withdraw(field[1]), "ill")
    assert event.state.field("final") == (field[0], *field[2:], order[4])
