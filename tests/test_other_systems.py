"""What only some systems have is imported and called after asking which system it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = [
    *(ROOT / "src").rglob("*.py"),
    *(ROOT / "web").glob("*.py"),
    ROOT / "run.py",
    ROOT / "hatch_build.py",
]
MODULES = {
    "fcntl",
    "termios",
    "pty",
    "tty",
    "pwd",
    "grp",
    "resource",
    "syslog",
    "msvcrt",
    "winreg",
    "_winapi",
}
CALLS = {
    "os": {
        "fork",
        "forkpty",
        "killpg",
        "getpgid",
        "setsid",
        "nice",
        "setpriority",
        "getuid",
        "geteuid",
        "chown",
    },
    "signal": {"SIGKILL", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGCHLD", "SIGPIPE", "alarm", "pause"},
    "select": {"poll", "epoll", "kqueue"},
    "socket": {"AF_UNIX", "SO_REUSEPORT"},
}


def asks_which_system(test: ast.expr) -> bool:
    """Whether a condition names the system."""
    return any(
        isinstance(part, ast.Attribute)
        and isinstance(part.value, ast.Name)
        and (part.value.id, part.attr) in (("sys", "platform"), ("os", "name"))
        for part in ast.walk(test)
    )


def unguarded(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Places that only some systems have, outside every `if` that asks which system it is."""
    if isinstance(node, ast.If) and asks_which_system(node.test):
        return
    if isinstance(node, ast.Import):
        yield from ((node.lineno, one.name) for one in node.names if one.name in MODULES)
    if isinstance(node, ast.ImportFrom) and node.module in MODULES:
        yield node.lineno, str(node.module)
    if isinstance(node, ast.Attribute):
        module = node.value.id if isinstance(node.value, ast.Name) else ""
        # Event loops on Windows handle no signals.
        if node.attr in CALLS.get(module, ()) or node.attr == "add_signal_handler":
            yield node.lineno, f"{module}.{node.attr}"
    for child in ast.iter_child_nodes(node):
        yield from unguarded(child)


def test_what_only_some_systems_have_is_used_after_asking() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {what}"
        for path in SHIPPED
        if "node_modules" not in path.parts
        for line, what in unguarded(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "import fcntl",
        "def f():\n    from resource import getrusage",
        "import os\nos.killpg(1, 9)",
        "import signal\nx = signal.SIGKILL",
        "if ready:\n    import termios",
    ],
)
def test_the_check_sees_what_is_not_guarded(code: str) -> None:
    assert list(unguarded(ast.parse(code)))


def test_the_check_lets_through_what_is_guarded() -> None:
    code = "import sys\nif sys.platform == 'win32':\n    import msvcrt\nelse:\n    import fcntl"
    assert not list(unguarded(ast.parse(code)))
