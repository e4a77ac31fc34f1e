"""Two people and one result: both versions are shown, nothing is merged, nothing is lost."""

from __future__ import annotations

from typing import Any

from tests.server.championships.at_hall import Hall, scores

GAME: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": 1, "game": 1}
SHEET: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": 1}


def lines(hall: Hall, name: str = "log.jsonl") -> int:
    return len(hall.lines(name))


def test_another_result_is_refused_with_both_versions_and_kept_for_the_director(hall: Hall) -> None:
    hall.scorer.command("enter_result", **GAME, scores=scores(1))
    before = lines(hall)
    refused = hall.referee.command("enter_result", 409, **GAME, scores=scores(2))
    assert refused["error"]["code"] == "result_there"
    assert refused["conflict"]["mine"]["result"]["scores"] == scores(2)
    assert refused["conflict"]["theirs"]["result"]["scores"] == scores(1)
    assert refused["conflict"]["theirs"]["author"] == "Sam"
    assert lines(hall) == before
    desk = hall.director.get("/desk")
    (met,) = desk["clashes"]
    assert met["clash"]["act"]["scores"] == scores(2)
    assert desk["next"][0]["do"] == "settle_clash"
    hall.director.command("settle_clash", clash=met["number"], text="Sam's count stands")
    assert [each["settled"] for each in hall.director.get("/desk")["clashes"]] == ["Sam's count stands"]
    hall.director.command("settle_clash", 409, clash=met["number"], text="again")


def test_a_conflict_sent_twice_is_one_clash(hall: Hall) -> None:
    hall.scorer.command("enter_result", **GAME, scores=scores(1))
    for _ in range(3):
        hall.referee.command("enter_result", 409, id="the-same-id", **GAME, scores=scores(2))
    assert len(hall.director.get("/desk")["clashes"]) == 1


def test_the_same_result_from_two_people_is_there_once(hall: Hall) -> None:
    first = hall.scorer.command("enter_result", **GAME, scores=scores(1))
    before = lines(hall)
    again = hall.referee.command("enter_result", **GAME, scores=scores(1))
    assert (again["log"], again["written"]) == (first["log"], False)
    assert lines(hall) == before


def test_a_sheet_that_was_changed_after_it_was_seen_is_not_signed(hall: Hall) -> None:
    hall.sheets(1, (1,), sign=False)
    seen = hall.referee.get("/desk")["championship"]["version"]
    hall.director.command("correct_result", **GAME, scores=scores(7), _reason="counted again")
    refused = hall.referee.command("sign_sheet", 409, **SHEET, _seen=seen)
    assert refused["error"]["code"] == "sheet_changed"
    assert refused["conflict"]["theirs"]["games"][0]["result"]["scores"] == scores(7)
    hall.referee.command("sign_sheet", **SHEET, _seen=hall.referee.get("/desk")["championship"]["version"])


def test_ones_own_results_do_not_stand_in_the_way_of_ones_signature(hall: Hall) -> None:
    seen = hall.referee.get("/desk")["championship"]["version"]
    for game in (1, 2):
        hall.referee.command("enter_result", **SHEET, game=game, scores=scores(game), _seen=seen)
    hall.referee.command("sign_sheet", **SHEET, _seen=seen)


def test_a_correction_of_what_somebody_else_corrected_meanwhile_is_refused(hall: Hall) -> None:
    hall.scorer.command("enter_result", **GAME, scores=scores(1))
    seen = hall.director.get("/desk")["championship"]["version"]
    hall.referee.command("correct_result", **GAME, scores=scores(2), _reason="joker missed")
    refused = hall.director.command(
        "correct_result", 409, **GAME, scores=scores(3), _reason="mine", _seen=seen
    )
    assert refused["error"]["code"] == "result_changed"
    assert refused["conflict"]["theirs"]["result"]["scores"] == scores(2)


def test_a_sheet_signed_meanwhile_is_closed_for_the_table(hall: Hall) -> None:
    hall.sheets(1, (1,))
    refused = hall.director.command("sign_sheet", 409, **SHEET, referee="Dana")
    assert refused["error"]["code"] == "signed_there"
    assert refused["conflict"]["theirs"]["signed"]["referee"] == "Rita"
    refused = hall.referee.command("correct_result", 403, **GAME, scores=scores(3), _reason="late")
    assert refused["error"]["code"] == "not_allowed"


def test_a_stage_is_not_closed_over_a_result_that_came_after_the_directors_look(hall: Hall) -> None:
    hall.sheets(1)
    hall.sheets(2)
    seen = hall.director.get("/desk")["championship"]["version"]
    other = hall.organiser.with_key("director", "Dora")
    other.command("correct_result", **GAME, scores=scores(9), _reason="joker missed")
    refused = hall.director.command("close_stage", 409, stage="evening", _seen=seen)
    assert refused["error"]["code"] == "standings_changed"
    hall.director.command("close_stage", stage="evening")


def test_an_id_is_done_once_and_belongs_to_one_act(hall: Hall) -> None:
    first = hall.scorer.command("enter_result", id="one-and-only", **GAME, scores=scores(1))
    before = lines(hall)
    assert hall.scorer.command("enter_result", id="one-and-only", **GAME, scores=scores(1)) == first
    refused = hall.scorer.command("enter_result", 409, id="one-and-only", **GAME, scores=scores(2))
    assert refused["error"]["code"] == "id_used"
    assert lines(hall) == before


