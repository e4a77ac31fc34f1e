"""Finds rule books: the five published ones, the options of each, and house books made from them."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from meldroom.decode import DecodeError, convert, parse_toml
from meldroom.errors import MeldroomError
from meldroom.i18n import DEFAULT, Message, Text, has_message
from meldroom.rules.book import HOUSE_RULE, SECTIONS, BookRef, Option, RuleBook, field_names
from meldroom.tiles import TileSetError

BOOK_IDS = ("wrc9", "wrc11", "nzrc2024", "tml", "rummyo")
OptionValue = str | int | bool

FIRST_VERSION = "1"
"""The version that is meant where something stored names a published book alone. Rooms, championships and
house books have named one only since there were two."""

_HOUSE_KEYS = {"id", "version", "base", "base_version", "name", "options", *SECTIONS}
_LARGEST = {"tiles.numbers": 99, "tiles.copies": 9, "tiles.jokers": 99}
MOST_TILES = 10_000
MOST_JOKERS_TRACED = 6  # The judge tries every way the jokers could have moved (R20).
LONGEST_NAME = 80

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}\Z")
_TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z")
_INK = re.compile(r"#[0-9a-fA-F]{6}\Z")

# A refusal under a changed field must name the house rule: no published clause says it any more.
_CODES_OF = {
    "sets": ("SET_INVALID",),
    "opening.points": ("MELD_LT_OPENING",),
    "opening.joker_value": ("MELD_LT_OPENING",),
    "opening.run_required": ("NO_RUN",),
    "jokers.reuse": ("JOKER_NOT_IN_NEW_SET", "JOKER_CLAIM"),
}


class BookError(MeldroomError, ValueError):
    """A rule book that does not exist, or a house book that cannot be played. `where` names the key."""

    domain = "rules.book"


def _did_you_mean(word: str, known: Iterable[str]) -> Message | str:
    import difflib

    close = difflib.get_close_matches(word, list(known), n=1)
    return Message("rules.book.did_you_mean", {"close": close[0]}) if close else ""


@cache
def _raw(book_id: str) -> dict[str, Any]:
    """A published book's data with its base, if any, beneath it."""
    source = resources.files("meldroom.rules") / "books" / f"{book_id}.toml"
    data: dict[str, Any] = tomllib.loads(source.read_text(encoding="utf-8"))
    base = data.pop("base", None)
    merged = copy.deepcopy(_raw(base)) if base else {}
    for key, value in data.items():
        merged[key] = {**merged[key], **value} if isinstance(value, dict) and key in merged else value
    _add_texts(merged, book_id)
    return merged


def _as_of(raw: dict[str, Any], version: str) -> dict[str, Any]:
    """A published book's data as an earlier version had it: what it said otherwise is under `earlier`."""
    made = copy.deepcopy(raw)
    for name, value in made.pop("earlier", {}).get(version, {}).items():
        _set_field(made, name, value)
        for option in made["option_list"].values():
            if option["field"] == name:  # The first choice is what the book says.
                option["choices"] = [value, *(one for one in option["choices"] if one != value)]
    return {**made, "version": version}


def _add_texts(raw: dict[str, Any], book_id: str) -> None:
    """Add the texts of a book from the catalogue; those it does not have stay those of its base."""

    def add(to: dict[str, Any], key: str, message_id: str) -> None:
        if has_message(f"books.{book_id}.{message_id}"):
            to[key] = _builtins(f"books.{book_id}.{message_id}")

    add(raw, "name", "name")
    for colour in raw["tiles"]["colours"]:
        if has_message(f"books.{book_id}.colours.{colour['letter']}"):
            colour |= _builtins(f"books.{book_id}.colours.{colour['letter']}")
    for name, option in raw["option_list"].items():
        add(option, "text", f"options.{name}")
    for clause in raw["clauses"]:
        for key in ("text", "heading", "about"):
            add(clause, key, f"clauses.{clause['id']}.{key}")


def _builtins(message_id: str) -> dict[str, str]:
    texts: dict[str, str] = msgspec.to_builtins(Text.of_message(message_id))
    return texts


def _build(raw: Mapping[str, Any]) -> RuleBook:
    try:
        return convert(raw, RuleBook)
    except DecodeError as error:
        raise BookError("field", error.where, reason=error.as_message()) from None


