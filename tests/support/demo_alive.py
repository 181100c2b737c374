"""Whether a process still runs, and what runs below it."""

import subprocess


def is_alive(pid: int) -> bool:
    """Whether the process exists and is not just waiting to be buried."""
    told = subprocess.run(
        ["/bin/ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return bool(told.stdout.strip()) and not told.stdout.strip().startswith("Z")


def descendants(pid: int) -> set[int]:
    """All processes below this one."""
    told = subprocess.check_output(["/bin/ps", "-eo", "pid=,ppid="], text=True)
    pairs = [tuple(map(int, line.split())) for line in told.splitlines()]
    found: set[int] = set()
    level = {pid}
    while level := {child for child, parent in pairs if parent in level} - found:
        found |= level
    return found


def command_of(pid: int) -> str:
    """The command line of a process; nothing of one that has gone."""
    told = subprocess.run(
        ["/bin/ps", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return told.stdout.strip()
