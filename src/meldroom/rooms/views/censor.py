"""The one place that decides who sees what of a room. What nobody has decided about is not shown."""

from __future__ import annotations

from functools import lru_cache

import msgspec
from msgspec.structs import replace

from meldroom.game.events import Dealt, GameEnded, Penalised, ShuffleRevealed, StarterChosen
from meldroom.game.events import Event as GameEvent
from meldroom.game.match import Match
from meldroom.game.state import Result
from meldroom.game.views import event_view, seen_from, view
from meldroom.i18n import Language
from meldroom.rooms.domain.aids import aids_allowed
from meldroom.rooms.domain.avatars import profile_of
from meldroom.rooms.domain.clocks import next_game_at
from meldroom.rooms.domain.drafts import LiveDraft
from meldroom.rooms.domain.start_phase import is_ready, may_redeal
from meldroom.rooms.domain.state import Room
from meldroom.rooms.protocol import events as ev
from meldroom.rooms.protocol.answers import ChatLine, MatchView, RoomView, SeatView, SheetLine
from meldroom.rooms.protocol.events import RoomEvent
from meldroom.rooms.views.cards import avatar_at
from meldroom.rooms.views.notices import cited, notice
from meldroom.rules.book import RuleBook


class Audience(msgspec.Struct, frozen=True, gc=False):
    """Who sees it: a seat, or None for a spectator; the host; a spectator who sees everything later.

    `hidden` are the ids of those whose chat is not shown.
    """

    seat: int | None
    host: bool = False
    late: bool = False
    hidden: frozenset[str] = frozenset()

    @classmethod
    def of(cls, room: Room, player: str, blocked: frozenset[str] = frozenset()) -> Audience:
        """The audience that a person belongs to, who has blocked some."""
        seat = room.seat_of(player)
        late = seat is None and room.settings.spectators == "delayed" and room.stage != "waiting"
        return cls(seat, room.acting_host == player, late, blocked)


class Company(msgspec.Struct, frozen=True, gc=False):
    """Who is connected: the ids of players, and how many spectators."""

    present: frozenset[str] = frozenset()
    spectators: int = 0


def may_watch(room: Room, audience: Audience) -> bool:
    """True for those who may see the game: players, and spectators where they are allowed."""
    return audience.seat is not None or room.settings.spectators != "off"


class Portrait:
    """A room at one moment, shown to one audience after another; what they share is made once."""

    def __init__(self, room: Room, company: Company, draft: LiveDraft | None = None) -> None:
        self._room = room
        self._company = company
        self._draft = draft
        self._shared: dict[tuple[bool, Language, frozenset[str]], RoomView] = {}
        self._game = None if room.game is None else replace(view(room.game, None), table=room.table)

    def view(self, audience: Audience, language: Language) -> RoomView:
        """The room as its audience may see it."""
        room = self._room
        shown = may_watch(room, audience)
        key = (shown, language, audience.hidden)
        if key not in self._shared:
            self._shared[key] = _common(room, shown, language, self._company, self._draft, audience.hidden)
        game = None
        if room.game is not None and self._game is not None and shown:
            game = seen_from(self._game, room.game, _game_seat(room, audience))
        return replace(self._shared[key], me=audience.seat, host=audience.host, game=game)


def _common(
    room: Room,
    shown: bool,
    language: Language,
    company: Company,
    draft: LiveDraft | None,
    hidden: frozenset[str],
) -> RoomView:
    """What all who may watch, or all who may not, see alike."""
    over = room.stage == "over" and shown
    seats = range(len(room.chairs))
    live = draft if draft is not None and shown and draft.rev == room.rev else None
    rule = cited(room) if shown else None
    # Other tables may still be playing a given deal: it is revealed with the championship's, not here.
    shuffle = room.shuffle if over and not room.deals else None
    return RoomView(
        room=room.code,
        championship=room.championship,
        next_at=next_game_at(room),
        stage=room.stage,
        settings=room.settings,
        seats=tuple([_seat_view(room, seat, company) for seat in seats]),
        me=None,
        host=False,
        rev=room.rev,
        game=None,
        match=_match_view(room.book, room.results, room.games, len(room.chairs), room.match_over),
        deadline=room.deadline,
        turn_began=room.turn_began,
        starts_at=room.starts_at,
        ready=() if room.starts_at is None else tuple(seat for seat in seats if is_ready(room, seat)),
        redeal=may_redeal(room),
        extra_used=room.extra_used,
        changed=room.changed if shown else (),
        draft=live.table if live is not None else None,
        draft_melds=live.melds if live is not None else None,
        agreed_end=room.agreed_end,
        agreed_next=room.agreed_next,
        asked_stand_in=room.asked_stand_in,
        spectators=company.spectators,
        chat=tuple([_chat_line(line) for line in room.chat if line.player not in hidden])
        if shown or room.stage == "waiting"
        else (),
        sheet=_sheet(room, language) if over else None,
        secret=shuffle.secret if shuffle is not None else None,
        contributions=shuffle.contributions if shuffle is not None else None,
        record=room.record if shown and not room.deals else None,
        notice=notice(room, language) if shown else "",
        notice_clause=rule.clause if rule is not None else "",
        notice_ruling=rule.ruling if rule is not None else "",
        commitment=room.commitment if room.sealed else "",
        aids=aids_allowed(room),
        taken_back=room.taken_back,
        ended_because=_ended_because(room) if over else "",
    )


