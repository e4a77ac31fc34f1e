"""Pages of finished games: steps, records, pictures, verification, analysis, in every book."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from litestar.testing import TestClient

from meldroom.api.replay.report import GameReasons, GameReport
from meldroom.api.schemas import Analysis, GamePage, Verification
from meldroom.coach import report as coach_report
from meldroom.coach.turns import turns_of
from meldroom.game import events as ev
from meldroom.i18n import TilePart
from meldroom.record import loads, replay
from meldroom.rules.library import book
from meldroom.rules.verify import Turn, verify
from tests.server.games.recorded import SEATS, WorkersHere, finished

Client = TestClient[Any]
BOOKS = tuple(SEATS)


def page_of(client: Client, book_id: str, language: str = "en") -> GamePage:
    answer = client.get(f"/games/game-{book_id}", params={"language": language})
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=GamePage)


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_step_holds_all_tiles_of_the_box(client: Client, book_id: str) -> None:
    page = page_of(client, book_id)
    size = book(book_id).tiles.size
    assert [step.number for step in page.steps] == list(range(len(page.steps)))
    for step in page.steps:
        laid = [tile for tiles in step.table for tile in tiles]
        laid += [tile for meld in step.melds for tile in meld.tiles]
        held = [tile for rack in step.racks for tile in rack]
        assert len({*laid, *held, *step.discards}) == len(laid) + len(held) + len(step.discards)
        assert len(laid) + len(held) + len(step.discards) + step.pool == size


@pytest.mark.parametrize("book_id", BOOKS)
def test_the_last_step_is_the_end_as_the_record_has_it(client: Client, book_id: str) -> None:
    page = page_of(client, book_id)
    last = list(replay(loads(finished(book_id).record)))[-1].state
    assert page.steps[0].kind == "dealt"
    assert page.steps[-1].kind == "game_ended"
    assert page.steps[-1].racks == tuple(tuple(sorted(rack)) for rack in last.racks)
    assert page.card.scores == finished(book_id).scores
    assert all(name in page.steps[-1].text for name in page.card.players)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("book_id", BOOKS)
def test_every_step_is_told_in_a_sentence(client: Client, book_id: str, language: str) -> None:
    page = page_of(client, book_id, language)
    for step in page.steps:
        assert step.text
        assert step.text.endswith(".")
        assert step.text[0].isupper()
        if step.seat is not None:
            assert step.text.startswith(page.card.players[step.seat])


def test_the_two_languages_tell_the_same_game_differently(client: Client) -> None:
    english, french = page_of(client, "wrc11"), page_of(client, "wrc11", "fr")
    assert [step.table for step in english.steps] == [step.table for step in french.steps]
    drew = next(step.number for step in english.steps if step.kind == "drew")
    assert "draws" in english.steps[drew].text
    assert "pioche" in french.steps[drew].text


def test_only_what_a_step_laid_or_moved_has_changed(client: Client) -> None:
    page = page_of(client, "wrc9")
    for before, step in zip(page.steps, page.steps[1:], strict=False):
        if step.kind != "laid" or step.seat is None:
            continue
        laid = set(before.racks[step.seat]) - set(step.racks[step.seat])
        assert laid <= set(step.changed)
        standing = {frozenset(tiles) for tiles in before.table} & {frozenset(tiles) for tiles in step.table}
        assert not set(step.changed) & {tile for tiles in standing for tile in tiles}


def test_a_visitor_is_told_where_they_sat(client: Client) -> None:
    assert page_of(client, "tml").my_seat == 0


@pytest.mark.parametrize("path", ["", "/record", "/verification", "/analysis?seat=0", "/steps/0.svg"])
def test_a_game_that_nobody_finished_is_not_found(client: Client, path: str) -> None:
    answer = client.get(f"/games/nothing{path}", params={"language": "fr"} if "?" not in path else None)
    assert answer.status_code == 404
    error = answer.json()["error"]
    assert error["code"] == "no_such_game"
    assert error["place"] == "id"
    assert error["message"]


@pytest.mark.parametrize("book_id", BOOKS)
def test_the_record_is_a_file_to_keep(client: Client, book_id: str) -> None:
    text = client.get(f"/games/game-{book_id}/record")
    assert text.text == finished(book_id).record
    name = f"meldroom-{book_id}-2023-11-14-game-{book_id}"
    assert text.headers["content-disposition"] == f'attachment; filename="{name}.meld"'
    json = client.get(f"/games/game-{book_id}/record", params={"form": "json"})
    assert json.headers["content-disposition"] == f'attachment; filename="{name}.json"'
    assert loads(json.content) == loads(finished(book_id).record)
    assert client.get(f"/games/game-{book_id}/record", params={"form": "pdf"}).status_code == 400


@pytest.mark.parametrize("book_id", BOOKS)
def test_steps_are_pictures(client: Client, book_id: str) -> None:
    usual = client.get(f"/games/game-{book_id}/steps/20.svg")
    assert usual.headers["content-type"].startswith("image/svg+xml")
    assert ElementTree.fromstring(usual.text).tag.endswith("svg")
    assert "Ada" in usual.text
    dark = client.get(f"/games/game-{book_id}/steps/20.svg", params={"dark": "1"})
    assert dark.status_code == 200
    assert dark.text != usual.text
    one = client.get(f"/games/game-{book_id}/steps/20.svg", params={"seat": 1})
    assert one.text != usual.text


@pytest.mark.parametrize("book_id", BOOKS)
def test_a_picture_with_one_players_eyes_tells_of_no_hidden_tile(client: Client, book_id: str) -> None:
    page = page_of(client, book_id)
    kind = "took" if book_id == "rummyo" else "drew"
    step = next(step for step in page.steps[1:] if step.kind == kind and step.seat != 1)
    seen = client.get(f"/games/game-{book_id}/steps/{step.number}.svg", params={"seat": 1}).text
    assert " ?" in seen[: seen.index("</text>")]


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("9999.svg", "no_such_step"),
        ("x.svg", "no_such_picture"),
        ("3.gif", "no_such_picture"),
        ("9999.png", "no_such_step"),
    ],
)
def test_a_picture_that_is_not_there_is_not_found(client: Client, file: str, code: str) -> None:
    answer = client.get(f"/games/game-tml/steps/{file}")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == code


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("book_id", BOOKS)
def test_the_shuffle_of_a_finished_game_verifies(client: Client, book_id: str, language: str) -> None:
    answer = client.get(f"/games/game-{book_id}/verification", params={"language": language})
    found = msgspec.json.decode(answer.content, type=Verification)
    assert found.ok
    assert len([line for line in found.lines if line.ok and not line.open]) >= 6
    assert not [line for line in found.lines if line.open]
    assert any(finished(book_id).record.split("commitment: ")[1][:12] in line.text for line in found.lines)


@pytest.mark.parametrize("book_id", BOOKS)
def test_no_turn_was_better_than_what_the_solver_says_was_possible(client: Client, book_id: str) -> None:
    record = loads(finished(book_id).record)
    for seat in range(SEATS[book_id]):
        answer = client.get(f"/games/game-{book_id}/analysis", params={"seat": seat})
        found = msgspec.json.decode(answer.content, type=Analysis)
        assert found.seat == seat
        assert len(found.turns) == len(list(turns_of(record, seat))) > 0
        for turn in found.turns:
            assert (turn.laid, turn.points) <= (turn.best_laid, turn.best_points)
            assert (turn.best_table is None) == (
                (turn.laid, turn.points) == (turn.best_laid, turn.best_points)
            )
            assert turn.text.endswith(".")


@pytest.mark.parametrize("book_id", [book_id for book_id in BOOKS if book_id != "rummyo"])
def test_a_better_table_is_legal_and_lays_so_many_tiles(client: Client, book_id: str) -> None:
    rules, record = book(book_id), loads(finished(book_id).record)
    found = msgspec.json.decode(
        client.get(f"/games/game-{book_id}/analysis", params={"seat": 2 % SEATS[book_id]}).content,
        type=Analysis,
    )
    better = 0
    for turn, played in zip(found.turns, turns_of(record, found.seat), strict=True):
        if turn.best_table is None:
            continue
        better += 1
        state = played.state
        rack = state.racks[found.seat]
        table = {tile for tiles in turn.best_table for tile in tiles}
        assert len(table & set(rack)) == turn.best_laid
        after = state.face_table(turn.best_table)
        assert not verify(rules, Turn(state.face_table(), state.faces(rack), after, state.melded[found.seat]))
    assert better or book_id == "tml"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_rummyo_judges_what_was_taken_and_discarded(client: Client, language: str) -> None:
    """Every turn but those that end without one has a judged discard; exact is only what tiles can prove."""
    answer = client.get("/games/game-rummyo/analysis", params={"seat": "0", "language": language})
    found = msgspec.json.decode(answer.content, type=Analysis)
    turns = list(turns_of(loads(finished("rummyo").record), 0))
    estimate = {"en": "estimate", "fr": "estimation"}[language]
    for turn, played in zip(found.turns, turns, strict=True):
        kinds = {type(moment.event) for moment in played.steps}
        left = next(m.before.racks[0] for m in played.steps if isinstance(m.event, ev.Discarded))
        assert (turn.discard is not None) == (len(left) > 1)
        offered = any(isinstance(m.event, ev.Took) and m.before.discards for m in played.steps)
        assert (turn.take is not None) == offered
        assert ev.Took in kinds or turn.take is None
        for choice in (turn.take, turn.discard):
            if choice is not None:
                assert (estimate in choice.text) == (not choice.exact)
                assert any(isinstance(part, TilePart) for part in choice.parts)
    assert {turn.discard.good for turn in found.turns if turn.discard} == {True, False}


def test_an_analysis_is_computed_once(client: Client, workers: WorkersHere) -> None:
    first = client.get("/games/game-tml/analysis", params={"seat": 0}).content
    asked = workers.asked
    assert client.get("/games/game-tml/analysis", params={"seat": 0}).content == first
    assert workers.asked == asked > 1


def test_a_report_is_made_by_a_worker_and_kept(
    client: Client, workers: WorkersHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chances are those at sight here: imagined games have their own tests, and a kernel to compile."""
    monkeypatch.setattr(coach_report, "GAMES", {"compiled": 0, "interpreted": 0})
    asked = workers.asked
    first = client.get("/games/game-tml/report", params={"seat": 0})
    assert workers.asked == asked + 1
    assert client.get("/games/game-tml/report", params={"seat": 0}).content == first.content
    assert workers.asked == asked + 1
    found = msgspec.json.decode(first.content, type=GameReport)
    turns = list(turns_of(loads(finished("tml").record), 0))
    assert [turn.step for turn in found.turns] == [turn.step for turn in turns]
    assert len(found.curve) == len(turns) + 1
    assert client.get("/games/game-tml/report", params={"seat": 3}).status_code == 400
    assert client.get("/games/none/report", params={"seat": 0}).status_code == 404


