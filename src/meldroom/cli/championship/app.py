"""`meldroom championship`: run a championship over the board, without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from meldroom.championship import (
    Adopt,
    AnnounceDraw,
    ChampionshipError,
    ChampionshipLog,
    ChampionshipState,
    CloseStage,
    DecideTie,
    EraseEntrant,
    fold,
    read_lines,
    read_state,
)
from meldroom.championship import standings as standings_of
from meldroom.championship import verify as audit
from meldroom.championship.actions import DrawnLot, SeatSitting
from meldroom.championship.formats.closing import unfinished
from meldroom.championship.input import current, find
from meldroom.championship.log.entry import decode_entry, hash_of
from meldroom.championship.log.erase import alias_of, erased_lines
from meldroom.championship.log.export import write_export
from meldroom.championship.log.file import now
from meldroom.championship.log.restore import decode_document
from meldroom.championship.progress import now as progress
from meldroom.championship.roles import may, not_allowed
from meldroom.championship.text import (
    format_ranking,
    format_standings,
    format_status,
    line,
)
from meldroom.cli.championship.options import (
    As,
    By,
    HallWord,
    Log,
    Reason,
    StageOption,
    Who,
    championship,
    show,
)
from meldroom.cli.options import Lang
from meldroom.i18n import Language


@championship.command()
def decide(
    file: Log,
    who: Annotated[list[str], typer.Argument(help="Players who are level, in their new order.")],
    lot: Annotated[bool, typer.Option("--lot", help="Draw the order by lot instead.")] = False,
    hall_word: HallWord = "",
    stage: StageOption = None,
    reason: Reason = "",
    by: By = "",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Decide a tie by a deciding game's order, or by lot if time forbids it (R48).

    \b
    Examples:
      meldroom championship decide open.jsonl 7 12 --by Dana
      meldroom championship decide open.jsonl 7 12 --lot --reason "hall closes" --by Dana
      meldroom championship decide open.jsonl 7 12 --lot --word "dice 4 2 6" --reason "late" --by Dana
    """
    with ChampionshipLog.open(file) as log:
        named, _ = current(log.state, stage)
        order = tuple(find(log.state, each) for each in who)
        action = DecideTie(named, order, "lot" if lot else "game", DrawnLot(word=hall_word))
        done = log.append(action, author=by, role=role, reason=reason).action
        if isinstance(done, DecideTie):
            typer.echo(line("decided", lang, names=log.state.names(done.order)))


