"""Seating of sittings: by the raffle's plan, by the standings, or changed for who has left or come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Literal

from msgspec import UNSET
from msgspec.structs import replace

from meldroom.championship.actions import CorrectSeats, DrawnLot, Reveal, SeatSitting, Tables
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.log.lots import OWN_LOTS, lot_shuffle
from meldroom.championship.seating.by_standings import seat_by_standings
from meldroom.championship.seating.errors import SeatingError
from meldroom.championship.seating.history import NextSitting
from meldroom.championship.seating.raffle import ApartIn, Entry, draw, entry
from meldroom.championship.seating.reseat import reseat
from meldroom.championship.seating.types import TableSize
from meldroom.championship.standings import standings
from meldroom.championship.state import ChampionshipState, Draw, SittingKey
from meldroom.game.shuffle import Shuffle

SEATS_STAY = 3
"""Logs that are checked by this or more leave everybody in a seat that was drawn (R75)."""


def needs_draw(state: ChampionshipState, stage: str) -> bool:
    """Whether a stage begins with a raffle."""
    kind = state.format.stage(stage).seating
    return kind == "raffle" or (kind == "standings" and state.format.place(stage) == 0)


def prepare_draw(
    state: ChampionshipState,
    stage: str,
    apart: Sequence[Sequence[int]] = (),
    apart_in: ApartIn = "all",
    *,
    new_opponents: bool = False,
    one_short: bool = False,
) -> tuple[tuple[int, ...], Entry]:
    """The entrants' numbers and what is published before a stage's raffle. Raises ChampionshipError.

    `new_opponents` avoids pairs who have met before, `one_short` a second short table, as far as possible.
    """
    numbers = state.field(stage)
    sittings = len(state.format.drawn_together(stage))
    names = [state.name_of(number) for number in numbers]
    size = state.format.table_size()
    if len(numbers) < size.short:
        raise ChampionshipError("too_few", count=len(numbers), least=size.short)
    if len(numbers) < size.fewest:
        if apart:
            raise ChampionshipError("one_table_apart")
        turns = range(len(numbers))
        plan = tuple(
            (tuple((seat + sitting) % len(numbers) for seat in turns),) for sitting in range(sittings)
        )
        return numbers, Entry(tuple(names), plan)
    groups = [[state.name_of(number) for number in group] for group in apart]
    made = entry(names, sittings, groups, apart_in, size)
    if new_opponents or one_short:
        met, short = _earlier(state, stage, numbers)
        made = replace(made, met=met if new_opponents else UNSET, short=short if one_short else UNSET)
    return numbers, made


def _earlier(
    state: ChampionshipState, stage: str, numbers: Sequence[int]
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """The tables of the stages before and who sat at a short one, by place in the list of a draw."""
    place = {number: index for index, number in enumerate(numbers)}
    before = [each.id for each in state.format.stages[: state.format.place(stage)]]
    full = state.format.table_size().full
    met: list[tuple[int, ...]] = []
    short: set[int] = set()
    for key, seated in state.history():
        for table in seated.tables if key[0] in before else ():
            there = tuple(sorted(place[number] for number in table if number in place))
            met += [there] if len(there) > 1 else []
            short.update(there if len(table) < full else ())
    return tuple(met), tuple(sorted(short))


def groups_by(state: ChampionshipState, stage: str, what: str) -> list[list[int]]:
    """Groups of a stage's field who share a country or a team."""
    groups: dict[str, list[int]] = {}
    for number in state.field(stage):
        entrant = state.participant(number).entrant
        if shared := entrant.country if what == "country" else entrant.team:
            groups.setdefault(shared, []).append(number)
    return [group for group in groups.values() if len(group) > 1]