@pytest.mark.parametrize("book_id", ["tml", "rummyo"])
def test_every_move_can_have_its_reason(client: Client, book_id: str) -> None:
    found = msgspec.json.decode(client.get(f"/games/game-{book_id}/reasons").content, type=GameReasons)
    steps = page_of(client, book_id).steps
    assert [each.step for each in found.reasons] == sorted({each.step for each in found.reasons})
    for each in found.reasons:
        assert steps[each.step].seat == each.seat
        assert each.told.text
    first = {turn.steps[0].number for turn in turns_of(loads(finished(book_id).record), 0)}
    assert {each.step for each in found.reasons if each.seat == 0} <= first
    assert client.get("/games/none/reasons").status_code == 404


@pytest.mark.parametrize("seat", ["2", "-1", "x", ""])
def test_an_analysis_needs_a_seat_of_the_game(client: Client, seat: str) -> None:
    assert client.get("/games/game-tml/analysis", params={"seat": seat}).status_code == 400


@pytest.mark.parametrize("book_id", BOOKS)
def test_a_step_can_be_taken_away_as_the_text_of_its_position(client: Client, book_id: str) -> None:
    page = page_of(client, book_id)
    for step in page.steps[1::11]:
        text = client.get(f"/games/game-{book_id}/steps/{step.number}.txt").text
        shown = client.get("/position", params={"text": text}).json()
        assert shown["text"] == text
        assert sorted(map(len, shown["racks"])) == sorted(map(len, step.racks))
        after = page.steps[step.number + 1]
        if after.seat is not None:
            assert shown["seat"] == after.seat
    one = client.get(f"/games/game-{book_id}/steps/5.txt", params={"seat": 0}).text
    assert "?x" in one


