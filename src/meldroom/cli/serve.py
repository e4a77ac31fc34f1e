"""`meldroom serve`: the game server and its pages."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from meldroom.cli.error_handling import FAILED, CommandError, refuse
from meldroom.cli.operations.addresses import is_own
from meldroom.cli.operations.config import ConfigOption
from meldroom.cli.operations.options import Bus, Database
from meldroom.cli.options import Lang
from meldroom.errors import needs
from meldroom.i18n import Language, message

if TYPE_CHECKING:
    from typing import TypeAlias

    from meldroom.server.config import Config
    from meldroom.server.https.trust_site import TrustSite

    Trust: TypeAlias = tuple[TrustSite, socket.socket]

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8000
HALL_PORT = 8443
"""For https in a hall."""
DEFAULT_PROXY = "127.0.0.1"
EVERYWHERE = ("0.0.0.0", "::")


class CannotServeError(CommandError):
    """The server cannot start here."""

    domain = "cli.error.serve"
    status = FAILED


def serve(
    host: Annotated[
        str | None,
        typer.Option(
            "--host",
            envvar="MELDROOM_HOST",
            help="The address to listen on; 0.0.0.0 lets other machines in.",
            show_default=DEFAULT_HOST,
        ),
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            "--port", envvar="MELDROOM_PORT", min=0, max=65535, help="The port; 0 takes any free one."
        ),
    ] = DEFAULT_PORT,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            envvar="MELDROOM_DATA",
            metavar="FOLDER",
            help="Where games and accounts are kept; without it, a folder of your own.",
            show_default=False,
        ),
    ] = None,
    database: Database = "",
    bus: Bus = "",
    championships: Annotated[
        Literal["folder", "database"],
        typer.Option(
            "--championships",
            envvar="MELDROOM_CHAMPIONSHIPS",
            help="Where championships are kept: in files of the data folder, or in the database.",
        ),
    ] = "folder",
    workers: Annotated[
        Literal["embedded", "remote"],
        typer.Option(
            "--workers",
            envvar="MELDROOM_WORKERS",
            help="Who computes bots, hints and analyses: this server, or meldroom worker on the bus.",
        ),
    ] = "embedded",
    drain: Annotated[
        float,
        typer.Option(
            "--drain",
            metavar="SECONDS",
            min=0,
            max=600,
            help="After SIGTERM, say “not ready” for so long before ending.",
        ),
    ] = 0,
    config: ConfigOption = None,
    bot_pace: Annotated[
        int,
        typer.Option("--bot-pace", metavar="MS", min=0, max=10_000, help="A bot's move takes at least this."),
    ] = 700,
    start_phase: Annotated[
        int,
        typer.Option(
            "--start-phase",
            metavar="SECONDS",
            min=0,
            max=120,
            help="After a deal, wait so long for everybody to be ready, where doubles may be shown.",
        ),
    ] = 15,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            "--origin", metavar="URL", help="An address the site has behind a proxy; may be repeated."
        ),
    ] = None,
    proxy: Annotated[
        str,
        typer.Option("--proxy", metavar="ADDRESSES", help="Proxies whose X-Forwarded headers are believed."),
    ] = DEFAULT_PROXY,
    certificate: Annotated[
        Path | None,
        typer.Option(
            "--certificate",
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="Speak https with this certificate (PEM).",
            show_default=False,
        ),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key",
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="The certificate's private key (PEM).",
            show_default=False,
        ),
    ] = None,
    hall: Annotated[
        bool,
        typer.Option("--hall", help="For a hall: https for tablets, with a certificate of its own."),
    ] = False,
    https_port: Annotated[
        int,
        typer.Option(
            "--https-port", min=0, max=65535, help="With --hall: the port for https; 0 takes any free one."
        ),
    ] = HALL_PORT,
    require_https: Annotated[
        bool,
        typer.Option(
            "--require-https",
            envvar="MELDROOM_REQUIRE_HTTPS",
            help="Answer nobody beyond this machine over plain http.",
        ),
    ] = False,
    hsts_subdomains: Annotated[
        bool,
        typer.Option(
            "--hsts-subdomains",
            envvar="MELDROOM_HSTS_SUBDOMAINS",
            help="Tell browsers that every name below this one has https too.",
        ),
    ] = False,
    session_idle_days: Annotated[
        int,
        typer.Option(
            "--session-idle-days",
            envvar="MELDROOM_SESSION_IDLE_DAYS",
            metavar="DAYS",
            min=0,
            max=400,
            help="Sign accounts out that were not used for so long; 0 waits for the end of a session's days.",
        ),
    ] = 60,
    trusted_load: Annotated[
        bool,
        typer.Option("--trusted-load", help="No limits for each address: for load tests."),
    ] = False,
    lang: Lang = "en",
) -> None:
    """Serve the game: open the address it prints in a browser, and play.

    Everything is kept in one folder (an SQLite database and its backups); stop the
    server with Ctrl-C and start it again, and every game goes on where it was. Nobody
    needs an account or an e-mail address. A friend on the same network can join when
    you start it with --host 0.0.0.0.

    \b
    Examples:
      meldroom serve                                  on this machine only
      meldroom serve --host 0.0.0.0                   for everybody on your network
      meldroom serve --port 8080 --data /srv/games    another port, another folder
      meldroom serve --origin https://play.example    behind a proxy with https
      meldroom serve --hall                           a club or hall: tablets with https
      meldroom serve --database postgresql://host/games    in PostgreSQL
    """
    if (certificate is None) != (key is None):
        raise CannotServeError("two_files")
    if hall and certificate is not None:
        raise CannotServeError("two_certificates")
    if workers == "remote" and not bus:
        raise CannotServeError("workers_without_bus")
    if bus and not database and workers != "remote":
        raise CannotServeError("bus_without_database")
    if require_https and is_plain(host, hall=hall, https=certificate is not None, proxy=proxy):
        raise CannotServeError("plain_http", host=host or "")
    with needs("server"):
        from meldroom.server.config import Config, default_data, default_pages
    host = host or (EVERYWHERE[0] if hall else DEFAULT_HOST)
    bound = _bound(host, port)
    folder = (data or default_data()).expanduser()
    trust: Trust | None = None
    if hall:
        plain, bound = bound, _bound(host, https_port)
        trust, certificate, key = _in_hall(folder, plain, bound, lang)
    chosen = Config(
        data=folder,
        pages=default_pages(),
        listening=bound.getsockname()[:2],
        bot_pace=bot_pace,
        start_phase=start_phase,
        origins=tuple(one.rstrip("/") for one in origin or ()),
        trusted_load=trusted_load,
        certificate=certificate,
        key=key,
        hall_port=None if trust is None else trust[1].getsockname()[1],
        database=database,
        bus=bus,
        championships=championships,
        drain=drain,
        remote_workers=workers == "remote",
        idle_days=session_idle_days,
        require_https=require_https,
        hsts_subdomains=hsts_subdomains,
    )
    _run(chosen, bound, proxy, trust, lang)


def is_plain(host: str | None, *, hall: bool, https: bool, proxy: str) -> bool:
    """Whether others are let in without https: not here, and not by a proxy on another machine."""
    return not hall and not https and not is_own(host) and proxy in ("", DEFAULT_PROXY)


def _bound(host: str, port: int) -> socket.socket:
    """A socket to listen on. Raises CannotServeError."""
    from meldroom.server.run import bind

    try:
        return bind(host, port)
    except OSError as error:
        raise _port_problem(error, host, port) from None


def _in_hall(
    folder: Path, plain: socket.socket, secure: socket.socket, language: Language
) -> tuple[Trust, Path, Path]:
    """The page that makes tablets trust us, and today's certificate for every address of this machine."""
    from meldroom.server.https.authority import Authority
    from meldroom.server.https.trust_site import TrustSite
    from meldroom.server.storage import DataFolderError

    host = plain.getsockname()[0]
    try:
        authority = Authority.opened(folder)
        made = authority.vouch_for(_network_addresses() if host in EVERYWHERE else [host])
    except DataFolderError as error:
        refuse("serve", error.message(language), FAILED)
    return (TrustSite(authority, secure.getsockname()[1]), plain), made.certificate, made.key


