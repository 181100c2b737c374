"""SIGTERM while the main thread has the lock of the event that it waits for."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[3]
CAUGHT_IN_WAIT = """
import os, sys, threading
from tables.process.stopping import stop_on_signals
stop = threading.Event()
stop_on_signals(stop)
with stop._cond:  # as within stop.wait()
    os.kill(os.getpid(), int(sys.argv[1]))
sys.exit(0 if stop.wait(60) else 1)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_within_the_wait_is_heard(number: signal.Signals) -> None:
    subprocess.run(
        [sys.executable, "-c", CAUGHT_IN_WAIT, str(int(number))],
        cwd=PROJECT,
        timeout=60,
        check=True,
    )