def _published(book_id: str, version: str = "") -> RuleBook:
    """A published book in one of its versions, the present one if none is named."""
    if book_id not in BOOK_IDS:
        hint = _did_you_mean(book_id, BOOK_IDS)
        raise BookError("unknown_book", book=book_id[:40], hint=hint, known=BOOK_IDS)
    known = versions(book_id)
    if version and version not in known:
        raise BookError("version", book=book_id, version=version[:20], other=book_id, other_version=known)
    return _built(book_id, version or known[0])


@cache
def _built(book_id: str, version: str) -> RuleBook:
    return _build(_as_of(_raw(book_id), version))


def versions(book_id: str) -> tuple[str, ...]:
    """The versions of a published book that this program plays, the present one first.

    >>> versions("wrc11")
    ('2', '1')
    """
    raw = _raw(book_id)
    return raw["version"], *reversed(raw.get("earlier", {}))


def id_at(ref: BookRef) -> str:
    """A published book as people name it: its id, with the version if that is not the present one."""
    return ref.id if ref.version == versions(ref.id)[0] else f"{ref.id}@{ref.version}"


def book(book_id: str, options: Mapping[str, OptionValue] | None = None) -> RuleBook:
    """A published rule book by its id, with named options chosen; `id@version` asks for an earlier version.

    >>> book("wrc11").opening.points
    30
    >>> book("wrc11", {"joker_reuse": "any_set"}).jokers.reuse
    'any_set'
    >>> book("wrc11@1").scoring.exhausted_unopened
    'cannot_win'

    Raises BookError for an unknown id, version, option or choice.
    """
    name, at, version = book_id.partition("@")
    published = _published(name if version or not at else book_id, version)
    return with_options(published, options) if options else published


def with_options(base: RuleBook, options: Mapping[str, OptionValue]) -> RuleBook:
    """The same book with named options chosen. Raises BookError."""
    raw: dict[str, Any] = msgspec.to_builtins(base)
    chosen = dict(base.options)
    for name, value in options.items():
        option = _option(base, name)
        if option.field == "tiles.jokers" and isinstance(value, int):
            # The box does not grow: jokers brought into play are taken from the spare ones.
            box = raw["tiles"]["jokers"] + raw["tiles"]["spare_jokers"]
            if value in option.choices and value > box:
                raise BookError("few_jokers", f"options.{name}", count=box)
            _set_field(raw, "tiles.spare_jokers", max(0, box - value))
        _set_field(raw, option.field, _choice(option, name, value))
        chosen[name] = value
        # A house book may have changed the field, so there even the first choice must be kept.
        if base.house is None and value == option.choices[0]:
            del chosen[name]
    raw["options"] = dict(sorted(chosen.items()))
    return _sound(_build(raw))


def in_competition(base: RuleBook, chosen: Mapping[str, OptionValue] | None = None) -> RuleBook:
    """The book as it is played where no referee sits: an infringement counts as a draw (R68).

    What `chosen` or the house book itself says of conduct stands, and so does a book without that option.

    >>> in_competition(book("wrc11")).penalty.conduct
    'competition'
    """
    own = (base.house or {}).get("penalty", {})
    if "conduct" not in base.option_list or any(
        "conduct" in said for said in (base.options, own, chosen or {})
    ):
        return base
    return with_options(base, {"conduct": "competition"})


def _option(base: RuleBook, name: str) -> Option:
    if name not in base.option_list:
        place = f"options.{name[:40]}"
        if not base.option_list:
            raise BookError("no_options", place, book=base.id)
        hint = _did_you_mean(name, base.option_list)
        raise BookError("unknown_option", place, book=base.id, hint=hint, known=tuple(base.option_list))
    return base.option_list[name]


def _choice(option: Option, name: str, value: OptionValue) -> OptionValue:
    for choice in option.choices:
        if type(choice) is type(value) and choice == value:
            return value
    choices = tuple(str(choice).lower() for choice in option.choices)
    raise BookError("choice", f"options.{name}", choices=choices)


def _set_field(raw: dict[str, Any], name: str, value: Any) -> None:
    section, _, key = name.partition(".")
    raw[section] = {**raw[section], key: value}


BookLike: TypeAlias = RuleBook | str | Mapping[str, Any] | Path
"""A book, the id of a published one, a house book's definition, or its file."""


def find_book(named: BookLike) -> RuleBook:
    """The book that somebody names. Raises BookError."""
    if isinstance(named, RuleBook):
        return named
    if isinstance(named, Path):
        return load_house_book(named)
    return book(named) if isinstance(named, str) else house_book(named)


