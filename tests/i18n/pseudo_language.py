"""A whole language made from the English one, as a translator would add it: one folder, no code.

Letters get marks, sentences brackets, and everything that depends on a number has the four forms of Polish.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from meldroom.i18n.catalogue import Template, flatten
from meldroom.i18n.languages import DEFAULT, folders

CODE = "xx"
FORMS = ("one", "few", "many", "other")
_MARKS = str.maketrans("aeiouAEIOUncs", "äéîöûÄÉÎÖÛñçš")
_KEPT = re.compile(r"(\{[^{}]*\}|`[^`]*`|\{\{|\}\})")

LOCALE = """
name = "Pseudo"

[plurals]
one = "i = 1 and v = 0"
few = "v = 0 and i % 10 = 2..4 and i % 100 != 12..14"
many = "v = 0 and i != 1 and i % 10 = 0..1 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 12..14"

[numbers]
decimal = ","
group = "·"
percent = " %"

[lists]
comma = ", "
and = " ï "
or = " lüb "

[dates]
day = "{day} {month} {year}"
months = ["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11", "m12"]
"""


def marked(text: str) -> str:
    """An English text as the pseudo-language has it: letters with marks, places left as they are.

    >>> marked("{count} tiles: done?")
    '{count} tîléš: döñé?'
    """
    return "".join(part if _KEPT.fullmatch(part) else part.translate(_MARKS) for part in _KEPT.split(text))


def write_language(root: Path) -> Path:
    """Write the folder of the language under a folder of languages; gives it back."""
    folder = root / CODE
    for source, place in _sources():
        tables = tomllib.loads(source)
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"{json.dumps(key)} = {_toml(text)}" for key, text in flatten(tables)]
        target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "locale.toml").write_text(LOCALE, encoding="utf-8")
    return folder


def _sources() -> Iterator[tuple[str, str]]:
    english = Path(str(folders()[DEFAULT]))
    for file in sorted(english.rglob("*.toml")):
        if file.name != "locale.toml":
            yield file.read_text(encoding="utf-8"), file.relative_to(english).as_posix()


def _toml(text: Template) -> str:
    if isinstance(text, str):
        return json.dumps(marked(text))
    forms = {form: f"<{form}> {marked(text.get(form, text['other']))}" for form in FORMS}
    return "{ " + ", ".join(f"{form} = {json.dumps(shown)}" for form, shown in forms.items()) + " }"
