"""A certificate authority for one hall: made once, kept in the data folder, good for private addresses only.

Name constraints limit what it can vouch for: whoever steals its key cannot pose as a site on the internet.
"""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from meldroom.file_lock import only_one
from meldroom.server.storage.errors import DataFolderError

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

FOLDER = "hall"
AUTHORITY_YEARS = 10
SERVER_DAYS = 90
"""Made anew at every start. Apple refuses more than 825 days."""
_CLOCKS_DIFFER = timedelta(days=1)
_PRIVATE_NETWORKS = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8"),
    *("fc00::/7", "fe80::/10", "::1/128"),
)
_LOCAL_NAMES = ("local", "localhost")


class ServerCertificate(msgspec.Struct, frozen=True):
    """What the server shows to browsers, and the files it is in."""

    certificate: Path
    key: Path


class Authority:
    """The hall's own authority: its certificate goes to the tablets, its key never leaves the folder."""

    def __init__(self, folder: Path, certificate: x509.Certificate, key: EllipticCurvePrivateKey) -> None:
        self._folder = folder
        self._certificate = certificate
        self._key = key

    @classmethod
    def opened(cls, data: Path, now: datetime | None = None) -> Authority:
        """The authority of a data folder, made on first use. Raises DataFolderError."""
        folder = data / FOLDER
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with only_one(folder / "lock"):
                return cls._read_or_make(folder, now or datetime.now(UTC))
        except OSError as error:
            reason = error.strerror or str(error)
            raise DataFolderError("cannot_keep_authority", folder=str(folder), reason=reason) from None

    @classmethod
    def _read_or_make(cls, folder: Path, now: datetime) -> Authority:
        from cryptography import x509
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        shown, secret = folder / "authority.pem", folder / "authority-key.pem"
        if shown.exists() and secret.exists():
            try:
                certificate = x509.load_pem_x509_certificate(shown.read_bytes())
                key = load_pem_private_key(secret.read_bytes(), password=None)
            except ValueError:
                raise DataFolderError("damaged_authority", folder=str(folder)) from None
            if (
                not isinstance(key, ec.EllipticCurvePrivateKey)
                or key.public_key() != certificate.public_key()
            ):
                raise DataFolderError("damaged_authority", folder=str(folder))
            if certificate.not_valid_after_utc > now + timedelta(days=SERVER_DAYS):
                return cls(folder, certificate, key)
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = _authority_certificate(key, now)
        _write(secret, _pem_of_key(key), private=True)
        _write(shown, _pem(certificate))
        return cls(folder, certificate, key)

    @property
    def pem(self) -> bytes:
        """The certificate as most systems want it."""
        return _pem(self._certificate)

    @property
    def der(self) -> bytes:
        """The certificate as Apple and Android want it."""
        from cryptography.hazmat.primitives.serialization import Encoding

        return self._certificate.public_bytes(Encoding.DER)

    @property
    def name(self) -> str:
        """What devices list it under."""
        return str(self._certificate.subject.get_attributes_for_oid(_common_name())[0].value)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the certificate in pairs, to compare by eye."""
        from cryptography.hazmat.primitives.hashes import SHA256

        return self._certificate.fingerprint(SHA256()).hex(":").upper()

    def vouch_for(self, addresses: Iterable[str], now: datetime | None = None) -> ServerCertificate:
        """Write a certificate for the server under these addresses, and its key. Raises DataFolderError."""
        from cryptography.hazmat.primitives.asymmetric import ec

        key = ec.generate_private_key(ec.SECP256R1())
        certificate = _server_certificate(
            self._certificate, self._key, key, addresses, now or datetime.now(UTC)
        )
        made = ServerCertificate(self._folder / "server.pem", self._folder / "server-key.pem")
        try:
            _write(made.key, _pem_of_key(key), private=True)
            _write(made.certificate, _pem(certificate) + self.pem)
        except OSError as error:
            reason = error.strerror or str(error)
            raise DataFolderError("cannot_keep_authority", folder=str(self._folder), reason=reason) from None
        return made


def local_names() -> tuple[str, ...]:
    """The names of this machine in a hall's certificate: its own with .local at the end, and localhost."""
    host = socket.gethostname().partition(".")[0].lower()
    named = (f"{host}.local",) if host.isascii() and host.replace("-", "").isalnum() else ()
    return (*named, "localhost")


def _authority_certificate(key: EllipticCurvePrivateKey, now: datetime) -> x509.Certificate:
    from cryptography import x509

    # Tablets list authorities by name; the number tells the halls of one club apart.
    serial = x509.random_serial_number()
    name = _name(f"Meldroom hall {serial % 0x10000:04X}")
    allowed = [
        *(x509.DNSName(name) for name in _LOCAL_NAMES),
        *(x509.IPAddress(ipaddress.ip_network(network)) for network in _PRIVATE_NETWORKS),
    ]
    constraints = x509.NameConstraints(permitted_subtrees=allowed, excluded_subtrees=None)
    built = (
        _builder(name, name, key, serial, now, now + timedelta(days=365 * AUTHORITY_YEARS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(constraints, critical=True)
    )
    return _signed(built, key)


def _server_certificate(
    authority: x509.Certificate,
    signer: EllipticCurvePrivateKey,
    key: EllipticCurvePrivateKey,
    addresses: Iterable[str],
    now: datetime,
) -> x509.Certificate:
    from cryptography import x509
    from cryptography.x509.oid import ExtendedKeyUsageOID

    names = [*dict.fromkeys([*addresses, "127.0.0.1", "::1", *local_names()])]
    subject = _name("Meldroom")
    ends = min(now + timedelta(days=SERVER_DAYS), authority.not_valid_after_utc)
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())
    built = (
        _builder(subject, authority.subject, key, x509.random_serial_number(), now, ends)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([_general_name(name) for name in names]), critical=False)
        .add_extension(issuer, critical=False)
    )
    return _signed(built, signer)


def _name(text: str) -> x509.Name:
    from cryptography import x509

    return x509.Name([x509.NameAttribute(_common_name(), text)])


def _common_name() -> x509.ObjectIdentifier:
    from cryptography.x509.oid import NameOID

    return NameOID.COMMON_NAME


def _general_name(text: str) -> x509.GeneralName:
    from cryptography import x509

    with contextlib.suppress(ValueError):
        return x509.IPAddress(ipaddress.ip_address(text))
    return x509.DNSName(text)


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: EllipticCurvePrivateKey,
    serial: int,
    now: datetime,
    ends: datetime,
) -> x509.CertificateBuilder:
    from cryptography import x509

    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(serial)
        .not_valid_before(now - _CLOCKS_DIFFER)
        .not_valid_after(ends)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    from cryptography import x509

    return x509.KeyUsage(
        digital_signature=True,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _signed(built: x509.CertificateBuilder, key: EllipticCurvePrivateKey) -> x509.Certificate:
    from cryptography.hazmat.primitives.hashes import SHA256

    return built.sign(key, SHA256())


def _pem(certificate: x509.Certificate) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding

    return certificate.public_bytes(Encoding.PEM)


def _pem_of_key(key: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _write(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write a file whole or not at all; a private one can be read by its owner only, from the start."""
    beside = path.with_name(path.name + ".new")
    beside.unlink(missing_ok=True)
    with os.fdopen(
        os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o644), "wb"
    ) as file:
        file.write(content)
    beside.replace(path)
