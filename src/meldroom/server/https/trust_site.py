"""The plain http address of a hall: it shows tablets how to trust the server, then sends them to https."""

from __future__ import annotations

import plistlib
import uuid
from html import escape
from importlib.resources import files
from string import Template

from meldroom.i18n import Language, message, negotiate
from meldroom.server.https.authority import Authority
from meldroom.server.web.asgi import Headers, Receive, Scope, Send, headers_of, refuse, respond

CERTIFICATE = "/hall/meldroom.crt"
PROFILE = "/hall/meldroom.mobileconfig"
SYSTEMS = ("apple_mobile", "android", "chromeos", "windows", "mac", "linux")
"""What people carry to a hall; the page opens the steps for the one it is read on."""
LONGEST_HOST = 255
_FILE_OF = {"apple_mobile": PROFILE}


class TrustSite:
    """Every path gives the page, so that a link into the site arrives after the detour as well."""

    def __init__(self, authority: Authority, port: int) -> None:
        """Lead to https at this port of whatever address somebody came by."""
        self._authority = authority
        self._port = port
        self._page = Template(_resource("trust_page.html").decode())
        self._files = {
            "/hall/trust.css": (b"text/css; charset=utf-8", _resource("trust_page.css")),
            "/hall/trust.js": (b"text/javascript; charset=utf-8", _resource("trust_page.js")),
            CERTIFICATE: (b"application/x-x509-ca-cert", authority.der),
            PROFILE: (b"application/x-apple-aspen-config", profile(authority)),
        }

    @property
    def fingerprint(self) -> str:
        """The certificate's, to compare by eye."""
        return self._authority.fingerprint

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Answer one request; there are no sockets here."""
        if scope["type"] != "http":
            return
        if scope["method"] not in ("GET", "HEAD"):
            await refuse(scope, send, 405, "method_not_allowed", method=str(scope["method"])[:20])
            return
        head = scope["method"] == "HEAD"
        if (found := self._files.get(str(scope["path"]))) is not None:
            kind, body = found
            await respond(send, 200, body, [(b"content-type", kind), *_SAFE], head=head)
            return
        headers = headers_of(scope)
        site = self._site(headers.get("host", ""))
        body = self.page(site, negotiate(headers.get("accept-language", ""))).encode()
        policy = f"default-src 'self'; connect-src {site}; frame-ancestors 'none'; base-uri 'none'"
        answer: Headers = [
            (b"content-type", b"text/html; charset=utf-8"),
            (b"content-security-policy", policy.encode("ascii")),
            (b"cache-control", b"no-store"),
            (b"vary", b"accept-language"),
            *_SAFE,
        ]
        await respond(send, 200, body, answer, head=head)

    def _site(self, host: str) -> str:
        """The https address of the host that a request named; localhost if it named none we would repeat."""
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        plain = name.removeprefix("[").removesuffix("]")
        fine = plain.isascii() and 0 < len(plain) <= LONGEST_HOST and not set(plain) - _IN_HOSTS
        return f"https://{name if fine else 'localhost'}:{self._port}"

    def page(self, site: str, language: Language) -> str:
        """The page in one language."""

        def told(code: str) -> str:
            return escape(message(f"server.trust.{code}", language))

        return self._page.substitute(
            language=language,
            site=escape(site),
            systems="\n".join(_steps(system, language) for system in SYSTEMS),
            fingerprint=self._authority.fingerprint,
            **{
                code: told(code)
                for code in (
                    "title",
                    "checking",
                    "trusted",
                    "why",
                    "on",
                    "afterwards",
                    "safe_title",
                    "safe",
                    "compare",
                )
            },
        )


_TEXTS = ("title", "checking", "trusted", "why", "on", "afterwards", "safe_title", "safe", "compare")
_IN_HOSTS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:")
_SAFE = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"))


def profile(authority: Authority) -> bytes:
    """The authority as a configuration profile, which iPhones and iPads install."""
    own = uuid.uuid5(uuid.NAMESPACE_OID, authority.fingerprint)
    certificate = {
        "PayloadType": "com.apple.security.root",
        "PayloadIdentifier": f"meldroom.hall.{own}.certificate",
        "PayloadUUID": str(uuid.uuid5(own, "certificate")).upper(),
        "PayloadVersion": 1,
        "PayloadDisplayName": authority.name,
        "PayloadContent": authority.der,
    }
    return plistlib.dumps(
        {
            "PayloadType": "Configuration",
            "PayloadIdentifier": f"meldroom.hall.{own}",
            "PayloadUUID": str(own).upper(),
            "PayloadVersion": 1,
            "PayloadDisplayName": authority.name,
            "PayloadContent": [certificate],
        }
    )


def _steps(system: str, language: Language) -> str:
    """What to do on one kind of device, the file to load first."""
    path = f"server.trust.{system}"
    lines = message(f"{path}.steps", language).split("\n")
    file = escape(message("server.trust.file", language))
    steps = "".join(f"<li>{escape(line)}</li>" for line in lines if line)
    # Safari installs a profile that it opens; a download would end up among the files.
    saved = "" if system in _FILE_OF else " download"
    link = f'<li><a class="file" href="{_FILE_OF.get(system, CERTIFICATE)}"{saved}>{file}</a></li>'
    return (
        f'<details id="{system}"><summary>{escape(message(f"{path}.name", language))}</summary>'
        f"<ol>{link}{steps}</ol></details>"
    )


def _resource(name: str) -> bytes:
    return files(__package__).joinpath(name).read_bytes()
