"""The commands around a server's database: config check, migrate, move, backup, restore."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from meldroom.cli.app import app
from meldroom.cli.operations.addresses import is_plain_database
from meldroom.server.storage import SqlStore
from tests.server.conftest import ON_POSTGRES

pytestmark = pytest.mark.skipif(ON_POSTGRES, reason="it chooses the databases itself")


def command(*words: str, **environment: str) -> tuple[int, str]:
    """The exit status and everything that was said."""
    done = CliRunner().invoke(app([words[0]]), [*words], env=environment)
    return done.exit_code, done.output


def written(folder: Path, text: str) -> str:
    path = folder / "meldroom.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_every_fault_of_a_configuration_is_told_with_its_place(tmp_path: Path) -> None:
    file = written(tmp_path, 'port = 99999\nhots = "0.0.0.0"\nbot_pace = "slow"\nhost = "127.0.0.1"\n')
    status, said = command("config", "check", file)
    assert status == 1
    lines = said.splitlines()
    assert len(lines) == 3
    assert "port: must be at most 65,535" in lines[0]
    assert "there is no field “hots”" in lines[1]
    assert "bot_pace: a whole number is expected, not text" in lines[2]


def test_what_is_no_toml_is_told_with_its_line(tmp_path: Path) -> None:
    status, said = command("config", "check", written(tmp_path, "port = 80\nhost\n"))
    assert status == 1
    assert "isn't TOML" in said
    assert "line 2" in said


def test_what_a_configuration_names_must_be_there(tmp_path: Path, database_url: str) -> None:
    nowhere = "postgresql://ada:secret@127.0.0.1:1/games"
    file = written(tmp_path, f'certificate = "{tmp_path}/no.pem"\ndatabase = "{nowhere}"\n')
    status, said = command("config", "check", file)
    assert status == 1
    assert "certificate: there is no file" in said
    assert "the field “key” is missing" in said
    assert "database: the database postgresql://ada:***@127.0.0.1:1/games can't be reached" in said
    assert "secret" not in said
    status, said = command("config", "check", written(tmp_path, 'database = "mysql://host/games"\n'))
    assert (status, "isn't the address of a PostgreSQL database" in said) == (1, True)
    assert command("config", "check", written(tmp_path, f'database = "{database_url}"\nport = 0\n'))[0] == 0


def test_serve_takes_options_from_the_file_and_the_environment(tmp_path: Path) -> None:
    file = written(tmp_path, 'database = "mysql://from-file/games"\nport = 0\n')
    data = ("--data", str(tmp_path / "data"))
    status, said = command("serve", "--config", file, *data)
    assert (status, "mysql://from-file" in said) == (1, True)
    status, said = command("serve", *data, "--port", "0", MELDROOM_CONFIG=file)
    assert (status, "mysql://from-file" in said) == (1, True)
    status, said = command("serve", "--config", file, *data, MELDROOM_DATABASE="mysql://from-environment/x")
    assert (status, "mysql://from-environment" in said) == (1, True)
    status, said = command("serve", "--config", written(tmp_path, "prot = 1\n"), *data)
    assert status == 2
    assert "there is no field “prot”" in said


def test_addresses_come_from_files_that_nobody_else_reads(tmp_path: Path) -> None:
    """On the command line, in the environment and in a configuration; a password in sight is warned of."""
    secret = tmp_path / "database"
    secret.write_text("mysql://ada:secret@from-a-file/games\n", encoding="utf-8")
    data = ("--data", str(tmp_path / "data"), "--port", "0")
    for words, environment in (
        (("--database", f"@{secret}"), {}),
        ((), {"MELDROOM_DATABASE": f"@{secret}"}),
        (("--config", written(tmp_path, f'database = "@{secret}"\n')), {}),
    ):
        status, said = command("serve", *data, *words, **environment)
        assert (status, "mysql://ada:***@from-a-file" in said) == (1, True), words
        assert "everybody on this machine" not in said
        assert "secret" not in said
    status, said = command("serve", *data, "--database", "mysql://ada:secret@host/games")
    assert (status, "--database: everybody on this machine can see the password" in said) == (1, True)
    assert "ada:secret" not in said
    status, said = command("migrate", "--database", f"@{tmp_path}/nowhere")
    assert (status, "--database: there is no file" in said) == (2, True)


@pytest.mark.skipif(os.name != "posix", reason="files have no such rights")
def test_a_configuration_that_lets_others_read_along_is_warned_of(tmp_path: Path, database_url: str) -> None:
    def warned(text: str, mode: int = 0o600) -> list[str]:
        file = Path(written(tmp_path, text))
        file.chmod(mode)
        status, said = command("config", "check", str(file))
        assert status == 0, said
        return [line.partition("warning: ")[2] for line in said.splitlines() if "warning" in line]

    assert warned('bus = "nats://127.0.0.1:4222"\nhost = "127.0.0.1"\n', 0o644) == []
    (line,) = warned('bus = "nats://ada:secret@127.0.0.1:4222"\n', 0o644)
    assert "chmod 600" in line
    assert warned('bus = "nats://ada:secret@127.0.0.1:4222"\n') == []
    kept = tmp_path / "bus"
    kept.write_text("nats://bus.example:4222", encoding="utf-8")
    kept.chmod(0o604)
    first, second = warned(f'bus = "@{kept}"\n')
    assert str(kept) in first
    assert "use tls://" in second
    assert warned('bus = "tls://bus.example:4222"\n') == []
    (line,) = warned('host = "0.0.0.0"\n')
    assert "plain http" in line
    assert warned('host = "0.0.0.0"\nhall = true\n') == []
    assert warned(f'database = "{database_url}"\n') == []
    assert is_plain_database("postgresql://ada@db.example:5432/games?sslmode=prefer")
    assert not is_plain_database("postgresql://ada@db.example/games?sslmode=require")


def test_a_database_that_must_have_tls_is_not_used_without(tmp_path: Path, database_url: str) -> None:
    joined = "&" if "?" in database_url else "?"
    data = ("--data", str(tmp_path / "node"))
    status, said = command("migrate", *data, "--database", f"{database_url}{joined}sslmode=disable")
    assert status == 0, said
    status, said = command("migrate", *data, "--database", f"{database_url}{joined}sslmode=require")
    assert (status, "rejected SSL upgrade" in said) == (2, True), said


def test_migrate_move_backup_and_restore(tmp_path: Path, database_url: str) -> None:
    folder = tmp_path / "data"
    asyncio.run(_made(folder))
    status, said = command("migrate", "--data", str(folder))
    assert (status, "is at revision" in said) == (0, True)
    status, said = command("move", str(folder), database_url)
    assert status == 0, said
    assert "rows copied" in said
    data = ("--data", str(tmp_path / "node"))
    status, said = command("migrate", "--database", database_url, *data)
    assert status == 0, said
    status, said = command("backup", str(tmp_path / "copy"), "--database", database_url, *data)
    assert status == 0, said
    status, said = command("restore", str(tmp_path / "copy"), "--data", str(tmp_path / "again"))
    assert status == 0, said
    status, said = command("restore", str(tmp_path / "copy"), "--data", str(tmp_path / "again"))
    assert (status, "isn't empty" in said) == (2, True)
    status, said = command("move", str(tmp_path / "nowhere"), str(tmp_path / "else"))
    assert (status, "there is no database" in said) == (2, True)


async def _made(folder: Path) -> None:
    store = await SqlStore.open(folder)
    await store.alive(5)
    await store.close()
