"""`meldroom serve` as somebody at a terminal meets it: help, a taken port, a folder in use, the addresses."""

from __future__ import annotations

import asyncio
import errno
import socket
import sqlite3
import ssl
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from meldroom.cli import serve as command
from meldroom.cli.app import app
from meldroom.server.config import Config, default_data, default_pages
from meldroom.server.run import bind
from meldroom.server.storage import SqlStore
from testkit.server.process import free_port, serving
from testkit.server.process_tree import family

RUNNER = CliRunner()


def serve(*words: str) -> tuple[int, str]:
    """The status of the command and all that it said."""
    done = RUNNER.invoke(app(("serve",)), ["serve", *words])
    return done.exit_code, done.output


def test_the_help_is_for_a_newcomer() -> None:
    status, said = serve("--help")
    assert status == 0
    for word in ("browser", "SQLite", "Ctrl-C", "Examples:", "--host 0.0.0.0", "--data", "--bot-pace"):
        assert word in said


def test_a_taken_port_is_said_and_another_one_proposed(tmp_path: Path) -> None:
    with closing(bind("127.0.0.1", 0)) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        status, said = serve("--port", str(port), "--data", str(tmp_path))
    assert status == 1
    assert f"port {port} is taken" in said
    assert "--port" in said
    assert "Traceback" not in said
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_it_serves_while_kernels_are_compiled_and_ends_the_compilation(tmp_path: Path) -> None:
    environment = {"MELDROOM_KERNELS": "auto", "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    with serving(tmp_path / "data", environment=environment) as server:
        assert server.process is not None
        end = time.monotonic() + 30
        while "Compiling kernels" not in server.read_log() or len(family(server.process.pid)) < 2:
            assert time.monotonic() < end, server.read_log()
            time.sleep(0.05)
        processes = family(server.process.pid)
        assert httpx.get(server.url).status_code in (200, 503)  # 503 without built pages
    assert [number for number in processes if Path(f"/proc/{number}").exists()] == []
    assert server.read_log().splitlines()[-1] == "Meldroom has stopped; every game is kept."


CERTIFICATE = Path(__file__).parent / "certificate"  # made for these tests, and good for nothing else


def test_https_with_a_certificate(tmp_path: Path) -> None:
    """The address is https, and the session's cookie is bound to it."""
    files = ["--certificate", str(CERTIFICATE / "certificate.pem"), "--key", str(CERTIFICATE / "key.pem")]
    program = [sys.executable, "-m", "meldroom", "serve", "--port", "0", "--data", str(tmp_path), *files]
    trusted = ssl.create_default_context(cafile=str(CERTIFICATE / "certificate.pem"))
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            address = server.stdout.readline().removeprefix("Meldroom is at ").strip()
            assert address.startswith("https://127.0.0.1:")
            answer = httpx.post(
                f"{address}/api/v1/session", json={}, headers={"origin": address}, verify=trusted
            )
        finally:
            server.terminate()
    assert answer.status_code == 201
    assert answer.headers["set-cookie"].startswith("__Host-meldroom_session=")
    assert "Secure" in answer.headers["set-cookie"]


def test_https_needs_both_files_and_a_key_that_fits(tmp_path: Path) -> None:
    right = str(CERTIFICATE / "certificate.pem")
    status, said = serve("--port", "0", "--data", str(tmp_path), "--certificate", right)
    assert (status, said) == (
        1,
        "meldroom serve: https needs both files: --certificate FILE and --key FILE\n",
    )
    status, said = serve("--port", "0", "--data", str(tmp_path), "--certificate", right, "--key", right)
    assert status == 1
    assert "aren't a certificate and its key" in said


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7"])
def test_https_can_be_required(host: str, tmp_path: Path) -> None:
    there = ("--port", "0", "--data", str(tmp_path), "--host", host)
    status, said = serve(*there, "--require-https")
    assert (status, f"--require-https, but {host} would be plain http" in said) == (1, True)
    assert not command.is_plain(host, hall=False, https=True, proxy="127.0.0.1")
    assert not command.is_plain(host, hall=True, https=False, proxy="127.0.0.1")
    assert not command.is_plain(host, hall=False, https=False, proxy="192.0.2.1")  # which has the certificate
    for own in (None, "127.0.0.1", "::1", "localhost"):
        assert not command.is_plain(own, hall=False, https=False, proxy="127.0.0.1")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.EACCES, "denied"), "choose one above 1023"),
        (OSError(errno.EADDRNOTAVAIL, "not there"), "this machine has no address “10.1.2.3”"),
        (socket.gaierror(-2, "unknown"), "this machine has no address"),
        (OSError(errno.EIO, "broken"), "cannot listen on 10.1.2.3, port 80: broken"),
    ],
)
def test_other_troubles_with_an_address_have_a_sentence(error: OSError, said: str) -> None:
    assert said in str(command._port_problem(error, "10.1.2.3", 80))


