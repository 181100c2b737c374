"""Whether a process still runs, and what runs below it."""

import subprocess


def is_alive(pid: int) -> bool:
    """Whether the process exists and is not just waiting to be buried."""
    process = subprocess.run(
        ["/bin/ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return bool(process.stdout.strip()) and not process.stdout.strip().startswith("Z")


def descendants(pid: int) -> set[int]:
    """All processes below this one."""
    listing = subprocess.check_output(["/bin/ps", "-eo", "pid=,ppid="], text=True)
    pairs = [tuple(map(int, line.split())) for line in listing.splitlines()]
    pids: set[int] = set()
    level = {pid}
    while level := {child for child, parent in pairs if parent in level} - pids:
        pids |= level
    return pids


def command_of(pid: int) -> str:
    """The command line of a process; nothing of one that has gone."""
    process = subprocess.run(
        ["/bin/ps", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return process.stdout.strip()
