"""`meldroom championship arrange`, `prizes`, `teams`, `team`, `pay`, `fees` and `days`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from meldroom.championship import (
    AmendEntrant,
    Arrange,
    ChampionshipError,
    ChampionshipLog,
    RecordPayment,
    read_state,
)
from meldroom.championship.arrangements.definition import load_arrangements
from meldroom.championship.arrangements.members import accounts
from meldroom.championship.arrangements.text import (
    format_categories,
    format_days,
    format_fees,
    format_money,
    format_prizes,
    format_teams,
)
from meldroom.championship.input import find
from meldroom.championship.roles import may, not_allowed
from meldroom.championship.text import line
from meldroom.cli.championship.options import As, By, Log, Reason, Who, championship, show
from meldroom.cli.options import Lang


@championship.command()
def arrange(
    file: Log,
    source: Annotated[Path, typer.Argument(metavar="TOML", help="Categories, prizes, teams, fees, days.")],
    reason: Reason = "",
    by: By = "",
    role: As = "organiser",
    lang: Lang = "en",
) -> None:
    """Announce categories, prizes, how teams count, fees and days, from a TOML file.

    It takes the place of what was arranged before; once games have been played that needs a reason.

    \b
    Example:
      meldroom championship arrange open.jsonl open.toml --by Olga
    """
    made = load_arrangements(source)
    with ChampionshipLog.open(file) as log:
        log.append(Arrange(made), author=by, role=role, reason=reason)
        state = log.state
    counts = {"categories": len(made.categories), "prizes": len(made.prizes), "days": len(made.days)}
    typer.echo(line("arranged", lang, **counts))
    show(format_categories(state, lang))


@championship.command()
def prizes(file: Log, lang: Lang = "en") -> None:
    """Show every prize, the rule that awards it, and who gets it as the ranking is now.

    \b
    Example:
      meldroom championship prizes open.jsonl
    """
    show(format_prizes(read_state(file), lang))


@championship.command()
def teams(file: Log, lang: Lang = "en") -> None:
    """Show the team standings.

    \b
    Example:
      meldroom championship teams open.jsonl
    """
    show(format_teams(read_state(file), lang))


@championship.command()
def team(
    file: Log,
    name: Annotated[str, typer.Argument(help="The team; an empty text for none.")],
    who: Annotated[list[str], typer.Argument(help="Players by number or name.")],
    reason: Annotated[str, typer.Option("--reason", help="Why.")] = "team",
    by: By = "",
    role: As = "organiser",
    lang: Lang = "en",
) -> None:
    """Put players into a team.

    \b
    Example:
      meldroom championship team open.jsonl "Blue Tiles" 3 17 Ada Ben --by Olga
    """
    with ChampionshipLog.open(file) as log:
        numbers = [find(log.state, word) for word in who]
        for number in numbers:
            entrant = replace(log.state.participant(number).entrant, team=name.strip())
            if entrant != log.state.participant(number).entrant:
                log.append(AmendEntrant(number, entrant), author=by, role=role, reason=reason)
        names = log.state.names(numbers)
    typer.echo(line("in_team", lang, team=name.strip() or "–", names=names))


@championship.command(context_settings={"ignore_unknown_options": True})
def pay(
    file: Log,
    who: Who,
    amount: Annotated[str, typer.Argument(help="How much: 20 or 12.50; -20 gives it back.")],
    note: Annotated[str, typer.Option("--note", help="How: cash, transfer …")] = "",
    reason: Reason = "",
    by: By = "",
    role: As = "check_in",
    lang: Lang = "en",
) -> None:
    """Record that an entrant has paid, or gets money back.

    \b
    Examples:
      meldroom championship pay open.jsonl 7 20 --note cash --by Chris
      meldroom championship pay open.jsonl 7 -20 --reason "ill" --by Olga
    """
    with ChampionshipLog.open(file) as log:
        number = find(log.state, who)
        log.append(RecordPayment(number, _cents(amount), note), author=by, role=role, reason=reason)
        state = log.state
    fees = state.arrangements.fees
    mine = accounts(state)[number - 1]
    currency = fees.currency if fees is not None else ""
    paid, due = (format_money(each, currency, lang).strip() for each in (mine.paid, mine.due))
    typer.echo(line("has_paid", lang, name=state.name_of(number), paid=paid, due=due))


def _cents(text: str) -> int:
    """An amount in hundredths. Raises ChampionshipError."""
    plain = text.strip().replace(",", ".").removeprefix("+")
    whole, _, part = plain.removeprefix("-").partition(".")
    if not (whole.isascii() and whole.isdigit() and len(whole) < 8 and len(part) <= 2):
        raise ChampionshipError("bad_amount")
    if part and not (part.isascii() and part.isdigit()):
        raise ChampionshipError("bad_amount")
    cents = int(whole) * 100 + int((part + "00")[:2])
    return -cents if plain.startswith("-") else cents


@championship.command()
def fees(
    file: Log,
    due: Annotated[bool, typer.Option("--due", help="Only who still has to pay.")] = False,
    role: As = "organiser",
    lang: Lang = "en",
) -> None:
    """Show who has paid and what is due.

    \b
    Example:
      meldroom championship fees open.jsonl --due
    """
    if not may(role, "see_fees"):
        raise not_allowed(role, "see_fees")
    show(format_fees(read_state(file), lang, due_only=due))


@championship.command()
def days(file: Log, lang: Lang = "en") -> None:
    """Show the days of play with their sittings.

    \b
    Example:
      meldroom championship days open.jsonl
    """
    show(format_days(read_state(file), lang))
