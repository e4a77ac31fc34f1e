"""`meldroom championship` in a test: what it prints, and a club of four to begin with."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from meldroom.cli.app import app


def run(*words: str) -> tuple[int, str]:
    """The exit status, and everything printed."""
    done = CliRunner().invoke(app(("championship",)), ["championship", *words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def club(folder: Path, names: str = "Ada Ben Chi Dev", made: str = "german") -> str:
    """The log of a club's championship with everybody checked in."""
    log, listed = str(folder / "club.jsonl"), folder / "names.csv"
    listed.write_text("\n".join(["name", *names.split()]), encoding="utf-8")
    run("new", log, "--name", "Club", "--format", made, "--by", "Olga")
    run("import", log, str(listed), "--by", "Olga")
    run("check-in", log, "--all", "--by", "Chris")
    return log
