"""Check-up and metrics say whether reports can be read at the standby, and how late it is."""

import environ
from prometheus_client import CollectorRegistry
from pytest_django import Settings

from demo.servers.ports import free_port
from settlement.doctor import server
from settlement.doctor.examination import Point, State
from tables.telemetry.standby_metrics import StandbyMetrics
from tests.support.houses.standby_house import (
    ROLE,
    first_house,
    house,
    play,
    primary,
    read_at,
    standby,
)
from tests.support.people.cast import ClaimHouse
from tests.support.servers.streaming_standby import Primary, Standby, ask
from tests.support.suite.waiting import wait_until

__all__ = ["first_house", "house", "primary", "standby"]


def point() -> Point:
    return server.read_standby_follows(server.look())


def metrics() -> tuple[float | None, float | None]:
    """Whether it is usable, and seconds behind."""
    registry = CollectorRegistry()
    registry.register(StandbyMetrics(patience_s=60))
    names = ("jackpot_read_standby_usable", "jackpot_read_standby_behind_seconds")
    usable, seconds = (registry.get_sample_value(name) for name in names)
    return usable, seconds


def test_a_house_without_one_misses_nothing(house: ClaimHouse, settings: Settings) -> None:
    settings.READ_DATABASE = {}
    assert point().state == State.GOOD
    assert "READ_DATABASE_URL is not set" in point().finding
    assert metrics() == (None, None)


def test_one_that_follows_is_good(
    house: ClaimHouse, primary: Primary, standby: Standby, settings: Settings
) -> None:
    play(house)
    standby.wait_for(primary.server)
    assert point().state == State.GOOD
    wait_until(lambda: metrics() == (1, 0), what="the standby to have all")
    # An idle primary that began a file of its log: nothing is missing, and nothing comes.
    assert ask(primary.server, "SELECT pg_switch_wal()")
    wait_until(lambda: metrics() == (1, 0), 10, "the standby to have all but a header")
    standby.pause()
    play(house)
    point_behind = point()
    assert point_behind.state == State.GOOD
    assert "It answers, 0" not in point_behind.finding
    usable, seconds = metrics()
    assert usable == 1
    assert seconds is not None
    assert seconds > 0
    settings.READ_WAIT_S = 0.0
    assert point().state == State.ATTENTION
    assert "behind: reports read the database" in point().finding


def test_one_that_is_gone_or_promoted_is_told(
    house: ClaimHouse, standby: Standby, settings: Settings
) -> None:
    standby.promote()
    assert point().state == State.ATTENTION
    assert "accepts writes: it was promoted" in point().finding
    assert metrics() == (0, None)
    settings.READ_DATABASE = environ.Env.db_url_config(
        f"postgresql://{ROLE}:none@127.0.0.1:{free_port()}/jackpot"
    )
    assert "the standby does not answer" in point().finding
    assert metrics() == (0, None)


def test_one_of_another_order_is_told(
    house: ClaimHouse, standby: Standby, settings: Settings
) -> None:
    """It follows what was a standby of ours, whose log went on without us."""
    standby.promote()
    standby.ask("SELECT pg_switch_wal()")
    with standby.follower() as follower:
        read_at(follower, settings)
        assert point().state == State.ATTENTION
        assert "has another order than the database" in point().finding
