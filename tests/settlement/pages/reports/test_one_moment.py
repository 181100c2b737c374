"""A page of a report is of one moment: tables play on while it is read."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from pytest_django import Settings

from jackpot.models import Block
from jackpot.transparency import checkpoints
from settlement.pages.reports import views
from settlement.reports import manifest
from settlement.reports.definitions.definition import Definition
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ClaimHouse
from tests.support.proof.transparency import sign_checkpoints
from tests.support.suite.databases import FreshDatabase

CODES = ("ledger", "round-ledger", "roll-forward", "liability", "meters", "quarterly-return")


@pytest.fixture
def house(fresh_database: FreshDatabase, settings: Settings) -> ClaimHouse:
    settings.CLAIM_WAIT_S = 0
    sign_checkpoints(settings)
    house = ClaimHouse()
    house.hit_royal()
    checkpoints.make(house.system)
    return house


def page(code: str) -> dict[str, Any]:
    """What stands on it of the order."""
    answer = logged_in("ines").get(f"/reports/{code}/")
    assert answer.status_code == 200
    names = ("rows", "totals", "count", "checkpoints", "log", "open_from")
    return {name: answer.context[name] for name in names}


def test_figures_and_checkpoint_of_a_page_agree(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind each step of the reading somebody else commits a block and its checkpoint."""

    def play() -> None:
        house.press("t3")
        house.post()
        checkpoints.make(house.system)
        connection.close()

    def followed_by_play(read: Callable[..., Any]) -> Callable[..., Any]:
        def step(*arguments: Any, **options: Any) -> Any:
            value = read(*arguments, **options)
            thread = threading.Thread(target=play)
            thread.start()
            thread.join()
            return value

        return step

    for code in CODES:
        before, blocks = page(code), Block.objects.count()
        with monkeypatch.context() as steps:
            for owner, name in (
                (manifest, "checkpoints"),
                (views, "open_from"),
                (Definition, "report"),
                (Definition, "totals"),
                (Definition, "rows"),
                (Definition, "rows_behind"),
            ):
                steps.setattr(owner, name, followed_by_play(getattr(owner, name)))
            assert page(code) == before, code
        assert Block.objects.count() >= blocks + 4
        (now,) = page(code)["checkpoints"]
        assert (now["block"], now["log"]["size"]) == (Block.objects.count(),) * 2
