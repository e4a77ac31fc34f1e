"""A corpus is the same whoever wrote it and however often that was stopped; a change in it is found."""

from __future__ import annotations

import gzip
import hashlib
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from meldroom.arena import ArenaError, Experiment, read
from meldroom.cli.app import app
from meldroom.corpus import CorpusError, check, read_records, write
from meldroom.corpus.tables import COLUMNS, TABLES, from_parquet, to_parquet
from meldroom.record import verify

TINY: dict[str, Any] = {
    "title": "Tiny & “odd”",
    "format": "tables",
    "books": ["wrc11", "rummyo"],
    "bots": ["tournament", "patient"],
    "tables": [["tournament", "patient"], ["patient", "tournament", "tournament"]],
    "deals": 2,
    "seed": "tiny",
}


def tiny() -> Experiment:
    return read(TINY)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file that must not depend on who wrote it."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "timing.csv"
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus written in one go, in this process."""
    folder = tmp_path_factory.mktemp("corpus") / "whole"
    write(tiny(), folder)
    return folder


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    folder = tmp_path / "copy"
    for name, data in contents(whole).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def test_every_game_is_there_with_its_record_and_its_rows(whole: Path) -> None:
    games = tiny().games
    assert games == 2 * 2 * (2 + 3)
    rows = {
        table: [row for path in (whole / table).iterdir() for row in from_parquet(path)] for table in TABLES
    }
    assert len(rows["games"]) == games
    assert len({row["game"] for row in rows["games"]}) == games
    assert len(rows["players"]) == sum(row["players"] for row in rows["games"])
    assert len(rows["turns"]) == sum(row["turns"] for row in rows["games"])
    for table in TABLES:
        assert list(rows[table][0]) == list(COLUMNS[table])
    records = [record for path in sorted((whole / "records").iterdir()) for record in read_records(path)]
    assert len(records) == games
    assert all(not verify(record).problems for record in records[::5])
    assert not (whole / "chunks").exists()


def test_the_checksums_are_those_of_the_files(whole: Path) -> None:
    lines = (whole / "SHA256SUMS").read_text().splitlines()
    named = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert set(named) == set(contents(whole)) - {"SHA256SUMS", "README.md"}
    for name, digest in named.items():
        assert hashlib.sha256((whole / name).read_bytes()).hexdigest() == digest


def test_the_card_says_what_it_is(whole: Path) -> None:
    card = (whole / "README.md").read_text(encoding="utf-8")
    header, _, text = card.removeprefix("---\n").partition("\n---\n")
    assert 'pretty_name: "Tiny & “odd”"' in header
    assert "license: cc0-1.0" in header
    assert "20 whole games" in text
    assert '"tiny"' in text
    for table in TABLES:
        assert all(f"| `{column}` |" in text for column in COLUMNS[table])


def test_the_same_seed_gives_the_same_bytes_on_several_processes(whole: Path, tmp_path: Path) -> None:
    write(tiny(), tmp_path / "two", jobs=2)
    assert contents(tmp_path / "two") == contents(whole)


def test_written_again_it_is_left_alone(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(copy)
    monkeypatch.setattr("meldroom.corpus.chunks.play_and_count", None)
    assert write(tiny(), copy).games == tiny().games
    assert contents(copy) == before


class StopError(Exception):
    """Somebody pulled the plug."""


def test_stopped_anywhere_it_goes_on_and_plays_nothing_twice(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "stopped"
    seen: list[int] = []

    def stop(done: int, games: int) -> None:
        seen.append(done)
        if len(seen) == 3:
            raise StopError

    with pytest.raises(StopError):
        write(tiny(), folder, progress=stop)
    kept = sorted((folder / "chunks").glob("*.msgpack"))
    assert len(kept) == 2
    kept[0].write_bytes(kept[0].read_bytes()[:-10])  # torn by a full disk
    (folder / "chunks" / "000003.msgpack.1.part").write_bytes(b"half")

    # Killed again while the files are put together: none of them may stay half written.
    real, calls = to_parquet, []

    def torn(table: str, rows: Any) -> bytes:
        calls.append(table)
        if len(calls) == 4:
            raise StopError
        return real(table, rows)

    monkeypatch.setattr("meldroom.corpus.writer.to_parquet", torn)
    again: list[int] = []
    with pytest.raises(StopError):
        write(tiny(), folder, progress=lambda done, games: again.append(done))
    assert again[0] == seen[-1] - seen[1]  # the torn chunk is not counted as done
    assert not (folder / "README.md").exists()
    monkeypatch.undo()
    left: list[int] = []
    write(tiny(), folder, progress=lambda done, games: left.append(done))
    assert left[0] == tiny().games
    assert contents(folder) == contents(whole)


def test_killed_without_a_word_it_goes_on(whole: Path, tmp_path: Path) -> None:
    folder, file = tmp_path / "killed", tmp_path / "tiny.json"
    file.write_bytes(contents(whole)["experiment.json"])
    command = [sys.executable, "-m", "meldroom", "corpus", "write", str(file), "--out", str(folder)]
    with subprocess.Popen([*command, "--jobs", "1"], stderr=subprocess.DEVNULL) as running:
        end = time.monotonic() + 60
        while not any((folder / "chunks").glob("*.msgpack")) and running.poll() is None:
            assert time.monotonic() < end
            time.sleep(0.01)
        running.send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
    done = subprocess.run([*command, "--jobs", "2"], capture_output=True, text=True, check=True)
    assert "20 games" in done.stdout
    assert contents(folder) == contents(whole)


@pytest.fixture
def cluster() -> Iterator[str]:
    """A dask cluster in this process."""
    made: Any = import_module("distributed").LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp"
    )
    with made:
        yield made.scheduler_address


def test_the_same_on_a_dask_cluster(whole: Path, tmp_path: Path, cluster: str) -> None:
    write(tiny(), tmp_path / "cluster", scheduler=cluster)
    assert contents(tmp_path / "cluster") == contents(whole)


def test_another_experiment_in_the_same_folder_is_refused(copy: Path, tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="seed"):
        write(read({**TINY, "seed": "other"}), copy)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine")
    with pytest.raises(ArenaError):
        write(tiny(), tmp_path / "full")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["letter.txt"]


# Checking.


def spoilt(folder: Path, name: str, data: bytes) -> None:
    """A file changed, and its checksum with it."""
    path = folder / name
    old, new = hashlib.sha256(path.read_bytes()).hexdigest(), hashlib.sha256(data).hexdigest()
    path.write_bytes(data)
    sums = folder / "SHA256SUMS"
    sums.write_text(sums.read_text().replace(old, new))


def problems(folder: Path) -> list[str]:
    return [problem.text("en") for problem in check(folder).problems]


def test_a_sound_corpus_checks_out(whole: Path) -> None:
    found = check(whole)
    assert found.sound
    assert found.games == tiny().games


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("games", "turns", 1),
        ("players", "longest_wait", 99),
        ("turns", "jokers_moved", 7),
        ("players", "bot", "me"),
    ],
)
def test_a_changed_statistic_is_found(copy: Path, table: str, column: str, value: object) -> None:
    name = f"{table}/01-wrc11-00000.parquet"
    rows = [dict(row) for row in from_parquet(copy / name)]
    rows[3][column] = value
    spoilt(copy, name, to_parquet(table, [tuple(row.values()) for row in rows]))
    assert problems(copy) == [f"{name}, row 3: the column {column} is not what the record says."]


def test_a_changed_record_is_found(copy: Path) -> None:
    name = "records/01-wrc11-00000.meld.gz"
    text = gzip.decompress((copy / name).read_bytes()).decode()
    first = next(line for line in text.splitlines() if " draws " in line)
    spoilt(copy, name, gzip.compress(text.replace(first, first.rpartition(" ")[0] + " K1", 1).encode()))
    (found,) = problems(copy)
    assert found.startswith(f"{name}, record ")


def test_changed_missing_and_cut_files_are_found(copy: Path) -> None:
    cut = copy / "records/01-wrc11-00000.meld.gz"
    cut.write_bytes(cut.read_bytes()[:-100])
    (copy / "turns/02-rummyo-00000.parquet").unlink()
    found = problems(copy)
    assert len(found) == 2
    assert found[0].startswith("records/01-wrc11-00000.meld.gz: has been changed")
    assert found[1].startswith("turns/02-rummyo-00000.parquet: can't be read")
    spoilt(copy, "records/01-wrc11-00000.meld.gz", cut.read_bytes()[:-1])


def test_records_that_were_swapped_are_found(copy: Path) -> None:
    name = "records/01-wrc11-00000.meld.gz"
    texts = gzip.decompress((copy / name).read_bytes()).decode().split("meldroom-record ")[1:]
    texts[0], texts[1] = texts[1], texts[0]
    spoilt(copy, name, gzip.compress("".join(f"meldroom-record {text}" for text in texts).encode()))
    assert problems(copy) == [f"{name}, record 0: this is another game than the table says."]


def test_a_folder_without_a_corpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no finished corpus"):
        check(tmp_path)


# The command.


def corpus(*words: str | Path) -> Result:
    return CliRunner().invoke(app(("corpus",)), ["corpus", *map(str, words)])


def test_the_commands_say_what_they_did(whole: Path, copy: Path, tmp_path: Path) -> None:
    file = tmp_path / "tiny.json"
    file.write_bytes(contents(whole)["experiment.json"])
    written = corpus("write", file, "--out", copy)
    assert written.exit_code == 0, written.output
    assert "20 games in" in written.output
    assert (
        corpus("check", copy).output == "Everything checks out: 20 games were replayed and counted again.\n"
    )
    assert "Tout concorde" in corpus("check", copy, "--lang", "fr").output
    (copy / "experiment.json").write_text("{}")
    wrong = corpus("check", copy)
    assert wrong.exit_code == 1
    assert "experiment.json: has been changed" in wrong.output


def test_bad_input_is_refused_in_one_line(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('books = ["wrc11"]\nbots = ["tournament"]\ndeal = 1\nseed = 1\n')
    for words in (("write", bad), ("write", tmp_path / "none.toml"), ("check", tmp_path)):
        refused = corpus(*words)
        assert refused.exit_code == 2
        assert refused.output.startswith("meldroom corpus: ")
    bad.write_text('books = ["wrc11"]\nbots = ["tournament", "patient"]\ndeals = 1\nseed = 1\n')
    assert corpus("write", bad, "--out", tmp_path / "x", "--jobs", "0").exit_code == 2
    assert corpus("write", bad, "--out", tmp_path / "y", "--scheduler", "nowhere").exit_code == 2


def test_help_has_examples() -> None:
    assert "meldroom corpus write" in corpus("write", "--help").output
    assert "meldroom corpus check" in corpus("check", "--help").output
