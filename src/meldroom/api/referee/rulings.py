"""What the referee's tools find, in the words of whoever asks: also for a championship's own book."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from meldroom.api.check import opening_reached
from meldroom.api.referee.schemas import (
    BookForTable,
    ChargeAnswer,
    ChargeQuestion,
    CountedSeat,
    CountedSheet,
    CountQuestion,
    Fault,
    LeftoversAnswer,
    LeftoversQuestion,
    Melds,
    Opening,
    PositionAnswer,
    PositionQuestion,
    SetRead,
    TurnBefore,
)
from meldroom.i18n import Language, message
from meldroom.referee import (
    Count,
    Meld,
    RefereeError,
    SetSeen,
    check_position,
    count_racks,
    draw_decides,
    parse_faces,
    rule_charge,
    rule_leftovers,
)
from meldroom.referee.position import box_faults
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import LayOffTurn, exposed, judge
from meldroom.rules.requests import check_size
from meldroom.rules.verify import FaceSet, FaceTable, Turn, set_points, verify
from meldroom.rules.violations import Violation

_PLAYER, _OTHERS = "player", "others"


def rule_on_position(book: RuleBook, asked: PositionQuestion, language: Language) -> PositionAnswer:
    """Every fault of a table, or of the turn that led to it. Raises RefereeError."""
    if asked.turn is None:
        return rule_on_table(book, asked.table, language, "table")
    return _rule_on_turn(book, asked.turn, _sets(book, asked.table, "table"), language)


def rule_on_table(
    book: RuleBook, sets: Sequence[Sequence[str]], language: Language, place: str
) -> PositionAnswer:
    """Every fault of a table; `place` is where it stands in the request. Raises RefereeError."""
    seen = check_position(book, _sets(book, sets, place))
    return PositionAnswer(
        legal=seen.legal,
        text=_verdict("table", seen.faults, language),
        faults=_faults(seen.faults, language),
        sets=_read(book, seen.sets),
    )


def _rule_on_turn(book: RuleBook, begun: TurnBefore, after: FaceTable, language: Language) -> PositionAnswer:
    before, rack = _sets(book, begun.table, "turn.table"), parse_faces(book, begun.rack, "turn.rack")
    found, outcome = _judged(book, begun, (before, rack, after))
    faults = [*found, *box_faults(book, [*before, rack], None, whole=False)]
    needed = book.opening.points
    points = 0 if begun.melded else opening_reached(book, before, rack, after)
    return PositionAnswer(
        legal=not faults,
        text=_verdict("turn", faults, language),
        faults=_faults(faults, language),
        sets=_read(book, check_position(book, after).sets),
        opening=None if begun.melded else Opening(points, needed),
        outcome=outcome if not faults else None,
    )


def _judged(
    book: RuleBook, begun: TurnBefore, position: tuple[FaceTable, FaceSet, FaceTable]
) -> tuple[Sequence[Violation], str | None]:
    """The faults of a turn and, in Rummy-O, what it amounts to."""
    before, rack, after = position
    if book.family == "rearranging":
        return verify(book, Turn(before, rack, after, begun.melded)), None
    owners = [_PLAYER if place in begun.own else _OTHERS for place in range(len(before))]
    later = (owners + [_PLAYER] * len(after))[: len(after)]
    discard = None if begun.discard is None else parse_faces(book, [begun.discard], "turn.discard")[0]
    judgement = judge(
        book,
        LayOffTurn(
            player=_PLAYER,
            before=tuple(exposed(book, faces, owner) for faces, owner in zip(before, owners, strict=True)),
            rack=rack,
            after=tuple(exposed(book, faces, owner) for faces, owner in zip(after, later, strict=True)),
            on_board=begun.melded,
            discard=discard,
        ),
    )
    return judgement.violations, judgement.outcome


def rule_on_count(book: RuleBook, asked: CountQuestion, language: Language) -> CountedSheet:
    """Racks to scores, with the reason for every number. Raises RefereeError."""
    counted = count_racks(book, asked.racks, asked.winner, asked.going_out, asked.winner_tiles)
    return format_count(book, counted, language)


def rule_on_charge(book: RuleBook, asked: ChargeQuestion, language: Language) -> ChargeAnswer:
    """What a player who never opened is charged. Raises RefereeError."""
    rack = parse_faces(book, asked.rack, "rack")
    drawn = parse_faces(book, asked.drawn_last, "drawn_last")
    if (face := book.tiles.too_many(rack)) is not None:
        limit = book.tiles.limits[face]
        raise RefereeError("no_more", "rack", tile=book.tiles.face_names[face], limit=limit)
    unknown = asked.last_draw == "unknown"
    answered = drawn or asked.last_draw == "nothing" or (unknown and asked.could_open is not None)
    if not answered and draw_decides(book, rack, asked.had_turn):
        low, high = book.scoring.unmelded, book.scoring.unmelded_able
        raise RefereeError("undecided" if unknown else "last_draw", "last_draw", seat=1, low=low, high=high)
    ruled = rule_charge(
        book,
        rack,
        melded=False,
        drawn_last=drawn,
        had_turn=asked.had_turn,
        ruled=asked.could_open if unknown else None,
    )
    return ChargeAnswer(
        points=ruled.charge,
        able=ruled.able,
        why=ruled.why,
        text=ruled.message(book, language),
        clause=ruled.clause,
        ruling=ruled.ruling,
        at_end=format_meld(book, ruled.at_end),
        at_last_turn=format_meld(book, ruled.at_last_turn),
    )


def rule_on_leftovers(book: RuleBook, asked: LeftoversQuestion, language: Language) -> LeftoversAnswer:
    """Where tiles go whose place nobody can name. Raises RefereeError."""
    ruled = rule_leftovers(book, parse_faces(book, asked.leftovers, "leftovers"), asked.pool)
    return LeftoversAnswer(
        text=ruled.message(book, language),
        clause=ruled.clause,
        ruling=ruled.ruling,
        where="rack" if ruled.where == "rack" else "under_pool",
        to_rack=ruled.moves.to_rack_from_table,
        draws=ruled.moves.to_rack_from_pool,
        pool_after=None if ruled.enough else ruled.moves.pool_after,
    )


def book_for_table(book: RuleBook) -> BookForTable:
    """A rule book in the few numbers that a device works with."""
    return BookForTable(
        id=book.id,
        version=book.version,
        options=book.options,
        label=book.label,
        short_name=book.short_name,
        name=book.name,
        turn_seconds=book.clock.seconds,
        penalty_tiles=book.penalty.tiles,
        leftovers=book.penalty.leftovers,
        opening_points=book.opening.points,
        opening_needs_run=book.opening.run_required,
        unmelded=book.scoring.unmelded,
        unmelded_able=book.scoring.unmelded_able,
        charge_test=book.scoring.charge_test,
        joker_value=book.scoring.joker,
        winner=book.scoring.winner,
        exhausted=book.scoring.exhausted,
        exhausted_unopened=book.scoring.exhausted_unopened,
        redeal_doubles=book.redeal.doubles,
        tiles=tuple(book.tiles.face_names),
        values=book.values,
        limits=tuple(book.tiles.limits),
        box=book.tiles.size,
    )


def format_count(book: RuleBook, counted: Count, language: Language) -> CountedSheet:
    """A count in the reader's language."""
    lines = tuple(
        CountedSeat(
            line.seat,
            line.tiles,
            line.jokers,
            line.count,
            line.score,
            line.won,
            line.charge.charge if line.charge.why != "melded" and not line.won else 0,
            line.charge.message(book, language) if not line.won else "",
            line.clause,
            line.ruling,
            format_meld(book, line.charge.at_end),
            format_meld(book, line.charge.at_last_turn),
            message(f"rules.score.{line.reason}", language, count=line.count, charge=line.charge.charge),
        )
        for line in counted.lines
    )
    notes = tuple(note.message(language) for note in counted.notes)
    return CountedSheet(lines, notes, counted.check_message(language))


