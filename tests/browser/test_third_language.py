"""A third language of the pages is a folder and nothing else."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

LOCALE = """
name = "Ilogo"
spaces = [[' !', "\\u00a0!"]]

[plurals]
one = "n = 1"

[numbers]
decimal = "."
group = ","
percent = "%"

[lists]
comma = ", "
and = " ak "
or = " uo "

[dates]
day = "{day} {month} {year}"
months = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]
"""


def test_a_language_in_a_folder_of_its_own_is_built(tmp_path: Path) -> None:
    """It is offered by its own name; what it does not say yet is English."""
    copy = tmp_path / "checkout"
    ignored = shutil.ignore_patterns("node_modules", "locales", "generated", "__pycache__")
    shutil.copytree(ROOT / "web", copy / "web", ignore=ignored)
    (copy / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules", target_is_directory=True)
    texts = Path("src/meldroom/i18n")
    shutil.copytree(ROOT / texts, copy / texts)
    (copy / "docs").mkdir()
    for schema in (ROOT / "docs").glob("*.json"):
        shutil.copy(schema, copy / "docs")
    own = tmp_path / "languages" / "io"
    (own / "web").mkdir(parents=True)
    (own / "locale.toml").write_text(LOCALE, encoding="utf-8")
    (own / "web" / "shell.toml").write_text('"landing.title" = "Ludo di teguli !"', encoding="utf-8")

    pages = tmp_path / "pages"
    subprocess.run(
        [sys.executable, str(copy / "web" / "build.py"), "--pages", "--out", str(pages)],
        env={**os.environ, "MELDROOM_LOCALES": str(own.parent)},
        check=True,
    )

    script = {file.name: file.read_text(encoding="utf-8") for file in (pages / "assets").glob("*.js")}
    (shell,) = (text for text in script.values() if "Ludo di teguli" in text)
    assert re.search(r"Ludo di teguli(\xa0|\\xA0)!", shell)
    assert "High contrast" in shell
    assert any('"Ilogo"' in text or "`Ilogo`" in text for text in script.values())
    first = next(text for name, text in script.items() if name.startswith("first-paint"))
    assert '["en","fr","io"]' in first
    assert 'lang="io"' in (pages / "index.html").read_text(encoding="utf-8")
    manifest = json.loads((pages / "manifest.io.webmanifest").read_text(encoding="utf-8"))
    assert (manifest["lang"], manifest["shortcuts"][0]["name"]) == ("io", "Play offline")
    assert "Ludo di teguli" in manifest["description"]
