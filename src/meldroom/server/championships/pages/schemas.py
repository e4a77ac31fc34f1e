"""The shapes of a championship's page: people, stages, draws, seating, results, standings."""

from __future__ import annotations

from datetime import date, datetime

import msgspec

from meldroom.championship.actions import Deducted, DrawnLot
from meldroom.championship.eligibility import Breach, Verdict
from meldroom.championship.formats.format import Carry, Criterion, Cut, Duplicate, SeatingKind
from meldroom.championship.progress.now import Now
from meldroom.championship.seating.raffle import ApartIn
from meldroom.championship.standings import DecidedBy
from meldroom.championship.state import ReplacedDraw, Status
from meldroom.i18n import Language, Text
from meldroom.rules.scoring import Ending
from meldroom.server.championships.hall.commands import InPublic, StandingsMode
from meldroom.server.championships.pages.arranged import DayLine, PrizeLine, TeamsPage


class PersonLine(msgspec.Struct, frozen=True, kw_only=True):
    """A player as the public may know them."""

    number: int
    name: str
    country: str
    team: str
    status: Status
    replaced_by: int | None = None
    no_country: bool = False
    """Whether they represent no country, so that its conditions do not apply."""
    admitted: tuple[Breach, ...] = ()
    """Conditions that the director admitted them against, known or not known."""


class GameLine(msgspec.Struct, frozen=True, kw_only=True):
    """A result: scores and winners by seat from 0; an empty seat has no score."""

    game: int
    scores: tuple[int | None, ...]
    winners: tuple[int, ...]
    end: Ending
    points: tuple[int | None, ...] | msgspec.UnsetType = msgspec.UNSET
    """In a duplicate stage, what each seat has against the field, as far as its results are out."""


class VoidLine(msgspec.Struct, frozen=True, kw_only=True):
    """A game without a result for anybody, and why; its players are told if it was signed."""

    game: int
    why: str
    signed: bool
    early: bool
    """Whether it is void because its stage ended early."""


class TableLine(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a sitting: players by number in seat order, and its results as far as they are out."""

    table: int
    players: tuple[int, ...]
    signed: bool
    games: tuple[GameLine, ...]
    room: str
    """Where it is played online, at /r/ROOM; empty if it is not."""
    void: tuple[VoidLine, ...] = ()


class SittingPage(msgspec.Struct, frozen=True, kw_only=True):
    """A sitting that is seated."""

    sitting: int
    how: str
    complete: bool
    """Whether every table has signed what it played."""
    tables: tuple[TableLine, ...]
    sits_out: tuple[int, ...] = ()
    """Who is here and has no seat in it; nobody once it is over."""


class DrawCard(msgspec.Struct, frozen=True, kw_only=True):
    """A raffle: what was published before it, and the seed after it. The digest stands for list and plan."""

    commitment: str
    digest: str
    players: int
    apart: tuple[tuple[int, ...], ...]
    """Groups of entrants' numbers who were kept apart."""
    apart_in: ApartIn
    met: tuple[tuple[int, ...], ...] = ()
    """Earlier tables whose players meet again only if nothing better is drawn, by entrants' numbers."""
    short: tuple[int, ...] = ()
    """Who sat at a short table before, and does so again only if nothing better is drawn."""
    words: tuple[str, ...]
    seed: str | None
    replaced: tuple[ReplacedDraw, ...] = ()
    """Earlier announcements of the same draw, oldest first: who replaced them, and why."""


class StandingsRow(msgspec.Struct, frozen=True, kw_only=True):
    """One player's place, what decided it, and where they can still finish."""

    place: int
    number: int
    wins: int
    points: int
    score: int
    games: int
    due: int | None = None
    """Games that were theirs to play, where unequal numbers of games are compared."""
    placed: bool = True
    decided_by: DecidedBy
    out: bool
    best: int | None = None
    worst: int | None = None
    deducted: dict[Deducted, int] = {}
    """What penalties took off in this stage, by criterion; it is off already in what is shown."""


class StandingsPage(msgspec.Struct, frozen=True, kw_only=True):
    """Standings of a stage; `final` when nothing is left to play or to sign."""

    rows: tuple[StandingsRow, ...]
    level: tuple[tuple[int, ...], ...]
    final: bool


class DealsCard(msgspec.Struct, frozen=True, kw_only=True):
    """What is published of a duplicate stage's deals; the seed when all is played."""

    commitment: str
    seed: str | None
    replaced: tuple[ReplacedDraw, ...]


class StagePage(msgspec.Struct, frozen=True, kw_only=True):
    """A stage, and how far it has come."""

    id: str
    name: Text
    sittings: int
    games: int
    seating: SeatingKind
    takes: int | None
    cut: Cut
    carry: Carry
    criteria: tuple[Criterion, ...]
    closed: bool
    goes_on: tuple[int, ...]
    """After the director's approval: in which order players go on, best first."""
    draw: DrawCard | None
    seated: tuple[SittingPage, ...]
    standings: StandingsPage | None
    duplicate: Duplicate | None = None
    """Whether all tables play the same deals, and how that is scored."""
    ended: str | None = None
    """Why it ended early, if it did."""
    deals: DealsCard | None = None


class RankLine(msgspec.Struct, frozen=True, kw_only=True):
    """A place of the whole championship."""

    place: int
    number: int


class Countdown(msgspec.Struct, frozen=True, kw_only=True):
    """What is counted down to."""

    title: str
    ends_at: datetime


class SittingTime(msgspec.Struct, frozen=True, kw_only=True):
    """When a sitting is to begin."""

    stage: str
    sitting: int
    starts_at: datetime


class ChampionshipPage(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a championship that its reader may see."""

    code: str
    version: int
    name: str
    edition: int
    date: date
    format: str
    format_name: Text
    about: Text
    book: str
    book_version: str
    book_name: Text
    """What a heading calls the rule book: WRC 9, or a house book's own name."""
    language: Language
    standings_mode: StandingsMode
    stage: str
    """The stage being played, and its sitting; the last ones when the championship is over."""
    sitting: int
    over: bool
    now: Now
    """Where everybody and every table is: what all pages show."""
    notice: str
    countdown: Countdown | None
    schedule: tuple[SittingTime, ...]
    """Sittings whose time is planned, in the order of time."""
    people: tuple[PersonLine, ...]
    stages: tuple[StagePage, ...]
    ranking: tuple[RankLine, ...]
    """Of the whole championship, when it is over."""
    prizes: tuple[PrizeLine, ...] = ()
    """With who gets them when it is over."""
    teams: TeamsPage | None = None
    days: tuple[DayLine, ...] = ()
    lot: str = ""
    """The commitment to the secret of the next lot after the raffle."""
    drawn_lots: tuple[DrawnLot, ...] = ()
    """Lots that were drawn, with their secrets: each has the commitment that was published before."""


class PersonData(msgspec.Struct, frozen=True, kw_only=True):
    """What only the desk may know of a player."""

    number: int
    name: str
    born: date | None
    citizenships: tuple[str, ...]
    editions: tuple[int, ...] | None
    place: int | None
    last_country: str
    no_country: bool
    more: tuple[tuple[str, str], ...]
    """Columns of the organiser's list that the program does not know."""
    verdicts: tuple[Verdict, ...]
    nominated: bool
    in_public: InPublic
