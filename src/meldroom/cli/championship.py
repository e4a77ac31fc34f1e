"""`meldroom championship`: run a championship over the board, without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from meldroom.championship.event import (
    ChampionshipError,
    CloseStage,
    DecideTie,
    EventLog,
    read_lines,
    read_state,
)
from meldroom.championship.event import standings as standings_of
from meldroom.championship.event import verify as audit
from meldroom.championship.event.advancing import unfinished
from meldroom.championship.event.entries import hash_of
from meldroom.championship.event.export import write_export
from meldroom.championship.event.reading import current, find
from meldroom.championship.event.roles import may
from meldroom.championship.event.telling import (
    names,
    say,
    told_ranking,
    told_standings,
    told_status,
)
from meldroom.cli import championship_people, championship_seating, championship_sheets
from meldroom.cli.championship_options import (
    As,
    By,
    Log,
    Reason,
    StageOption,
    championship,
    read,
    refusing,
    show,
)
from meldroom.cli.options import Lang, refuse

# Each of these modules adds its commands to `championship` when it is loaded.
__all__ = ["championship", "championship_people", "championship_seating", "championship_sheets"]


@championship.command()
def decide(
    file: Log,
    who: Annotated[list[str], typer.Argument(help="Players who are level, in their new order.")],
    lot: Annotated[bool, typer.Option("--lot", help="Draw the order by lot instead.")] = False,
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
    """
    with refusing(lang), EventLog.open(file) as log:
        named, _ = current(log.state, stage)
        order = tuple(find(log.state, word) for word in who)
        action = DecideTie(named, order, "lot" if lot else "game")
        done = log.act(action, author=by, role=role, reason=reason).action
        if isinstance(done, DecideTie):
            typer.echo(say("decided", lang, names=names(log.state, done.order)))


@championship.command()
def standings(
    file: Log,
    stage: StageOption = None,
    bounds: Annotated[bool, typer.Option("--bounds", help="Show which places can still be reached.")] = False,
    ranking: Annotated[bool, typer.Option("--ranking", help="The places of the whole event.")] = False,
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
    with refusing(lang):
        state = read_state(file)
        if ranking:
            show(told_ranking(state, lang))
            return
        named, _ = current(state, stage)
        live = may(role, "see_live_standings")
        found = standings_of(state, named, signed_only=not live)
        show(told_standings(state, found, lang, bounds=bounds and live))
        if any(key[2] for key in unfinished(state, named)):
            typer.echo(say("live", lang))


@championship.command()
def status(file: Log, lang: Lang = "en") -> None:
    """Show where the event stands and what comes next."""
    show(told_status(read(file, lang), lang))


@championship.command()
def close(
    file: Log, stage: StageOption = None, by: By = "", role: As = "director", lang: Lang = "en"
) -> None:
    """Approve a stage: all games are in, all sheets are signed, and ties that matter are decided."""
    with refusing(lang), EventLog.open(file) as log:
        named, _ = current(log.state, stage)
        log.act(CloseStage(named), author=by, role=role)
        state = log.state
    typer.echo(say("closed", lang, stage=state.format.stage(named).name[lang]))
    following = state.stage_of_play()
    if following is None:
        typer.echo(say("over", lang))
        show(told_ranking(state, lang))
    else:
        told = state.format.stage(following).name[lang]
        typer.echo(say("goes_on", lang, stage=told, names=names(state, state.field(following))))


@championship.command()
def export(
    file: Log,
    folder: Annotated[Path, typer.Argument(help="An empty or new folder.")],
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Write the event as JSON, CSV files and the log: for spreadsheets, archives and other verifiers."""
    with refusing(lang):
        if not may(role, "export"):
            raise ChampionshipError("not_allowed", role=f"@role.{role}", what="@what.export")
        files = write_export(read_state(file), read_lines(file), folder)
    typer.echo(say("exported", lang, files=", ".join(files), folder=folder))


@championship.command()
def verify(file: Log, lang: Lang = "en") -> None:
    """Check a log: its chain, that every action was allowed, and everything computed, over again."""
    with refusing(lang):
        lines = read_lines(file)
        _, faults = audit(lines)
    for fault in faults:
        typer.echo(say("fault", lang, line=fault.line, why=fault.error.message(lang)), err=True)
    if faults:
        raise typer.Exit(1)
    if not lines:
        refuse("championship", ChampionshipError("not_founded").message(lang))
    typer.echo(say("verified", lang, entries=len(lines), head=hash_of(lines[-1])))
