"""Runs inside Pyodide while the engine is built: packs the standard library and Meldroom as bytecode.

The browser would otherwise compile every module at every start. Of the standard library only those modules
are packed that Pyodide loads or that ours import, directly or through another; one that is left out although
something may import it is named in `NEVER`, with the reason.

`/source` is src/meldroom, `/wheel` the unpacked msgspec wheel, `/out` the folder to write into.
"""

from __future__ import annotations

import ast
import importlib.util
import io
import json
import sys
import zipfile
from collections.abc import Iterable, Mapping
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[attr-defined]
from pathlib import Path

STDLIB = Path(f"/lib/python{sys.version_info[0]}{sys.version_info[1]}.zip")
SOURCE = Path("/source")
WHEEL = Path("/wheel")
OUT = Path("/out")
EARLIEST = (1980, 1, 1, 0, 0, 0)

# What of ours runs in the browser; of `championship` only what these import.
OURS = ("i18n", "tiles", "rules", "game", "record", "solver", "bots", "referee", "rooms", "api", "browser")
NOT_OURS = (
    *("server", "cli", "arena", "corpus", "env", "papers", "site"),
    *("solver.kernel.compiled", "solver.kernel.compilation"),  # kernels run interpreted here
)
NOT_DATA = ("i18n/locales/*/web/*",)  # the client's own texts, which are built into its pages

# Imported by name when text is decoded.
CODECS = ("ascii", "latin_1", "utf_8", "utf_8_sig", "raw_unicode_escape", "unicode_escape", "cp437")
NEVER = {
    # command lines, debuggers and servers
    **dict.fromkeys(
        ("pdb", "bdb", "cmd", "code", "rlcompleter", "pydoc", "doctest", "unittest", "_pyrepl"), "debugging"
    ),
    **dict.fromkeys(("argparse", "optparse", "getopt", "gettext"), "command lines"),
    **dict.fromkeys(("http", "socketserver", "xmlrpc", "ftplib", "smtplib", "imaplib", "email"), "networks"),
    **dict.fromkeys(("urllib.request", "urllib.error", "urllib.response", "mimetypes"), "networks"),
    **dict.fromkeys(
        ("multiprocessing", "concurrent.futures.process", "concurrent.futures.interpreter"), "processes"
    ),
    **dict.fromkeys(("concurrent.interpreters", "pyodide._nodesock_transport"), "processes"),
    **dict.fromkeys(
        ("asyncio.windows_events", "asyncio.windows_utils", "asyncio.proactor_events"), "Windows"
    ),
    **dict.fromkeys(
        ("encodings._win_cp_codecs", "encodings.idna", "encodings.punycode", "stringprep"), "codecs"
    ),
    **dict.fromkeys(
        ("_pydatetime", "_pydecimal", "_pyio", "_py_abc", "_pylong"), "the C version is built in"
    ),
    **dict.fromkeys(
        ("ctypes", "plistlib", "xml", "tarfile", "pickle", "_compat_pickle", "py_compile"), "formats"
    ),
    **dict.fromkeys(
        ("importlib.metadata", "tkinter", "turtle", "ensurepip", "venv", "webbrowser"), "packages"
    ),
    **dict.fromkeys(("_ast_unparse", "sysconfig", "tracemalloc", "quopri", "statistics", "netrc"), "tools"),
}

Modules = Mapping[str, str]
"""The file of every module, by its dotted name."""


