"""A championship's values as lines of text: seating, standings, corrections, what to do next."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from meldroom.championship.actions import (
    CancelPenalty,
    CorrectSeats,
    Disqualify,
    EndStage,
    Penalise,
    UndoStatus,
    UndoVoid,
    VoidGame,
)
from meldroom.championship.corrections import Changing, Consequences, PlaceChange, undo_consequences
from meldroom.championship.fold import fold
from meldroom.championship.formats.closing import unfinished
from meldroom.championship.progress.now import Now, now
from meldroom.championship.rank_bounds import Bounds, rank_bounds
from meldroom.championship.results import format_scores
from meldroom.championship.sittings import needs_draw
from meldroom.championship.standings import Row, Standings, final_ranking
from meldroom.championship.state import ChampionshipState, SittingKey
from meldroom.i18n import Language, Value, message

_COLUMNS = ("place", "player", "wins", "points", "score", "games", "games_due", "decided_by", "can_reach")


def line(key: str, language: Language, **values: Value) -> str:
    """A line that a command prints."""
    return message(f"championship.command.{key}", language, **values)


def columns(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Rows as text in columns; those in `right` have their text at the right."""
    widths = [max(_width(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        "  ".join(
            _padded(cell, width, place in right)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _width(text: str) -> int:
    """How many cells a text takes on a terminal: wide letters take two, accents of their own none."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def _padded(text: str, width: int, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space


def format_sitting(state: ChampionshipState, key: SittingKey, language: Language) -> list[str]:
    """The tables of a sitting with the players in their seats."""
    seated = state.seatings[key]
    tables = seated.tables
    seats = max(len(table) for table in tables)
    rows = [[line("table", language), *(line("seat", language, number=n + 1) for n in range(seats))]]
    for place, table in enumerate(tables, start=1):
        played = any(game in state.results for game in state.games_of((*key, place)))
        cells = [
            line("empty_place", language, name=state.name_of(number))
            if state.participant(number).out and not played
            else f"{number} {state.name_of(number)}"
            for number in table
        ]
        if table:
            rows.append([str(place), *cells, *[""] * (seats - len(table))])
    stage = state.format.stage(key[0]).name[language]
    told = [line("sitting", language, stage=stage, sitting=key[1]), *columns(rows, (0,))]
    if seated.sitting_out:
        told.append(line("sitting_out", language, names=state.names(seated.sitting_out)))
    return told


def format_standings(
    state: ChampionshipState, found: Standings, language: Language, *, bounds: bool = False
) -> list[str]:
    """Standings as a table: what counts, and which criterion decided each place."""
    reach = rank_bounds(state, found.stage) if bounds else {}
    rows = [[line(f"column.{title}", language) for title in _COLUMNS]]
    for row in found.rows:
        name = state.name_of(row.number)
        if row.out:
            status = message(f"championship.status.{state.participant(row.number).status}", language)
            name = f"{name} ({status})"
        place = str(row.place) if row.placed else "–"
        cells = [
            place,
            name,
            str(row.wins),
            str(row.points),
            f"{row.score:+d}",
            str(row.games),
            str(row.due or 0),
        ]
        why = message(f"championship.decided_by.{row.decided_by or 'none'}", language)
        rows.append([*cells, why, _reach(reach, row, language)])
    without = set() if "points" in state.format.criteria(found.stage) else {"points"}
    without |= set() if bounds else {"can_reach"}
    without |= set() if any(row.due and row.due != row.games for row in found.rows) else {"games_due"}
    kept = [place for place, title in enumerate(_COLUMNS) if title not in without]
    shown = [[row[place] for place in kept] for row in rows]
    right = [kept.index(place) for place in (0, 2, 3, 4, 5, 6) if place in kept]
    lines = [state.format.stage(found.stage).name[language], *columns(shown, right)]
    lines += voided_lines(state, found.stage, language)
    lines += [line("level", language, names=state.names(group)) for group in found.level]
    return lines + [
        _deducted("points_taken", state, given.penalty, language)
        for given in state.penalties
        if given.stands and given.penalty.deduct and given.penalty.stage == found.stage
    ]


def _reach(reach: Mapping[int, Bounds], row: Row, language: Language) -> str:
    found = reach.get(row.number)
    if found is None or found.best == found.worst:
        return "" if found is None else str(found.best)
    return line("reach", language, best=found.best, worst=found.worst)


def format_ranking(state: ChampionshipState, language: Language) -> list[str]:
    """The places of the whole championship."""
    rows = [[str(place), state.name_of(number)] for place, number in final_ranking(state)]
    gone = [one.entrant.name for one in state.participants if one.disqualified]
    told = [line("disqualified", language, names=tuple(gone))] if gone else []
    return [line("ranking", language), *(columns(rows, (0,)) if rows else []), *told]


def format_correction(
    state: ChampionshipState, action: Changing, found: Consequences, language: Language
) -> list[str]:
    """A correction before it is confirmed: what is corrected, and everything that changes with it."""
    lines = _corrected(state, action, language)
    first = len(lines)

    def stage(name: str) -> str:
        return state.format.stage(name).name[language]

    lines += [
        line(
            _moves(action, each),
            language,
            stage=stage(each.stage),
            name=state.name_of(each.number),
            before=each.before,
            after=each.after,
        )
        for each in found.places
    ]
    for cut in found.cuts:
        code = "cut_in" if cut.goes_on else "cut_out"
        text = line(code, language, stage=stage(cut.stage), name=state.name_of(cut.number))
        lines.append(text + (line("stands", language) if cut.stands else ""))
    lines += [line("tie", language, stage=stage(name)) for name in found.ties]
    for seating in found.seatings:
        code = "seating_stays" if seating.played else "seating_again"
        lines.append(line(code, language, stage=stage(seating.stage), sitting=seating.sitting))
    lines += [line("reopened", language, stage=stage(name)) for name in found.reopened]
    lines += [line("dropped", language, stage=stage(key[0]), sitting=key[1]) for key in found.dropped]
    lines += [
        line("repeat", language, one=state.name_of(one), two=state.name_of(two), count=times)
        for (one, two), times in _meetings(state, action, found)
    ]
    lines += [line("without", language, name=state.name_of(number)) for number in found.without]
    for number in found.penalties:
        name = state.name_of(state.penalties[number - 1].penalty.number)
        lines.append(line("penalty_elsewhere", language, number=number, name=name))
    return lines if len(lines) > first else [*lines, line("no_change", language)]


def _moves(action: Changing, change: PlaceChange) -> str:
    """How a change of places is told: who is disqualified has none, and gets it back when that is undone."""
    match action:
        case Disqualify() if action.number == change.number:
            return "place_lost"
        case UndoStatus() if action.number == change.number:
            return "place_again"
        case _:
            return "place"


def _corrected(state: ChampionshipState, action: Changing, language: Language) -> list[str]:
    """What is corrected: before and after."""
    match action:
        case Penalise():
            return [_deducted("takes_points", state, action, language)]
        case CancelPenalty():
            return [_deducted("gives_points", state, state.penalties[action.penalty - 1].penalty, language)]
        case Disqualify():
            return [line("disqualifies", language, name=state.name_of(action.number))]
        case UndoStatus():
            return [each.text(language) for each in undo_consequences(state, action)]
        case VoidGame() | UndoVoid():
            return _voids(state, action, language)
        case EndStage():
            return _ends(state, action, language)
        case _:
            pass
    if isinstance(action, CorrectSeats):
        tables = state.seatings[action.stage, action.sitting].tables
        return [
            line(
                "sat",
                language,
                table=each.table,
                before=", ".join(state.names(tables[each.table - 1])),
                after=", ".join(state.names(each.players)),
            )
            for each in action.tables
        ]
    before = state.results[action.stage, action.sitting, action.table, action.game]
    scores = line(
        "preview", language, scores=format_scores(before.scores), after=format_scores(action.result.scores)
    )
    return [line("result", language, table=action.table, game=action.game, scores=scores)]


def _voids(state: ChampionshipState, action: VoidGame | UndoVoid, language: Language) -> list[str]:
    """A game that becomes void, or is void no more."""
    if not action.game:
        return [line("ends_not", language, stage=state.format.stage(action.stage).name[language])]
    key = (action.stage, action.sitting, action.table, action.game)
    void = state.voids.get(key)
    result = state.results.get(key) if void is None else void.result
    scores = "" if result is None else format_scores(result.scores)
    what = "voids" if void is None else "voids_not"
    told = [
        line(
            what if scores else f"{what}_open",
            language,
            sitting=action.sitting,
            table=action.table,
            game=action.game,
            scores=scores,
        )
    ]
    return [*told, line("void_reason", language)] if void is None else told


def _ends(state: ChampionshipState, action: EndStage, language: Language) -> list[str]:
    """What counts when a stage ends early, and what is left out, table by table."""
    stage = action.stage
    out = {(stage, *game) for game in action.void}
    counts = sum(key[0] == stage and key not in out for key in state.results)
    lines = [line("ends", language, stage=state.format.stage(stage).name[language], count=counts)]
    sheets = dict.fromkeys(game[:2] for game in action.void)
    for sitting, table in sheets:
        games = [key for key in sorted(out) if key[1:3] == (sitting, table)]
        for what, some in (
            ("ends_not_played", [key[3] for key in games if key not in state.results]),
            ("ends_not_signed", [key[3] for key in games if key in state.results]),
        ):
            if some:
                listed = ", ".join(map(str, some))
                lines.append(line(what, language, sitting=sitting, table=table, games=listed))
    lines += [line("ends_not_seated", language, sitting=sitting) for sitting in action.not_seated]
    return [*lines, line("void_reason", language)]


def voided_lines(state: ChampionshipState, stage: str, language: Language) -> list[str]:
    """What is void in a stage, and why: for everybody."""
    lines = []
    if (ended := state.ended.get(stage)) is not None:
        lines.append(line("ended_early", language, why=ended.why))
    lines += [
        line(
            "void_signed" if void.signed else "void",
            language,
            sitting=key[1],
            table=key[2],
            game=key[3],
            why=void.why,
        )
        for key, void in sorted(state.voids.items())
        if key[0] == stage and (void.signed or not void.ended)
    ]
    return lines


def _deducted(key: str, state: ChampionshipState, penalty: Penalise, language: Language) -> str:
    what = message(f"championship.decided_by.{penalty.deduct_from}", language)
    stage = state.format.stage(penalty.stage).name[language] if penalty.stage is not None else "–"
    return line(
        key, language, name=state.name_of(penalty.number), points=penalty.deduct, what=what, stage=stage
    )


def _meetings(
    state: ChampionshipState, action: Changing, found: Consequences
) -> list[tuple[tuple[int, int], int]]:
    """Pairs who meet again with how often, when the seats are those."""
    after = fold(state, action) if found.repeats else state
    return [
        (
            pair,
            sum(
                pair[0] in table and pair[1] in table
                for seated in after.seatings.values()
                for table in seated.tables
            ),
        )
        for pair in found.repeats
    ]


def format_status(state: ChampionshipState, language: Language) -> list[str]:
    """Where a championship stands, and what comes next."""
    present = sum(one.status == "present" for one in state.participants)
    lines = [line("people", language, present=present, count=len(state.participants))]
    current = state.stage_of_play()
    if current is None:
        return [*lines, line("over", language)]
    lines.append(line("stage_now", language, stage=state.format.stage(current).name[language]))
    stands = now(state)
    lines += _sitting_out(state, stands, language)
    for stale in stands.stale:
        lines.append(line("stale", language, sitting=stale.sitting, count=len(stale.numbers)))
    doing: dict[tuple[str, int], list[int]] = {}
    for each in stands.tables:
        if each.state != "finished":
            doing.setdefault((each.state, each.sitting), []).append(each.table)
    if doing:
        return lines + [
            line(key, language, sitting=sitting, count=len(tables), tables=", ".join(map(str, tables)))
            for (key, sitting), tables in sorted(doing.items(), key=lambda one: one[0][1])
        ]
    missing = unfinished(state, current)
    if not missing:
        return [*lines, line("ready", language, stage=current)]
    sitting = min(key[1] for key in missing)
    if sitting == 1 and needs_draw(state, current):
        return [*lines, line("not_drawn", language, stage=current)]
    return [*lines, line("not_seated", language, sitting=sitting, stage=current)]


def _sitting_out(state: ChampionshipState, stands: Now, language: Language) -> list[str]:
    """Who sits out the sitting being played, and where they play next."""
    found = []
    for number in stands.sitting_out(stands.stage, stands.sitting):
        seat = stands.people[number - 1].seat
        told = [line("sits_out", language, sitting=stands.sitting, name=state.name_of(number))]
        if seat is not None:
            told.append(
                line("plays_next", language, sitting=seat.sitting, table=seat.table, seat=seat.seat + 1)
            )
        found.append(", ".join(told))
    return found


def format_entrants(state: ChampionshipState, language: Language) -> list[str]:
    """Everybody with their status and the verdict on every condition."""
    rows: list[list[str]] = []
    for one in state.participants:
        verdicts = state.verdicts(one.number)
        status = message(f"championship.status.{one.status}", language)
        if one.status == "entered" and any(verdict.met is False for verdict in verdicts):
            status = line("ineligible", language)
        elif one.status == "entered" and not state.nominated(one.number):
            status = line("reserve", language)
        known = [
            message(
                "championship.verdict.line",
                language,
                what=message(f"championship.verdict.{verdict.condition}", language),
                answer=message(f"championship.verdict.{_ANSWERS[verdict.met]}", language),
            )
            for verdict in verdicts
        ]
        known += admitted_lines(state, one.number, language)
        country = line("no_country", language) if one.entrant.no_country else one.entrant.country
        rows.append([str(one.number), one.entrant.name, country, status, "; ".join(known)])
    return columns(rows, (0,)) if rows else []


def admitted_lines(state: ChampionshipState, number: int, language: Language) -> list[str]:
    """Against what somebody was admitted: each condition, known or unknown, with its clause."""
    return [
        line(
            "admitted_known" if each.known else "admitted_unknown",
            language,
            what=message(f"championship.verdict.{each.condition}", language),
            clause=each.clause or "–",
        )
        for each in state.overrides.get(number, ())
    ]


_ANSWERS = {True: "yes", False: "no", None: "unknown"}
