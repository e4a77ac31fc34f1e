"""`meldroom site`: the offline app as a site of plain files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from meldroom.cli.error_handling import FAILED, refuse
from meldroom.cli.options import Lang
from meldroom.i18n import message


def site(
    out: Annotated[
        Path,
        typer.Argument(metavar="OUT", help="The folder to write; empty, or a site written before."),
    ],
    url: Annotated[
        str,
        typer.Option(
            "--url",
            metavar="URL",
            help="Where the site will be; without it, shared links have no picture.",
            show_default=False,
        ),
    ] = "",
    online: Annotated[
        str,
        typer.Option(
            "--online",
            metavar="URL",
            help="A Meldroom server to play with friends on, linked from the site.",
            show_default=False,
        ),
    ] = "",
    precompressed: Annotated[
        bool,
        typer.Option("--precompressed", help="Add .br and .gz files, for servers that send them."),
    ] = False,
    lang: Lang = "en",
) -> None:
    """Write the offline app as a static site: any file server can offer it.

    Players open the address and get the whole game on their own device: all rule books,
    bots, hints, replays, the solver and the referee's tools. After one visit it works
    without a network, and nothing they do leaves their browser. The site needs no
    server of ours; over https it can be installed as an app.

    \b
    Examples:
      meldroom site public                                   into the folder "public"
      meldroom site public --url https://club.example/rummy/ with previews for shared links
      python -m http.server --directory public               try it at http://localhost:8000
    """
    from meldroom.server.config import default_pages
    from meldroom.site.errors import SiteError
    from meldroom.site.static import write_site

    shown = sys.stderr.isatty()
    count = 0

    def report(name: str) -> None:
        nonlocal count
        count += 1
        if shown:
            sys.stderr.write(f"\r\x1b[K{count} {name[-60:]}")

    try:
        written = write_site(
            default_pages(),
            out.expanduser(),
            url=url,
            online=online,
            precompressed=precompressed,
            report=report,
        )
    except SiteError as error:
        refuse("site", error.message(lang), FAILED)
    finally:
        if shown and count:
            sys.stderr.write("\r\x1b[K")
    megabytes, download = round(written.bytes / 1e6, 1), round(written.download / 1e6, 1)
    figures = {"megabytes": megabytes, "download": download}
    typer.echo(message("site.written", lang, count=written.files, folder=str(out), **figures))
    if not url:
        typer.echo(message("site.no_url", lang))
