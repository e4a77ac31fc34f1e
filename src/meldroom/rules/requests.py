"""Requests and answers as plain JSON values: `check`, `score` and `ruling`, the shapes others build on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import msgspec

from meldroom.decode import DecodeError, convert
from meldroom.errors import MeldroomError
from meldroom.i18n import Language, Message, Value
from meldroom.rules import procedures
from meldroom.rules.book import Citation, RuleBook
from meldroom.rules.laying_off import LayOffTurn, exposed, judge
from meldroom.rules.library import BookError, OptionValue, book, with_options
from meldroom.rules.scoring import (
    Ending,
    Final,
    FinalRack,
    GoingOut,
    ScoringError,
    could_have_melded,
    score,
)
from meldroom.rules.verify import FaceSet, FaceTable, Turn, verify
from meldroom.tiles import Face, TileTextError, parse_marked

Answer = dict[str, Any]
Shape = TypeVar("Shape")
DEFAULT_BOOK = "wrc11"
MOST_SETS = 10_000
MOST_GAMES = 1_000
MOST_TILES = 600
"""Tiles that a stranger may have checked at once: those of several boxes."""


class RequestError(MeldroomError, ValueError):
    """A request that cannot be answered. `key` names the message: the public code, and what exactly it is."""

    domain = "rules.request"

    def __init__(self, key: str, where: str = "", /, **details: Value) -> None:
        super().__init__(key.partition(".")[0], where, **details)
        self.key = key

    @classmethod
    def of(cls, error: Exception, code: str = "bad_request") -> RequestError:
        """What another error says, under a public code."""
        if isinstance(error, MeldroomError):
            made = cls("because", error.where, reason=error.as_message())
        else:
            made = cls("because", reason=str(error))
        made.code = code
        return made

    def as_message(self) -> Message:
        """The reason as a message, to fill a place of another one."""
        return Message(f"{self.domain}.{self.key}", self.details)

    def as_json(self, request_id: Any, language: Language = "en") -> Answer:
        """The public shape of an error."""
        return {"id": request_id, "error": {"code": self.code, "message": self.message(language)}}


class CheckRequest(msgspec.Struct):
    """Is this turn legal?"""

    rulebook: str
    table_before: list[list[str]]
    rack: list[str]
    table_after: list[list[str]]
    has_melded: bool
    id: Any = None
    options: dict[str, OptionValue] = {}
    extra: dict[str, Any] = {}
    stated: dict[str, list[str]] = {}


class LayOffExtra(msgspec.Struct):
    """What a Rummy-O turn needs besides: who plays, whose each meld is, the discard."""

    player: str = "A"
    owners_before: list[str] | None = None
    owners_after: list[str] | None = None
    discard: str | None = None


class ScorePlayer(msgspec.Struct):
    """One player's end. Without `could_have_melded` the rack decides it (R43)."""

    rack: list[str]
    melded: bool = True
    could_have_melded: bool | None = None
    drawn_in_last_turn: list[str] = []
    enabling_tile_drawn_last_turn: str | None = None
    had_turn: bool = True


class ScoreRequest(msgspec.Struct):
    """Final racks to scores."""

    rulebook: str
    players: list[ScorePlayer]
    end: Ending
    winner: int | None = None
    id: Any = None
    options: dict[str, OptionValue] = {}
    going_out: GoingOut | None = None
    winner_tiles: list[str] = []


class RulingRequest(msgspec.Struct):
    """One of the referee's procedures with its input."""

    check: str
    input: dict[str, Any]
    id: Any = None
    rulebook: str | None = None
    rulebooks: list[str] = []
    options: dict[str, OptionValue] = {}


def read_shape(data: Any, shape: type[Shape], place: str = "") -> Shape:
    """Plain values as a typed request. Raises RequestError naming the field."""
    try:
        return convert(data, shape, place=place)
    except DecodeError as error:
        raise RequestError.of(error) from None


Books = Mapping[str, RuleBook]
"""House books that requests may name by id, beside the published ones."""
NO_BOOKS: Books = {}