def resolve(ref: BookRef) -> RuleBook:
    """The rule book that something stored names. Raises BookError if this program does not know it.

    A published book without a version is its first.
    """
    house = ref.house
    found = kept_house_book(house) if house is not None else _published(ref.id, ref.version or FIRST_VERSION)
    if found.id != ref.id or ref.version not in ("", found.version):
        raise BookError(
            "version",
            book=ref.id[:40],
            version=ref.version[:20],
            other=found.id,
            other_version=found.version,
        )
    return with_options(found, ref.options) if ref.options else found


def load_book(spec: str, options: Mapping[str, OptionValue] | None = None) -> RuleBook:
    """The book that somebody names: a published id, or the path of a house book's TOML file.

    >>> load_book("tml", {"jokers": 4}).tiles.jokers
    4

    Raises BookError for a book, file, option or choice that does not exist.
    """
    is_path = spec.endswith(".toml") or "/" in spec or "\\" in spec
    if spec.partition("@")[0] not in BOOK_IDS and (is_path or Path(spec).is_file()):
        found = load_house_book(spec)
    else:
        found = book(spec)
    return with_options(found, options) if options else found


def load_house_book(path: Path | str) -> RuleBook:
    """A house book from a TOML file. Raises BookError, naming the file."""
    try:
        definition = parse_toml(Path(path).read_text(encoding="utf-8"))
        return house_book(definition)
    except OSError as error:
        raise BookError("file", str(path), reason=error.strerror or type(error).__name__) from None
    except UnicodeDecodeError as error:
        raise BookError("field", str(path), reason=DecodeError.of(error).as_message()) from None
    except MeldroomError as error:
        place = f"{path}: {error.where}" if error.where else str(path)
        raise BookError("field", place, reason=error.as_message()) from None


def house_book(definition: Mapping[str, Any]) -> RuleBook:
    """A book made from an existing one: `id`, `version`, `base`, `name`, options and changed fields.

    The base is the published book as it is today, which the book then says in `base_version`, or the version
    that the definition names there. Raises BookError naming the key that is wrong.
    """
    base = definition.get("base")
    if isinstance(base, str) and base in BOOK_IDS and "base_version" not in definition:
        definition = {**definition, "base_version": versions(base)[0]}
    return kept_house_book(definition)


def kept_house_book(definition: Mapping[str, Any]) -> RuleBook:
    """A house book that was stored; one without `base_version` was made from its base's first version.

    Raises BookError naming the key that is wrong.
    """
    for key in definition:
        if key not in _HOUSE_KEYS:
            raise BookError("unknown_key", key, hint=_did_you_mean(key, _HOUSE_KEYS))
    house_id, version = (_word(definition, key) for key in ("id", "version"))
    if house_id.lower() in BOOK_IDS:
        raise BookError("published_id", "id")
    version_of_base = _word(definition, "base_version") if "base_version" in definition else FIRST_VERSION
    base = _published(_word(definition, "base"), version_of_base)
    raw: dict[str, Any] = msgspec.to_builtins(base)
    raw |= {"id": house_id, "version": version, "label": base.label, "name": _name(definition, house_id)}
    for section in SECTIONS:
        if section in definition:
            _override(raw, base, section, definition[section])
    raw["house"] = {key: value for key, value in definition.items() if key != "options"}
    derived = _sound(_build(raw))
    options = definition.get("options", {})
    if not isinstance(options, Mapping):
        raise BookError("no_table", "options")
    return with_options(derived, options) if options else derived


def _word(definition: Mapping[str, Any], key: str) -> str:
    value = definition.get(key)
    if not isinstance(value, str) or not _WORD.match(value):
        raise BookError("word", key)
    return value


def _name(definition: Mapping[str, Any], house_id: str) -> dict[str, str]:
    return _text(definition.get("name", house_id), "name")


def _text(given: Any, place: str) -> dict[str, str]:
    """A name in one text for all languages, or in a table by language."""
    texts = {DEFAULT: given} if isinstance(given, str) else given
    if not isinstance(texts, Mapping) or not texts or any(not _TAG.match(str(code)) for code in texts):
        raise BookError("text", place)
    for text in texts.values():
        if (
            not isinstance(text, str)
            or not text.strip()
            or len(text) > LONGEST_NAME
            or not text.isprintable()
        ):
            raise BookError("one_line", place, count=LONGEST_NAME)
    made: dict[str, str] = msgspec.to_builtins(Text.of(texts))
    return made


