"""The ladder as somebody who asks for a bot meets it."""

from pathlib import Path

import pytest

from meldroom.bots import DEFAULT_LEVEL, LEVELS, BotError, make_bot
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
        assert LEVELS[level].label(language)


def test_who_has_not_chosen_an_opponent_gets_one_that_plays_openly() -> None:
    assert LEVELS[DEFAULT_LEVEL].style == "open"
    client = Path(__file__).resolve().parents[2] / "web" / "src" / "api" / "catalogue.svelte.ts"
    assert f"DEFAULT_LEVEL = '{DEFAULT_LEVEL}'" in client.read_text(encoding="utf-8")


@pytest.mark.parametrize("book_id", ["wrc11", "rummyo"])
def test_a_contender_has_good_days_and_bad_ones(book_id: str) -> None:
    kinds = [type(make_bot("contender", book(book_id), seed=str(seed))).__name__ for seed in range(100)]
    assert 30 < kinds.count("Master") < 70


def test_levels_of_one_style_stand_together() -> None:
    styles = [level.style for level in LEVELS.values()]
    assert sorted(styles, key=["open", "holds_back", "waits_long"].index) == styles


@pytest.mark.parametrize("book_id", ["wrc11", "rummyo"])
@pytest.mark.parametrize(
    ("level", "parameters", "said"),
    [
        ("grandmaster", {}, "there is no bot “grandmaster”; the levels are beginner, improver"),
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