def read_book(book_id: str, options: Mapping[str, OptionValue], books: Books = NO_BOOKS) -> RuleBook:
    """The rule book a request names. Raises RequestError."""
    try:
        if (house := books.get(book_id)) is not None:
            return with_options(house, options) if options else house
        return book(book_id, options)
    except BookError as error:
        raise RequestError.of(error, "bad_option" if error.where else "unknown_book") from None


def read_faces(rules: RuleBook, names: Sequence[str], place: str) -> FaceSet:
    """Tiles of a request. Raises RequestError naming the wrong one."""
    faces = []
    for index, name in enumerate(names):
        try:
            faces.append(parse_marked(name.strip(), rules.tiles)[0])
        except TileTextError as error:
            place = f"{place}[{index}]"
            raise RequestError("bad_tile", place, reason=error.as_message(), tile=name[:24]) from None
    return tuple(faces)


def read_table(rules: RuleBook, sets: Sequence[Sequence[str]], place: str) -> FaceTable:
    """Sets of a request. Raises RequestError naming the wrong tile."""
    if len(sets) > MOST_SETS:
        raise RequestError("too_many_sets", place, count=MOST_SETS)
    return tuple(read_faces(rules, names, f"{place}[{index}]") for index, names in enumerate(sets))


def check_size(*tables: Sequence[Sequence[str]]) -> None:
    """Raises RequestError where there are more tiles than any table has, before each is looked at."""
    if sum(1 + len(names) for sets in tables for names in sets) > MOST_TILES:
        raise RequestError("too_many_tiles", count=MOST_TILES)


def _possible(rules: RuleBook, faces: Iterable[Face], place: str) -> None:
    """Raises RequestError if there are more tiles of a face than the box holds."""
    face = rules.tiles.too_many(faces)
    if face is not None:
        name, limit = rules.tiles.face_names[face], rules.tiles.limits[face]
        raise RequestError("too_many_copies", place, tile=name, count=limit)


def check(request: Mapping[str, Any], language: Language = "en", books: Books = NO_BOOKS) -> Answer:
    """The answer to a `check` request: legal or not, the outcome in Rummy-O, every violation.

    >>> check({"rulebook": "wrc11", "table_before": [["R1", "R2", "R3"]], "rack": ["R4", "K9"],
    ...        "table_after": [["R1", "R2", "R3", "R4"]], "has_melded": True})["legal"]
    True

    Raises RequestError.
    """
    asked = read_shape(request, CheckRequest)
    options = dict(asked.options)
    if "jokers_in_play" in asked.extra and "jokers" not in options:
        options["jokers"] = asked.extra["jokers_in_play"]
        if "jokers" not in read_book(asked.rulebook, {}, books).option_list:
            del options["jokers"]
    rules = read_book(asked.rulebook, options, books)
    before = read_table(rules, asked.table_before, "table_before")
    after = read_table(rules, asked.table_after, "table_after")
    rack = read_faces(rules, asked.rack, "rack")
    _possible(rules, [*rack, *(face for faces in before for face in faces)], "table_before and rack")
    if rules.family == "laying_off":
        return _check_lay_off(rules, asked, (before, rack, after), language)
    stated = _stated(rules, asked, len(after))
    violations = verify(rules, Turn(before, rack, after, asked.has_melded, stated))
    return {
        "id": asked.id,
        "legal": not violations,
        "outcome": None,
        "violations": [fault.as_json(language) for fault in violations],
    }


def _stated(rules: RuleBook, asked: CheckRequest, sets: int) -> dict[int, FaceSet]:
    stated = {}
    for key, names in asked.stated.items():
        if not key.isascii() or not key.isdigit() or len(key) > 5 or int(key) >= sets:
            raise RequestError("bad_request.no_set", "stated", set=key[:20])
        stated[int(key)] = read_faces(rules, names, f"stated.{key}")
    return stated