def _override(raw: dict[str, Any], base: RuleBook, section: str, changes: Any) -> None:
    if not isinstance(changes, Mapping):
        raise BookError("no_table", section)
    known = {field.name for field in msgspec.structs.fields(SECTIONS[section])}
    for key, value in changes.items():
        name = f"{section}.{key}"
        if key not in known:
            raise BookError("unknown_field", name, hint=_did_you_mean(key, known))
        if name == "tiles.colours":
            value = _colours(base, value)
        if isinstance(value, int) and value > _LARGEST.get(name, 1_000_000):
            raise BookError("most", name, count=_LARGEST.get(name, 1_000_000))
        _set_field(raw, name, value)
        _cite_house(raw, name)


def _cite_house(raw: dict[str, Any], name: str) -> None:
    """Put the house rule before the clause it changes, for the field and the faults that rest on it."""
    mark = f"{HOUSE_RULE}{raw['id']}"
    raw["cites"][name] = f"{mark}, {raw['cites'][name]}"
    first = (*_CODES_OF.get(name, ()), *_CODES_OF.get(name.partition(".")[0], ()))
    for code in first:
        raw["codes"].setdefault(code, raw["cites"][name])
    for code, cited in raw["codes"].items():
        if code.partition(".")[0] in first and not cited.startswith(mark):
            raw["codes"][code] = f"{mark}, {cited}"


def _colours(base: RuleBook, value: Any) -> Any:
    """Colours as letters of the base book, or as tables of letter, ink and a name by language."""
    known = {colour.letter: msgspec.to_builtins(colour) for colour in base.tiles.colours}
    if not isinstance(value, list):
        raise BookError("colour_list", "tiles.colours")
    colours = []
    for colour in value:
        if isinstance(colour, str) and colour not in known:
            raise BookError(
                "unknown_colour", "tiles.colours", colour=colour[:20], book=base.id, known=tuple(known)
            )
        if not isinstance(colour, str | Mapping):
            raise BookError("colour", "tiles.colours")
        if isinstance(colour, Mapping) and not _INK.match(str(colour.get("ink", "#222222"))):
            raise BookError("ink", "tiles.colours")
        colours.append(known[colour] if isinstance(colour, str) else _colour(colour))
    return colours


def _colour(table: Mapping[str, Any]) -> dict[str, Any]:
    """A colour with its name beside the other keys (`en = "green"`), or as one `name`."""
    names = {key: value for key, value in table.items() if key not in ("letter", "ink", "name")}
    plain = {key: table[key] for key in ("letter", "ink") if key in table}
    return {**plain, **_text(table.get("name", names), "tiles.colours")}


def _sound(made: RuleBook) -> RuleBook:
    """The same book, if a game can be played by it. Raises BookError."""
    try:
        size = made.tiles.size
    except TileSetError as error:
        raise BookError("field", "tiles", reason=error.as_message()) from None
    for name in field_names():
        value = made.field(name)
        if any(isinstance(one, int) and one < 0 for one in (value if isinstance(value, tuple) else (value,))):
            raise BookError("negative", name)
    if size > MOST_TILES:
        raise BookError("most_tiles", "tiles", size=size, count=MOST_TILES)
    if not 1 <= made.players.minimum <= made.players.maximum:
        raise BookError("players", "players")
    if any(not ("A" <= colour.letter <= "Z") for colour in made.tiles.colours):
        raise BookError("letter", "tiles.colours")
    if made.match.games < 1:
        raise BookError("games", "match.games")
    if made.sets.shortest < 1:
        raise BookError("shortest", "sets.shortest")
    if made.deal.tiles < 1 or made.deal.starter_tiles < made.deal.tiles:
        raise BookError("deal", "deal")
    needed = made.deal.tiles * (made.players.maximum - 1) + made.deal.starter_tiles
    if needed > size:
        raise BookError("few_tiles", "deal.tiles", count=made.players.maximum, needed=needed, size=size)
    laying_off = made.family == "laying_off"
    if laying_off != (made.jokers.reuse == "own_meld") or laying_off != (made.pool_end.ending == "reshuffle"):
        raise BookError("family", "jokers.reuse or pool_end.ending")
    if made.jokers.reuse == "new_set" and made.tiles.jokers > MOST_JOKERS_TRACED:
        raise BookError("most_jokers", "tiles.jokers", count=MOST_JOKERS_TRACED)
    if laying_off and made.deal.starter_tiles != made.deal.tiles + 1:
        raise BookError("starter", "deal.starter_tiles")
    if laying_off and len(made.scoring.hand_bonus) < made.tiles.jokers + 1:
        raise BookError("bonuses", "scoring.hand_bonus")
    return made