@championship.command()
def standings(
    file: Log,
    stage: StageOption = None,
    bounds: Annotated[bool, typer.Option("--bounds", help="Show which places can still be reached.")] = False,
    ranking: Annotated[bool, typer.Option("--ranking", help="The final ranking so far.")] = False,
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Show the standings, and which criterion decided each place.

    Roles that may not see live standings see only tables whose sheet is signed.

    \b
    Examples:
      meldroom championship standings open.jsonl --bounds
      meldroom championship standings open.jsonl --stage round1 --as public
      meldroom championship standings open.jsonl --ranking
    """
    state = read_state(file)
    if ranking:
        show(format_ranking(state, lang))
        return
    named, _ = current(state, stage)
    live = may(role, "see_live_standings")
    found = standings_of(state, named, signed_only=not live)
    show(format_standings(state, found, lang, bounds=bounds and live))
    if any(key[2] for key in unfinished(state, named)):
        typer.echo(line("live", lang))


@championship.command()
def status(
    file: Log,
    as_json: Annotated[
        bool, typer.Option("--json", help="As JSON: where everybody and every table is.")
    ] = False,
    lang: Lang = "en",
) -> None:
    """Show where the championship stands and what comes next.

    \b
    Examples:
      meldroom championship status open.jsonl
      meldroom championship status open.jsonl --json
    """
    state = read_state(file)
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(progress.now(state))).decode())
        return
    show(format_status(state, lang))


@championship.command()
def close(
    file: Log, stage: StageOption = None, by: By = "", role: As = "director", lang: Lang = "en"
) -> None:
    """Approve a stage: all games are in, all sheets are signed, and ties that matter are decided.

    \b
    Example:
      meldroom championship close open.jsonl --by Dana
    """
    with ChampionshipLog.open(file) as log:
        named, _ = current(log.state, stage)
        log.append(CloseStage(named), author=by, role=role)
        state = log.state
    typer.echo(line("closed", lang, stage=state.format.stage(named).name[lang]))
    following = state.stage_of_play()
    if following is None:
        typer.echo(line("over", lang))
        show(format_ranking(state, lang))
    else:
        name = state.format.stage(following).name[lang]
        typer.echo(line("goes_on", lang, stage=name, names=state.names(state.field(following))))


@championship.command()
def export(
    file: Log,
    folder: Annotated[Path, typer.Argument(help="An empty or new folder.")],
    excel: Annotated[
        bool, typer.Option("--excel", help="CSV files that Excel opens by a double click, too.")
    ] = False,
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Write the championship as JSON, CSV files and the log: for spreadsheets, archives and other verifiers.

    \b
    Example:
      meldroom championship export open.jsonl results
      meldroom championship export open.jsonl results --excel --lang fr
    """
    if not may(role, "export"):
        raise not_allowed(role, "export")
    files = write_export(read_state(file), read_lines(file), folder, lang if excel else None)
    typer.echo(line("exported", lang, files=", ".join(files), folder=str(folder)))


@championship.command()
def restore(
    file: Log,
    source: Annotated[Path, typer.Argument(metavar="JSON", help="The event.json of an export.")],
    reason: Reason = "",
    by: By = "",
    lang: Lang = "en",
) -> None:
    """Continue a championship from its exported JSON in a new log, when the old one is lost.

    \b
    Example:
      meldroom championship restore again.jsonl results/event.json --reason "laptop lost" --by Olga
    """
    try:
        document = decode_document(source.read_bytes())
    except OSError as error:
        raise ChampionshipError("no_file", file=str(source), why=error.strerror or str(error)) from None
    action = Adopt(msgspec.to_builtins(document))
    ChampionshipLog.create(file, action, author=by, reason=reason).close()
    typer.echo(line("adopted", lang, file=str(file), source=str(source)))


@championship.command()
def erase(
    file: Log,
    who: Who,
    confirm: Annotated[bool, typer.Option("--confirm", help="Do it.")] = False,
    reason: Reason = "",
    by: By = "",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Erase a person's data on request, in the log and so in everything that is made from it.

    Name, birth, citizenship, editions and team go; country and results stay. The lines that held them are
    rewritten, which the log itself attests: its chain can still be checked. There is no way back.

    \b
    Examples:
      meldroom championship erase open.jsonl 7 --reason "request of 3 May" --by Dana
      meldroom championship erase open.jsonl 7 --reason "request of 3 May" --by Dana --confirm
    """
    with ChampionshipLog.open(file) as log:
        number = find(log.state, who)
        name = log.state.name_of(number)
        taken = [one.entrant.name for one in log.state.participants if one.number != number]
        after = erased_lines(read_lines(file), number, author=by, role=role, time=now(), reason=reason)
        changed = sum(one != two for one, two in zip(read_lines(file), after, strict=False))
        typer.echo(line("erase_preview", lang, name=name, alias=alias_of(number, taken), count=changed))
        if confirm:
            log.erase(number, author=by, role=role, reason=reason)
    typer.echo(line("erased" if confirm else "confirm", lang))


@championship.command()
def verify(file: Log, lang: Lang = "en") -> None:
    """Check a log: its chain, that every action was allowed, and everything computed, over again.

    \b
    Example:
      meldroom championship verify open.jsonl
    """
    lines = read_lines(file)
    _, faults = audit(lines)
    for fault in faults:
        typer.echo(line("fault", lang, line=fault.line, why=fault.error.message(lang)), err=True)
    if faults:
        raise typer.Exit(1)
    if not lines:
        raise ChampionshipError("not_founded")
    typer.echo(line("verified", lang, count=len(lines), head=hash_of(lines[-1])))
    _tell_replaced(lines, lang)
    erased = [
        entry.action.number
        for line in lines
        if isinstance((entry := decode_entry(line)).action, EraseEntrant)
    ]
    if erased:
        typer.echo(line("verified_erased", lang, numbers=tuple(map(str, erased))))


def _tell_replaced(lines: list[bytes], lang: Language) -> None:
    """Name draws that were announced again and lots from a word alone: both can be chosen by trying."""
    state = ChampionshipState()
    for number, text in enumerate(lines, start=1):
        entry = decode_entry(text)
        action = entry.action
        if isinstance(action, AnnounceDraw) and action.stage in state.draws:
            stage, why = state.format.stage(action.stage).name[lang], action.why or entry.reason or "–"
            typer.echo(line("announced_before", lang, line=number, stage=stage, by=entry.author, why=why))
        lot = action.lot if isinstance(action, SeatSitting | DecideTie) else None
        if lot is not None and not lot.seed:
            typer.echo(line("lot_public", lang, line=number, word=lot.word))
        state = fold(state, action)