@pytest.mark.parametrize("book_id", BOOKS)
def test_a_step_has_a_picture_for_previews(client: Client, book_id: str) -> None:
    last = len(page_of(client, book_id).steps) - 1
    shown = client.get(f"/games/game-{book_id}/steps/last.png")
    assert shown.headers["content-type"] == "image/png"
    assert shown.content == client.get(f"/games/game-{book_id}/steps/{last}.png").content
    assert shown.content != client.get(f"/games/game-{book_id}/steps/{last}.png", params={"seat": 0}).content


def test_a_position_has_a_picture_for_previews(client: Client) -> None:
    asked = {"book": "wrc11", "text": "table R1 R2 R3 / racks R4 K9 *, ?x14 / pool 86 / turn 1 / melded 1"}
    shown = client.get("/position.png", params=asked)
    assert (shown.status_code, shown.headers["content-type"]) == (200, "image/png")
    assert client.get("/position.png", params={**asked, "text": "table R99"}).status_code == 400


def test_sets_are_read_from_notation_by_the_same_parser(client: Client) -> None:
    found = client.get("/notation", params={"book": "tml", "text": "r4 R5 * | k9 b9 o9"}).json()
    assert found == {"sets": [["R4", "R5", "*"], ["K9", "B9", "O9"]]}
    wrong = client.get("/notation", params={"book": "tml", "text": "R4 R99", "language": "fr"})
    assert wrong.status_code == 400
    assert wrong.json()["error"]["place"] == "column 4"
    assert "R99" in wrong.json()["error"]["message"]
    assert client.get("/notation", params={"book": "nobody", "text": "R4"}).status_code == 400
