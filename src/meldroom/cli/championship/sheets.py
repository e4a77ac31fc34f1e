"""`meldroom championship enter`, `sign` and `correct`: the score sheets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from meldroom.championship import (
    ChampionshipError,
    ChampionshipLog,
    ChampionshipState,
    CorrectResult,
    CorrectSeats,
    EndStage,
    EnterResult,
    GameResult,
    Rack,
    SignSheet,
    UndoVoid,
    VoidGame,
    apply,
    consequences,
    from_racks,
    from_scores,
    read_state,
)
from meldroom.championship.entrants import LineFault
from meldroom.championship.formats.closing import unfinished
from meldroom.championship.input import current, find, parse_results, parse_scores, parse_seats
from meldroom.championship.log.file import now
from meldroom.championship.results import format_scores
from meldroom.championship.roles import Role
from meldroom.championship.text import (
    format_correction,
    line,
)
from meldroom.cli.championship.options import (
    SCORES_FIRST,
    As,
    By,
    Decided,
    Drawn,
    Exhausted,
    Log,
    Racks,
    Reason,
    Scores,
    SittingOption,
    StageOption,
    Unmelded,
    Winners,
    championship,
    report,
    show,
    text_of,
)
from meldroom.cli.championship.pins import PinOption, confirmed
from meldroom.cli.options import Lang
from meldroom.i18n import Language


def _result(
    state: ChampionshipState,
    scores: str,
    winners: list[int] | None,
    racks: list[str] | None,
    unmelded: list[int] | None,
    drawn: list[str] | None,
    decided: list[str] | None,
    exhausted: bool,
) -> GameResult:
    """A result from scores, or from racks given as seat=tiles. Raises ChampionshipError."""
    seats = [seat - 1 for seat in winners or []]
    if not racks:
        return from_scores(state.format, parse_scores(scores), seats, exhausted or None)
    if not seats and not exhausted:
        raise ChampionshipError("did_pool_run_out")
    tiles, last, ruled = _by_seat(racks), _by_seat(drawn or []), _by_seat(decided or [])
    size = max((*tiles, *(seat + 1 for seat in seats)), default=0)
    for seat in seats:
        tiles.setdefault(seat + 1, ())
    high = str(state.format.rules().scoring.unmelded_able)
    counted = [
        _rack(tiles[seat], seat not in (unmelded or []), last.get(seat), ruled.get(seat), high)
        if seat in tiles
        else None
        for seat in range(1, size + 1)
    ]
    return from_racks(state.format, counted, seats[0] if seats else None)


def _rack(
    tiles: tuple[str, ...],
    melded: bool,
    last: tuple[str, ...] | None,
    decided: tuple[str, ...] | None,
    high: str,
) -> Rack:
    """A rack with what was drawn last: tiles, nothing, or “?”, for which the referee has decided (R65)."""
    if melded or last is None:
        return Rack(tiles, melded)
    if last != ("?",):
        return Rack(tiles, melded, last, last_draw="" if last else "nothing")
    points, *why = decided or ("",)
    return Rack(
        tiles,
        melded,
        last_draw="unknown",
        could_open=points == high if decided else None,
        why=" ".join(why),
    )


def _by_seat(given: list[str]) -> dict[int, tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for text in given:
        seat, equals, tiles = text.partition("=")
        if not equals or not (seat.isascii() and seat.isdigit() and 1 <= int(seat[:3]) <= 9):
            options = "--rack SEAT=TILES, --last-drawn SEAT=TILES, --decided SEAT=POINTS"
            raise ChampionshipError("say_what", options=options)
        found[int(seat)] = tuple(tiles.split())
    return found


@championship.command(context_settings=SCORES_FIRST)
def enter(
    file: Log,
    table: Annotated[int, typer.Argument(help="The table.")] = 0,
    game: Annotated[int, typer.Argument(help="The game.")] = 0,
    scores: Scores = "",
    stage: StageOption = None,
    sitting: SittingOption = None,
    winner: Winners = None,
    rack: Racks = None,
    unmelded: Unmelded = None,
    last_drawn: Drawn = None,
    decided: Decided = None,
    exhausted: Exhausted = False,
    results: Annotated[
        Path | None,
        typer.Option(
            "--results",
            help="A CSV file: stage, sitting, table, game, scores, exhausted (yes where the pool ran out).",
        ),
    ] = None,
    by: By = "",
    role: As = "scorer",
    lang: Lang = "en",
) -> None:
    """Enter the result of a game: scores, which must add up by the book, or racks, which are counted.

    \b
    Examples:
      meldroom championship enter open.jsonl 1 1 35,-10,-5,-20 --by Sam
      meldroom championship enter open.jsonl 1 2 --rack "2=R10 K3" --rack "3=*" --rack 4=O9 --winner 1
      meldroom championship enter x.jsonl 1 4 --rack "2=R10 B10 K10" --winner 1 --unmelded 2 --last-drawn 2=
      meldroom championship enter open.jsonl 1 3 0,-13,-24,-5 --exhausted --by Sam
      meldroom championship enter open.jsonl --results sheets.csv --by Sam
    """
    if results is not None:
        _enter_file(file, results, by, role, lang)
        return
    with ChampionshipLog.open(file) as log:
        key = (*current(log.state, stage, sitting), table, game)
        result = _result(log.state, scores, winner, rack, unmelded, last_drawn, decided, exhausted)
        log.append(EnterResult(*key, result), author=by, role=role)
    typer.echo(line("result", lang, table=table, game=game, scores=format_scores(result.scores)))


def _enter_file(file: Path, results: Path, by: str, role: Role, lang: Language) -> None:
    """A file of results: all of it, or nothing and every bad line."""
    lines, faults = parse_results(text_of(results))
    state = read_state(file)
    seen: dict[tuple[str, int, int, int], int] = {}
    for each in lines:
        try:
            if each.key in seen:
                raise ChampionshipError("already_entered", table=each.key[2], game=each.key[3])
            seen[each.key] = each.line
            action = EnterResult(*each.key, from_scores(state.format, each.scores, (), each.exhausted))
            apply(state, action, author=by, role=role, time=now())
        except ChampionshipError as error:
            faults.append(LineFault(each.line, error))
    if faults:
        report(results, sorted(faults, key=lambda fault: fault.line), lang)
    with ChampionshipLog.open(file) as log:
        for each in lines:
            action = EnterResult(*each.key, from_scores(state.format, each.scores, (), each.exhausted))
            log.append(action, author=by, role=role)
    typer.echo(line("results", lang, count=len(lines)))


@championship.command()
def sign(
    file: Log,
    tables: Annotated[list[int] | None, typer.Argument(help="The tables.")] = None,
    referee: Annotated[str, typer.Option("--referee", help="The referee who signs.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="Every table with all its games.")] = False,
    refused: Annotated[
        list[str] | None, typer.Option("--refused", help="A player who will not sign.")
    ] = None,
    stage: StageOption = None,
    sitting: SittingOption = None,
    pin: PinOption = "",
    reason: Reason = "",
    by: By = "",
    role: As = "referee",
    lang: Lang = "en",
) -> None:
    """Sign the sheets of tables: the referee and the players agree. Then only the director corrects.

    A referee who has been given a PIN on this laptop is asked for it.

    \b
    Examples:
      meldroom championship sign open.jsonl 1 2 3 --referee Rita --by Rita
      meldroom championship sign open.jsonl 4 --referee Rita --refused 7 --reason "count upheld" --by Rita
    """
    with ChampionshipLog.open(file) as log:
        key = current(log.state, stage, sitting)
        chosen = list(tables or [])
        if everything:
            chosen = [
                place
                for *at, place in unfinished(log.state, key[0])
                if tuple(at) == key and place and log.state.to_sign((*key, place))
            ]
        out = tuple(find(log.state, word) for word in refused or [])
        signer = referee or by
        proof = confirmed(file, log.state, signer, pin, lang) if chosen else ""
        for table in chosen:
            sheet = SignSheet(*key, table, signer, out)
            log.append(sheet, author=by, role=role, reason=reason, confirmed=proof)
    signed = line("signed", lang, referee=referee or by, tables=", ".join(map(str, chosen)))
    typer.echo(signed if chosen else line("nothing_to_sign", lang))


@championship.command(context_settings=SCORES_FIRST)
def correct(
    file: Log,
    table: Annotated[int, typer.Argument(help="The table.")],
    game: Annotated[int, typer.Argument(help="The game.")],
    scores: Scores = "",
    stage: StageOption = None,
    sitting: SittingOption = None,
    winner: Winners = None,
    rack: Racks = None,
    unmelded: Unmelded = None,
    last_drawn: Drawn = None,
    decided: Decided = None,
    exhausted: Exhausted = False,
    confirm: Annotated[bool, typer.Option("--confirm", help="Write it down.")] = False,
    reason: Reason = "",
    by: By = "",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Correct a result: first see everything that changes, then --confirm. The log keeps both results.

    \b
    Examples:
      meldroom championship correct open.jsonl 3 2 45,-30,-10,-5 --reason "joker missed" --by Dana
      meldroom championship correct open.jsonl 3 2 45,-30,-10,-5 --reason "joker missed" --by Dana --confirm
    """
    with ChampionshipLog.open(file) as log:
        key = (*current(log.state, stage, sitting), table, game)
        action = CorrectResult(
            *key, _result(log.state, scores, winner, rack, unmelded, last_drawn, decided, exhausted)
        )
        _previewed(log, action, confirm, reason, by, role, lang)
    typer.echo(line("corrected" if confirm else "confirm", lang))