def apart_where_possible(
    state: ChampionshipState, stage: str, groups: Sequence[Sequence[int]]
) -> tuple[list[Sequence[int]], ApartIn]:
    """Teams to keep apart: in all sittings if that can be, else in the first, else not at all."""
    ways: tuple[ApartIn, ...] = ("all", "first")
    for where in ways:
        try:
            prepare_draw(state, stage, groups, where)
        except (SeatingError, ChampionshipError):
            continue
        return list(groups), where
    return [], "all"


def drawn_sittings(state: ChampionshipState, action: Reveal) -> tuple[Tables, ...]:
    """The sittings that a revealed seed gives. Raises ChampionshipError if it is not the one committed to."""
    drawing = state.draws[action.stage]
    if drawing.entry.commitment(action.seed) != drawing.commitment:
        raise SeatingError("wrong_commitment")
    order = draw(drawing.entry, action.seed, drawing.words)
    numbers = [state.successor(drawing.numbers[place]) for place in order]
    return tuple(
        tuple(tuple(numbers[place] for place in table) for table in sitting) for sitting in drawing.entry.plan
    )


def revealed(state: ChampionshipState, action: Reveal) -> Reveal:
    """The action with its sittings, and who starts at short tables. Raises ChampionshipError."""
    sittings = drawn_sittings(state, action)
    drawing = state.draws[action.stage]
    lots = Shuffle(action.seed, (drawing.entry.digest, *drawing.words))
    keys = state.format.drawn_together(action.stage)
    first = tuple(
        _first_starters(state, lots, key, tables) for key, tables in zip(keys, sittings, strict=True)
    )
    return Reveal(action.stage, action.seed, sittings, first if any(first) else ())


def _first_starters(
    state: ChampionshipState, lots: Shuffle, key: SittingKey, tables: Tables
) -> tuple[int, ...]:
    """The seat that starts first, table by table: by lot where not all start equally often (R66).

    Nothing where every table has the first seat start, and in logs of the first edition.
    """
    games = state.format.stage(key[0]).games
    if not _starts_by_lot(state, key, tables):
        return ()
    return tuple(
        lots.order(f"starter {key[0]} {key[1]} {place}", range(len(table)))[0]
        if table and games % len(table)
        else 0
        for place, table in enumerate(tables, start=1)
    )


def _starts_by_lot(state: ChampionshipState, key: SittingKey, tables: Tables) -> bool:
    """Whether not all start equally often somewhere, so that the first starter is drawn."""
    stage = state.format.stage(key[0])
    if stage.duplicate:
        return False  # all tables of a size are compared, so the same seat starts at each
    return state.checks >= 2 and any(stage.games % len(table) for table in tables if table)


def seeded(state: ChampionshipState, stage: str, names: Sequence[str]) -> list[int]:
    """The best of a stage's field by a list of names, best first: one for each table, to be kept apart.

    Names are compared without capitals and spaces; who is not on the list is not seeded.
    """

    def plain(name: str) -> str:
        return " ".join(name.casefold().split())

    field = {plain(state.name_of(number)): number for number in state.field(stage)}
    tables = len(state.format.table_size().tables(len(field)))
    found = [field[plain(name)] for name in names if plain(name) in field]
    return sorted(dict.fromkeys(found[:tables]))


def groups_before(state: ChampionshipState, stage: str) -> list[list[int]]:
    """Groups who were kept apart in the draws before, as far as they play a stage."""
    field = set(state.field(stage))
    groups: list[list[int]] = []
    for earlier in state.format.stages[: state.format.place(stage)]:
        drawing = state.draws.get(earlier.id)
        for group in drawing.entry.apart if drawing is not None else ():
            numbers = [state.successor(drawing.numbers[place]) for place in group] if drawing else []
            here = sorted(field.intersection(numbers))
            if len(here) > 1 and here not in groups:
                groups.append(here)
    return groups


def lot(
    state: ChampionshipState, stage: str, group: Sequence[int], drawn: DrawnLot | None
) -> tuple[int, ...]:
    """Players who are level, in an order by lot that anyone can compute again. Raises ChampionshipError."""
    everybody = sorted(group)
    label = f"lot {stage} {' '.join(map(str, everybody))}"
    return lot_shuffle(state, drawn).order(label, everybody)