def _run(config: Config, bound: socket.socket, proxy: str, trust: Trust | None, language: Language) -> None:
    """Serve until Ctrl-C; whatever was acknowledged is on the disk then."""
    from meldroom.server import logs
    from meldroom.server.run import serve as listen
    from meldroom.server.storage import DataFolderError

    logs.set_up(os.environ.get(logs.VARIABLE, "text"))
    try:
        greet = partial(_greet, config, bound, language, proxy)
        if trust is not None:
            greet = partial(_greet_hall, config, bound, trust, language)
        say = partial(_say, language)
        asyncio.run(listen(config, bound, proxies=proxy, trust=trust, ready=greet, say=say))
    except DataFolderError as error:
        bound.close()
        refuse("serve", error.message(language), FAILED)
    except ssl.SSLError as error:
        bound.close()
        certificate, key = str(config.certificate), str(config.key)
        reason = error.reason or str(error)
        raise CannotServeError("certificate", certificate=certificate, key=key, reason=reason) from None
    except KeyboardInterrupt:
        pass
    typer.echo(message("cli.serve.stopped", language))


def _port_problem(error: OSError, host: str, port: int) -> CannotServeError:
    """Why an address cannot be listened on, and what to do."""
    import errno

    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else DEFAULT_PORT
        return CannotServeError("taken", port=str(port), other=str(other))
    if error.errno in (errno.EACCES, errno.EPERM):
        return CannotServeError("forbidden", port=str(port), other=str(DEFAULT_PORT))
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return CannotServeError("no_address", host=host)
    return CannotServeError("cannot", host=host, port=str(port), reason=error.strerror or str(error))


