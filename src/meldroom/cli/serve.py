"""`meldroom serve`: the game server and its pages."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import socket
import ssl
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from meldroom.server.config import Config

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8000
EVERYWHERE = ("0.0.0.0", "::")
NEEDED = ("litestar", "uvicorn", "sqlalchemy", "websockets")


def serve(
    host: Annotated[
        str,
        typer.Option(
            "--host", envvar="MELDROOM_HOST", help="The address to listen on; 0.0.0.0 lets other machines in."
        ),
    ] = DEFAULT_HOST,
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
    bot_pace: Annotated[
        int,
        typer.Option("--bot-pace", metavar="MS", min=0, max=10_000, help="A bot's move takes at least this."),
    ] = 700,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            "--origin", metavar="URL", help="An address the site has behind a proxy; may be repeated."
        ),
    ] = None,
    proxy: Annotated[
        str,
        typer.Option("--proxy", metavar="ADDRESSES", help="Proxies whose X-Forwarded headers are believed."),
    ] = "127.0.0.1",
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
    trusted_load: Annotated[
        bool, typer.Option("--trusted-load", help="Without limits for each address: for benches and tests.")
    ] = False,
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
    """
    if (certificate is None) != (key is None):
        _stop("https needs both files: --certificate FILE and --key FILE")
    try:
        from meldroom.server.config import Config, default_data, default_pages
        from meldroom.server.run import bind
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in NEEDED:
            raise
        _stop(f"the server needs {error.name}; install it with: pip install 'meldroom[server]'")
    try:
        bound = bind(host, port)
    except OSError as error:
        _stop(_port_trouble(error, host, port))
    config = Config(
        data=(data or default_data()).expanduser(),
        pages=default_pages(),
        bot_pace=bot_pace,
        origins=tuple(one.rstrip("/") for one in origin or ()),
        trusted_load=trusted_load,
        certificate=certificate,
        key=key,
    )
    _run(config, bound, proxy)


def _run(config: Config, bound: socket.socket, proxy: str) -> None:
    """Serve until Ctrl-C; whatever was acknowledged is on the disk then."""
    from meldroom.server.run import serve as listen
    from meldroom.server.storage import DataFolderError

    logging.basicConfig(
        level=logging.WARNING, stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    try:
        asyncio.run(listen(config, bound, proxies=proxy, ready=lambda: _greet(config, bound)))
    except DataFolderError as error:
        bound.close()
        _stop(str(error))
    except ssl.SSLError as error:
        bound.close()
        _stop(
            f"{config.certificate} and {config.key} are no certificate with its key: {error.reason or error}"
        )
    except KeyboardInterrupt:
        pass
    typer.echo("Meldroom has stopped; every game is kept.")


def _stop(reason: str) -> NoReturn:
    typer.echo(f"meldroom serve: {reason}", err=True)
    raise typer.Exit(1)


def _port_trouble(error: OSError, host: str, port: int) -> str:
    """Why an address cannot be listened on, and what to do."""
    import errno

    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} is taken, perhaps by another Meldroom. Stop that program, "
            f"or choose another port: meldroom serve --port {port + 1 if port < 65535 else 8000}"
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"you may not listen on port {port}; choose one above 1023, such as --port {DEFAULT_PORT}"
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"this machine has no address “{host}”; use 127.0.0.1, or 0.0.0.0 for all of them"
    return f"cannot listen on {host}, port {port}: {error.strerror or error}"


def _greet(config: Config, bound: socket.socket) -> None:
    """Say where to find the game."""
    host, port = bound.getsockname()[:2]
    scheme = "http" if config.certificate is None else "https"
    if host in EVERYWHERE:
        lines = [f"Meldroom is at {scheme}://127.0.0.1:{port}"]
        lines += [f"  on your network: {scheme}://{one}:{port}" for one in _network_addresses()]
    else:
        shown = f"[{host}]" if ":" in host else host
        lines = [f"Meldroom is at {scheme}://{shown}:{port}"]
    lines.append(f"Games are kept in {config.data}. Ctrl-C stops the server.")
    if not (config.pages / "index.html").is_file():
        lines.append("The pages have not been built: start it with python3 run.py to play in a browser.")
    typer.echo("\n".join(lines))
    sys.stdout.flush()


def _network_addresses() -> list[str]:
    """The addresses under which other machines reach this one; nothing is sent to find out."""
    found: list[str] = []
    # Asking for a route names the address that packets would leave from.
    for target in ("192.0.2.1", "10.255.255.255", "192.168.255.255"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))
                found.append(probe.getsockname()[0])
            except OSError:
                continue
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [one for one in dict.fromkeys(found) if not ipaddress.ip_address(one).is_loopback]
