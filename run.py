#!/usr/bin/env python3
"""Set up Meldroom in `.venv` and run it; needs nothing but Python.

python3 run.py                 the game in the browser: `meldroom serve`, http://127.0.0.1:8000
python3 run.py ARGUMENTS       any other `meldroom` command
python3 run.py test [...]      every check, then the tests; what follows goes to pytest
python3 run.py test --quick    for daily work, under two minutes: no pages, no browser, no slow tests
python3 run.py docs            build the documentation into site/
python3 run.py lock [...]      resolve requirements/*.in again; what follows goes to uv (--upgrade)
"""

import sys

# The syntax of this file stays that of old Pythons, so that they reach this line.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("Meldroom needs Python 3.11 or newer; this is Python {}.{}.".format(*sys.version_info[:2]))

import ast
import hashlib
import os
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

try:
    import ensurepip  # noqa: F401  (venv needs it; some systems ship the one without the other)
    import venv
except ImportError:
    sys.exit(
        "This Python cannot make virtual environments: its venv module is missing.\n"
        "On Debian and Ubuntu it is a package of its own: apt install python3-venv"
    )

ROOT = Path(__file__).resolve().parent
REQUIREMENTS = ROOT / "requirements"
WEB = ROOT / "web"
KERNELS = (ROOT / "src" / "meldroom" / "solver", ROOT / "src" / "meldroom" / "bots")
VENV = ROOT / ".venv"
WINDOWS = sys.platform == "win32"
PROGRAMS = VENV / ("Scripts" if WINDOWS else "bin")

# A virtual environment belongs to one Python and cannot be moved.
INTERPRETER = f"{sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]} in {VENV}"

TYPED = ["src", "tests", "testkit", "bench", "examples", "web", "hatch_build.py", "run.py"]
CHECKS = (["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy", *TYPED])
PYTEST = ["pytest", "-n", "auto", "--maxprocesses", "4", "--dist", "loadgroup"]
QUICK = ["-m", "not slow", "--hypothesis-profile", "quick"]  # tests/conftest.py says which are slow


def main(arguments: Sequence[str]) -> NoReturn:
    """Do what the arguments ask; the process ends, or becomes the program asked for."""
    first, rest = (arguments[0], list(arguments[1:])) if arguments else ("serve", [])
    if first == "test":
        quick = "--quick" in rest
        prepare("test", pages=not quick)
        if quick:
            rest = [*QUICK, *(word for word in rest if word != "--quick")]
        else:
            build_pages("--check")
        os.chdir(ROOT)
        for check in CHECKS:
            announce(check)
            status = subprocess.call([program(check[0]), *check[1:]])
            if status:
                sys.exit(status)
        announce([*PYTEST, *rest])
        become([*PYTEST, *rest])
    elif first == "docs":
        prepare("test")
        os.chdir(ROOT)
        become(["zensical", "build", "--clean", "--strict", *rest])
    elif first == "lock":
        lock(rest)
    else:
        prepare("run", pages=first == "serve")
        become(["meldroom", first, *rest])


def prepare(kind: str, pages: bool = False) -> None:
    """Make `.venv` hold the set `kind`, "run" or "test", and the pages; quick when all is there."""
    if not is_ready(kind):
        with only_one():
            if not is_ready(kind):
                stamp(kind).unlink(missing_ok=True)
                make_environment()
                install(kind)
                stamp(kind).write_text(digest(kind))
    with ThreadPoolExecutor(max_workers=1) as beside:  # the pages and the kernels need nothing of each other
        built = beside.submit(build_pages) if pages else None
        if not is_warm():
            with only_one():
                if not is_warm():
                    warm()
    if built is not None:
        built.result()


def is_ready(kind: str) -> bool:
    """Whether `.venv` holds the set `kind`; the test set holds the run set too."""
    return Path(program("python")).exists() and any(
        read(stamp(each)) == digest(each) for each in {kind, "test"}
    )


def stamp(kind: str) -> Path:
    """The file that says which lock, project file and Python the set `kind` was installed from."""
    return VENV / f"meldroom-{kind}.stamp"