def _check_lay_off(
    rules: RuleBook, asked: CheckRequest, position: tuple[FaceTable, FaceSet, FaceTable], language: Language
) -> Answer:
    before, rack, after = position
    extra = read_shape(asked.extra, LayOffExtra, "extra")
    others = extra.owners_before if extra.owners_before is not None else ["?"] * len(before)
    fresh = [extra.player] * (len(after) - len(others))
    owners = extra.owners_after if extra.owners_after is not None else (others + fresh)[: len(after)]
    if len(others) != len(before) or len(owners) != len(after):
        raise RequestError("bad_request.owners", "extra")
    discard = None if extra.discard is None else read_faces(rules, [extra.discard], "extra.discard")[0]
    turn = LayOffTurn(
        player=extra.player,
        before=tuple(exposed(rules, faces, owner) for faces, owner in zip(before, others, strict=True)),
        rack=rack,
        after=tuple(exposed(rules, faces, owner) for faces, owner in zip(after, owners, strict=True)),
        on_board=asked.has_melded,
        discard=discard,
    )
    judgement = judge(rules, turn)
    return {
        "id": asked.id,
        "legal": judgement.outcome is not None,
        "outcome": judgement.outcome,
        "violations": [fault.as_json(language) for fault in judgement.violations],
    }


def score_racks(request: Mapping[str, Any], books: Books = NO_BOOKS) -> Answer:
    """The answer to a `score` request: scores by seat, the winners, and why. Raises RequestError."""
    asked = read_shape(request, ScoreRequest)
    rules = read_book(asked.rulebook, asked.options, books)
    try:
        players = tuple(_final_rack(rules, player, seat) for seat, player in enumerate(asked.players))
        tiles = read_faces(rules, asked.winner_tiles, "winner_tiles")
        everything = [*tiles, *(face for player in players for face in player.rack)]
        _possible(rules, everything, "players and winner_tiles")
        sheet = score(rules, Final(players, asked.end, asked.winner, asked.going_out, tiles))
    except ScoringError as error:
        raise RequestError.of(error) from None
    return {
        "id": asked.id,
        "scores": list(sheet.scores),
        "winners": list(sheet.winners),
        "lines": [
            {"count": line.count, "charge": line.charge, "score": line.score, "reason": line.reason}
            | _where(rules, line.field)
            for line in sheet.lines
        ],
    }


def _where(rules: RuleBook, field: str) -> dict[str, str]:
    return _cited(rules.cite(field))


def _cited(citation: Citation) -> dict[str, str]:
    return {"clause": citation.clause, "ruling": citation.ruling}


def _final_rack(rules: RuleBook, player: ScorePlayer, seat: int) -> FinalRack:
    rack = read_faces(rules, player.rack, f"players[{seat}].rack")
    able = player.could_have_melded
    if able is None and not player.melded and rules.family == "rearranging":
        last = player.drawn_in_last_turn
        if player.enabling_tile_drawn_last_turn is not None:
            last = [player.enabling_tile_drawn_last_turn]
        drawn = read_faces(rules, last, f"players[{seat}].drawn_in_last_turn")
        able = could_have_melded(rules, rack, drawn, player.had_turn)
    return FinalRack(rack, player.melded, bool(able))


Input = Mapping[str, Any]
Procedure = Callable[[RuleBook, Input], Any]


def ruling(request: Mapping[str, Any], books: Books = NO_BOOKS) -> Answer:
    """The answer to a `ruling` request, with the clause and ruling it rests on. Raises RequestError."""
    asked = read_shape(request, RulingRequest)
    if asked.check not in PROCEDURES:
        raise RequestError("unknown_check", check=asked.check[:40], known=tuple(PROCEDURES))
    book_id = asked.input.get("book") or asked.rulebook or next(iter(asked.rulebooks), DEFAULT_BOOK)
    if not isinstance(book_id, str):
        raise RequestError("bad_request.book", "input.book")
    rules = read_book(book_id, asked.options, books)
    chosen = {name: asked.input[name] for name in rules.option_list if name in asked.input}
    try:
        rules = with_options(rules, chosen) if chosen else rules
        procedure, field = PROCEDURES[asked.check]
        found = procedure(rules, asked.input)
    except BookError as error:
        raise RequestError.of(error, "bad_option") from None
    except ScoringError as error:
        raise RequestError.of(error) from None
    if not isinstance(found, _Cited):
        found = _Cited(found, rules.cite(field))
    return {"id": asked.id, "answer": found.answer, **_cited(found.citation), **found.beside}


