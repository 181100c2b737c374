"""pytest plugin: the PostgreSQL and the MQTT broker that the tests talk to.

Loaded by `-p tests.support.servers.services` (pyproject.toml), so that both run before Django reads
its settings. Private servers are started, unless TEST_DATABASE_URL or TEST_MQTT_URL name running
ones; TEST_BROKER (mosquitto or amqtt) and JACKPOT_PG_BIN choose the kind. Workers of
pytest-xdist share the PostgreSQL of the run that started them, each with databases of its own;
of brokers each has its own, since an intake hears all that a broker is sent.

What cannot be started is remembered with its reason; `conftest.py` skips what needs it.
"""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from demo.servers.account import AccountError
from demo.servers.broker import BrokerError, PrivateBroker
from demo.servers.postgres import PostgresError, PrivatePostgres
from demo.servers.postgres_binaries import BinariesError

# Where nothing listens: the settings want an address even where no server could be started.
_NO_DATABASE = "postgresql://none@127.0.0.1:1/none"
_NO_BROKER = "mqtt://127.0.0.1:1"
_STARTED = "JACKPOT_TEST_DIRECTORY"
_MISSING = "JACKPOT_TEST_MISSING_"

_running = ExitStack()


class Broker(NamedTuple):
    """Where the tests' MQTT broker listens. Tests use system codes of their own."""

    host: str
    port: int


def missing(service: str) -> str | None:
    """Why `postgres` or `broker` could not be started; None when it is there."""
    return os.environ.get(_MISSING + service)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """Before pytest-django reads the settings: wrappers run first."""
    options = early_config.known_args_namespace
    if options.help or options.version:
        os.environ.update(DATABASE_URL=_NO_DATABASE, SECRET_KEY="none")
    elif _STARTED not in os.environ:
        atexit.register(_running.close)  # not every way out passes pytest_unconfigure
        _start()
    elif worker := os.environ.get("PYTEST_XDIST_WORKER"):
        atexit.register(_running.close)
        _start_for(worker)
    return (yield)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than processors: tests wait for processes, brokers and browsers, too."""
    return (os.cpu_count() or 1) + 1


def pytest_unconfigure() -> None:
    """Stop what this process started."""
    _running.close()


def _start_for(worker: str) -> None:
    """What a worker of xdist does not share with the others."""
    directory = Path(os.environ[_STARTED]) / worker
    os.environ["CELERY_QUEUE_DIR"] = str(directory / "celery")
    os.environ["BEAT_ALIVE_FILE"] = str(directory / "beat-alive")
    if "TEST_MQTT_URL" not in os.environ and not missing("broker"):
        broker = PrivateBroker(directory / "broker", kind=os.environ.get("TEST_BROKER") or "auto")
        _attempt("broker", broker.launch, broker.stop)
        _attempt("broker", broker.wait_until_ready)
        os.environ["MQTT_URL"] = broker.url


def _start() -> None:
    directory = Path(tempfile.mkdtemp(prefix="jackpot-tests-"))
    directory.chmod(0o711)  # servers that run under an account of their own pass through
    _running.callback(shutil.rmtree, directory, ignore_errors=True)
    try:
        broker = PrivateBroker(directory / "broker", kind=os.environ.get("TEST_BROKER") or "auto")
    except BrokerError as error:
        raise pytest.UsageError(f"TEST_BROKER: {error}") from None
    postgres = PrivatePostgres(directory / "postgres", durable=False)
    if "TEST_MQTT_URL" not in os.environ:
        _attempt("broker", broker.launch, broker.stop)
    if "TEST_DATABASE_URL" not in os.environ:
        _attempt("postgres", postgres.start, postgres.stop)
    if broker.is_running:  # it came up while PostgreSQL did
        _attempt("broker", broker.wait_until_ready)
    os.environ.update(
        {
            _STARTED: str(directory),
            "DATABASE_URL": os.environ.get("TEST_DATABASE_URL")
            or (postgres.url if postgres.is_running else _NO_DATABASE),
            "MQTT_URL": os.environ.get("TEST_MQTT_URL")
            or (broker.url if broker.is_running else _NO_BROKER),
            "CELERY_BROKER_URL": os.environ.get("TEST_CELERY_URL") or "filesystem://",
            "CELERY_QUEUE_DIR": str(directory / "celery"),
            "BEAT_ALIVE_FILE": str(directory / "beat-alive"),
            "SECRET_KEY": "only-for-tests-and-known-to-everybody",
            "DEMO": "1",
        }
    )


def _attempt(
    service: str, start: Callable[[], None], stop: Callable[[], None] | None = None
) -> None:
    """Start it; where that fails, remember why."""
    if stop is not None:
        _running.callback(stop)
    try:
        start()
    except (AccountError, BinariesError, BrokerError, PostgresError) as error:
        os.environ[_MISSING + service] = str(error)
