"""`meldroom championship`: creating a championship, and its entrants."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from meldroom.championship import (
    AddEntrant,
    AmendEntrant,
    ChampionshipError,
    ChampionshipLog,
    CheckIn,
    Decline,
    Entrant,
    Found,
    ImportEntrants,
    NoShow,
    Substitute,
    UndoStatus,
    Withdraw,
    apply,
    parse_entrants,
    read_state,
)
from meldroom.championship.actions import CHECKS
from meldroom.championship.corrections import changes_standings, consequences, undo_consequences
from meldroom.championship.countries import country_of
from meldroom.championship.entrants import (
    NONE,
    DateOrder,
    decode_list,
    normal,
    parse_editions,
    parse_words,
)
from meldroom.championship.input import find
from meldroom.championship.log.file import now
from meldroom.championship.roles import Role
from meldroom.championship.text import (
    format_correction,
    format_entrants,
    line,
)
from meldroom.cli.championship.options import (
    As,
    Born,
    By,
    Citizenship,
    Country,
    Editions,
    FormatBook,
    FormatOption,
    LastCountry,
    Log,
    Rank,
    Reason,
    Team,
    Who,
    append,
    bytes_of,
    championship,
    chosen_format,
    report,
    show,
)
from meldroom.cli.options import Lang, Options
from meldroom.i18n import Language, Message, locale, message


@championship.command()
def new(
    file: Log,
    name: Annotated[str, typer.Option("--name", help="The championship's name.")],
    by: By = "",
    edition: Annotated[int, typer.Option("--edition", help="The number of the edition.")] = 1,
    on: Annotated[
        datetime | None, typer.Option("--date", formats=["%Y-%m-%d"], help="The first day.")
    ] = None,
    made: FormatOption = "wrc",
    book: FormatBook = None,
    option: Options = None,
    lang: Lang = "en",
) -> None:
    """Create a championship in a new log.

    \b
    Examples:
      meldroom championship new wrc.jsonl --name "World Championship" --edition 12 --by Olga
      meldroom championship new open.jsonl --name "City Open" --format german --by Olga
      meldroom championship new club.jsonl --name "Club night" --format club.toml --by Olga
      meldroom championship new threes.jsonl --name "Threes" --book house.toml --by Olga
    """
    chosen = chosen_format(made, book, option)
    day = on.date() if on is not None else datetime.now(UTC).date()
    ChampionshipLog.create(file, Found(name, edition, day, chosen, CHECKS), author=by).close()
    typer.echo(
        line(
            "founded",
            lang,
            file=str(file),
            name=name,
            edition=str(edition),
            date=locale(lang).date(day),
            format=chosen.name[lang],
            about=chosen.about[lang],
        )
    )


@championship.command("import")
def import_entrants(
    file: Log,
    entrants: Annotated[Path, typer.Argument(help="A CSV file with a line of titles, or a list of names.")],
    dates: Annotated[
        DateOrder | None, typer.Option("--dates", help="The order in dates such as 31/12/1990.")
    ] = None,
    similar: Annotated[
        bool, typer.Option("--similar", help="Names that differ only in capitals or spaces are two people.")
    ] = False,
    by: By = "",
    role: As = "organiser",
    lang: Lang = "en",
) -> None:
    """Import entrants from a CSV file. If any line is wrong, every such line is listed and none is imported.

    Columns: name, and if you like country, citizenship, born (1990-12-31), editions (9 11, or – for none),
    place (in the country's ranking), team, and country of last edition. Other columns are kept as they are.

    \b
    Example:
      meldroom championship import open.jsonl entrants.csv --by Olga
    """
    known = [one.entrant.name for one in read_state(file).participants]
    text, guessed = decode_list(bytes_of(entrants))
    found = parse_entrants(text, known, dates=dates, similar=similar)
    if found.faults:
        report(entrants, found.faults, lang)
    if guessed:
        typer.echo(message("championship.list.windows", lang), err=True)
    for each in found.notices:
        typer.echo(each.text(lang), err=True)
    append(file, ImportEntrants(found.entrants), by, role)
    typer.echo(line("imported", lang, count=len(found.entrants)))


@championship.command()
def entrants(file: Log, lang: Lang = "en") -> None:
    """Show all entrants with their status and whether they may play.

    \b
    Example:
      meldroom championship entrants open.jsonl
    """
    show(format_entrants(read_state(file), lang))


@championship.command("check-in")
def check_in(
    file: Log,
    who: Annotated[list[str] | None, typer.Argument(help="Players by number or name.")] = None,
    everybody: Annotated[bool, typer.Option("--all", help="Everybody who may play.")] = False,
    override: Annotated[bool, typer.Option("--override", help="Admit in spite of the list.")] = False,
    reason: Reason = "",
    by: By = "",
    role: As = "check_in",
    lang: Lang = "en",
) -> None:
    """Check players in; who may not play is named with the clause.

    \b
    Examples:
      meldroom championship check-in open.jsonl 7 "Ada Byron" --by Chris
      meldroom championship check-in open.jsonl --all --by Chris
      meldroom championship check-in open.jsonl 9 --override --reason "passport seen" --by Dana --as director
    """
    refused: list[ChampionshipError] = []
    count = 0
    with ChampionshipLog.open(file) as log:
        numbers = [find(log.state, word) for word in who or []]
        if everybody:
            numbers += [one.number for one in log.state.participants if one.status == "entered"]
        for number in numbers:
            try:
                log.append(CheckIn(number, override), author=by, role=role, reason=reason)
                count += 1
            except ChampionshipError as error:
                refused.append(error)
        present = sum(one.status == "present" for one in log.state.participants)
    typer.echo(line("checked_in", lang, count=count, present=present))
    for each in refused:
        typer.echo(line("not_checked_in", lang, why=each.message(lang)), err=True)
    if refused and not everybody:
        raise typer.Exit(2)


def _leave(
    file: Path,
    who: str,
    kind: type[Decline | NoShow | Withdraw],
    by: str,
    role: Role,
    reason: str,
    lang: Language,
) -> None:
    """Somebody will not play on; if their country's place passes down, print to whom."""
    with ChampionshipLog.open(file) as log:
        number = find(log.state, who)
        country = log.state.participant(number).entrant.country
        had_place = log.state.nominated(number)
        log.append(kind(number), author=by, role=role, reason=reason)
        state = log.state
    one = state.participant(number)
    typer.echo(
        line("status", lang, name=one.entrant.name, status=Message(f"championship.status.{one.status}"))
    )
    heir = state.next_in_line(country) if had_place else None
    if heir is not None:
        typer.echo(line("next_in_line", lang, country=country, name=state.name_of(heir)))


@championship.command()
def decline(
    file: Log, who: Who, reason: Reason = "", by: By = "", role: As = "organiser", lang: Lang = "en"
) -> None:
    """Note that an entrant will not come; their country's place passes down its list.

    \b
    Example:
      meldroom championship decline open.jsonl 7 --reason "by e-mail" --by Olga
    """
    _leave(file, who, Decline, by, role, reason, lang)


@championship.command("no-show")
def no_show(
    file: Log, who: Who, reason: Reason = "", by: By = "", role: As = "check_in", lang: Lang = "en"
) -> None:
    """Note that an entrant has not come.

    \b
    Example:
      meldroom championship no-show open.jsonl 7 --by Chris
    """
    _leave(file, who, NoShow, by, role, reason, lang)


@championship.command()
def withdraw(
    file: Log, who: Who, reason: Reason = "", by: By = "", role: As = "director", lang: Lang = "en"
) -> None:
    """Note that a player leaves; what they have played stays. Then change what is planned: seat --change.

    \b
    Example:
      meldroom championship withdraw open.jsonl 7 --reason "unwell" --by Dana
    """
    _leave(file, who, Withdraw, by, role, reason, lang)


@championship.command()
def undo(
    file: Log,
    who: Who,
    confirm: Annotated[bool, typer.Option("--confirm", help="Write it down.")] = False,
    reason: Reason = "",
    by: By = "",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Undo a withdrawal, no-show, check-in, refusal or disqualification that was recorded by mistake.

    First see what follows, then --confirm. The log keeps both entries.

    \b
    Examples:
      meldroom championship undo open.jsonl 7 --reason "wrong person" --by Dana
      meldroom championship undo open.jsonl 7 --reason "wrong person" --by Dana --confirm
    """
    with ChampionshipLog.open(file) as log:
        number = find(log.state, who)
        one = log.state.participant(number)
        if one.status == "entered" or one.status == "replaced":
            raise ChampionshipError("nothing_to_undo", name=one.entrant.name)
        action = UndoStatus(number, one.status)
        done = apply(log.state, action, author=by, role=role, time=now(), reason=reason).action
        assert isinstance(done, UndoStatus)
        if changes_standings(log.state, done):
            show(format_correction(log.state, done, consequences(log.state, done), lang))
        else:
            show([each.text(lang) for each in undo_consequences(log.state, done)])
        if confirm:
            log.append(action, author=by, role=role, reason=reason)
    typer.echo(line("undone" if confirm else "confirm", lang))


def _entrant(
    name: str,
    country: str,
    born: datetime | None,
    team: str,
    citizenships: str | None,
    editions: str | None,
    rank: int | None,
    last_country: str | None,
) -> Entrant:
    """What is known of a newcomer; “–” for the country is none. Raises ChampionshipError."""
    none = country in NONE
    return normal(
        Entrant(
            name,
            "" if none else country,
            parse_words(citizenships or ""),
            born.date() if born is not None else None,
            parse_editions(editions or ""),
            rank,
            team,
            last_country or "",
            no_country=none,
        )
    )


@championship.command()
def late(
    file: Log,
    name: Annotated[str, typer.Argument(help="The newcomer's name.")],
    country: Country = "",
    born: Born = None,
    team: Team = "",
    citizenship: Citizenship = None,
    editions: Editions = None,
    rank: Rank = None,
    last_country: LastCountry = None,
    by: By = "",
    role: As = "check_in",
    lang: Lang = "en",
) -> None:
    """Add a late entry; check them in next.

    \b
    Example:
      meldroom championship late open.jsonl "Eve Moss" --country NZ --citizenship NZ --editions – --by Chris
    """
    entrant = _entrant(name, country, born, team, citizenship, editions, rank, last_country)
    state = append(file, AddEntrant(entrant), by, role)
    typer.echo(line("entered", lang, name=name, number=len(state.participants)))


@championship.command()
def substitute(
    file: Log,
    who: Who,
    name: Annotated[str, typer.Argument(help="Who takes their place.")],
    country: Country = "",
    born: Born = None,
    team: Team = "",
    citizenship: Citizenship = None,
    editions: Editions = None,
    rank: Rank = None,
    last_country: LastCountry = None,
    reason: Reason = "",
    by: By = "",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Let somebody else take a player's seats that are not yet played.

    \b
    Example:
      meldroom championship substitute open.jsonl 7 "Eve Moss" --reason "unwell" --by Dana
    """
    with ChampionshipLog.open(file) as log:
        number = find(log.state, who)
        newcomer = _entrant(name, country, born, team, citizenship, editions, rank, last_country)
        action = Substitute(number, newcomer)
        log.append(action, author=by, role=role, reason=reason)
        other = log.state.name_of(number)
    typer.echo(line("substituted", lang, name=name, other=other))


@championship.command()
def amend(
    file: Log,
    who: Who,
    name: Annotated[str | None, typer.Option("--name", help="The right name.")] = None,
    country: Annotated[
        str | None, typer.Option("--country", help="The right country; “–” if they represent none.")
    ] = None,
    born: Born = None,
    team: Annotated[str | None, typer.Option("--team", help="The right team.")] = None,
    citizenship: Citizenship = None,
    editions: Editions = None,
    rank: Rank = None,
    last_country: LastCountry = None,
    reason: Reason = "",
    by: By = "",
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Put an entrant's data right.

    \b
    Example:
      meldroom championship amend open.jsonl 7 --name "Ada Byron" --reason "misspelt" --by Dana
      meldroom championship amend open.jsonl 7 --citizenship GBR --editions "9 11" --reason "asked" --by Dana
    """
    with ChampionshipLog.open(file) as log:
        number = find(log.state, who)
        old = log.state.participant(number).entrant
        right = replace(
            old,
            name=old.name if name is None else name,
            country=old.country if country is None else "" if country in NONE else country_of(country),
            no_country=old.no_country if country is None else country in NONE,
            born=old.born if born is None else born.date(),
            citizenships=old.citizenships
            if citizenship is None
            else tuple(map(country_of, parse_words(citizenship))),
            editions=old.editions if editions is None else parse_editions(editions),
            place=old.place if rank is None else rank,
            team=old.team if team is None else team,
            last_country=old.last_country if last_country is None else country_of(last_country),
        )
        log.append(AmendEntrant(number, right), author=by, role=role, reason=reason)
    typer.echo(line("entered", lang, name=right.name, number=number))
