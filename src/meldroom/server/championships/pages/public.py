"""The public page of a championship."""

from __future__ import annotations

from collections import OrderedDict

from msgspec import UNSET
from msgspec.structs import replace

from meldroom.championship.duplicate.scoring import field_points
from meldroom.championship.formats.closing import unfinished
from meldroom.championship.progress.now import Now, now
from meldroom.championship.rank_bounds import Bounds, rank_bounds
from meldroom.championship.results import GameResult
from meldroom.championship.standings import deducted, final_ranking, standings
from meldroom.championship.state import ChampionshipState, GameKey, SheetKey, SittingKey
from meldroom.server.championships.pages.arranged import day_lines, prize_lines, teams_page
from meldroom.server.championships.pages.publication import published, published_sheets, with_public_names
from meldroom.server.championships.pages.schemas import (
    ChampionshipPage,
    Countdown,
    DealsCard,
    DrawCard,
    GameLine,
    PersonLine,
    RankLine,
    SittingPage,
    SittingTime,
    StagePage,
    StandingsPage,
    StandingsRow,
    TableLine,
    VoidLine,
)
from meldroom.server.championships.storage.running import Snapshot

_KEPT = 12


class RankBoundsCache:
    """Which places can still be reached: the last few answers, since for large fields they take long."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, int], dict[int, Bounds]] = OrderedDict()

    def of(self, state: ChampionshipState, stage: str) -> dict[int, Bounds]:
        """The bounds of everybody in a stage."""
        rests_on = (
            frozenset(state.results.items()),
            frozenset(state.seatings.items()),
            tuple(one.status for one in state.participants),
            tuple(sorted(deducted(state, stage).items())),
            tuple(state.closings),
            frozenset(state.voids),
            frozenset(state.ended),
        )
        key = (stage, hash(rests_on))
        found = self._known.get(key)
        if found is None:
            found = rank_bounds(state, stage)
            self._known[key] = found
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return found


def public_page(snapshot: Snapshot, cache: RankBoundsCache) -> ChampionshipPage:
    """The championship for everybody: nothing that is held back, nobody named who is not to be."""
    state, hall = snapshot.state, snapshot.hall
    return page_of(snapshot, with_public_names(published(state, hall.standings), hall), cache, live=False)


def page_of(
    snapshot: Snapshot, shown: ChampionshipState, cache: RankBoundsCache | None = None, *, live: bool
) -> ChampionshipPage:
    """The championship as a state that its reader may see; seats and signatures are the real ones.

    Who may see results that are not signed is told with `live` which tables have them.

    Without a cache the page leaves out who can still finish where, which takes longer than all the rest.
    """
    state, hall = snapshot.state, snapshot.hall
    stands = now(state) if live else now(state).in_public()
    over = stands.phase == "over"
    countdown = None
    if hall.countdown.ends_at is not None:
        countdown = Countdown(title=hall.countdown.title, ends_at=hall.countdown.ends_at)
    ranking = final_ranking(shown) if over else ()
    return ChampionshipPage(
        code=snapshot.code,
        version=snapshot.version,
        name=state.name,
        edition=state.edition,
        date=state.date,
        format=state.format.id,
        format_name=state.format.name,
        about=state.format.about,
        book=state.format.book,
        book_name=state.format.rules().short_name,
        book_version=state.format.rules().version,
        language=hall.language,
        standings_mode=hall.standings,
        stage=stands.stage,
        sitting=stands.sitting,
        over=over,
        now=stands,
        notice=hall.notice,
        countdown=countdown,
        schedule=tuple(
            SittingTime(stage=key[0], sitting=key[1], starts_at=time)
            for key, time in sorted(hall.times.items(), key=lambda each: (each[1], each[0]))
        ),
        people=tuple(
            PersonLine(
                number=one.number,
                name=one.entrant.name,
                country=one.entrant.country,
                team=one.entrant.team,
                status=one.status,
                replaced_by=one.replaced_by,
                no_country=one.entrant.no_country,
                admitted=state.overrides.get(one.number, ()),
            )
            for one in shown.participants
        ),
        stages=tuple(_stage(snapshot, shown, each.id, cache, stands) for each in state.format.stages),
        ranking=tuple(RankLine(place=place, number=number) for place, number in ranking),
        prizes=prize_lines(state, awarded=over),
        teams=teams_page(shown),
        days=day_lines(state),
        lot=state.lot,
        drawn_lots=state.drawn_lots,
    )


def _stage(
    snapshot: Snapshot, shown: ChampionshipState, name: str, cache: RankBoundsCache | None, stands: Now
) -> StagePage:
    state = snapshot.state
    own = state.format.stage(name)
    closing = state.closings.get(name)
    seated = [key for key, _ in state.history() if key[0] == name]
    return StagePage(
        id=name,
        name=own.name,
        sittings=own.sittings,
        games=own.games,
        seating=own.seating,
        takes=own.takes,
        cut=own.cut,
        carry=own.carry,
        criteria=state.format.criteria(name),
        closed=closing is not None,
        goes_on=closing.order if closing is not None else (),
        draw=draw_card(state, name),
        seated=tuple(_sitting(snapshot, shown, key, stands) for key in seated),
        standings=_standings(state, shown, name, cache) if seated else None,
        duplicate=own.duplicate or None,
        deals=_deals(state, name),
        ended=state.ended[name].why if name in state.ended else None,
    )


def _deals(state: ChampionshipState, stage: str) -> DealsCard | None:
    known = state.deals.get(stage)
    if known is None:
        return None
    return DealsCard(commitment=known.commitment, seed=known.seed, replaced=known.replaced)


def draw_card(state: ChampionshipState, stage: str) -> DrawCard | None:
    """What is published of a raffle; None if it is not announced."""
    drawing = state.draws.get(stage)
    if drawing is None:
        return None
    return DrawCard(
        commitment=drawing.commitment,
        digest=drawing.entry.digest,
        players=len(drawing.numbers),
        apart=tuple(tuple(drawing.numbers[place] for place in group) for group in drawing.entry.apart),
        apart_in=drawing.entry.apart_in,
        met=tuple(tuple(drawing.numbers[place] for place in table) for table in drawing.entry.met or ()),
        short=tuple(drawing.numbers[place] for place in drawing.entry.short or ()),
        words=drawing.words,
        seed=drawing.seed,
        replaced=drawing.replaced,
    )


def _sitting(snapshot: Snapshot, shown: ChampionshipState, key: SittingKey, stands: Now) -> SittingPage:
    state = snapshot.state
    seated = state.seatings[key]
    tables = range(1, len(seated.tables) + 1)
    signed = [(*key, table) in state.sheets for table in tables]
    points = _deal_points(shown, key)
    return SittingPage(
        sitting=key[1],
        how=seated.how,
        complete=all(state.finished((*key, table)) for table in tables),
        tables=tuple(
            TableLine(
                table=place,
                players=table,
                signed=signed[place - 1],
                games=tuple(
                    replace(game_line(game[3], shown.results[game]), points=points.get(game, UNSET))
                    for game in state.games_of((*key, place))
                    if game in shown.results
                ),
                room=snapshot.hall.rooms.get((*key, place), ""),
                void=void_lines(state, (*key, place)),
            )
            for place, table in enumerate(seated.tables, start=1)
            if table
        ),
        sits_out=stands.sitting_out(*key),
    )


def _deal_points(shown: ChampionshipState, key: SittingKey) -> dict[GameKey, tuple[int | None, ...]]:
    """The points of every seat in the deals of a sitting; none where each table has deals of its own."""
    stage = shown.format.stage(key[0])
    if not stage.duplicate:
        return {}
    found: dict[GameKey, list[int | None]] = {}
    for game in range(1, stage.games + 1):
        results = {
            each[2]: result for each, result in shown.results.items() if (*each[:2], each[3]) == (*key, game)
        }
        for table, result in results.items():
            found[(*key, table, game)] = [None] * len(result.scores)
        for seat in field_points(stage.duplicate, results):
            found[(*key, seat.table, game)][seat.seat] = seat.points
    return {each: tuple(points) for each, points in found.items()}


def void_lines(state: ChampionshipState, key: SheetKey) -> tuple[VoidLine, ...]:
    """The void games of a table, for everybody."""
    return tuple(
        VoidLine(game=game[3], why=void.why, signed=void.signed, early=void.ended)
        for game in state.games_of(key)
        if (void := state.voids.get(game)) is not None
    )


def game_line(game: int, result: GameResult) -> GameLine:
    """A result as a page shows it."""
    return GameLine(game=game, scores=result.scores, winners=result.winners, end=result.end)


def _standings(
    state: ChampionshipState, shown: ChampionshipState, stage: str, cache: RankBoundsCache | None
) -> StandingsPage:
    found = standings(shown, stage)
    bounds = cache.of(shown, stage) if cache is not None else {}
    out = published_sheets(shown, "live")
    open_sheets = unfinished(state, stage)
    hidden = any(game[0] == stage and game[:3] not in out for game in state.results)
    taken = deducted(shown, stage)
    return StandingsPage(
        rows=tuple(
            StandingsRow(
                place=row.place,
                number=row.number,
                wins=row.wins,
                points=row.points,
                score=row.score,
                games=row.games,
                due=None if row.due is UNSET else row.due,
                placed=row.placed,
                decided_by=row.decided_by,
                out=row.out,
                best=bounds[row.number].best if bounds else None,
                worst=bounds[row.number].worst if bounds else None,
                deducted={what: off for (number, what), off in taken.items() if number == row.number},
            )
            for row in found.rows
        ),
        level=found.level,
        final=not open_sheets and not hidden,
    )