def next_sitting(state: ChampionshipState, action: SeatSitting) -> SeatSitting:
    """The action with its tables, and with its lot if it draws one. Raises ChampionshipError."""
    made = _next_sitting(state, action)
    drawn = action.how in ("standings", "late") or _starts_by_lot(
        state, (action.stage, action.sitting), made.tables
    )
    return replace(made, lot=action.lot if drawn and state.checks >= OWN_LOTS else None)


def _next_sitting(state: ChampionshipState, action: SeatSitting) -> SeatSitting:
    key = (action.stage, action.sitting)
    players = state.field(action.stage)
    if action.how == "hand":
        made = _by_hand(action, players, state.format.table_size())
        return replace(made, starters=_starters_later(state, key, made.tables, action.lot))
    if action.how == "late":
        return _late(state, action, players)
    if action.how == "standings":
        found = _by_standings(state, key, players, action.lot)
    else:
        found = _changed(state, key, players)
    tables = tuple(tuple(map(int, table)) for table in found.tables)
    return SeatSitting(
        action.stage,
        action.sitting,
        action.how,
        tables,
        found.repeats,
        tuple(map(int, found.sitting_out)),
        _starters_later(state, key, tables, action.lot),
    )


def _starters_later(
    state: ChampionshipState, key: SittingKey, tables: Tables, drawn: DrawnLot | None
) -> tuple[int, ...]:
    """Who starts first at tables that no raffle seats: by a lot of its own (R66, R74)."""
    if not _starts_by_lot(state, key, tables):
        return ()
    return _first_starters(state, lot_shuffle(state, drawn), key, tables)


def open_places(state: ChampionshipState, key: SittingKey) -> list[int]:
    """Tables of a sitting, from 1, with a place that a late entrant can take: short, and nothing played.

    After them those where somebody has left, whose place stayed empty (R75); not a table that is broken up.
    """
    full = state.format.table_size().full
    unplayed = [
        (place, table)
        for place, table in enumerate(state.seatings[key].tables, start=1)
        if table and not any(game in state.results for game in state.games_of((*key, place)))
    ]
    if state.checks < SEATS_STAY:
        return [place for place, table in unplayed if len(table) < full]
    alone = {place for place, _ in stranded(state, key)}
    open_ = [(place, table) for place, table in unplayed if place not in alone]
    short = [place for place, table in open_ if len(table) < full]
    freed = [place for place, table in open_ if len(table) == full and _empty_seat(state, table) is not None]
    return short + freed


def _empty_seat(state: ChampionshipState, table: Sequence[int]) -> int | None:
    """The first place at a table that somebody has left."""
    return next((seat for seat, number in enumerate(table) if state.participant(number).out), None)


def stranded(state: ChampionshipState, key: SittingKey) -> list[tuple[int, int]]:
    """Tables, from 1, at which one player is left alone before anything was played, with them (R75)."""
    found = []
    for place, table in enumerate(state.seatings[key].tables, start=1):
        here = [number for number in table if not state.participant(number).out]
        if len(here) == 1 and not any(game in state.results for game in state.games_of((*key, place))):
            found.append((place, here[0]))
    return found


def change_needed(
    state: ChampionshipState, key: SittingKey
) -> tuple[Literal["late", "change"] | None, tuple[int, ...]]:
    """How a seated sitting has to change for who has come, or is left alone, and for whom; else nothing.

    Who has left leaves an empty place, and nobody else moves (R75); in earlier logs they are a change, too.
    """
    seated = state.seatings[key]
    field = state.field(key[0])
    there = {number for table in seated.tables for number in table}
    if state.checks < SEATS_STAY:
        newcomers = tuple(number for number in field if number not in there)
        if newcomers and len(newcomers) <= len(open_places(state, key)) and there <= set(field):
            return "late", newcomers
        changed = tuple(sorted(there ^ set(field)))
        out = len(field) - state.format.table_size().seated(len(field))
        same = not changed or (len(changed) == out and there.isdisjoint(changed))
        return (None, ()) if same or state.played(key) else ("change", changed)
    waiting = [number for number in field if number not in there]
    new = [number for number in waiting if number not in seated.sitting_out]
    alone = [number for _, number in stranded(state, key)]
    moving = tuple(sorted({*waiting, *alone}))
    if moving and len(moving) <= len(open_places(state, key)):
        return "late", moving
    if (new or alone) and not state.played(key):
        return "change", tuple(sorted({*new, *alone}))
    return None, ()


