"""What every test can ask for, and what no test may do."""

import gc
import os
import sys
from collections.abc import Generator
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, settings

from tests.support.servers.elsewhere import ELSEWHERE
from tests.support.servers.services import Broker, missing
from tests.support.servers.serving import console_url

# Fixtures: named here, they belong to every test and go before pytest-django's own.
from tests.support.suite.catalogues import spoken
from tests.support.suite.databases import django_db_setup, fresh_database, template_database
from tests.support.suite.kept_house import kept_houses
from tests.support.suite.run_length import LIST, in_words, is_left_out, is_long, longest, share

__all__ = [
    "broker",
    "console_url",
    "django_db_setup",
    "fresh_database",
    "kept_houses",
    "spoken",
    "template_database",
]

# jsonschema would build 38 grammars for formats of addresses that no schema here has: two seconds
# of each worker.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

# A busy machine must not fail a property.
settings.register_profile(
    "unhurried",
    deadline=None,
    max_examples=share(100),
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("unhurried")

# With CI set these must run: a test that skips for want of one fails the run.
DEMANDED = ("postgres", "broker", "rabbitmq", "browser", "gettext", "java", "prometheus", "systemd")
_DATABASE_FIXTURES = {"db", "_django_db_helper", "django_db_setup", "fresh_database"}
_FLUSHING_FIXTURES = {"transactional_db", "live_server", "django_db_reset_sequences"}
_NO_FLUSH = (
    "This test would empty the tables by TRUNCATE, which the append-only tables refuse, rightly."
    " Use the fixture fresh_database: a database of the test's own, in which it may commit;"
    " and console_url in place of live_server."
)


@pytest.fixture
def broker() -> Broker:
    """The MQTT broker that the settings name."""
    address = urlsplit(os.environ["MQTT_URL"])
    assert address.hostname
    assert address.port
    return Broker(address.hostname, address.port)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-long-tests", action="store_true", help=f"write {LIST.name} by this run's times"
    )


def pytest_xdist_auto_num_workers() -> int:
    """Two for each processor: while one waits for PostgreSQL or a broker, another works."""
    return 2 * (os.cpu_count() or 1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave long tests to another run; mark what needs a service by the fixtures it uses, and skip
    it where there is none."""
    asks_for_all = set(config.args) == set(config.getini("testpaths"))
    of_another_run = {
        item for item in items if is_long(item, asks_for_all) and is_left_out(item.nodeid)
    }
    config.hook.pytest_deselected(items=list(of_another_run))
    items[:] = [item for item in items if item not in of_another_run]
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if fixtures & _DATABASE_FIXTURES or item.get_closest_marker("django_db"):
            item.add_marker("postgres")
        if "broker" in fixtures:
            item.add_marker("broker")
        for service in ("postgres", "broker"):
            if item.get_closest_marker(service) and (reason := missing(service)):
                item.add_marker(pytest.mark.skip(reason=f"NO {service.upper()}: {reason}"))


def pytest_collection_finish() -> None:
    """What is loaded by now stays: no search for garbage looks through it again, and there are
    fewer of them, which took a tenth of the tests' time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Refuse tests that would flush the database."""
    marker = item.get_closest_marker("django_db")
    flushing = set(getattr(item, "fixturenames", ())) & _FLUSHING_FIXTURES
    if flushing or (marker and (marker.kwargs.get("transaction") or marker.args[:1] == (True,))):
        pytest.fail(_NO_FLUSH, pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI a test that is skipped for want of a service fails, with the reason it gave."""
    report = yield
    needs = [name for name in DEMANDED if item.get_closest_marker(name)]
    if needs and _skipped_in_vain(report) and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"CI demands {', '.join(needs)}: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """In CI a whole file that is skipped fails, too."""
    report = yield
    if _skipped_in_vain(report):
        report.outcome = "failed"
        report.longrepr = f"CI demands every file of tests: {report.longrepr}"
    return report


def _skipped_in_vain(report: pytest.TestReport | pytest.CollectReport) -> bool:
    return bool(os.environ.get("CI")) and report.skipped and ELSEWHERE not in str(report.longrepr)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly what did not run, and how far state machines went."""
    terminalreporter.line(in_words())
    if terminalreporter.config.option.write_long_tests:
        reports = [each for kind in ("passed", "") for each in terminalreporter.stats.get(kind, [])]
        LIST.write_text("\n".join([*longest(reports), ""]))
    for report in terminalreporter.stats.get("passed", []):
        for name, text in report.user_properties:
            terminalreporter.line(f"{name} of {text}")
    for service in ("postgres", "broker"):
        if reason := missing(service):
            terminalreporter.section(f"NOT TESTED: no {service}", sep="!", red=True, bold=True)
            terminalreporter.line(reason)