def main() -> None:
    """Write stdlib.zip, meldroom.zip and what is in them as modules.json."""
    with zipfile.ZipFile(STDLIB) as archive:
        library = {name: archive.read(name) for name in archive.namelist() if name.endswith(".py")}
    wheel = {str(path.relative_to(WHEEL)): path.read_bytes() for path in WHEEL.rglob("*.py")}
    ours = {f"meldroom/{path.relative_to(SOURCE)}": path.read_bytes() for path in SOURCE.rglob("*.py")}
    modules = {module_name(file): file for file in ours}
    first = [name for name in modules if name.split(".")[1:2] and name.split(".")[1] in OURS]
    first += [
        "meldroom",
        *(name for name in modules if name.count(".") == 1 and name.split(".")[1] in ("errors", "decode")),
    ]
    kept = closure(first, modules, ours, {f"meldroom.{name}": "" for name in NOT_OURS})
    shipped = {modules[name]: ours[modules[name]] for name in kept}
    missing = [name for name in sorted(kept) if name not in modules]
    assert not missing, missing

    asked = {name for files in (shipped, wheel) for file in files for name in imports(files[file], file)}
    asked |= set(sys.modules) | {f"encodings.{codec}" for codec in CODECS}
    standard = {module_name(file): file for file in library}
    needed = closure(asked, standard, library, NEVER)
    write(OUT / "stdlib.zip", {standard[name]: library[standard[name]] for name in needed}, f"{STDLIB}/")
    write(OUT / "meldroom.zip", shipped, "/lib/meldroom/", data=data_of(shipped))
    listed = {"standard": sorted(needed), "meldroom": sorted(kept)}
    (OUT / "modules.json").write_text(json.dumps(listed), encoding="utf-8")


def data_of(shipped: Iterable[str]) -> dict[str, bytes]:
    """The files of our packages that are no modules: rule books, messages, masks of pictures, puzzles."""
    packages = {Path(file).parts[1] for file in shipped if len(Path(file).parts) > 2}
    found = {}
    for path in (*SOURCE.rglob("*.toml"), *SOURCE.rglob("*.bin"), *SOURCE.rglob("*.gz")):
        inside = path.relative_to(SOURCE)
        if inside.parts[0] in packages and not any(inside.match(pattern) for pattern in NOT_DATA):
            found[f"meldroom/{inside}"] = path.read_bytes()
    return found


def module_name(file: str) -> str:
    """The dotted name of a file."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imports(source: bytes, file: str) -> set[str]:
    """Everything that a file may import, wherever in it."""
    package = module_name(file).split(".")
    if not file.endswith("/__init__.py"):
        package = package[:-1]
    found = set[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*parts, *([node.module] if node.module else [])])
            found |= {base, *(f"{base}.{one.name}" for one in node.names)}
    return found


def closure(
    start: Iterable[str], modules: Modules, sources: Mapping[str, bytes], never: Mapping[str, str]
) -> set[str]:
    """Those modules, and whatever they import in turn, with the packages they are in."""
    kept, waiting = set[str](), list(start)
    while waiting:
        name = waiting.pop()
        above = [".".join(name.split(".")[:end]) for end in range(1, name.count(".") + 2)]
        if name in kept or name not in modules or any(one in never for one in above):
            continue
        kept.add(name)
        waiting += [*above, *imports(sources[modules[name]], modules[name])]
    return kept


def without_docstrings(source: bytes) -> ast.Module:
    """A module as it runs: nobody reads its documentation in a browser; assertions stay."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                node.body = node.body[1:] or [ast.copy_location(ast.Pass(), first)]
    return tree


def write(
    path: Path, files: Mapping[str, bytes], prefix: str, data: Mapping[str, bytes] | None = None
) -> None:
    """An archive of bytecode that is never compared with a source; the same bytes for the same files."""
    contents = dict(data or {})
    for file, source in files.items():
        # Pyodide reads the docstrings of its own modules.
        tree = ast.parse(source) if file.startswith(("pyodide/", "_pyodide/")) else without_docstrings(source)
        code = compile(tree, prefix + file, "exec", dont_inherit=True, optimize=0)
        contents[f"{file}c"] = bytes(_code_to_hash_pyc(code, importlib.util.source_hash(source), False))
    packed = io.BytesIO()
    # Not compressed inside: the whole archive is, for the way.
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(contents):
            archive.writestr(zipfile.ZipInfo(name, EARLIEST), contents[name])
    path.write_bytes(packed.getvalue())


main()
