"""`meldroom championship penalise`, `cancel-penalty`, `dispute` and `conduct`: what referees write down."""

from __future__ import annotations

from typing import Annotated

import typer

from meldroom.championship import (
    CancelPenalty,
    ChampionshipLog,
    ChampionshipState,
    Disqualify,
    Penalise,
    SettleDispute,
    apply,
    read_state,
)
from meldroom.championship.actions import Deducted
from meldroom.championship.corrections import Changing, changes_standings, consequences
from meldroom.championship.input import current, find
from meldroom.championship.log.file import now
from meldroom.championship.roles import Role
from meldroom.championship.text import columns, format_correction, line
from meldroom.cli.championship.options import (
    As,
    By,
    Log,
    Reason,
    SittingOption,
    StageOption,
    Who,
    championship,
    show,
)
from meldroom.cli.options import Lang
from meldroom.i18n import Language, message
from meldroom.referee import PENALTY_KINDS, PenaltyKind, rule_penalty, settle

TableOption = Annotated[int | None, typer.Option("--table", help="The table; the player's own if not given.")]
GameOption = Annotated[int | None, typer.Option("--game", help="The game.")]
Confirm = Annotated[bool, typer.Option("--confirm", help="Write it down.")]
Referee = Annotated[str, typer.Option("--referee", help="Who ruled, if not who writes this.")]


def _place(
    state: ChampionshipState, number: int | None, stage: str | None, sitting: int | None, table: int | None
) -> tuple[str | None, int | None, int | None]:
    """Stage, sitting and table that are meant: a player's own table now, if nothing is said."""
    named, place = current(state, stage, sitting)
    seated = state.seatings.get((named, place))
    if table is None and seated is not None and number is not None:
        table = next((at for at, there in enumerate(seated.tables, start=1) if number in there), None)
    if seated is None and table is None:
        return (named if stage else None), None, None
    return named, place, table


@championship.command()
def penalise(
    file: Log,
    who: Who,
    kind: Annotated[PenaltyKind, typer.Argument(help="What for.")],
    pool: Annotated[
        int | None, typer.Option("--pool", min=0, help="Tiles left in the pool, if they may not be enough.")
    ] = None,
    leftovers: Annotated[
        int, typer.Option("--leftovers", min=0, help="Tiles whose place nobody could name.")
    ] = 0,
    note: Annotated[str, typer.Option("--note", help="What else should be known.")] = "",
    game: GameOption = None,
    turn: Annotated[int | None, typer.Option("--turn", help="The turn.")] = None,
    stage: StageOption = None,
    sitting: SittingOption = None,
    table: TableOption = None,
    referee: Referee = "",
    by: By = "",
    role: As = "referee",
    lang: Lang = "en",
) -> None:
    """Penalise a player: the book says what it costs, and the log keeps it.

    \b
    Examples:
      meldroom championship penalise open.jsonl 7 time_out --game 2 --by Rita
      meldroom championship penalise open.jsonl "Ada Byron" time_out --leftovers 2 --pool 1 --by Rita
      meldroom championship penalise open.jsonl 12 late --note "ten minutes" --by Rita
    """
    with ChampionshipLog.open(file) as log:
        rules = log.state.format.rules()
        number = find(log.state, who)
        ruled = rule_penalty(rules, kind, rules.tiles.size if pool is None else pool, leftovers)
        place = _place(log.state, number, stage, sitting, table)
        left = ruled.leftovers_to_rack
        action = Penalise(number, kind, ruled.tiles, left, *place, game, turn, note, referee)
        log.append(action, author=by, role=role)
        state = log.state
    rule = ", ".join(part for part in (ruled.clause, ruled.ruling) if part)
    given = line(
        "penalised",
        lang,
        number=len(state.penalties),
        name=state.name_of(number),
        what=ruled.message(lang),
        rule=rule,
    )
    typer.echo(given)


def _shown(log: ChampionshipLog, action: Changing, by: str, role: Role, reason: str, lang: Language) -> None:
    """Everything that an action would change in the standings."""
    done = apply(log.state, action, author=by, role=role, time=now(), reason=reason).action
    assert isinstance(done, Changing)
    show(format_correction(log.state, done, consequences(log.state, done), lang))


