"""`meldroom admin`: look people and games up, keep people out, end sessions, while a server runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from meldroom.cli.operations.options import Data, Database, OperationError, data_folder
from meldroom.cli.options import Lang
from meldroom.errors import needs
from meldroom.i18n import Language, message

if TYPE_CHECKING:
    from sqlalchemy import Connection

Answer = TypeVar("Answer")
DAY = 24 * 3600 * 1000
WAIT_SECONDS = 15

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
def inspect(
    room: Annotated[str, typer.Argument(metavar="ROOM", help="The code of the table.")],
    racks: Annotated[bool, typer.Option("--racks", help="Show the racks too.")] = False,
    data: Data = None,
    database: Database = "",
    lang: Lang = "en",
) -> None:
    """Show a table: who sits there, whose turn it is, and what lies on it; racks only with --racks.

    \b
    Examples:
      meldroom admin inspect abc234
    """
    with needs("server"):
        from sqlalchemy import select

        from meldroom.rooms.domain.state import fold
        from meldroom.rooms.protocol.events import decode
        from meldroom.server.storage.tables import room_events
    query = select(room_events.c.event).where(room_events.c.room == room).order_by(room_events.c.seq)
    rows = _work(data, database, lambda one: one.execute(query).scalars().all(), writes=False)
    if not rows:
        raise OperationError("no_room", room=room)
    found = fold([decode(row) for row in rows])
    game, names = found.game, found.book.tiles.face_names
    faces = [names[face] for face in found.book.tiles.face_of]
    _say(
        "room", lang, room=room, stage=found.stage, book=found.book.id, number=found.number, events=len(rows)
    )
    for seat, chair in enumerate(found.chairs):
        rack = game.racks[seat] if game is not None and seat < len(game.racks) else ()
        turn = game is not None and found.stage == "playing" and game.seat == seat
        _say(
            "seat",
            lang,
            seat=seat + 1,
            name=chair.name or "–",
            kind=chair.kind,
            tiles=len(rack),
            turn=message("cli.admin.to_move", lang) if turn else "",
        )
        if racks and rack:
            typer.echo("    " + " ".join(faces[tile] for tile in sorted(rack)))
    if found.table:
        sets = " | ".join(" ".join(faces[tile] for tile in one) for one in found.table)
        _say("table", lang, table=sets)


@admin.command("end-game")
def end_game(
    room: Annotated[str, typer.Argument(metavar="ROOM", help="The code of the table.")],
    reason: Annotated[str, typer.Option(help="What its players are told.")] = "",
    data: Data = None,
    database: Database = "",
    lang: Lang = "en",
) -> None:
    """End a game without a result; its players are told why.

    A server that runs does it within seconds; where none runs, it is done at once.

    \b
    Examples:
      meldroom admin end-game abc234 --reason "the server moves tonight"
    """
    with needs("server"):
        from meldroom.rooms.errors import Refusal
        from meldroom.server.control.from_outside import end_game as end
    if not reason.strip():
        raise OperationError("no_reason")
    refused = end(data_folder(data), database, room, reason.strip())
    if refused is None:
        raise OperationError("not_ended", seconds=WAIT_SECONDS)
    if refused:
        raise OperationError("refused", room=room, why=Refusal(refused, room=room).as_message())
    _say("ended", lang, room=room, reason=reason.strip())


@admin.command()
def switch(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="What to switch; without it, all are listed.")
    ] = "",
    state: Annotated[str, typer.Argument(metavar="[on|off]", help="On or off.")] = "",
    data: Data = None,
    database: Database = "",
    lang: Lang = "en",
) -> None:
    """Switch a feature on or off, on all servers of a database: sign-up, guest-games, new-rooms, puzzles,
    championships, chat.

    What is under way goes on: games that have begun, championships that are open.

    \b
    Examples:
      meldroom admin switch
      meldroom admin switch sign-up off
    """
    with needs("server"):
        from meldroom.server.control import switches
    names = {one.replace("_", "-"): one for one in switches.SWITCHES}
    if not name:
        off = _work(data, database, switches.all_off, writes=False)
        for shown, one in names.items():
            typer.echo(f"{shown}: {'off' if one in off else 'on'}")
        return
    if name not in names or state not in ("on", "off"):
        raise OperationError("bad_switch", names=", ".join(names))
    now, chosen = int(time.time() * 1000), names[name]
    _work(data, database, lambda one: switches.switch(one, chosen, now, on=state == "on"))
    _say(f"switched_{state}", lang, name=name)


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


@admin.command("championship-key")
def championship_key(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The championship: what its address ends in.")],
    data: Data = None,
    database: Database = "",
    lang: Lang = "en",
) -> None:
    """Make a new key for a championship or club night when the organiser's or host's key is lost.

    The key is shown this once. A running server accepts it from now on, and the desk lists it under
    Keys as made by meldroom admin. The old keys keep working: revoke at the desk what was stolen.

    \b
    Examples:
      meldroom admin championship-key abc234
      meldroom admin championship-key abc234 --data /srv/games
    """
    with needs("server"):
        from meldroom.server.championships.runtime.lost_key import make_key
        from meldroom.server.container import EVENTS
        from meldroom.server.storage import sqlite
    folder = data_folder(data)
    there = bool(database) or (folder / sqlite.DATABASE).exists()
    made = make_key(folder / EVENTS, code, (lambda work: _work(data, database, work)) if there else None)
    if made is None:
        raise OperationError("no_championship", code=code, place=str(folder))
    _say("championship_key", lang, path=f"/championship/{code}/desk#key={made[0]}")


Codes = Annotated[
    list[str] | None,
    typer.Argument(metavar="[CODE]...", help="Championships; without codes all of them, and all leagues."),
]


@admin.command("export-championships")
def export_championships(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to; nothing is overwritten.")],
    codes: Codes = None,
    data: Data = None,
    database: Database = "",
    lang: Lang = "en",
) -> None:
    """Copy championships and leagues out of the database, into a folder of files.

    The folder has the shape of events/ in a data folder. Every line is as it was; what is
    copied stays in the database.

    \b
    Examples:
      meldroom admin export-championships /srv/games/events
      meldroom admin export-championships /tmp/copies abc234
    """
    with needs("server"):
        from meldroom.server.championships.runtime.transfer import export_events
    done = _work(data, database, lambda one: export_events(one, folder, codes or ()), writes=False)
    counts = {"championships": len(done.championships), "leagues": len(done.leagues)}
    _say("exported", lang, place=str(folder), **counts)


@admin.command("import-championships")
def import_championships(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Such as events/ of a data folder.")],
    codes: Codes = None,
    data: Data = None,
    database: Database = "",
    lang: Lang = "en",
) -> None:
    """Copy championships and leagues from a folder of files into the database.

    Every log must be sound, and none of them may be there already; else nothing is copied.
    A server shows them once it runs with --championships database.

    \b
    Examples:
      meldroom admin import-championships /srv/games/events
    """
    with needs("server"):
        from meldroom.server.championships.runtime.transfer import import_events
    done = _work(data, database, lambda one: import_events(one, folder, codes or ()))
    _say("imported", lang, championships=len(done.championships), leagues=len(done.leagues))