def _late(state: ChampionshipState, action: SeatSitting, players: Sequence[int]) -> SeatSitting:
    """Late entrants at open places by lot (R64); everybody else stays. Raises ChampionshipError."""
    key = (action.stage, action.sitting)
    if (seated := state.seatings.get(key)) is None:
        raise ChampionshipError("not_seated", stage=action.stage, sitting=action.sitting)
    there = {number for table in seated.tables for number in table}
    alone = dict(stranded(state, key)) if state.checks >= SEATS_STAY else {}
    newcomers = sorted({*(number for number in players if number not in there), *alone.values()})
    places = open_places(state, key)
    if not newcomers:
        raise ChampionshipError("nobody_late", sitting=action.sitting)
    if len(newcomers) > len(places):
        raise ChampionshipError("no_open_seat", sitting=action.sitting, count=len(newcomers))
    label = f"late {action.stage} {action.sitting} {' '.join(map(str, newcomers))}"
    full = state.format.table_size().full
    lots = lot_shuffle(state, action.lot)
    short = [place for place in places if len(seated.tables[place - 1]) < full]
    freed = [place for place in places if place not in short]
    drawn = [*lots.order(label, short), *(lots.order(f"{label} freed", freed) if freed else ())]
    joins = dict(zip(drawn, newcomers, strict=False))
    tables = tuple(
        () if place in alone else _joined(state, table, joins.get(place))
        for place, table in enumerate(seated.tables, start=1)
    )
    met = Counter(
        pair
        for sitting in _before(state, key)
        for table in sitting
        for pair in combinations(sorted(map(int, table)), 2)
    )
    repeats = sum(met[pair] for table in tables for pair in combinations(sorted(table), 2))
    again = _starters_later(state, key, tables, action.lot)
    first = tuple(
        (again[place] if again else 0) if place + 1 in joins else before
        for place, before in enumerate(seated.starters or (0,) * len(tables))
    )
    return SeatSitting(*key, "late", tables, repeats, (), first if any(first) else ())


def _joined(state: ChampionshipState, table: tuple[int, ...], number: int | None) -> tuple[int, ...]:
    """A table with somebody more: at the place that is empty, else at the end."""
    if number is None:
        return table
    empty = _empty_seat(state, table) if state.checks >= SEATS_STAY else None
    if empty is None:
        return (*table, number)
    return (*table[:empty], number, *table[empty + 1 :])


def check_seats(state: ChampionshipState, action: CorrectSeats) -> CorrectSeats:
    """Who actually sat there, if that can be: everybody known, nobody twice, a seat for every score.

    Raises ChampionshipError.
    """
    key = (action.stage, action.sitting)
    state.format.place(action.stage)
    if (seated := state.seatings.get(key)) is None:
        raise ChampionshipError("not_seated", stage=action.stage, sitting=action.sitting)
    tables, size = list(seated.tables), state.format.table_size()
    for each in action.tables:
        if not 1 <= each.table <= len(tables):
            raise ChampionshipError("no_table", table=each.table, tables=len(tables))
        before = len(tables[each.table - 1])
        played = any(game in state.results for game in state.games_of((*key, each.table)))
        if len(each.players) != before and (played or not size.short <= len(each.players) <= size.full):
            raise ChampionshipError("wrong_seats", given=len(each.players), seats=before)
        for number in each.players:
            state.participant(number)
        tables[each.table - 1] = each.players
    everybody = [number for table in tables for number in table]
    for number in everybody:
        if everybody.count(number) > 1:
            raise ChampionshipError("seated_twice", name=state.name_of(number))
    if tuple(tables) == seated.tables:
        raise ChampionshipError("same_seats", sitting=action.sitting)
    return action