def format_meld(book: RuleBook, found: Meld | None) -> Melds | None:
    """A meld with its tiles by name; None where none decides anything."""
    if found is None:
        return None
    return Melds(tuple(_names(book, faces) for faces in found.sets), found.points, found.opens)


def _names(book: RuleBook, faces: FaceSet) -> tuple[str, ...]:
    return tuple(book.tiles.face_names[face] for face in faces)


def _sets(book: RuleBook, sets: Sequence[Sequence[str]], place: str) -> FaceTable:
    check_size(sets)
    return tuple(parse_faces(book, tiles, f"{place}[{index}]") for index, tiles in enumerate(sets))


def _verdict(what: str, faults: Sequence[Violation], language: Language) -> str:
    if not faults:
        return message(f"referee.position.{what}.legal", language)
    return message(f"referee.position.{what}.faults", language, count=len(faults))


def _faults(faults: Iterable[Violation], language: Language) -> tuple[Fault, ...]:
    return tuple(
        Fault(
            code=fault.code,
            message=fault.message(language),
            parts=fault.parts(language),
            clause=fault.clause,
            ruling=fault.ruling,
            set=fault.set_index,
        )
        for fault in faults
    )


def _read(book: RuleBook, sets: Iterable[SetSeen]) -> tuple[SetRead, ...]:
    return tuple(
        SetRead(
            tiles=_names(book, seen.tiles),
            legal=seen.legal,
            kinds=tuple(dict.fromkeys(reading.kind for reading in seen.readings)),
            stands_for=tuple(_names(book, meant) for meant in seen.stands_for),
            points=set_points(book, seen.tiles) if seen.legal else 0,
            too_much=seen.too_much,
        )
        for seen in sets
    )
