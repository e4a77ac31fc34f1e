"""`meldroom championship duplicate`: the same deals at every table, secret until all have played them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from meldroom.championship import (
    AnnounceDeals,
    ChampionshipError,
    ChampionshipLog,
    ChampionshipState,
    RevealDeals,
    read_state,
)
from meldroom.championship.duplicate.deals import deals_commitment
from meldroom.championship.duplicate.scoring import field_points
from meldroom.championship.input import current
from meldroom.championship.log.export import document_of
from meldroom.championship.roles import may, not_allowed
from meldroom.championship.text import columns, line
from meldroom.cli.championship.options import (
    As,
    By,
    Log,
    Reason,
    SittingOption,
    StageOption,
    championship,
    show,
)
from meldroom.cli.options import Lang
from meldroom.game import new_secret
from meldroom.i18n import Language
from meldroom.papers import ChampionshipPapers, Order, check_printing, print_pdf
from meldroom.papers.deal_sheets import deal_sheets
from meldroom.papers.values import PaperSize

duplicate = typer.Typer(
    name="duplicate",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="""Duplicate stages: the same deals at every table, scored against the field.

    \b
    From start to finish:
      meldroom championship new open.jsonl --name "Duplicate Open" --format duplicate --by Olga
      meldroom championship duplicate announce open.jsonl --by Dana
      meldroom championship duplicate sheets open.jsonl deals.pdf --seed SEED
      meldroom championship duplicate field open.jsonl --game 1
      meldroom championship duplicate reveal open.jsonl SEED --by Dana
    """,
)
championship.add_typer(duplicate)
PaperOption = Annotated[PaperSize, typer.Option("--paper", help="The paper's size.")]


@duplicate.command()
def announce(
    file: Log,
    seed: Annotated[str | None, typer.Option("--seed", help="A seed of your own.")] = None,
    stage: StageOption = None,
    reason: Reason = "",
    by: By = "",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Fix the deals of a stage before play: publish the commitment, keep the seed.

    \b
    Example:
      meldroom championship duplicate announce open.jsonl --by Dana
    """
    with ChampionshipLog.open(file) as log:
        named, _ = current(log.state, stage)
        kept = new_secret() if seed is None else seed
        action = AnnounceDeals(named, deals_commitment(named, kept))
        log.append(action, author=by, role=role, reason=reason)
        own = log.state.format.stage(named)
    name, count = own.name[lang], own.sittings * own.games
    typer.echo(
        line("deals_announced", lang, stage=name, count=count, commitment=action.commitment, seed=kept)
    )


@duplicate.command()
def sheets(
    file: Log,
    out: Annotated[Path, typer.Argument(metavar="PDF", help="The file to write.")],
    seed: Annotated[str, typer.Option("--seed", help="The seed that was announced.")],
    stage: StageOption = None,
    sitting: Annotated[int | None, typer.Option("--sitting", help="Only the deals of this sitting.")] = None,
    size: PaperOption = "a4",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Print deal sheets for whoever prepares the boxes: racks by seat, and the pool in its order.

    \b
    Example:
      meldroom championship duplicate sheets open.jsonl deals.pdf --seed SEED --sitting 1
    """
    check_printing()
    if not may(role, "announce_deals"):
        raise not_allowed(role, "announce_deals")
    state = read_state(file)
    named = _checked(state, current(state, stage)[0], seed)
    order = Order(language=lang, paper=size, printed=datetime.now().astimezone().strftime("%Y-%m-%d %H:%M"))
    occasion = ChampionshipPapers(document_of(state), order).occasion()
    made = deal_sheets(state.format, seed, named, lang, sitting)
    out.write_bytes(print_pdf(occasion, made))
    typer.echo(line("deal_sheets", lang, file=str(out), count=len(made.sheets)))


def _checked(state: ChampionshipState, stage: str, seed: str) -> str:
    """The stage, if this is the seed of its deals. Raises ChampionshipError."""
    known = state.deals.get(stage)
    if known is None:
        raise ChampionshipError("no_deals", stage=stage)
    if known.commitment != deals_commitment(stage, seed):
        raise ChampionshipError("wrong_deals_seed")
    return stage


@duplicate.command()
def reveal(
    file: Log,
    seed: Annotated[str, typer.Argument(help="The seed that was announced.")],
    stage: StageOption = None,
    by: By = "",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Show the seed when every game of the stage is played: anyone can compute the deals again.

    \b
    Example:
      meldroom championship duplicate reveal open.jsonl SEED --by Dana
    """
    with ChampionshipLog.open(file) as log:
        named, _ = current(log.state, stage)
        log.append(RevealDeals(named, seed), author=by, role=role)
        name = log.state.format.stage(named).name[lang]
    typer.echo(line("deals_revealed", lang, stage=name))


@duplicate.command()
def field(
    file: Log,
    sitting: SittingOption = None,
    game: Annotated[int | None, typer.Option("--game", help="Only this deal of the sitting.")] = None,
    stage: StageOption = None,
    lang: Lang = "en",
) -> None:
    """Show how each seat did in a deal at every table, and what it got against the field.

    \b
    Example:
      meldroom championship duplicate field open.jsonl --sitting 1 --game 2
    """
    state = read_state(file)
    named, place = current(state, stage, sitting)
    games = range(1, state.format.stage(named).games + 1) if game is None else [game]
    for each in games:
        show(_traveller(state, named, place, each, lang))


def _traveller(state: ChampionshipState, stage: str, sitting: int, game: int, lang: Language) -> list[str]:
    """One deal: every seat of every table with its score and points."""
    kind = state.format.stage(stage).duplicate
    if not kind:
        raise ChampionshipError("not_duplicate", stage=stage)
    results = {
        key[2]: result
        for key, result in state.results.items()
        if (*key[:2], key[3]) == (stage, sitting, game)
    }
    rows = []
    for each in field_points(kind, results):
        number = state.seatings[stage, sitting].tables[each.table - 1][each.seat]
        cells = [
            str(each.seat + 1),
            str(each.table),
            state.name_of(number),
            f"{each.score:+d}",
            str(each.points),
        ]
        rows.append(cells)
    titles = [line("deal_seat", lang), line("table", lang), line("column.player", lang)]
    heads = [*titles, line("column.score", lang), line("column.points", lang)]
    return [line("deal_of", lang, sitting=sitting, game=game), *columns([heads, *rows], (0, 1, 3, 4))]
