"""`meldroom sbom`: a bill of materials of everything that is installed and built in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

import meldroom
from meldroom.cli.options import Lang


def sbom(
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write to a file."),
    ] = None,
    lang: Lang = "en",
) -> None:
    """List every package this Meldroom runs with, as CycloneDX 1.6 JSON.

    Python packages are those installed beside it, with the extras you have; packages of the
    web pages are those locked when the pages were built. Feed it to a scanner that knows of
    vulnerabilities. The same installation always gives the same text.

    \b
    Examples:
      meldroom sbom > meldroom.cdx.json
      meldroom sbom -o meldroom.cdx.json
    """
    from meldroom.site.bill_of_materials import bill_of_materials

    text = bill_of_materials(meldroom.__version__)
    if output is None:
        sys.stdout.write(text)
    else:
        output.write_text(text, encoding="utf-8")
