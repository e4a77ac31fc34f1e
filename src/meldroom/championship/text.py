"""What an event tells people, as lines of text in their language."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from meldroom.championship.actions import CorrectResult
from meldroom.championship.corrections import Consequences
from meldroom.championship.formats.closing import unfinished
from meldroom.championship.messages import phrase
from meldroom.championship.rank_bounds import Bounds, rank_bounds
from meldroom.championship.results import told_scores
from meldroom.championship.sittings import needs_draw
from meldroom.championship.standings import Row, Standings, final_ranking
from meldroom.championship.state import ChampionshipState, SittingKey
from meldroom.i18n import Language


def say(code: str, language: Language, **details: object) -> str:
    """A line of the command's own."""
    return phrase(f"say.{code}", language).format(**details)


def names(state: ChampionshipState, numbers: Iterable[int]) -> str:
    """Some players by name."""
    return ", ".join(state.name_of(number) for number in numbers)


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


def told_sitting(state: ChampionshipState, key: SittingKey, language: Language) -> list[str]:
    """The tables of a sitting with the players in their seats."""
    tables = state.seatings[key].tables
    seats = max(len(table) for table in tables)
    rows = [[say("table", language), *(say("seat", language, number=n + 1) for n in range(seats))]]
    for place, table in enumerate(tables, start=1):
        cells = [f"{number} {state.name_of(number)}" for number in table]
        rows.append([str(place), *cells, *[""] * (seats - len(table))])
    stage = state.format.stage(key[0]).name[language]
    return [say("sitting", language, stage=stage, sitting=key[1]), *columns(rows, (0,))]


def told_standings(
    state: ChampionshipState, found: Standings, language: Language, *, bounds: bool = False
) -> list[str]:
    """Standings as a table: what counts, and which criterion decided each place."""
    points = state.format.placement is not None
    reach = rank_bounds(state, found.stage) if bounds else {}
    titles = say("columns", language).split("|")
    rows = [titles]
    for row in found.rows:
        name = state.name_of(row.number)
        if row.out:
            status = phrase(f"status.{state.participant(row.number).status}", language)
            name = say("out", language, name=name, status=status)
        cells = [str(row.place), name, str(row.wins), str(row.points), f"{row.score:+d}", str(row.games)]
        rows.append([*cells, _why(row, language), _reach(reach, row, language)])
    kept = [place for place in range(len(titles)) if (points or place != 3) and (bounds or place != 7)]
    shown = [[row[place] for place in kept] for row in rows]
    right = [kept.index(place) for place in (0, 2, 3, 4, 5) if place in kept]
    lines = [state.format.stage(found.stage).name[language], *columns(shown, right)]
    return lines + [say("level", language, names=names(state, group)) for group in found.level]


def _why(row: Row, language: Language) -> str:
    return phrase(f"by.{row.decided_by}", language)


def _reach(reach: Mapping[int, Bounds], row: Row, language: Language) -> str:
    found = reach.get(row.number)
    if found is None:
        return ""
    best, worst = found.best, found.worst
    return say("reached" if best == worst else "reach", language, best=best, worst=worst)


def told_ranking(state: ChampionshipState, language: Language) -> list[str]:
    """The places of the whole event."""
    rows = [[str(place), state.name_of(number)] for place, number in final_ranking(state)]
    return [say("ranking", language), *columns(rows, (0,))]


def told_correction(
    state: ChampionshipState, action: CorrectResult, found: Consequences, language: Language
) -> list[str]:
    """A correction before it is confirmed: the result, and everything that it changes."""
    before = state.results[action.stage, action.sitting, action.table, action.game]
    scores = say(
        "preview", language, scores=told_scores(before.scores), after=told_scores(action.result.scores)
    )
    lines = [say("result", language, table=action.table, game=action.game, scores=scores)]

    def stage(name: str) -> str:
        return state.format.stage(name).name[language]

    lines += [
        say(
            "place",
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
        text = say(code, language, stage=stage(cut.stage), name=state.name_of(cut.number))
        lines.append(text + (say("stands", language) if cut.stands else ""))
    lines += [say("tie", language, stage=stage(name)) for name in found.ties]
    for seating in found.seatings:
        code = "seating_stays" if seating.played else "seating_again"
        lines.append(say(code, language, stage=stage(seating.stage), sitting=seating.sitting))
    lines += [say("reopened", language, stage=stage(name)) for name in found.reopened]
    lines += [say("dropped", language, stage=stage(key[0]), sitting=key[1]) for key in found.dropped]
    return lines if len(lines) > 1 else [*lines, say("no_change", language)]


def told_status(state: ChampionshipState, language: Language) -> list[str]:
    """Where an event stands, and what comes next."""
    present = sum(one.status == "present" for one in state.participants)
    lines = [say("people", language, present=present, count=len(state.participants))]
    current = state.stage_of_play()
    if current is None:
        return [*lines, say("over", language)]
    stage = state.format.stage(current).name[language]
    lines.append(say("stage_now", language, stage=stage))
    missing = unfinished(state, current)
    if not missing:
        return [*lines, say("ready", language, stage=current)]
    for sitting in sorted({key[1] for key in missing}):
        tables = [key[2] for key in missing if key[1] == sitting]
        if 0 not in tables:
            told = ", ".join(map(str, tables))
            told = say("tables_of", language, sitting=sitting, tables=told)
            return [*lines, say("to_do", language, tables=told)]
        if sitting == 1 and needs_draw(state, current):
            return [*lines, say("not_drawn", language, stage=current)]
        return [*lines, say("not_seated", language, sitting=sitting, stage=current)]
    return lines


def told_entrants(state: ChampionshipState, language: Language) -> list[str]:
    """Everybody with his status and the verdict on every condition."""
    rows: list[list[str]] = []
    for one in state.participants:
        verdicts = state.verdicts(one.number)
        status = phrase(f"status.{one.status}", language)
        if one.status == "entered" and any(verdict.met is False for verdict in verdicts):
            status = say("ineligible", language)
        elif one.status == "entered" and not state.nominated(one.number):
            status = say("reserve", language)
        told = [
            say(
                "verdict",
                language,
                what=phrase(f"verdict.{verdict.condition}", language),
                answer=say({True: "yes", False: "no", None: "unknown"}[verdict.met], language),
            )
            for verdict in verdicts
        ]
        rows.append([str(one.number), one.entrant.name, one.entrant.country, status, "; ".join(told)])
    return columns(rows, (0,)) if rows else []