def test_a_refused_act_changes_nothing_and_its_id_may_try_again(hall: Hall) -> None:
    refused = hall.referee.command("sign_sheet", 409, id="signature-1", **SHEET)
    assert refused["error"]["code"] == "not_entered"
    hall.sheets(1, (1,), sign=False)
    hall.referee.command("sign_sheet", id="signature-1", **SHEET)


def test_a_device_whose_table_was_taken_over_is_told_so_and_its_result_is_kept(hall: Hall) -> None:
    old = hall.director.with_key("referee", "Table 1", 1, "tablet-aaaa")
    new = hall.director.with_key("referee", "Table 1", 1, "tablet-bbbb")
    bind = {"device": "tablet-aaaa", "label": "grey tablet"}
    old.ask("POST", "/tables/1/bind", json={"id": "binding-1", **bind})
    other = {"device": "tablet-bbbb", "label": "red tablet"}
    refused = new.ask("POST", "/tables/1/bind", 409, json={"id": "binding-2", **other})
    assert refused["error"]["code"] == "table_taken"
    assert refused["conflict"]["theirs"]["label"] == "grey tablet"
    new.ask("POST", "/tables/1/bind", json={"id": "binding-3", **other, "take_over": True})
    (device,) = hall.director.get("/desk")["devices"]
    assert (device["label"], device["took_over_from"]) == ("red tablet", "grey tablet")
    (answer,) = old.outbox([old.request_of("enter_result", **GAME, scores=scores(4))])
    assert (answer["status"], answer["error"]["code"]) == (409, "table_taken")
    assert answer["conflict"]["theirs"]["device"] == "tablet-bbbb"
    new.command("enter_result", **GAME, scores=scores(5))
    (met,) = hall.director.get("/desk")["clashes"]
    assert met["clash"]["act"]["scores"] == scores(4)


def test_a_tables_key_works_at_its_own_table_only(hall: Hall) -> None:
    tablet = hall.director.with_key("referee", "Table 1", 1, "tablet-aaaa")
    unbound = tablet.command("enter_result", 409, **GAME, scores=scores(1))
    assert unbound["error"]["code"] == "not_bound"
    tablet.ask("POST", "/tables/1/bind", json={"id": "binding-1", "device": "tablet-aaaa"})
    for wrong in ({**GAME, "table": 2}, None):
        refused = (
            tablet.command("enter_result", 403, **wrong, scores=scores(1))
            if wrong
            else tablet.command("add_word", 403, stage="evening", word="dice")
        )
        assert refused["error"]["code"] == "other_table"
    tablet.get("/tables/2", 403)
    assert tablet.get("/tables/1")["sheet"]["device"]["device"] == "tablet-aaaa"


def test_who_shares_a_key_says_their_name(hall: Hall) -> None:
    done = hall.scorer.command("enter_result", **GAME, scores=scores(1), _by="Tom")
    assert done["author"] == "Tom (Sam)"


def test_a_conflict_settled_at_the_table_leaves_the_desk(hall: Hall) -> None:
    hall.scorer.command("enter_result", **GAME, scores=scores(1))
    hall.referee.command("enter_result", 409, id="sent-by-the-tablet", **GAME, scores=scores(2))
    own: dict[str, Any] = {"table": 1, "command": "sent-by-the-tablet", "text": "the laptop is right"}
    assert hall.scorer.command("settle_own_clash", 404, **own)["error"]["code"] == "no_such_clash"
    hall.referee.command("settle_own_clash", **own)
    (met,) = hall.director.get("/desk")["clashes"]
    assert (met["settled"], met["settled_by"]) == ("the laptop is right", "Rita")
    assert not hall.referee.command("settle_own_clash", **own)["written"]
    assert "settle_clash" not in [step["do"] for step in hall.director.get("/desk")["next"]]


def test_both_sides_of_a_conflict_are_counted(hall: Hall) -> None:
    hall.scorer.command("enter_result", **GAME, scores=scores(1))
    racks: list[dict[str, Any]] = [{}, {"tiles": ["R10", "K3"]}, {"tiles": ["*"]}, {"tiles": ["O3"]}]
    hall.referee.command("enter_result", 409, **GAME, racks=racks, winner=0)
    (met,) = hall.director.get("/desk")["clashes"]
    assert met["clash"]["mine"]["result"]["scores"] == [116, -13, -100, -3]
    assert met["clash"]["theirs"]["result"]["scores"] == scores(1)


def test_a_stage_is_not_closed_over_an_open_conflict_unawares(hall: Hall) -> None:
    for table in (1, 2):
        hall.sheets(table)
    hall.referee.command("enter_result", 409, **GAME, scores=scores(2))
    refused = hall.director.command("close_stage", 409)
    assert refused["error"]["code"] == "open_conflicts"
    assert "1" in refused["error"]["message"]
    hall.director.command("close_stage", _reason="the paper sheet decides")


def test_each_fault_of_a_pile_says_which_typing_it_is_in(hall: Hall) -> None:
    good, bad = {**GAME, "scores": scores(1)}, {**GAME, "scores": [61, -10, -20, -30]}
    for first, second, wrong in ((good, bad, "second"), (bad, good, "first")):
        found = hall.director.ask("POST", "/piles", json={"first": [first], "second": [second]})
        (line,) = found["lines"]
        assert line["outcome"] == "impossible"
        assert [fault["typing"] for fault in line["faults"]] == [wrong]