def _greet(config: Config, bound: socket.socket, language: Language, proxy: str = DEFAULT_PROXY) -> None:
    """Say where to find the game, and when others on the network could read along."""
    host, port = bound.getsockname()[:2]
    scheme = "http" if config.certificate is None else "https"
    everywhere = host in EVERYWHERE
    addresses = [*_network_addresses(), "127.0.0.1"] if everywhere else [host]
    urls = [f"{scheme}://{f'[{one}]' if ':' in one else one}:{port}" for one in addresses]
    # What others can open comes first: who opens that one can pass on every link as it is.
    lines = [message("cli.serve.at", language, url=urls[0])]
    lines += [message("cli.serve.network", language, url=url) for url in urls[1:-1]]
    lines += [message("cli.serve.here", language, url=url) for url in urls[1:][-1:]]
    if is_plain(host, hall=False, https=config.certificate is not None, proxy=proxy):
        lines.append(message("cli.serve.plain", language))
    lines += _about_data(config, language)
    typer.echo("\n".join(lines))
    sys.stdout.flush()


def _greet_hall(config: Config, bound: socket.socket, trust: Trust, language: Language) -> None:
    """Say where tablets begin, as an address and as a QR code, and what to compare on them."""
    site, plain = trust
    host, port = plain.getsockname()[:2]
    addresses = _network_addresses() if host in EVERYWHERE else [host]
    shown = [f"http://{f'[{one}]' if ':' in one else one}:{port}" for one in addresses or ["127.0.0.1"]]
    lines = [message("cli.serve.hall", language, url=shown[0])]
    lines += [message("cli.serve.network", language, url=url) for url in shown[1:]]
    lines.append(_qr(shown[0]))
    secure = f"https://{shown[0].removeprefix('http://').rpartition(':')[0]}:{bound.getsockname()[1]}"
    lines.append(message("cli.serve.laptop", language, url=secure))
    lines.append(message("cli.serve.fingerprint", language, fingerprint=site.fingerprint))
    if not addresses:
        lines.append(message("cli.serve.no_network", language))
    lines += _about_data(config, language)
    typer.echo("\n".join(lines))
    sys.stdout.flush()


def _qr(url: str) -> str:
    """A QR code for the terminal; nothing where standard output cannot show one."""
    import io

    import segno

    drawn = io.StringIO()
    segno.make_qr(url, error="m").terminal(drawn, compact=True, border=2)
    try:
        drawn.getvalue().encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    return drawn.getvalue().rstrip("\n")


def _about_data(config: Config, language: Language) -> list[str]:
    """Where games are kept, and whether there are pages to play on."""
    lines = [message("cli.serve.kept", language, folder=str(config.data))]
    if config.database:
        from meldroom.server.storage.postgres import shown_url

        lines = [message("cli.serve.kept_in_database", language, database=shown_url(config.database))]
    if not (config.pages / "index.html").is_file():
        lines.append(message("cli.serve.no_pages", language))
    return lines


def _say(language: Language, code: str, **values: str) -> None:
    """One line about what is made in the background, apart from the answers on standard output."""
    typer.echo(message(f"cli.serve.{code}", language, **values), err=True)


def _network_addresses() -> list[str]:
    """The addresses under which other machines reach this one."""
    from meldroom.server.web.reachable import network_addresses

    return network_addresses()
