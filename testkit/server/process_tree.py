"""What a process and everything it started weigh: memory and processor time, as Linux tells them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

PROCESSES = Path("/proc")
if sys.platform == "win32":
    raise ImportError("what processes weigh is read from /proc")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICK = os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """A process and all its descendants that are still there."""
    found = [pid]
    for each in found:
        try:
            children = (PROCESSES / str(each) / "task" / str(each) / "children").read_text().split()
        except OSError:
            continue
        found += map(int, children)
    return found


def resident(pid: int) -> float:
    """Megabytes of memory of a process and its descendants; what they share counts for each."""
    total = 0
    for each in family(pid):
        try:
            total += int((PROCESSES / str(each) / "statm").read_text().split()[1])
        except OSError:
            continue
    return total * _PAGE / 1e6


def processor_time(pid: int, *, ended: bool = False) -> float:
    """Seconds of processor time of a process and its living descendants; with those that have `ended` too."""
    total = 0
    for each in family(pid):
        try:
            fields = (PROCESSES / str(each) / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(map(int, fields[11 : 15 if ended else 13]))
    return total / _TICK


def is_running(pid: int) -> bool:
    """Whether a process is there and has not merely been left uncollected."""
    try:
        return (PROCESSES / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
