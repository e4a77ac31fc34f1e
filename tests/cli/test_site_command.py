"""`meldroom site`: plain files for any folder, nobody's files touched, and it says what is missing."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from meldroom.cli.app import app
from meldroom.site.static import FOLDERS

PAGE = """<!doctype html><head><meta name="meldroom-base" content="/offline/" />\
<meta name="meldroom-online" content="/" /><script src="/assets/first.js"></script>
<link rel="icon" href="/icon.svg" /><!-- preview --><title>x</title><!-- /preview --></head>"""


def entry(path: str, content: bytes) -> dict[str, object]:
    """A line of the list that the build writes."""
    return {"path": path, "bytes": len(content), "packed": 9, "sha256": hashlib.sha256(content).hexdigest()}


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Built pages, as small as they can be."""
    pages = tmp_path / "pages"
    manifest = {"id": "/offline/", "start_url": "offline/", "shortcuts": [{"url": "offline/games/"}]}
    files = {
        "offline.html": PAGE.encode(),
        "assets/first.js": b"let a = 1",
        "icon.svg": b"<svg/>",
        "manifest.webmanifest": json.dumps(manifest).encode(),
        "engine/core.zip": b"zip",
    }
    for name, content in files.items():
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        (pages / name).write_bytes(content)
    listed = [entry(name, content) for name, content in files.items()]
    (pages / "engine" / "files.json").write_text(json.dumps({"version": "1", "files": listed}))
    (pages / "sw.js").write_bytes(b"// worker")
    (pages / "assets" / "first.js.br").write_bytes(b"br")
    (pages / "index.html").write_bytes(b"the server's own")
    monkeypatch.setenv("MELDROOM_PAGES", str(pages))
    return pages


def site(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app(["site"]), ["site", *map(str, arguments), "--lang", "en"])


def test_every_page_is_a_file_that_names_its_files_relatively(built: Path, tmp_path: Path) -> None:
    done = site(tmp_path / "out", "--url", "https://club.example/rummy")
    assert done.exit_code == 0, done.output
    assert "MB" in done.output
    for folder in FOLDERS:
        page = (tmp_path / "out" / folder / "index.html").read_text()
        up = "../" if folder else "./"
        assert f'<meta name="meldroom-base" content="{up}" />' in page
        assert f'src="{up}assets/first.js"' in page
        assert 'content="https://club.example/rummy/preview.png"' in page
        assert "meldroom-online" not in page
        assert '="/' not in page
    assert "https://club.example/rummy/" in (tmp_path / "out" / "404.html").read_text()
    assert not (tmp_path / "out" / "offline.html").exists()
    assert not (tmp_path / "out" / "assets" / "first.js.br").exists()


def test_the_list_of_files_is_true_of_what_was_written(built: Path, tmp_path: Path) -> None:
    assert site(tmp_path / "out").exit_code == 0
    listed = json.loads((tmp_path / "out" / "engine" / "files.json").read_text())
    for file in listed["files"]:
        content = (tmp_path / "out" / file["path"]).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file["bytes"], file["sha256"])
    paths = {file["path"] for file in listed["files"]}
    assert {"index.html", "r/index.html", "engine/core.zip", "manifest.webmanifest"} <= paths
    assert not {"offline.html", "sw.js", "404.html", "engine/files.json"} & paths
    assert listed["version"] not in ("", "1")


def test_the_manifest_begins_in_the_sites_own_folder(built: Path, tmp_path: Path) -> None:
    assert site(tmp_path / "out").exit_code == 0
    manifest = json.loads((tmp_path / "out" / "manifest.webmanifest").read_text())
    assert manifest == {"start_url": "./", "scope": "./", "shortcuts": [{"url": "./games/"}]}


def test_a_site_is_written_again_over_itself_and_over_nothing_else(built: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / ".git").mkdir()
    (out / "CNAME").write_text("club.example")
    assert site(out, "--precompressed").exit_code == 0
    assert (out / "assets" / "first.js.br").exists()
    (out / "mine.txt").write_text("mine")
    assert site(out).exit_code == 0
    assert not (out / "assets" / "first.js.br").exists()
    assert (out / "mine.txt").exists()
    assert (out / "CNAME").exists()

    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.tex").write_text("mine")
    refused = site(other)
    assert refused.exit_code == 1
    assert "thesis.tex" in refused.output
    assert [path.name for path in other.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize(
    ("missing", "said"), [("engine/files.json", "engine"), ("offline.html", "pages have not been built")]
)
def test_it_says_what_has_not_been_built(built: Path, tmp_path: Path, missing: str, said: str) -> None:
    (built / missing).unlink()
    refused = site(tmp_path / "out")
    assert refused.exit_code == 1
    assert said in refused.output
    assert not (tmp_path / "out").exists()


def test_an_address_that_is_none_is_refused(built: Path, tmp_path: Path) -> None:
    assert "https://club.example" in site(tmp_path / "out", "--url", "club.example").output
