"""Before anything is written: what a correction changes, how racks count, where two typings differ."""

from __future__ import annotations

from typing import Any

from tests.server.championships.at_hall import Hall, scores

GAME: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": 1, "game": 1}


def files(hall: Hall) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in hall.files.iterdir() if path.is_file()}


def test_a_correction_shows_every_consequence_and_writes_nothing(hall: Hall) -> None:
    hall.sheets(1)
    hall.sheets(2)
    hall.director.command("close_stage")
    before = files(hall)
    asked = hall.director.request_of("correct_result", **GAME, scores=[-890, 920, -20, -10], _preview=True)
    seen = hall.director.ask("POST", "/commands?language=fr", json=asked)
    assert files(hall) == before
    assert seen["consequences"]["reopened"] == ["evening"]
    assert seen["consequences"]["places"]
    assert len(seen["told"]) > 2
    assert "→" in seen["told"][0]
    asked = hall.director.request_of("correct_result", **GAME, scores=[-890, 920, -20, -10], _reason="joker")
    hall.director.ask("POST", "/commands", json=asked)
    assert not hall.public.get()["stages"][0]["closed"]


def test_racks_are_counted_with_the_reason_for_every_charge(hall: Hall) -> None:
    racks: list[dict[str, Any]] = [
        {},
        {"tiles": ["R10", "K3"]},
        {"tiles": ["*"]},
        {"tiles": ["R10", "B10", "K10", "O3"], "melded": False, "last_draw": "nothing"},
    ]
    command = {**GAME, "racks": racks, "winner": 0}
    before = files(hall)
    seen = hall.scorer.command("enter_result", **command, _preview=True)
    assert files(hall) == before
    assert seen["action"]["result"]["scores"] == [313, -13, -100, -200]
    charged = seen["count"]["lines"][3]
    assert (charged["charge"], charged["at_end"]["points"], charged["at_end"]["opens"]) == (200, 30, True)
    assert "30" in charged["why"]
    done = hall.scorer.command("enter_result", **command)
    assert done["action"]["result"]["racks"][2]["tiles"] == ["*"]
    third = {
        **GAME,
        "game": 2,
        "racks": [{}, {"tiles": ["R1", "R1", "R1"]}, {"tiles": ["B2"]}, {"tiles": ["K2"]}],
    }
    assert hall.scorer.command("enter_result", 400, **third, winner=0)["error"]["code"] == "referee_no_more"
    bad = {**GAME, "game": 2, "racks": [{}, {"tiles": ["X"]}, {"tiles": ["B2"]}, {"tiles": ["K2"]}]}
    assert (
        hall.scorer.command("enter_result", 400, **bad, winner=0)["error"]["place"]
        == "command.racks[1].tiles[0]"
    )
    both = {**GAME, "game": 2, "scores": scores(), "racks": racks}
    assert hall.scorer.command("enter_result", 400, **both)["error"]["code"] == "racks_or_scores"


def test_an_exhausted_pool_needs_no_winner(hall: Hall) -> None:
    racks = [{"tiles": ["R1"]}, {"tiles": ["R10"]}, {"tiles": ["K5"]}, {"tiles": ["B13"]}]
    done = hall.scorer.command("enter_result", **GAME, racks=racks)
    assert done["action"]["result"]["scores"] == [0, -9, -4, -12]


def test_a_list_with_bad_lines_is_told_line_by_line_and_nothing_is_taken(hall: Hall) -> None:
    people = len(hall.public.get()["people"])
    asked = hall.organiser.request_of("import_entrants", csv="name,born\nZoe,soon\nAda Lovelace,\n")
    refused = hall.organiser.ask("POST", "/commands?language=fr", 400, json=asked)
    assert [(line["line"], line["code"]) for line in refused["lines"]] == [(2, "bad_date"), (3, "name_twice")]
    assert refused["lines"][0]["message"].startswith("« soon »")
    assert len(hall.public.get()["people"]) == people
    seen = hall.organiser.command("import_entrants", csv="name\nZoe\n", _preview=True)
    assert seen["action"]["entrants"] == [{"name": "Zoe"}]
    assert len(hall.public.get()["people"]) == people


def test_two_typings_of_a_pile_are_compared_and_only_what_agrees_becomes_acts(hall: Hall) -> None:
    hall.scorer.command("enter_result", **GAME, scores=scores(1))

    def typed(table: int, game: int, given: list[int], sitting: int = 1) -> dict[str, Any]:
        return {"stage": "evening", "sitting": sitting, "table": table, "game": game, "scores": given}

    first = [typed(1, 1, scores(1)), typed(1, 2, scores(2)), typed(2, 1, scores(3)), typed(2, 2, scores(4))]
    second = [typed(1, 1, scores(1)), typed(1, 2, scores(2)), typed(2, 1, scores(5))]
    second += [typed(1, 1, [1, 2, 3, 4], sitting=2), typed(1, 2, scores(1), sitting=2)]
    second.append(typed(1, 2, scores(2), sitting=2))
    before = files(hall)
    answer = hall.scorer.ask("POST", "/piles", json={"first": first, "second": second})
    assert files(hall) == before
    outcomes = {(line["sitting"], line["table"], line["game"]): line["outcome"] for line in answer["lines"]}
    assert outcomes == {
        (1, 1, 1): "entered",
        (1, 1, 2): "agreed",
        (1, 2, 1): "differs",
        (1, 2, 2): "missing",
        (2, 1, 1): "impossible",
        (2, 1, 2): "impossible",
    }
    assert (answer["agreed"], answer["to_look_at"]) == (2, 4)
    (command,) = [line["command"] for line in answer["lines"] if line["command"]]
    hall.scorer.ask("POST", "/commands", json={"id": "from-pile-1", "command": command})
    other = [typed(1, 2, scores(9))]
    (line,) = hall.scorer.ask("POST", "/piles", json={"first": other, "second": other})["lines"]
    assert (line["outcome"], line["there"]["scores"]) == ("conflict", scores(2))