class _Cited(msgspec.Struct, frozen=True):
    """An answer with what decided it, where that depends on the answer."""

    answer: Any
    citation: Citation
    beside: Answer = {}


class _Rack(msgspec.Struct):
    rack: list[str]


class _EndOfTime(msgspec.Struct):
    touched: bool
    table_legal: bool
    rack_tile_laid: bool
    pool: int


class _Declared(msgspec.Struct):
    table_legal: bool
    pool: int
    strict: bool | None = None


class _Leftover(msgspec.Struct):
    leftovers: list[str]
    pool: int


class _FinalTurns(msgspec.Struct):
    seats: list[str]
    drawer: str


class _AfterPool(msgspec.Struct):
    actions: list[Literal["lay", "pass", "out"]]
    seats: list[str]


class _FirstPlayer(msgspec.Struct):
    draws: list[str]


class _Starters(msgspec.Struct):
    players: int
    games: int
    first: int = 0


class _Ranking(msgspec.Struct):
    results: dict[str, list[tuple[int, int]]]


class _Totals(msgspec.Struct):
    totals: dict[str, int]


class _ChargeFlag(msgspec.Struct):
    rack_at_end: list[str]
    drawn_in_last_turn: list[str] = []
    had_turn: bool = True


class _Eligible(msgspec.Struct):
    edition: int
    citizen: bool | None = None
    editions_played: list[int] | None = None


def _three_doubles(rules: RuleBook, given: Input) -> Any:
    rack = read_faces(rules, read_shape(given, _Rack, "input").rack, "input.rack")
    _possible(rules, rack, "input.rack")
    return procedures.three_doubles(rules, rack)


def _not_negative(value: int, place: str) -> int:
    if value < 0:
        raise RequestError("bad_request.negative", place)
    return value


def _end_of_time(rules: RuleBook, given: Input) -> Any:
    asked = read_shape(given, _EndOfTime, "input")
    pool = _not_negative(asked.pool, "input.pool")
    end = procedures.end_of_time(rules, asked.touched, asked.table_legal, asked.rack_tile_laid, pool)
    citation = procedures.time_citation(rules, end, asked.touched, asked.table_legal)
    return _Cited(msgspec.to_builtins(end), citation)


def _declared(rules: RuleBook, given: Input) -> Any:
    asked = read_shape(given, _Declared, "input")
    pool = _not_negative(asked.pool, "input.pool")
    return msgspec.to_builtins(procedures.declared(rules, asked.table_legal, pool, asked.strict))


def _leftover(rules: RuleBook, given: Input) -> Any:
    asked = read_shape(given, _Leftover, "input")
    faces = read_faces(rules, asked.leftovers, "input.leftovers")
    _possible(rules, faces, "input.leftovers")
    verdict = procedures.leftover(rules, len(faces), _not_negative(asked.pool, "input.pool"))
    if verdict is None:
        raise RequestError("no_such_ruling.leftover", book=rules.title())
    citation = procedures.leftover_citation(rules, verdict, len(faces))
    return _Cited(msgspec.to_builtins(verdict), citation)


def _final_turns(rules: RuleBook, given: Input) -> Any:
    if rules.pool_end.ending != "final_turns":
        where = _where(rules, "pool_end.ending")["ruling"]
        raise RequestError("no_such_ruling.final_turns", book=rules.title(), ruling=where)
    asked = read_shape(given, _FinalTurns, "input")
    if len(set(asked.seats)) < len(asked.seats) or asked.drawer not in asked.seats:
        raise RequestError("bad_request.drawer", "input.drawer")
    return list(procedures.final_turns(rules, asked.seats, asked.drawer))