def digest(kind: str) -> str:
    """What `stamp` must hold for the set to be up to date."""
    parts = [REQUIREMENTS / f"{kind}.txt", REQUIREMENTS / "uv.txt", ROOT / "pyproject.toml"]
    return hashlib.sha256("\0".join([INTERPRETER, *map(read, parts)]).encode()).hexdigest()


def make_environment() -> None:
    """Make `.venv`, unless it is there and made by this Python at this place."""
    made_by = VENV / "meldroom-python.stamp"
    if Path(program("python")).exists() and read(made_by) == INTERPRETER:
        return
    say("making .venv")
    try:
        venv.create(VENV, clear=True, symlinks=not WINDOWS, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"Could not make the virtual environment {VENV}: {error}")
    made_by.write_text(INTERPRETER)


def install(kind: str) -> None:
    """Install the hashed lock of the set `kind`, then the project: by uv, or by pip where uv fails."""
    locked = ["--require-hashes", "--requirement", str(REQUIREMENTS / f"{kind}.txt")]
    project = ["--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
    uv = [program("uv"), "pip", "install", "--quiet", "--python", program("python"), "--compile-bytecode"]

    say(f"installing requirements/{kind}.txt")
    if (
        quietly(pip_install("--only-binary", ":all:", "--require-hashes", "-r", str(REQUIREMENTS / "uv.txt")))
        and visibly([*uv, *locked], uv_environment())
        and visibly([*uv, *project], uv_environment())
    ):
        return
    say("uv did not work here; trying pip")
    if not visibly(pip_install(*locked)):
        sys.exit(
            f"Could not install requirements/{kind}.txt; the lines above say why.\n"
            "The first start needs a network, or a package source that pip is configured for;\n"
            "later starts do not."
        )
    if not visibly(pip_install("--no-index", *project)):
        sys.exit("Could not install Meldroom itself into .venv; the lines above say why.")


def pip_install(*arguments: str) -> list[str]:
    """The pip command that installs the arguments into `.venv`."""
    options = ["--quiet", "--disable-pip-version-check", "--retries", "2"]
    return [program("python"), "-m", "pip", "install", *options, *arguments]


def uv_environment() -> dict[str, str]:
    """This process's environment, with pip's settings in uv's words: uv does not read pip's."""
    found = dict[str, str]()
    listing = subprocess.run(
        [program("python"), "-m", "pip", "config", "list"], stdout=subprocess.PIPE, text=True, check=False
    )
    entries = [line.partition("=") for line in listing.stdout.splitlines()]
    for section in ("global.", "install.", ":env:."):  # the later one wins
        for key, _, value in entries:
            if key.startswith(section):
                found[key.removeprefix(section)] = str(ast.literal_eval(value))
    settings = {
        "UV_SYSTEM_CERTS": "1",
        # pip looks at every source and takes the best version; with hashes that is safe.
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_DEFAULT_INDEX": found.get("index-url", ""),
        "UV_INDEX": " ".join(found.get("extra-index-url", "").split()),
        "UV_FIND_LINKS": ",".join(found.get("find-links", "").split()),
        "UV_INSECURE_HOST": " ".join(found.get("trusted-host", "").split()),
        "SSL_CERT_FILE": found.get("cert", ""),
        "ALL_PROXY": found.get("proxy", ""),
    }
    return {name: value for name, value in settings.items() if value} | dict(os.environ)


def kernel_state() -> str:
    """What the warmed kernels depend on."""
    sources = [
        (str(path), path.stat().st_mtime_ns) for folder in KERNELS for path in sorted(folder.rglob("*.py"))
    ]
    return repr([INTERPRETER, sources])


def is_warm() -> bool:
    """Whether the kernels were compiled from the sources as they are."""
    return kernel_state() == read(VENV / "meldroom-kernels.stamp")


def warm() -> None:
    """Compile the kernels now rather than at the first question."""
    say("compiling the kernels of the solver and the bots")
    for words in (["meldroom.solver", "warm"], ["meldroom.bots", "--warm"]):
        if not visibly([program("python"), "-m", *words]):
            say("that failed; the first answers may be slow")
    (VENV / "meldroom-kernels.stamp").write_text(kernel_state())


def build_pages(*options: str) -> None:
    """Build the browser's pages from web/, unless they are; with `--check`, check and test them too."""
    with only_one(".web.lock"):
        if visibly([program("python"), str(WEB / "build.py"), *options]):
            return
    sys.exit(
        "The pages of the browser client could not be built; the lines above say why.\n"
        "The first build needs a network, or a package source that npm is configured for;\n"
        "later starts do not.\n"
        "Every other command works without them: python3 run.py play, python3 run.py --help."
    )


def lock(options: Sequence[str]) -> NoReturn:
    """Resolve requirements/*.in into hashed locks for every system and Python, and end."""
    with only_one():
        make_environment()
        if not visibly(pip_install("--requirement", str(REQUIREMENTS / "uv.in"))):
            sys.exit("Could not install uv, which resolves the locks; the lines above say why.")
        project = ["pyproject.toml", "--extra", "all", "requirements/run.in"]
        within_run = ["--constraints", "requirements/run.txt", "requirements/test.in"]
        environment = uv_environment()
        for local in ("UV_INDEX", "UV_FIND_LINKS"):  # a lock must not depend on one machine's own wheels
            environment.pop(local, None)
        os.chdir(ROOT)
        for name, sources in (
            ("uv", ["requirements/uv.in"]),
            ("run", project),
            ("test", ["--extra", "env", *project, *within_run]),
        ):
            command = [program("uv"), "pip", "compile", "--quiet", "--universal", "--generate-hashes"]
            command += ["--python-version", "3.11", "--custom-compile-command", "python3 run.py lock"]
            command += ["--output-file", f"requirements/{name}.txt", *options, *sources]
            say(f"resolving requirements/{name}.txt")
            if not visibly(command, environment):
                sys.exit(f"Could not resolve requirements/{name}.txt; the lines above say why.")
    sys.exit(0)


@contextmanager
def only_one(name: str = ".venv.lock") -> Iterator[None]:
    """Hold a lock of the set-up; a second start waits here until the first is done."""
    with (ROOT / name).open("w") as handle:
        if sys.platform == "win32":
            import msvcrt

            while True:
                try:
                    msvcrt.locking(handle.fileno(), msvcrt.LK_LOCK, 1)
                    break
                except OSError:  # it gives up after ten seconds
                    say("another start is setting up; waiting for it")
        else:
            import fcntl

            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("another start is setting up; waiting for it")
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def become(command: Sequence[str]) -> NoReturn:
    """Replace this process by a program of `.venv`."""
    os.environ["VIRTUAL_ENV"] = str(VENV)
    os.environ["PATH"] = os.pathsep.join([str(PROGRAMS), os.environ.get("PATH", os.defpath)])
    path = program(command[0])
    if WINDOWS:  # there, exec would return to the prompt at once
        sys.exit(subprocess.call([path, *command[1:]]))
    sys.stdout.flush()
    os.execv(path, [path, *command[1:]])


def program(name: str) -> str:
    """The path of a program of `.venv`."""
    return str(PROGRAMS / (name + (".exe" if WINDOWS else "")))


def visibly(command: Sequence[str], environment: dict[str, str] | None = None) -> bool:
    """Run a step of the set-up; its output goes to standard error, which answers never use."""
    return _run(command, environment, output=sys.stderr.fileno())


def quietly(command: Sequence[str]) -> bool:
    """Run a step of the set-up that may fail without harm."""
    return _run(command, None, output=subprocess.DEVNULL)


def _run(command: Sequence[str], environment: dict[str, str] | None, output: int) -> bool:
    try:
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False
        )
    except OSError as error:
        say(f"{command[0]}: {error}")
        return False
    return done.returncode == 0


def read(path: Path) -> str:
    """The text of a file, or nothing where there is none."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""


def announce(command: Sequence[str]) -> None:
    """Say which command comes next."""
    print("$", shlex.join(command), flush=True)


def say(message: str) -> None:
    """Tell the user what the set-up is doing, apart from standard output."""
    print(f"run.py: {message}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
