"""What goes wrong in a hall: bad lists, slips of the hand, disputes, power cuts, drop-outs."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from meldroom.championship import (
    AddEntrant,
    Arrange,
    CancelPenalty,
    CheckIn,
    CorrectResult,
    Decline,
    EnterResult,
    Entrant,
    GameResult,
    ImportEntrants,
    NoShow,
    Penalise,
    SettleDispute,
    Substitute,
    Withdraw,
    consequences,
    parse_entrants,
)
from meldroom.cli.championship.simulation.games import dead_heat
from meldroom.cli.championship.simulation.hall import Hall
from meldroom.cli.championship.simulation.people import People, arranged
from meldroom.referee import PenaltyKind, rule_penalty, settle

_KINDS: tuple[PenaltyKind, ...] = (
    "time_out",
    "time_out",
    "illegal_table",
    "late",
    "talking",
    "racks_touched",
)


def check_in(hall: Hall, people: People, faults: bool) -> None:
    """The entrants arrive, and those who may not play are found."""
    if faults:
        bad = parse_entrants("name,born\nAda,soon\n")
        hall.note("bad_list", why=bad.faults[0].error.message(hall.language))
        listed = (*people.regular, people.banned, people.unproved, people.decliner, people.absent)
    else:
        proved = replace(people.unproved, citizenships=(people.unproved.country,))
        listed = (*people.regular, proved, people.late)
    hall.perform("organiser", ImportEntrants(listed))
    hall.perform("organiser", Arrange(arranged(hall.format)))
    hall.note("imported", count=len(listed))
    number = {one.entrant.name: one.number for one in hall.state.participants}
    if faults:
        _troubles(hall, people, number)
    for one in hall.state.participants:
        if one.status == "entered" and one.entrant.name != people.banned.name:
            hall.perform("check_in", CheckIn(one.number))


def _troubles(hall: Hall, people: People, number: dict[str, int]) -> None:
    """Who declines, stays away, may not play, or must show a passport."""
    decliner = number[people.decliner.name]
    country = people.decliner.country
    hall.perform("organiser", Decline(decliner), hall.text("no_leave"))
    heir = hall.state.next_in_line(country)
    if heir is not None:
        other = hall.state.name_of(heir)
        hall.note("declined", name=people.decliner.name, country=country, other=other)
    hall.perform("check_in", NoShow(number[people.absent.name]))
    hall.note("no_show", name=people.absent.name)
    conditions = hall.format.conditions
    if conditions.not_twice_running:
        why = hall.refused("check_in", CheckIn(number[people.banned.name]))
        hall.note("refused", name=people.banned.name, why=why)
    else:
        hall.perform("organiser", Decline(number[people.banned.name]), hall.text("no_leave"))
    unproved = number[people.unproved.name]
    if conditions.citizens_only:
        why = hall.refused("check_in", CheckIn(unproved))
        hall.note("refused", name=people.unproved.name, why=why)
        hall.perform("director", CheckIn(unproved, override=True), hall.text("passport"))
        hall.note("admitted", name=people.unproved.name)


class Troubles:
    """Decides when something goes wrong at the tables of a stage."""

    def __init__(self, hall: Hall, random: Random) -> None:
        self.hall = hall
        self.random = random
        self.power_cut = False
        self.left = False

    def play(self, stage: str, sitting: int, table: int, last: bool) -> None:
        """All games of a table with what goes wrong there, and its signatures."""
        hall = self.hall
        kinds = self._kinds(table)
        seats = hall.table_of(stage, sitting, table)
        games = hall.format.stage(stage).games
        fewest = hall.format.rules().players.minimum
        level = dead_heat(games, (0, 2), len(seats)) if last and games % 2 == 0 and len(seats) > 2 else {}

        def before(game: int, found: GameResult) -> GameResult:
            key = (stage, sitting, table, game)
            if "wrong_sum" in kinds and game == 1:
                wrong = EnterResult(*key, _slip(found))
                hall.note("wrong_sum", table=table, game=game, why=hall.refused("scorer", wrong))
            return level.get(game, found)

        def after(game: int) -> None:
            key = (stage, sitting, table, game)
            entered = hall.state.results[key]
            if "twice" in kinds and game == 1:
                why = hall.refused("scorer", EnterResult(*key, entered))
                hall.note("twice", table=table, game=game, why=why)
            if "recount" in kinds and game == games and not level:
                self._correct("referee", key)
                hall.note("recount", table=table, game=game)
            if "power" in kinds and game == 1:
                hall.restart(b'{"number":9999,"time":"20')
                hall.note("power_cut")
            if "leaves" in kinds and game == games - 1 and len(seats) > fewest + 1:
                hall.perform("director", Withdraw(seats[1]), hall.text("taken_ill"))
                hall.note("left_at_table", name=hall.state.name_of(seats[1]), table=table, game=game)
            if "penalty" in kinds and game == 1:
                self._penalise(key, seats)

        hall.play_table(stage, sitting, table, before, after)
        refuses = [seats[-1]] if "unsigned" in kinds else []
        if refuses:
            self._dispute((stage, sitting, table, games), seats)
            hall.note("unsigned", table=table, name=hall.state.name_of(refuses[0]))
        hall.sign(stage, sitting, table, refuses)
        if "corrected" in kinds and not level:
            self._correct("director", (stage, sitting, table, 1))

    def _kinds(self, table: int) -> set[str]:
        """What goes wrong at a table; at the first ones everything once, later now and then."""
        always = {1: {"wrong_sum", "penalty", "power"}, 2: {"twice", "unsigned"}, 3: {"recount", "corrected"}}
        kinds = set(always.get(table, ()))
        if self.power_cut:
            kinds.discard("power")
        self.power_cut = self.power_cut or "power" in kinds
        for kind, chance in (("penalty", 0.2), ("wrong_sum", 0.05), ("recount", 0.03), ("corrected", 0.02)):
            if self.random.random() < chance:
                kinds.add(kind)
        if table == 4 and not self.left:
            self.left = True
            kinds.add("leaves")
        return kinds

    def _correct(self, role: str, key: tuple[str, int, int, int]) -> None:
        """A joker was overlooked on a loser's rack: the result is corrected, and what changes is noted."""
        hall = self.hall
        result = hall.state.results[key]
        joker = hall.format.rules().scoring.joker
        losers = [s for s, score in enumerate(result.scores) if score is not None and s not in result.winners]
        if result.end != "out" or not losers:
            return
        scores = list(result.scores)
        seat = self.random.choice(losers)
        scores[seat] = (scores[seat] or 0) - joker
        winner = result.winners[0]
        scores[winner] = (scores[winner] or 0) + joker
        action = CorrectResult(*key, GameResult(tuple(scores), result.winners))
        found = consequences(hall.state, action)
        reason = hall.text("recount_reason")
        hall.perform("director" if role == "director" else "referee", action, reason)
        hall.count["corrections"] += 1
        if role == "director":
            hall.note("corrected", table=key[2], game=key[3], places=len(found.places))

    def after_closing(self, stage: str) -> bool:
        """A result of a closed stage is put right; whether the stage must be closed again."""
        hall = self.hall
        keys = [key for key, result in hall.state.results.items() if key[0] == stage and result.end == "out"]
        if not keys:
            return False
        self._correct("director", self.random.choice(sorted(keys)))
        if stage in hall.state.closings:
            return False
        hall.note("reopened", stage=hall.name_of_stage(stage))
        return True

    def _penalise(self, key: tuple[str, int, int, int], seats: tuple[int, ...]) -> None:
        hall = self.hall
        kind = self.random.choice(_KINDS)
        here = [number for number in seats if not hall.state.participant(number).out]
        who = self.random.choice(here)
        ruled = rule_penalty(hall.format.rules(), kind, 40)
        hall.perform("referee", Penalise(who, kind, ruled.tiles, 0, *key))
        hall.note("penalty", table=key[2], name=hall.state.name_of(who), what=ruled.message(hall.language))
        if len(hall.state.penalties) == 2:
            hall.perform("director", CancelPenalty(2), hall.text("wrong_clock"))
            hall.note("cancelled", number=2)

    def _dispute(self, key: tuple[str, int, int, int], seats: tuple[int, ...]) -> None:
        hall = self.hall
        found = settle(
            hall.format.rules(),
            hall.text("dispute_question"),
            hall.text("dispute_ruling"),
            referee="Rita",
            cites=["R23"],
            parties=seats[-2:],
        )
        action = SettleDispute(
            found.question,
            found.ruling,
            found.clauses,
            found.rulings,
            found.parties,
            (hall.text("photo"),),
            *key,
        )
        hall.perform("referee", action)
        hall.note("dispute", table=key[2], number=len(hall.state.disputes), ruling=found.ruling)

    def between_stages(self, stage: str) -> None:
        """Somebody withdraws and somebody is replaced, where enough players stay for the next stage."""
        hall = self.hall
        following = hall.state.stage_of_play()
        if following is None or hall.format.stage(following).takes is not None:
            return
        here = list(hall.state.field(following))
        if len(here) < 12:
            return
        gone, replaced = here[-1], here[-2]
        hall.perform("director", Withdraw(gone), hall.text("has_to_leave"))
        hall.note("withdrawn", name=hall.state.name_of(gone), stage=hall.name_of_stage(stage))
        newcomer = Entrant(hall.text("reserve_of", name=hall.state.name_of(replaced))[:80])
        hall.perform("director", Substitute(replaced, newcomer), hall.text("taken_ill"))
        hall.note("substituted", name=hall.state.name_of(replaced), other=newcomer.name)


def late_entry(hall: Hall, people: People) -> None:
    """The last player comes when everybody else is in."""
    hall.perform("check_in", AddEntrant(people.late))
    hall.perform("check_in", CheckIn(len(hall.state.participants)))
    hall.note("late", name=people.late.name)


def _slip(result: GameResult) -> GameResult:
    """The same scores with one digit wrong."""
    scores = list(result.scores)
    winner = result.winners[0]
    scores[winner] = (scores[winner] or 0) + 1
    return GameResult(tuple(scores), result.winners, result.end)