def test_a_folder_in_use_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with asyncio.Runner() as elsewhere:
        store = elsewhere.run(SqlStore.open(tmp_path))
        try:
            status, said = serve("--port", "0", "--data", str(tmp_path))
        finally:
            elsewhere.run(store.close())
    assert status == 1
    assert said.startswith("meldroom serve: another Meldroom server is already using the data folder")


def test_a_newer_database_is_refused_with_a_sentence(tmp_path: Path) -> None:
    async def made() -> None:
        await (await SqlStore.open(tmp_path)).close()

    asyncio.run(made())
    with closing(sqlite3.connect(tmp_path / "meldroom.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = '2999'")
        database.commit()
    status, said = serve("--port", "0", "--data", str(tmp_path))
    assert status == 1
    assert "written by a newer Meldroom" in said


def test_it_says_where_to_find_the_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = Config(data=tmp_path / "games", pages=tmp_path)
    with closing(bind("127.0.0.1", 0)) as bound:
        command._greet(config, bound, "en")
        port = bound.getsockname()[1]
    said = capsys.readouterr().out
    assert f"Meldroom is at http://127.0.0.1:{port}\n" in said
    assert str(tmp_path / "games") in said
    assert "pages have not been built" in said
    assert "plain http" not in said


def test_for_everybody_the_addresses_on_the_network_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_network_addresses", lambda: ["192.168.7.7", "10.0.0.7"])
    (tmp_path / "index.html").write_text("<p>", encoding="utf-8")
    with closing(bind("0.0.0.0", 0)) as bound:
        command._greet(Config(data=tmp_path, pages=tmp_path), bound, "en")
        port = bound.getsockname()[1]
    said = capsys.readouterr().out
    assert said.splitlines()[:3] == [
        f"Meldroom is at http://192.168.7.7:{port}",
        f"  on your network: http://10.0.0.7:{port}",
        f"  on this computer: http://127.0.0.1:{port}",
    ]
    assert "This is plain http" in said
    assert "not been built" not in said


def test_no_address_of_the_network_is_this_machines_own() -> None:
    assert all(not address.startswith("127.") for address in command._network_addresses())


def test_the_default_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert default_data() == tmp_path / "meldroom"
    monkeypatch.setenv("MELDROOM_PAGES", str(tmp_path / "built"))
    assert default_pages() == tmp_path / "built"
    monkeypatch.delenv("MELDROOM_PAGES")
    assert default_pages().parts[-2:] == ("server", "pages")


def test_the_server_loads_no_numeric_stack() -> None:
    program = (
        "import sys, meldroom.server.run; "
        "sys.exit(' '.join({'numba', 'numpy', 'argon2', 'alembic'} & set(sys.modules)) or None)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_hall_gets_a_certificate_an_address_and_a_qr_code(tmp_path: Path) -> None:
    secure = free_port()
    with serving(tmp_path / "data", "--hall", "--https-port", str(secure)) as server:
        plain, end = server.port, time.monotonic() + 30
        while "Games are kept" not in (said := server.read_log()):
            assert time.monotonic() < end, said
            time.sleep(0.02)
        shown = httpx.get(f"http://127.0.0.1:{plain}/championship/x")
        authority = httpx.get(f"http://127.0.0.1:{plain}/hall/meldroom.crt").content
        trusted = ssl.create_default_context(cadata=authority)
        answer = httpx.get(f"https://127.0.0.1:{secure}/healthz", verify=trusted)
    assert f"Tablets and phones begin at http://127.0.0.1:{plain}\n" in said
    assert "▄" in said, "the QR code"
    assert f"https://127.0.0.1:{secure}" in shown.text
    assert answer.status_code == 200


def test_a_hall_makes_its_own_certificate(tmp_path: Path) -> None:
    files = ["--certificate", str(CERTIFICATE / "certificate.pem"), "--key", str(CERTIFICATE / "key.pem")]
    status, said = serve("--hall", "--port", "0", "--data", str(tmp_path), *files)
    assert (status, "--hall makes its own certificate" in said) == (1, True)
