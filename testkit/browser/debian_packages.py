"""Programs from Debian packages, fetched and unpacked into a folder of one's own: no root, nothing installed.

Everything a package needs is fetched, whatever the machine has, but for the C library: its loader is the
machine's own.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

_MACHINES_OWN = re.compile(
    r"(libc6|libc-bin|dpkg|tar|perl.*|systemd.*|udev|dbus.*|login|passwd|mount|bash|.*pam.*)_"
)
LIBRARIES = "usr/lib/x86_64-linux-gnu"
MINUTES = 20


class NoPackagesError(RuntimeError):
    """The packages cannot be had here; the text says why."""


def unpacked(packages: Sequence[str], cache: Path) -> Path:
    """The folder with the packages' files, fetched if need be. Raises NoPackagesError."""
    root = cache / "root"
    done = root / "unpacked.txt"
    if done.exists() and done.read_text().split() == list(packages):
        return root
    for program in ("apt-get", "dpkg-deb"):
        if shutil.which(program) is None:
            raise NoPackagesError(f"{program} is missing: packages can be fetched on Debian and Ubuntu only")
    archives = _fetch(packages, cache / "apt")
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    for archive in archives:
        if not _MACHINES_OWN.match(archive.name):
            _run(["dpkg-deb", "--extract", str(archive), str(root)])
    done.write_text("\n".join(packages))
    return root


def _fetch(packages: Sequence[str], folder: Path) -> list[Path]:
    """Download packages with all they depend on, as onto an empty machine."""
    status = folder / "status"
    for part in ("state/lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    status.write_text("")
    settings = {
        "Dir::State": folder / "state",
        "Dir::State::status": status,
        "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": os.environ.get("USER", "root"),
        "Debug::NoLocking": 1,
    }
    apt = ["apt-get", "-qq", *(f"-o{name}={value}" for name, value in settings.items())]
    _run([*apt, "update"])
    _run([*apt, "install", "--yes", "--download-only", "--no-install-recommends", *packages])
    return sorted((folder / "cache" / "archives").glob("*.deb"))


def _run(command: list[str]) -> None:
    made = subprocess.run(command, capture_output=True, text=True, check=False, timeout=MINUTES * 60)
    if made.returncode:
        raise NoPackagesError(f"{command[0]} failed:\n{made.stderr.strip()[-2000:]}")


def environment(root: Path, home: Path, *folders: str) -> dict[str, str]:
    """Where the programs find their libraries and files; `folders` come first."""
    home.mkdir(parents=True, exist_ok=True)
    libraries = [str(root / folder) for folder in (*folders, LIBRARIES, "lib/x86_64-linux-gnu")]
    share = root / "usr" / "share"
    return {
        **os.environ,
        "HOME": str(home),
        "LD_LIBRARY_PATH": os.pathsep.join(libraries),
        "PATH": os.pathsep.join([str(root / "usr" / "bin"), os.environ.get("PATH", "")]),
        "XDG_DATA_DIRS": f"{share}:/usr/local/share:/usr/share",
        "FONTCONFIG_SYSROOT": str(root),
    }
