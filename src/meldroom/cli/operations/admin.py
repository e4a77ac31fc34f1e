"""`meldroom admin`: look people and games up, keep people out, end sessions, while a server runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from meldroom.cli.operations.options import Data, Database, data_folder
from meldroom.cli.options import Lang
from meldroom.errors import needs
from meldroom.i18n import Language, message

if TYPE_CHECKING:
    from sqlalchemy import Connection

Answer = TypeVar("Answer")
DAY = 24 * 3600 * 1000

admin = typer.Typer(
    name="admin",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="""Look after the people and games of a server, while it runs.

    People are named by their account, or by the id in the address of their profile (~…).

    \b
    Examples:
      meldroom admin games
      meldroom admin show eve
      meldroom admin ban eve --days 7 --reason "insults in the chat"
    """,
)
Who = Annotated[str, typer.Argument(metavar="NAME", help="The account, or the id of a profile.")]


def _work(data: Data, database: str, work: Callable[[Connection], Answer], *, writes: bool = True) -> Answer:
    """Do some work on the database of a server. Raises DataFolderError and IdentityError."""
    with needs("server"):
        from meldroom.server.storage import copying, sqlite
    place = database or data_folder(data) / sqlite.DATABASE
    return copying.writing(place, work) if writes else copying.reading(place, work)


def _say(code: str, language: Language, **values: str | int) -> None:
    typer.echo(message(f"cli.admin.{code}", language, **values))


def _day(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()


@admin.command()
def games(data: Data = None, database: Database = "", lang: Lang = "en") -> None:
    """List the games that are being played.

    \b
    Examples:
      meldroom admin games --data /srv/games
    """
    with needs("server"):
        from sqlalchemy import select

        from meldroom.server.storage.rooms import card_of
        from meldroom.server.storage.tables import room_cards
    query = select(room_cards.c.card).where(room_cards.c.stage == "playing").order_by(room_cards.c.room)
    rows = _work(data, database, lambda one: one.execute(query).scalars().all(), writes=False)
    for row in rows:
        card = card_of(row)
        typer.echo(f"{card.room}  {card.book}  {', '.join(filter(None, card.names))}")
    _say("games", lang, count=len(rows))


@admin.command()
def show(who: Who, data: Data = None, database: Database = "", lang: Lang = "en") -> None:
    """Show somebody: name, sessions, tokens, and whether they are kept out.

    \b
    Examples:
      meldroom admin show eve
    """
    with needs("server"):
        from meldroom.server.identity import moderation
    found = _work(data, database, lambda one: moderation.look_up(one, who), writes=False)
    _say("person", lang, player=found.player, name=found.name, account=found.account or "–")
    _say("sessions", lang, count=found.sessions)
    for token in found.tokens:
        until = _day(token.expires_at)
        _say("token", lang, id=token.id, label=token.label, scopes=token.scopes, day=until)
    if found.banned_until == 0:
        _say("banned_for_good", lang, reason=found.reason)
    elif found.banned_until is not None:
        _say("banned", lang, day=_day(found.banned_until), reason=found.reason)


@admin.command()
def ban(
    who: Who,
    days: Annotated[int, typer.Option(min=0, max=3650, help="For how many days; 0 is for good.")] = 7,
    reason: Annotated[str, typer.Option(help="What they are told.")] = "",
    data: Data = None,
    database: Database = "",
    lang: Lang = "en",
) -> None:
    """Keep somebody out. Their sessions and tokens end at once, their sockets within seconds.

    \b
    Examples:
      meldroom admin ban eve --days 7 --reason "insults in the chat"
    """
    with needs("server"):
        from meldroom.server.identity import moderation
    now = int(time.time() * 1000)
    until = now + days * DAY if days else 0
    _work(data, database, lambda one: moderation.ban(one, who, until, reason or "–", now))
    _say("kept_out", lang, name=who)


@admin.command()
def unban(who: Who, data: Data = None, database: Database = "", lang: Lang = "en") -> None:
    """Let somebody in again.

    \b
    Examples:
      meldroom admin unban eve
    """
    with needs("server"):
        from meldroom.server.identity import moderation
    there = _work(data, database, lambda one: moderation.unban(one, who))
    _say("let_in" if there else "was_in", lang, name=who)


@admin.command("sign-out")
def sign_out(who: Who, data: Data = None, database: Database = "", lang: Lang = "en") -> None:
    """End all sessions and tokens of somebody; open sockets go on until they are closed.

    \b
    Examples:
      meldroom admin sign-out eve
    """
    with needs("server"):
        from meldroom.server.identity import moderation
    ended = _work(data, database, lambda one: moderation.sign_out(one, who))
    _say("signed_out", lang, count=ended, name=who)


@admin.command("revoke-token")
def revoke_token(
    token: Annotated[str, typer.Argument(metavar="ID", help="The token's id, as `show` names it.")],
    data: Data = None,
    database: Database = "",
    lang: Lang = "en",
) -> None:
    """Revoke a token.

    \b
    Examples:
      meldroom admin revoke-token 0123456789abcdef
    """
    with needs("server"):
        from meldroom.server.identity import moderation
    there = _work(data, database, lambda one: moderation.revoke(one, token))
    _say("revoked" if there else "no_token", lang, id=token)
