"""Game records: text and JSON, replay, verification of the shuffle, pictures.

A record is read with `loads` or `load`, written with `to_text` and `to_json`, played again with `replay`,
and checked with `verify`.
"""

from meldroom.game.notation.errors import NotationError
from meldroom.game.notation.position import Position, format_position, parse_position
from meldroom.game.notation.svg import to_svg
from meldroom.record.json_format import write as to_json
from meldroom.record.load import load, loads
from meldroom.record.model import VERSION, Comment, Headers, Record
from meldroom.record.replay import Step, replay
from meldroom.record.text_format import write as to_text
from meldroom.record.verification import Check, Problem, Report, verify

__all__ = [
    "VERSION",
    "Check",
    "Comment",
    "Headers",
    "NotationError",
    "Position",
    "Problem",
    "Record",
    "Report",
    "Step",
    "format_position",
    "load",
    "loads",
    "parse_position",
    "replay",
    "to_json",
    "to_svg",
    "to_text",
    "verify",
]
