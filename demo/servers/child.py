"""A child process that never outlives the process which started it."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from demo.servers.account import Account

# Loaded at import: between fork and exec nothing may be loaded any more.
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_PR_SET_PDEATHSIG = 1
_KILL_WAIT_SECONDS = 10.0


class Child:
    """One child process with its output in a log file.

    It runs in a session of its own, so a Ctrl-C at the terminal reaches its owner only, who
    then stops it in order. On Linux the kernel sends it `death_signal` when its owner dies,
    however that happens; elsewhere it depends on the owner's `finally`.

    The kernel watches the *thread* that started the child: start children from the main
    thread, or from one that lives as long as they shall.
    """

    def __init__(
        self,
        argv: Sequence[str | Path],
        log: Path,
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        account: Account | None = None,
        death_signal: signal.Signals = signal.SIGTERM,
    ) -> None:
        """Start it now. With an `account` it runs under that user (only root may)."""
        self.log = log
        self.argv = [str(part) for part in argv]
        identity: dict[str, Any] = {}
        if account is not None:
            identity = {"user": account.uid, "group": account.gid, "extra_groups": []}
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                self.argv,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=None if env is None else dict(env),
                cwd=cwd,
                start_new_session=True,
                preexec_fn=_lifeline(death_signal),
                **identity,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """None while it runs; negative: the number of the signal that ended it."""
        return self._process.poll()

    @property
    def is_running(self) -> bool:
        return self.exit_code is None

    def send(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        self._process.send_signal(number)

    def stop(self, signals: Sequence[tuple[signal.Signals, float]]) -> int:
        """End it by these (signal, seconds to wait after it), then by SIGKILL; its exit code.

        What it started itself and left behind is killed with it.
        """
        for number, seconds in signals:
            if not self.is_running:
                break
            self.send(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
        self.kill()
        return self._process.wait(_KILL_WAIT_SECONDS)

    def kill(self) -> None:
        """Kill it, and what it left behind in its process group, at once."""
        if self.is_running:
            self._process.kill()
            self._process.wait(_KILL_WAIT_SECONDS)
        # Its process group carries its pid, and lives as long as anything in it does.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def last_words(self, lines: int = 15) -> str:
        """The end of its log, for error messages."""
        try:
            text = self.log.read_text(errors="replace")
        except OSError:
            return ""
        return "\n".join(text.splitlines()[-lines:])


def _lifeline(death_signal: signal.Signals) -> Callable[[], None] | None:
    """What runs in the child between fork and exec; None where the system has no such thing."""
    if _LIBC is None:
        return None
    libc, owner, number = _LIBC, os.getpid(), int(death_signal)

    def hold_on_to_owner() -> None:
        # After the change of user, which would clear it; subprocess calls us last.
        if libc.prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0) != 0 or os.getppid() != owner:
            os._exit(1)  # the owner died before we could ask to be notified

    return hold_on_to_owner