def test_a_preview_of_seating_shows_the_tables(hall: Hall) -> None:
    hall.director.command("withdraw", number=8, _reason="ill")
    assert not any(each["do"] == "seat_sitting" for each in hall.director.get("/desk")["next"])
    hall.director.command("add_entrant", entrant={"name": "Late"})
    hall.director.command("check_in", number=9)
    step = next(each for each in hall.director.get("/desk")["next"] if each["do"] == "seat_sitting")
    assert (step["how"], step["numbers"]) == ("late", [9])
    command = {"how": "late", "stage": step["stage"], "sitting": step["sitting"]}
    seen = hall.director.command("seat_sitting", **command, _preview=True, _reason="9 came")
    assert sorted(map(len, seen["action"]["tables"])) == [4, 4]
    assert "only an example" in seen["told"][0]
    assert "lot" not in seen["action"], "the secret is not shown before the lot is drawn"
    done = hall.director.command("seat_sitting", **command, _reason="9 came")
    assert done["action"]["lot"]["seed"]
    assert not any(each["do"] == "seat_sitting" for each in hall.director.get("/desk")["next"])
    refused = hall.director.command("seat_sitting", 400, how="change", stage="evening", sitting=2)
    assert refused["error"]["message"] == "Give a reason: this changes what people have seen."


def test_ties_that_matter_are_the_next_step_and_others_are_not(hall: Hall) -> None:
    for sitting in (1, 2):
        for table in (1, 2):
            for game in (1, 2):
                place: dict[str, Any] = {"stage": "evening", "sitting": sitting, "table": table, "game": game}
                hall.scorer.command("enter_result", **place, scores=[0, 0, 0, 0], exhausted=True)
            hall.referee.command("sign_sheet", stage="evening", sitting=sitting, table=table)
    (step,) = hall.director.get("/desk")["next"]
    assert (step["do"], len(step["numbers"])) == ("decide_tie", 8)
    assert hall.director.command("close_stage", 409)["error"]["code"] == "tie_matters"
    hall.director.command("decide_tie", stage="evening", order=step["numbers"], how="lot", _reason="no time")
    assert [each["do"] for each in hall.director.get("/desk")["next"]] == ["close_stage"]


def test_nobody_in_plus_is_a_question(hall: Hall) -> None:
    asked = hall.scorer.command("enter_result", 400, **GAME, scores=[0, -13, -24, -5])
    assert asked["error"]["code"] == "did_pool_run_out"
    assert "Did the pool run out?" in asked["error"]["message"]
    asked = hall.scorer.command("enter_result", 400, **GAME, scores=[0, -13, -24, -5], exhausted=False)
    assert asked["error"]["code"] == "winner_missing"
    done = hall.scorer.command("enter_result", **GAME, scores=[0, -13, -24, -5], exhausted=True)
    assert done["action"]["result"]["end"] == "exhausted"
    asked = hall.scorer.command("enter_result", 400, **GAME | {"game": 2}, scores=[5000, -4980, -10, -10])
    assert asked["error"]["code"] == "more_than_box"


def test_an_undone_withdrawal_tells_what_follows_first(hall: Hall) -> None:
    hall.director.command("withdraw", number=1, _reason="wrong person")
    undo: dict[str, Any] = {"number": 1, "undone": "withdrawn"}
    before = files(hall)
    seen = hall.director.command("undo_status", **undo, _preview=True)
    assert files(hall) == before
    assert seen["told"][0] == "Ada Lovelace: withdrew → present"
    assert len(seen["told"]) > 1
    assert hall.director.command("undo_status", 400, **undo)["error"]["code"] == "no_reason"
    done = hall.director.command("undo_status", **undo, _reason="it was Ben")
    assert (done["action"]["to"], done["author"]) == ("present", hall.director.get("/desk")["label"])
    people = {one["number"]: one["status"] for one in hall.public.get()["people"]}
    assert people[1] == "present"


def test_seats_are_put_right_after_a_result(hall: Hall) -> None:
    hall.sheets(1)
    one, two = (table["players"] for table in hall.public.get()["stages"][0]["seated"][0]["tables"])
    swap: dict[str, Any] = {
        "stage": "evening",
        "sitting": 1,
        "tables": [
            {"table": 1, "players": [two[0], *one[1:]]},
            {"table": 2, "players": [one[0], *two[1:]]},
        ],
    }
    seen = hall.director.command("correct_seats", **swap, _preview=True)
    assert seen["consequences"]["places"]
    assert len(seen["told"]) > 2
    hall.director.command("correct_seats", **swap, _reason="they had exchanged seats")
    now = hall.public.get()["stages"][0]["seated"][0]["tables"]
    assert (now[0]["players"][0], now[1]["players"][0]) == (two[0], one[0])
