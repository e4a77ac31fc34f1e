"""What a page of ours may load and run, and what the worker with the engine may besides."""

from __future__ import annotations

# No script but our own files; style attributes are allowed because a tile's place is one.
_PAGE = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",
    "style-src-attr": "'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
# Python is WebAssembly; a worker has the policy of its own response, so pages need not allow it.
_ENGINE = _PAGE | {"script-src": "'self' 'wasm-unsafe-eval'"}


def _header(policy: dict[str, str]) -> tuple[bytes, bytes]:
    return b"content-security-policy", "; ".join(f"{name} {value}" for name, value in policy.items()).encode()


PAGE_POLICY = _header(_PAGE)
ENGINE_POLICY = _header(_ENGINE)
