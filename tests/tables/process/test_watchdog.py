"""The watchdog: a process that hangs ends itself. Real processes, since it ends them."""

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from django.conf import settings

from tables.process.watchdog import EXIT_CODE, Watchdog
from tests.support.servers.services import Broker
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until
from tests.support.units.running_intake import new_instance

# The intake's command, whose first look at the outbox waits for a lock that nobody releases.
HANGING_INTAKE = """
import os, threading
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
from django.core.management import call_command
from tables.intake import loop as intake

def hang(*_):
    print("hanging", flush=True)
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()

intake.outbox.Sender.step = hang
call_command("run_intake", instance=INSTANCE)
"""
# A fault that lets no other thread of the interpreter run.
STONE_DEAD = """
import ctypes
from tables.process.watchdog import Watchdog
with Watchdog("The stone", 0.4) as dog:
    ctypes.PyDLL(None).pause()
"""
BUSY = """
from tables.process.watchdog import Watchdog
with Watchdog("The busy one", 5) as dog:
    while True:
        dog.beat()
        print("working", flush=True)
        for _ in range(100_000):
            pass
"""


def run(program: str, log: Path, **environment: str) -> subprocess.Popen[bytes]:
    with log.open("wb") as words:
        return subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=settings.BASE_DIR,
            env=environment or None,
            stdout=words,
            stderr=subprocess.STDOUT,
        )


def test_an_intake_that_hangs_ends_itself(
    fresh_database: FreshDatabase, broker: Broker, tmp_path: Path
) -> None:
    log = tmp_path / "intake.log"
    program = HANGING_INTAKE.replace("INSTANCE", repr(new_instance()))
    process = run(program, log, **fresh_database.environment(), WATCHDOG_S="3")
    try:
        assert process.wait(60) == EXIT_CODE
    finally:
        process.kill()
    words = log.read_text()
    assert "hanging" in words
    assert "The intake hangs: its main loop did not come round for 3 s" in words
    assert "in hang" in words  # the trace shows where


def test_a_fault_that_stops_every_thread_is_noticed_too(tmp_path: Path) -> None:
    log = tmp_path / "stone.log"
    process = run(STONE_DEAD, log)
    try:
        assert process.wait(60) != 0
    finally:
        process.kill()
    assert "Timeout" in log.read_text()


def test_a_process_that_was_stopped_as_a_whole_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "busy.log"
    process = run(BUSY, log)
    try:
        wait_until(lambda: "working" in log.read_text())
        process.send_signal(signal.SIGSTOP)
        stopped_at = time.monotonic()
        # Longer than the patience; short of the time after which nothing else is believed to live.
        wait_until(lambda: time.monotonic() - stopped_at > 5.5)
        rounds = log.stat().st_size
        process.send_signal(signal.SIGCONT)
        wait_until(lambda: log.stat().st_size > rounds + 50 * len("working\n"))
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()


def test_the_watch_ends_with_the_loop() -> None:
    before = threading.active_count()
    with Watchdog("A loop", 60):
        assert threading.active_count() == before + 1
    assert threading.active_count() == before