@championship.command("take-points")
def take_points(
    file: Log,
    who: Who,
    points: Annotated[int, typer.Argument(min=1, help="How many.")],
    of: Annotated[Deducted, typer.Option("--of", help="What they are taken off.")] = "score",
    kind: Annotated[PenaltyKind, typer.Option("--kind", help="What for.")] = "other",
    confirm: Confirm = False,
    game: GameOption = None,
    stage: StageOption = None,
    sitting: SittingOption = None,
    table: TableOption = None,
    referee: Referee = "",
    reason: Reason = "",
    by: By = "",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Take points off a player in the standings of a stage; first see what changes, then --confirm.

    \b
    Examples:
      meldroom championship take-points open.jsonl 7 50 --kind unsporting --reason "marked a tile" --by Dana
      meldroom championship take-points open.jsonl 7 1 --of wins --reason "told a friend" --by Dana --confirm
    """
    with ChampionshipLog.open(file) as log:
        number = find(log.state, who)
        named, place, at = _place(log.state, number, stage, sitting, table)
        action = Penalise(
            number,
            kind,
            stage=named,
            sitting=place if at is not None else None,
            table=at,
            game=game,
            referee=referee,
            deduct=points,
            deduct_from=of,
        )
        _shown(log, action, by, role, reason, lang)
        if confirm:
            log.append(action, author=by, role=role, reason=reason)
        name, count = log.state.name_of(number), len(log.state.penalties)
    typer.echo(
        line("points_off", lang, number=count, name=name, points=points) if confirm else line("confirm", lang)
    )


@championship.command()
def disqualify(
    file: Log,
    who: Who,
    confirm: Confirm = False,
    reason: Reason = "",
    by: By = "",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Disqualify a player: no place, no prize; what others won and lost against them stays.

    First see what changes, then --confirm. `undo` takes it back. Then change what is planned: seat --change.

    \b
    Examples:
      meldroom championship disqualify open.jsonl 7 --reason "a tile up the sleeve" --by Dana
      meldroom championship disqualify open.jsonl 7 --reason "a tile up the sleeve" --by Dana --confirm
    """
    with ChampionshipLog.open(file) as log:
        action = Disqualify(find(log.state, who))
        _shown(log, action, by, role, reason, lang)
        if confirm:
            log.append(action, author=by, role=role, reason=reason)
        name = log.state.name_of(action.number)
    typer.echo(line("is_disqualified", lang, name=name) if confirm else line("confirm", lang))


@championship.command("cancel-penalty")
def cancel_penalty(
    file: Log,
    penalty: Annotated[int, typer.Argument(help="The penalty's number.")],
    confirm: Confirm = False,
    reason: Reason = "",
    by: By = "",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Cancel a penalty; the log keeps it, with the reason why it fell.

    One that took points off changes places: first see which, then --confirm.

    \b
    Example:
      meldroom championship cancel-penalty open.jsonl 3 --reason "the clock was wrong" --by Dana
    """
    with ChampionshipLog.open(file) as log:
        action = CancelPenalty(penalty)
        if changes_standings(log.state, action):
            _shown(log, action, by, role, reason, lang)
            if not confirm:
                typer.echo(line("confirm", lang))
                return
        log.append(action, author=by, role=role, reason=reason)
    typer.echo(line("penalty_cancelled", lang, number=penalty))


@championship.command()
def dispute(
    file: Log,
    question: Annotated[str, typer.Argument(help="What was asked.")],
    ruling: Annotated[str, typer.Argument(help="What was decided: it is final and binding.")],
    cite: Annotated[
        list[str] | None, typer.Option("--cite", help="A clause (#7) or a ruling (R29), also several times.")
    ] = None,
    party: Annotated[
        list[str] | None, typer.Option("--party", help="A player concerned, by number or name.")
    ] = None,
    evidence: Annotated[
        list[str] | None, typer.Option("--evidence", help="What it rests on: a photo, the clock's log …")
    ] = None,
    chief: Annotated[str, typer.Option("--chief", help="The chief referee, if it went to them.")] = "",
    game: GameOption = None,
    stage: StageOption = None,
    sitting: SittingOption = None,
    table: TableOption = None,
    referee: Referee = "",
    by: By = "",
    role: As = "referee",
    lang: Lang = "en",
) -> None:
    """Write a dispute down with its ruling, which is final and binding (WRC 9 G4; R50).

    \b
    Example:
      meldroom championship dispute open.jsonl "May the joker go back?" "No; three tiles." --cite "#9" \\
        --party 7 --party 12 --evidence "photo before the turn" --by Rita
    """
    with ChampionshipLog.open(file) as log:
        state = log.state
        parties = [find(state, word) for word in party or []]
        found = settle(
            state.format.rules(),
            question,
            ruling,
            referee=referee or by or "–",
            cites=cite or [],
            parties=parties,
            evidence=evidence or [],
            chief=chief,
        )
        place = _place(state, parties[0] if parties else None, stage, sitting, table)
        log.append(
            SettleDispute(
                found.question,
                found.ruling,
                found.clauses,
                found.rulings,
                found.parties,
                found.evidence,
                *place,
                game,
                referee or by,
                chief,
            ),
            author=by,
            role=role,
        )
        number = len(log.state.disputes)
    rule = ", ".join((*found.clauses, *found.rulings)) or "–"
    typer.echo(line("settled", lang, number=number, ruling=found.ruling, rule=rule))


@championship.command()
def conduct(file: Log, lang: Lang = "en") -> None:
    """Show all penalties and disputes.

    \b
    Example:
      meldroom championship conduct open.jsonl
    """
    state = read_state(file)
    show(_penalties(state, lang))
    for number, each in enumerate(state.disputes, start=1):
        rule = ", ".join((*each.clauses, *each.rulings)) or "–"
        typer.echo(
            line("dispute", lang, number=number, question=each.question, ruling=each.ruling, rule=rule)
        )
        if each.parties:
            typer.echo("  " + ", ".join(state.names(each.parties)))
    if not state.penalties and not state.disputes:
        typer.echo(line("no_conduct", lang))


def _penalties(state: ChampionshipState, language: Language) -> list[str]:
    rows = []
    for number, given in enumerate(state.penalties, start=1):
        each = given.penalty
        known = each.kind in PENALTY_KINDS
        what = message(f"referee.penalty.{each.kind}", language) if known else each.kind.replace("_", " ")
        where = "" if each.table is None else line("at_table", language, table=each.table)
        fallen = "" if given.stands else line("fallen", language, why=given.cancelled_why)
        rows.append(
            [
                str(number),
                state.name_of(each.number),
                what,
                where,
                f"+{each.tiles}" if each.tiles else f"−{each.deduct}" if each.deduct else "",
                fallen,
            ]
        )
    return columns(rows, (0,)) if rows else []