@championship.command("correct-seats")
def correct_seats(
    file: Log,
    tables: Annotated[
        list[str], typer.Argument(metavar="TABLE=PLAYERS", help="Who sat there, in seat order: “5=7 12 3 9”.")
    ],
    stage: StageOption = None,
    sitting: SittingOption = None,
    confirm: Annotated[bool, typer.Option("--confirm", help="Write it down.")] = False,
    reason: Reason = "",
    by: By = "",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Put right who actually sat at a table, also after results: scores go with the seats.

    First see everything that changes, then --confirm. Give both tables where two players changed places.

    \b
    Examples:
      meldroom championship correct-seats open.jsonl "5=7 12 3 9" "2=1 4 8 6" --reason "wrong table" --by Dana
      meldroom championship correct-seats open.jsonl "5=12 7 3 9" --reason "seats" --by Dana --confirm
    """
    with ChampionshipLog.open(file) as log:
        key = current(log.state, stage, sitting)
        action = CorrectSeats(*key, tuple(parse_seats(log.state, text) for text in tables))
        _previewed(log, action, confirm, reason, by, role, lang)
    typer.echo(line("seats_corrected" if confirm else "confirm", lang))


@championship.command()
def void(
    file: Log,
    table: Annotated[int, typer.Argument(help="The table.")],
    game: Annotated[int, typer.Argument(help="The game.")],
    stage: StageOption = None,
    sitting: SittingOption = None,
    undo: Annotated[bool, typer.Option("--undo", help="It counts after all, or is to be played.")] = False,
    confirm: Annotated[bool, typer.Option("--confirm", help="Write it down.")] = False,
    reason: Reason = "",
    by: By = "",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Make a game void: it has no result for anybody (R73). First see what changes, then --confirm.

    Everybody can read the reason. A game on a signed sheet is marked for its players.

    \b
    Examples:
      meldroom championship void open.jsonl 3 2 --reason "no time left" --by Dana
      meldroom championship void open.jsonl 3 2 --reason "no time left" --by Dana --confirm
      meldroom championship void open.jsonl 3 2 --undo --reason "played after all" --by Dana --confirm
    """
    with ChampionshipLog.open(file) as log:
        key = (*current(log.state, stage, sitting), table, game)
        action = UndoVoid(*key) if undo else VoidGame(*key)
        _previewed(log, action, confirm, reason, by, role, lang)
    typer.echo(line(("game_not_void" if undo else "game_void") if confirm else "confirm", lang))


@championship.command("end-stage")
def end_stage(
    file: Log,
    stage: StageOption = None,
    undo: Annotated[bool, typer.Option("--undo", help="The stage goes on.")] = False,
    confirm: Annotated[bool, typer.Option("--confirm", help="Write it down.")] = False,
    reason: Reason = "",
    by: By = "",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """End a stage early with what is signed; every other game is void (R73). Close it afterwards.

    First see what counts and what is left out, then --confirm.

    \b
    Examples:
      meldroom championship end-stage club.jsonl --reason "the hall closes" --by Dana
      meldroom championship end-stage club.jsonl --reason "the hall closes" --by Dana --confirm
      meldroom championship end-stage club.jsonl --undo --reason "we may stay" --by Dana --confirm
    """
    with ChampionshipLog.open(file) as log:
        named, _ = current(log.state, stage)
        if undo and stage is None:
            named = next(reversed(log.state.ended), named)
        action = UndoVoid(named) if undo else EndStage(named)
        _previewed(log, action, confirm, reason, by, role, lang)
        name = log.state.format.stage(named).name[lang]
    typer.echo(
        line("stage_goes_on" if undo else "stage_ended", lang, stage=name)
        if confirm
        else line("confirm", lang)
    )


def _previewed(
    log: ChampionshipLog,
    action: CorrectResult | CorrectSeats | VoidGame | EndStage | UndoVoid,
    confirm: bool,
    reason: str,
    by: str,
    role: Role,
    lang: Language,
) -> None:
    """Print what an action would change, and do it if it is confirmed. Raises ChampionshipError."""
    done = apply(log.state, action, author=by, role=role, time=now(), reason=reason).action
    assert isinstance(done, CorrectResult | CorrectSeats | VoidGame | EndStage | UndoVoid)
    show(format_correction(log.state, done, consequences(log.state, done), lang))
    if confirm:
        log.append(action, author=by, role=role, reason=reason)
