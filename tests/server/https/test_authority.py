"""The certificate authority of a hall: kept, trusted for private addresses, and for nothing else."""

from __future__ import annotations

import plistlib
import ssl
import stat
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from meldroom.server.https.authority import AUTHORITY_YEARS, Authority, ServerCertificate
from meldroom.server.https.trust_site import profile
from meldroom.server.storage import DataFolderError


def shakes_hands(authority: Authority, made: ServerCertificate, name: str) -> None:
    """A TLS handshake between a client that trusts the authority and a server with the certificate."""
    trusting = ssl.create_default_context(cadata=authority.pem.decode())
    showing = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    showing.load_cert_chain(made.certificate, made.key)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = trusting.wrap_bio(back, there, server_hostname=name)
    server = showing.wrap_bio(there, back, server_side=True)
    waiting = [client, server]
    while waiting:
        for side in list(waiting):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            waiting.remove(side)


@pytest.mark.parametrize("name", ["127.0.0.1", "192.168.1.20", "localhost", "fd00::5"])
def test_a_device_that_trusts_the_authority_trusts_the_server(tmp_path: Path, name: str) -> None:
    authority = Authority.opened(tmp_path)
    shakes_hands(authority, authority.vouch_for(["192.168.1.20", "fd00::5"]), name)


def test_a_name_that_is_not_in_the_certificate_is_refused(tmp_path: Path) -> None:
    authority = Authority.opened(tmp_path)
    with pytest.raises(ssl.SSLCertVerificationError, match="mismatch"):
        shakes_hands(authority, authority.vouch_for(["192.168.1.20"]), "192.168.1.21")


@pytest.mark.parametrize("name", ["bank.example", "8.8.8.8", "2001:db8::1"])
def test_it_can_vouch_for_nothing_on_the_internet(tmp_path: Path, name: str) -> None:
    authority = Authority.opened(tmp_path)
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        shakes_hands(authority, authority.vouch_for([name]), name)


def test_it_is_made_once_and_the_server_is_vouched_for_anew(tmp_path: Path) -> None:
    first = Authority.opened(tmp_path)
    before = first.vouch_for(["10.0.0.1"]).certificate.read_bytes()
    second = Authority.opened(tmp_path)
    assert (second.pem, second.fingerprint, second.name) == (first.pem, first.fingerprint, first.name)
    assert second.vouch_for(["10.0.0.1"]).certificate.read_bytes() != before
    shakes_hands(first, second.vouch_for(["10.0.0.2"]), "10.0.0.2")


def test_shortly_before_its_end_it_is_made_anew(tmp_path: Path) -> None:
    old = Authority.opened(tmp_path)
    soon = datetime.now(UTC) + timedelta(days=365 * AUTHORITY_YEARS - 30)
    assert Authority.opened(tmp_path, soon).fingerprint != old.fingerprint


@pytest.mark.skipif(sys.platform == "win32", reason="rights are other things there")
def test_nobody_else_can_read_the_keys(tmp_path: Path) -> None:
    made = Authority.opened(tmp_path).vouch_for([])
    for key in (made.key, made.key.with_name("authority-key.pem")):
        assert stat.S_IMODE(key.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", b"-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----\n"]
)
@pytest.mark.parametrize("file", ["authority.pem", "authority-key.pem"])
def test_damaged_files_are_told_and_left_alone(tmp_path: Path, file: str, content: bytes) -> None:
    Authority.opened(tmp_path)
    (tmp_path / "hall" / file).write_bytes(content)
    with pytest.raises(DataFolderError, match="don't belong together"):
        Authority.opened(tmp_path)
    assert (tmp_path / "hall" / file).read_bytes() == content


def test_the_key_of_another_authority_is_noticed(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        Authority.opened(tmp_path / folder)
    key = tmp_path / "two" / "hall" / "authority-key.pem"
    (tmp_path / "one" / "hall" / "authority-key.pem").write_bytes(key.read_bytes())
    with pytest.raises(DataFolderError, match="don't belong together"):
        Authority.opened(tmp_path / "one")


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "hall").write_text("in the way")
    with pytest.raises(DataFolderError, match="can't be kept"):
        Authority.opened(tmp_path)


def test_the_profile_for_apple_devices_holds_the_certificate(tmp_path: Path) -> None:
    authority = Authority.opened(tmp_path)
    read = plistlib.loads(profile(authority))
    (payload,) = read["PayloadContent"]
    assert (payload["PayloadType"], payload["PayloadContent"]) == ("com.apple.security.root", authority.der)
    assert profile(authority) == profile(Authority.opened(tmp_path)), "a second load replaces the first"
