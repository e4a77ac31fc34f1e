"""Frames that clients send: a typed command, or the answer to what is none."""

from __future__ import annotations

import msgspec

from meldroom.decode import DecodeError
from meldroom.i18n import Language
from meldroom.rooms.protocol.answers import Error, Refused
from meldroom.rooms.protocol.commands import LONGEST_ID, Command


class _Named(msgspec.Struct):
    """As much of a frame as is needed to answer it."""

    id: str = ""


_FAULTS = (msgspec.DecodeError, RecursionError, UnicodeError)
_decode = msgspec.json.Decoder(Command).decode
_decode_id = msgspec.json.Decoder(_Named).decode


def read_frame(text: str, language: Language) -> Command | Refused:
    """The command of a frame, decoded strictly; a refusal for anything else."""
    try:
        command: Command = _decode(text)
    except _FAULTS as error:
        wrong = DecodeError.of(error)
        told = Error("unreadable", wrong.message(language), wrong.where)
        return Refused(id=frame_id(text), error=told)
    return command


def frame_id(text: str) -> str:
    """The id of a frame, if at least that can be decoded; else nothing."""
    try:
        return _decode_id(text).id[:LONGEST_ID]
    except _FAULTS:
        return ""
