"""The ladder as somebody who asks for a bot meets it."""

from pathlib import Path

import pytest

from meldroom.bots import DEFAULT_LEVEL, LEVELS, BotError, bot, make_bot, play
from meldroom.bots.attention import ATTENTION, attention
from meldroom.bots.levels import listed_as, listed_levels
from meldroom.rules.library import BOOK_IDS, book


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_every_level_exists_for_every_book(book_id: str, level: str) -> None:
    assert callable(make_bot(level, book(book_id), seed="x").act)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_says_in_both_languages_how_it_thinks(level: str) -> None:
    for language in ("en", "fr"):
        assert LEVELS[level].name(language)
        assert LEVELS[level].thinks(language).endswith(".")
        assert LEVELS[level].thinks(language, "laying_off").endswith(".")
        assert LEVELS[level].label(language)


def test_who_has_not_chosen_an_opponent_gets_one_that_plays_openly() -> None:
    assert LEVELS[DEFAULT_LEVEL].style == "open"
    client = Path(__file__).resolve().parents[2] / "web" / "src" / "api" / "catalogue.svelte.ts"
    assert f"DEFAULT_LEVEL = '{DEFAULT_LEVEL}'" in client.read_text(encoding="utf-8")


def days(level: str, book_id: str = "wrc11") -> list[str]:
    """What a level turns out to be in each of two hundred games."""
    return [type(make_bot(level, book(book_id), seed=str(seed))).__name__ for seed in range(200)]


def test_contenders_and_challengers_have_good_days_and_bad_ones() -> None:
    contender, challenger = days("contender"), days("challenger")
    assert set(contender) == {"Smallest", "Master"}
    assert 30 < contender.count("Master") < 70
    assert set(challenger) == {"Strategist", "Smallest", "Master"}
    assert 75 < challenger.count("Strategist") < 125


@pytest.mark.parametrize("book_id", ["wrc9", "tml"])
def test_contenders_have_more_good_days_where_fights_go_on_with_an_empty_pool(book_id: str) -> None:
    assert 70 < days("contender", book_id).count("Master") < 110
    assert 75 < days("challenger", book_id).count("Strategist") < 125


def test_what_day_it_is_follows_from_the_seed() -> None:
    assert days("challenger") == days("challenger")


@pytest.mark.parametrize("level", ["strategist", "challenger", "contender"])
def test_who_fights_for_the_last_draw_is_patient_in_rummyo(level: str) -> None:
    assert type(make_bot(level, book("rummyo"))) is type(make_bot("patient", book("rummyo")))


def test_lists_show_every_level_where_tables_are_rearranged_and_those_that_differ_in_rummyo() -> None:
    for book_id in ("wrc9", "wrc11", "nzrc2024", "tml"):
        assert listed_levels(book(book_id)) == tuple(LEVELS)
    listed = ("beginner", "regular", "club", "tournament", "thrifty", "patient", "master")
    assert listed_levels(book("rummyo")) == listed
    assert DEFAULT_LEVEL in listed
    assert {listed_as(level, book("rummyo")) for level in LEVELS} == set(listed)


def rummyo_game(level: str) -> tuple[object, ...]:
    """Everything that happens when this level meets a club player."""
    return tuple(play("rummyo", [bot(level), bot("club")], seed=4, players=("one", "two")).events)


def test_levels_that_one_stands_for_in_rummyo_play_exactly_alike_and_the_others_do_not() -> None:
    games = {level: rummyo_game(level) for level in LEVELS if level != "master"}
    for level, game in games.items():
        assert game == games[listed_as(level, book("rummyo"))], level
    shown = [games[level] for level in listed_levels(book("rummyo")) if level != "master"]
    assert all(one != other for place, one in enumerate(shown) for other in shown[:place])


def test_people_overlook_more_a_turn_where_a_game_goes_on_with_an_empty_pool() -> None:
    assert book("wrc9").pool_end.ending == "all_pass"
    for level in ATTENTION:
        long, short = attention(level, book("wrc9")), attention(level, book("wrc11"))
        assert long.tiles < short.tiles
        assert long.sets <= short.sets
        assert attention(level, book("nzrc2024")) == short


def test_levels_of_one_style_stand_together() -> None:
    styles = [level.style for level in LEVELS.values()]
    assert sorted(styles, key=["open", "holds_back", "waits_long"].index) == styles


@pytest.mark.parametrize("book_id", ["wrc11", "rummyo"])
@pytest.mark.parametrize(
    ("level", "parameters", "said"),
    [
        ("grandmaster", {}, "there is no bot “grandmaster”; the levels are beginner, learner"),
        ("patient", {"aim": "wins"}, "“patient” has no parameter “aim”; it has none"),
        ("master", {"depth": 3}, "“master” has no parameter “depth”; it has aim and effort"),
        ("master", {"aim": "glory"}, "“aim” is one of wins and score, not “glory”"),
        ("master", {"effort": 0}, "“effort” is a number above 0 and up to 100"),
        ("master", {"effort": "much"}, "“effort” is a number above 0 and up to 100"),
        ("tournament", {"objective": "speed"}, "“objective” is one of tiles and points, not “speed”"),
    ],
)
def test_a_bot_that_cannot_be_made_is_refused(
    book_id: str, level: str, parameters: dict[str, str | int], said: str
) -> None:
    with pytest.raises(BotError) as refused:
        make_bot(level, book(book_id), **parameters)  # type: ignore[arg-type]
    assert said in str(refused.value)
