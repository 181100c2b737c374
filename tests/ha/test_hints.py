"""Celery on three machines: the node with the queue's leader is lost, and tasks go on."""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db.models import Max

from jackpot.models import DisplayMessage
from jackpot.writer import hints
from jackpot.writer.hints import Hints
from tests.ha.brokers import Brokers
from tests.ha.services import BROKER_PACKAGES, missing
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.servers.celery_process import application, celery
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until

# From the loss of the node to a display's next value. Whoever was connected there waits 2 s for an
# answer and connects again, twice where HAProxy has not noticed yet.
WITHIN_S = 10.0

pytestmark = [
    pytest.mark.long,
    pytest.mark.rabbitmq,
    pytest.mark.skipif(
        bool(missing(BROKER_PACKAGES)), reason=f"TASKS NOT TESTED: {missing(BROKER_PACKAGES)}"
    ),
]


@pytest.fixture
def cluster() -> Iterator[Brokers]:
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o711)
        brokers = Brokers(Path(name))
        try:
            brokers.start()
            yield brokers
        finally:
            brokers.stop()


@pytest.fixture
def poster(cluster: Brokers, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hints]:
    """What a poster hints by, on the cluster: the tests' own application has the demo's broker."""
    monkeypatch.setenv("CELERY_BROKER_URL", cluster.tasks_url)
    with application() as sender, Hints() as poster:
        monkeypatch.setattr(hints, "current_app", sender)
        yield poster


def test_displays_follow_without_the_node_that_led_the_queue(
    fresh_database: FreshDatabase,
    cluster: Brokers,
    poster: Hints,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    house = House(royal_terms())
    house.open("t3")
    worker = celery(fresh_database, cluster.tasks_url, tmp_path, "worker", "--concurrency", "1")
    beat = celery(fresh_database, cluster.tasks_url, tmp_path, "beat", "--pidfile", "")

    def show() -> float:
        """Press, and how long it takes until a display has what came of it, in seconds."""
        before = DisplayMessage.objects.aggregate(newest=Max("pk"))["newest"] or 0
        since = time.monotonic()
        house.press("t3")
        house.post()
        poster.changed(house.system.pk, hits=False)
        wait_until(DisplayMessage.objects.filter(pk__gt=before).exists, what="the next value")
        return time.monotonic() - since

    try:
        for _ in range(3):
            show()
        lost = cluster.home_of("celery")
        cluster.node(lost).kill()
        took_s = show()
        record_property("tasks", f"displays without node {lost}: the next value in {took_s:.1f} s")
        assert took_s <= WITHIN_S
        assert cluster.home_of("celery") not in ("", lost)
    except BaseException as fault:
        fault.add_note(f"{worker.last_words()}\n{beat.last_words()}")
        raise
    finally:
        beat.kill()
        worker.kill()
