"""From a text frame to a command, or to a sentence that says why not."""

from __future__ import annotations

import msgspec

from meldroom.i18n import Language
from meldroom.rooms.protocol.answers import Error, Refused
from meldroom.rooms.protocol.commands import Command
from meldroom.server.decode_errors import explained

LONGEST_ID = 40


class _Named(msgspec.Struct):
    """As much of a message as is needed to answer it."""

    id: str = ""


_command = msgspec.json.Decoder(Command)
_named = msgspec.json.Decoder(_Named)


def read(text: str, language: Language) -> Command | Refused:
    """The command in a frame, or the refusal that answers it."""
    try:
        command: Command = _command.decode(text)
        return command
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        place, message = explained(error, language)
        return Refused(id=_id_of(text), error=Error("unreadable", message, place))


def _id_of(text: str) -> str:
    """The id of a message that could not be read, if at least that could."""
    try:
        return _named.decode(text).id[:LONGEST_ID]
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return ""