def _by_standings(
    state: ChampionshipState, key: SittingKey, players: Sequence[int], drawn: DrawnLot | None
) -> NextSitting:
    """Neighbours in rank. Before a stage's first sitting the rank is that of the stage before."""
    stage, sitting = key
    ranked = list(players)
    if sitting > 1:
        order = {number: place for place, number in enumerate(standings(state, stage).order())}
        ranked.sort(key=lambda number: order.get(number, len(order)))
    source = lot_shuffle(state, drawn)
    seed = " ".join((source.secret, *source.contributions, stage, str(sitting)))
    return seat_by_standings(
        [*map(str, ranked)],
        _before(state, key),
        apart=_apart(state),
        seed=seed,
        size=state.format.table_size(),
        rested=_rested(state, key),
    )


def _changed(state: ChampionshipState, key: SittingKey, players: Sequence[int]) -> NextSitting:
    """As planned where that is possible, with a view to the planned sittings after it."""
    if key not in state.seatings:
        raise ChampionshipError("not_seated", stage=key[0], sitting=key[1])
    if state.checks >= SEATS_STAY:
        how, _ = change_needed(state, key)
        if how != "change":
            raise ChampionshipError("seats_stay" if how is None else "seats_open", sitting=key[1])
    keys = [each for each, _ in state.history()]
    planned = [_named(state, each) for each in keys[keys.index(key) :] if not state.played(each)]
    return reseat(
        [*map(str, players)],
        _before(state, key),
        planned,
        apart=_apart(state),
        size=state.format.table_size(),
        rested=_rested(state, key),
    )[0]


def _rested(state: ChampionshipState, key: SittingKey) -> dict[str, int]:
    """How often each has sat out before a sitting: nobody does twice before all have once (R73)."""
    if state.checks < SEATS_STAY:
        return {}
    keys = [each for each, _ in state.history()]
    before = keys[: keys.index(key)] if key in keys else keys
    return Counter(str(number) for each in before for number in state.seatings[each].sitting_out)


def _named(state: ChampionshipState, key: SittingKey) -> list[list[str]]:
    return [[*map(str, table)] for table in state.seatings[key].tables]


def _before(state: ChampionshipState, key: SittingKey) -> list[list[list[str]]]:
    """The sittings before one, in the order of play."""
    order = {stage.id: place for place, stage in enumerate(state.format.stages)}
    mine = (order[key[0]], key[1])
    return [_named(state, each) for each, _ in state.history() if (order[each[0]], each[1]) < mine]


def _apart(state: ChampionshipState) -> list[list[str]]:
    """Who is kept apart in all sittings, as it was published with the first draw."""
    first: Draw | None = state.draws.get(state.format.stages[0].id)
    if first is None or first.entry.apart_in != "all":
        return []
    return [[str(first.numbers[place]) for place in group] for group in first.entry.apart]


def _by_hand(action: SeatSitting, players: Sequence[int], size: TableSize) -> SeatSitting:
    """Tables that the director sets: everybody of the field once, at full or short tables."""
    seated = sorted(number for table in action.tables for number in table)
    missing = set(players) - set(seated)
    right = len(set(seated)) == len(seated) and set(seated) <= set(players)
    right = right and len(missing) <= len(players) - size.seated(len(players))
    if not right or not all(size.short <= len(table) <= size.full for table in action.tables):
        raise ChampionshipError("wrong_tables", short=size.short, full=size.full)
    return SeatSitting(action.stage, action.sitting, "hand", action.tables, 0, tuple(sorted(missing)))