def _ended_because(room: Room) -> str:
    """Why somebody from outside ended the game; empty if nobody did."""
    last = room.last
    if last is None or last.by != "director":
        return ""
    return next((one.reason for one in last.events if isinstance(one, GameEnded)), "")


def _game_seat(room: Room, audience: Audience) -> int | None:
    """The seat whose rack is shown; whoever sat down after the game had none in it."""
    if audience.seat is None or room.game is None:
        return None
    same = room.chairs[audience.seat].name == room.game.players[audience.seat]
    return audience.seat if same else None


def _seat_view(room: Room, seat: int, company: Company) -> SeatView:
    chair = room.chairs[seat]
    reserved = room.reserved[seat] if room.reserved else None
    return SeatView(
        kind=chair.kind,
        name=reserved.name if reserved is not None and chair.kind == "open" else chair.name,
        level=chair.level,
        present=chair.kind == "bot" or chair.player in company.present,
        stand_in=chair.stand_in,
        timeouts=chair.timeouts,
        reserved=reserved is not None,
        avatar=avatar_at(chair),
        profile=profile_of(chair.player) if chair.kind == "person" else "",
        infringements=sum(isinstance(event, Penalised) and event.seat == seat for event in room.game_events),
    )


@lru_cache(maxsize=1024)
def _match_view(book: RuleBook, results: tuple[Result, ...], games: int, seats: int, over: bool) -> MatchView:
    if not results:
        return MatchView(games, 0, (), (0,) * seats, (0,) * seats, None)
    standing = Match(book, ("",) * seats, 0, games, results).standing()
    return MatchView(
        games=games,
        played=len(results),
        scores=tuple(result.scores for result in results),
        totals=standing.totals,
        wins=standing.wins,
        winners=standing.winners if over else None,
    )


def _chat_line(said: ev.Said) -> ChatLine:
    return ChatLine(at=said.at, name=said.name, seat=said.seat, text=said.text, phrase=said.phrase)


def _sheet(room: Room, language: Language) -> tuple[SheetLine, ...] | None:
    """Every number of the score sheet with its reason and clause; None for a game without a result."""
    if room.sheet is None or room.game is None:
        return None
    lines = []
    for seat, line in enumerate(room.sheet.lines):
        cited = line.cite(room.book)
        lines.append(
            SheetLine(line.score, line.message(language), cited.clause, cited.ruling, room.game.racks[seat])
        )
    return tuple(lines)


def history(room: Room, audience: Audience) -> tuple[GameEvent, ...]:
    """What has happened in the game since its last deal, as its audience may know it."""
    if room.game is None or not may_watch(room, audience):
        return ()
    events = room.game_events
    dealt = max(index for index, event in enumerate(events) if isinstance(event, Dealt))
    starter = [event for event in events[:dealt] if isinstance(event, StarterChosen)]
    seat = _game_seat(room, audience)
    return tuple([event_view(event, seat) for event in (*starter, *events[dealt:])])


def event_for(event: RoomEvent, room: Room, audience: Audience) -> RoomEvent | None:
    """An event as its audience may know it, None if it may not.

    `room` is the room after it. Raises TypeError for a kind of event nobody has decided about.
    """
    shown = _shown(event, room, audience)
    return None if shown is None else replace(shown, player="", request="", digest="")


def _unrevealed(event: GameEvent, room: Room) -> GameEvent:
    """An event of a game; a given deal, which other tables may still be playing, is not revealed here."""
    return ShuffleRevealed("", ()) if room.deals and isinstance(event, ShuffleRevealed) else event


def _shown(event: RoomEvent, room: Room, audience: Audience) -> RoomEvent | None:
    watching = may_watch(room, audience)
    match event:
        case ev.RoomOpened():
            chairs = tuple(replace(chair, player="", word="") for chair in event.chairs)
            reserved = tuple(replace(each, lock="") for each in event.reserved)
            return replace(event, chairs=chairs, reserved=reserved, deals=())
        case ev.SeatReserved():
            return replace(event, reserved=replace(event.reserved, lock=""))
        case ev.ShuffleSealed():
            return replace(event, secret="")
        case ev.SeatTaken():
            return replace(event, word="")
        case ev.GameStarted():
            seen = tuple([event_view(each, audience.seat) for each in event.events])
            return replace(event, events=seen, contributions=()) if watching else None
        case ev.GamePlayed():
            seen = tuple([event_view(_unrevealed(each, room), audience.seat) for each in event.events])
            return replace(event, events=seen) if watching else None
        case ev.Said():
            heard = (watching or room.stage == "waiting") and event.player not in audience.hidden
            return event if heard else None
        case (
            ev.SeatFreed()
            | ev.BotSeated()
            | ev.SaidReady()
            | ev.PlayBegan()
            | ev.TurnTakenBack()
            | ev.ExtraTimeTaken()
            | ev.BotSpeedSet()
            | ev.ClockRestored()
            | ev.StandInAsked()
            | ev.StoodIn()
            | ev.Reclaimed()
            | ev.Agreed()
        ):
            return event
    raise TypeError(f"nobody has decided who may see {type(event).__name__}")
