"""How a command that cannot go on ends: one line on standard error and an exit status, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from meldroom.errors import MeldroomError, MissingExtraError, quote
from meldroom.i18n import DEFAULT, Language, message

FAILED = 1
"""The answer is no: an illegal turn, a record that does not verify, a line that could not be answered."""
REFUSED = 2
"""The command cannot do what it was asked."""
UNWRITABLE = 74
"""The answer cannot be written: the disk is full."""
INTERRUPTED = 130
"""Ctrl-C."""
PIPE_CLOSED = 141
"""Whoever read the answer has gone: `meldroom replay … | head`."""

LANGUAGE_KEY = "meldroom.language"
"""Where a command's context keeps the language that was chosen."""

_EXTRA_OF_COMMAND = {"arena": "arena", "play": "play", "serve": "server"}
_EXTRA_OF_PACKAGE = {"numba": "solver", "numpy": "solver", "typst": "papers", "segno": "papers"}
_OWN_EXTRAS = ("cluster",)
"""Extras that are named whatever the command is."""


class CommandError(MeldroomError, ValueError):
    """A command that cannot be carried out as it was typed. `where` is the option or argument."""

    domain = "cli.error"
    status = REFUSED


class PlacedError(CommandError):
    """An error of ours in what an option or a file holds."""

    def __init__(self, place: str, error: MeldroomError) -> None:
        super().__init__("placed", place)
        self.error = error

    def message(self, language: Language = DEFAULT) -> str:
        """Where it is, and what is wrong."""
        return f"{self.where}: {self.error.message(language)}"


@contextmanager
def about(place: str) -> Iterator[None]:
    """What goes wrong inside is reported with this option or file."""
    try:
        yield
    except MeldroomError as error:
        raise PlacedError(place, error) from None


class Commands(TyperGroup):
    """The group of all commands: whatever goes wrong in one of them ends the same way."""

    def make_context(self, *arguments: Any, **settings: Any) -> Any:
        with ending_clearly(""):
            return super().make_context(*arguments, **settings)

    def invoke(self, ctx: Any) -> Any:
        with ending_clearly(ctx):
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result


@contextmanager
def ending_clearly(context: Any) -> Iterator[None]:
    """Turns what went wrong inside into one line and an exit status."""
    try:
        yield
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _forget_output()
        raise typer.Exit(PIPE_CLOSED) from None
    except OSError as error:
        reason = error.strerror or str(error)
        if error.filename is not None:
            refuse(_name(context), f"{quote(str(error.filename))}: {reason}")
        _forget_output()
        refuse(_name(context), message("cli.unwritable", _language(context), reason=reason), UNWRITABLE)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        extra = _EXTRA_OF_COMMAND.get(_name(context)) or _EXTRA_OF_PACKAGE.get(package)
        if extra is None or package == "meldroom":
            raise
        refuse(_name(context), MissingExtraError(extra, package).message(_language(context)))
    except MissingExtraError as error:
        extra = error.extra
        if extra not in _OWN_EXTRAS:
            extra = _EXTRA_OF_COMMAND.get(_name(context), extra)
        refuse(_name(context), MissingExtraError(extra, error.name or "").message(_language(context)))
    except MeldroomError as error:
        status = error.status if isinstance(error, CommandError) else REFUSED
        refuse(_name(context), error.message(_language(context)), status)


def refuse(command: str, text: str, status: int = REFUSED) -> NoReturn:
    """Ends the command with one line on standard error."""
    with suppress(OSError):
        typer.echo(f"meldroom {command}: {text}" if command else f"meldroom: {text}", err=True)
    raise typer.Exit(status)


def _name(context: Any) -> str:
    return getattr(context, "invoked_subcommand", None) or ""


def _language(context: Any) -> Language:
    found: Language = context.meta.get(LANGUAGE_KEY, DEFAULT) if context else DEFAULT
    return found


def _forget_output() -> None:
    """Send what is still to be written nowhere, so that Python does not fail again when it ends."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