def _after_pool_empty(rules: RuleBook, given: Input) -> Any:
    asked = read_shape(given, _AfterPool, "input")
    if not asked.seats:
        raise RequestError("bad_request.seats", "input.seats")
    return msgspec.to_builtins(procedures.after_pool_empty(rules, asked.actions, asked.seats))


def _first_player(rules: RuleBook, given: Input) -> Any:
    draws = read_faces(rules, read_shape(given, _FirstPlayer, "input").draws, "input.draws")
    if not draws:
        raise RequestError("bad_request.draws", "input.draws")
    _possible(rules, draws, "input.draws")
    verdict = procedures.first_player(rules, draws)
    if verdict.first is not None:
        return {"first": verdict.first}
    return {"draw_again": list(verdict.draw_again)}


def _starters(rules: RuleBook, given: Input) -> Any:
    asked = read_shape(given, _Starters, "input")
    if not 1 <= asked.players <= rules.players.maximum or not 0 <= asked.first < asked.players:
        raise RequestError("bad_request.starters", "input", count=rules.players.maximum)
    if not 0 <= asked.games <= MOST_GAMES:
        raise RequestError("bad_request.games", "input.games", count=MOST_GAMES)
    return list(procedures.starters(rules, asked.players, asked.games, asked.first))


def _ranking(rules: RuleBook, given: Input) -> Any:
    asked = read_shape(given, _Ranking, "input")
    return [list(place) for place in procedures.ranking(asked.results)]


def _rummyo_ranking(rules: RuleBook, given: Input) -> Any:
    return list(procedures.highest_totals(read_shape(given, _Totals, "input").totals))


def _charge_flag(rules: RuleBook, given: Input) -> Any:
    if rules.scoring.unmelded == rules.scoring.unmelded_able:
        where = _where(rules, "scoring.unmelded_able")["ruling"]
        raise RequestError("no_such_ruling.charge_flag", book=rules.title(), ruling=where)
    asked = read_shape(given, _ChargeFlag, "input")
    rack = read_faces(rules, asked.rack_at_end, "input.rack_at_end")
    _possible(rules, rack, "input.rack_at_end")
    drawn = read_faces(rules, asked.drawn_in_last_turn, "input.drawn_in_last_turn")
    return could_have_melded(rules, rack, drawn, asked.had_turn)


def _eligible(rules: RuleBook, given: Input) -> Any:
    """The answer rests on the conditions that are not met or not known; all of them stand beside it (R70)."""
    asked = read_shape(given, _Eligible, "input")
    found = procedures.conditions(rules, asked.citizen, asked.editions_played, asked.edition)
    failed = [one for one in found if not one.met]
    cited = [rules.cite(one.field) for one in failed or found] or [rules.cite("tournament.citizens_only")]
    clauses = dict.fromkeys(clause for each in cited for clause in each.clauses)
    resting = dict.fromkeys(one for each in cited for one in each.rulings)
    beside = [
        {"condition": one.field.partition(".")[2], "met": one.met, **where}
        for one in found
        for where in (_where(rules, one.field),)
    ]
    return _Cited(not failed, Citation((*clauses,), (*resting,)), {"conditions": beside})


PROCEDURES: dict[str, tuple[Procedure, str]] = {
    "three_doubles": (_three_doubles, "redeal.doubles"),
    "end_of_time": (_end_of_time, "penalty.tiles"),
    "declared": (_declared, "penalty.strict_declare"),
    "leftover": (_leftover, "penalty.leftovers"),
    "final_turns": (_final_turns, "pool_end.final_turns_start"),
    "after_pool_empty": (_after_pool_empty, "pool_end.ending"),
    "first_player": (_first_player, "start.first_player"),
    "starters": (_starters, "start.later_games"),
    "ranking": (_ranking, "match.winner"),
    "rummyo_ranking": (_rummyo_ranking, "match.winner"),
    "charge_flag": (_charge_flag, "scoring.charge_test"),
    "eligible": (_eligible, "tournament.not_twice_running"),
}
"""Every procedure with the field of the book it rests on."""
