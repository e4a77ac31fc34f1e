"""Push messages are encrypted and signed as the standards' own examples are."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from meldroom.server.push.encryption import (
    BadKeyError,
    BrowserKeys,
    SigningKey,
    encrypt,
    from_base64url,
    to_base64url,
)
from tests.server.push.push_service import Browser, InvalidSignature, Received

P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"


def private(text: str) -> ec.EllipticCurvePrivateKey:
    """A private key of an example."""
    return ec.derive_private_key(int.from_bytes(from_base64url(text), "big"), ec.SECP256R1())


def test_the_example_of_rfc_8291() -> None:
    """Section 5 and appendix A: the same keys and salt give the same bytes."""
    body = encrypt(
        b"When I grow up, I want to be a watermelon",
        BrowserKeys.parse(P256DH, AUTH),
        own=private("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
        salt=from_base64url("DGv6ra1nlYgDCS1FRnbzlw"),
        padded_to=0,
    )
    assert to_base64url(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    reader = Browser(private("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), from_base64url(AUTH))
    assert reader.decrypt(body) == b"When I grow up, I want to be a watermelon"


def test_messages_of_any_length_look_alike_and_never_repeat() -> None:
    browser = Browser()
    keys = BrowserKeys(browser.point, browser.auth)
    bodies = [encrypt(text, keys) for text in (b"", b"a", b"a", b"b" * 300)]
    assert len({len(body) for body in bodies}) == 1
    assert len(set(bodies)) == 4
    assert [browser.decrypt(body) for body in bodies] == [b"", b"a", b"a", b"b" * 300]


def test_the_signature_names_the_push_service_and_ends_within_a_day() -> None:
    key = SigningKey(SigningKey.generate())
    header = key.authorization("https://push.example", "https://play.example", 1_000_000)
    claims = Received("/", {"authorization": header}, b"").claims()
    assert claims == {"aud": "https://push.example", "exp": 1_043_200, "sub": "https://play.example"}
    other = SigningKey(SigningKey.generate()).public
    forged = header.partition(", k=")[0] + f", k={other}"
    with pytest.raises(InvalidSignature):
        Received("/", {"authorization": forged}, b"").claims()


def test_a_stored_key_is_the_same_key_again() -> None:
    stored = SigningKey.generate()
    assert SigningKey(stored).public == SigningKey(stored).public
    assert len(from_base64url(SigningKey(stored).public)) == 65
    assert stored not in repr(SigningKey(stored)) + repr(vars(SigningKey(stored)))


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", AUTH),
        ("éé", AUTH),
        (P256DH, ""),
        (P256DH, "c2hvcnQ"),
        (P256DH[:-4], AUTH),
        (to_base64url(b"\x04" + b"\x01" * 64), AUTH),
        ("not base64!", AUTH),
    ],
)
def test_keys_that_are_none_are_refused(p256dh: str, auth: str) -> None:
    with pytest.raises(BadKeyError):
        BrowserKeys.parse(p256dh, auth)
