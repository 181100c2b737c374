"""The checkpoint on a slip: the print waits for it a while; a copy names one that came later."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from pytest_django import Settings

from jackpot.models import Checkpoint
from jackpot.transparency import checkpoints, log_state
from settlement.claims import services as claims
from settlement.models import Payout, SlipPrint
from settlement.payments import slips
from settlement.people.rights.permissions import Reauthenticated
from tables.models import Casino
from tests.support.cases.claims.slips import read
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.people.roles import acting_as
from tests.support.proof.transparency import sign_checkpoints
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

FOLLOWS = "Signed log: the checkpoint of this block follows, a copy of this slip names it"

house = kept_house(ConfirmedHouse)


@pytest.fixture
def payout(house: ConfirmedHouse, settings: Settings) -> Payout:
    """Just paid: the newest checkpoint was made before."""
    sign_checkpoints(settings)
    settings.PUBLIC_ORIGIN = "https://jackpot.example"
    assert checkpoints.make(house.system) is not None
    claims.pay(house.claim, Reauthenticated(person("aroha")), 1, {"cash": house.amount})
    house.post()
    claims.catch_up(house.system)
    return Payout.objects.select_related("claim__system__casino").get()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """What happens at each look of a print that waits, the next one first; then the time is up."""
    looks: list[Callable[[], object]] = []
    now = [0.0]

    def wait(_seconds: float) -> None:
        if looks:
            looks.pop(0)()
        else:
            now[0] += 3600.0

    clock = SimpleNamespace(sleep=wait, monotonic=lambda: now[0])
    monkeypatch.setattr(log_state, "time", clock)
    return looks


def printed(payout: Payout) -> str:
    with acting_as("web"):
        return read(slips.print_slip(payout, person("aroha"))[0])


def new_checkpoint(house: ConfirmedHouse) -> Checkpoint:
    """The worker makes a checkpoint."""
    with acting_as("worker"):
        checkpoint = checkpoints.make(house.system)
    assert checkpoint is not None
    return checkpoint


def words(checkpoint: Checkpoint) -> str:
    return f"Signed log of {checkpoint.size} blocks, root {bytes(checkpoint.root).hex()[:16]}"


def test_a_print_waits_for_the_checkpoint_of_its_payment(
    house: ConfirmedHouse, payout: Payout, waits: list[Callable[[], object]]
) -> None:
    waits += [lambda: None, lambda: new_checkpoint(house), lambda: pytest.fail("it is there")]
    text = printed(payout)
    checkpoint = checkpoints.latest(house.system)
    assert checkpoint is not None
    assert words(checkpoint) in text
    assert FOLLOWS not in text
    assert len(waits) == 1


@pytest.mark.usefixtures("waits", "spoken")
@pytest.mark.parametrize("language", ["", "de"])
def test_a_copy_names_the_checkpoint_that_came_too_late(
    house: ConfirmedHouse, payout: Payout, language: str
) -> None:
    Casino.objects.update(slip_language=language)
    payout.refresh_from_db()
    assert FOLLOWS in printed(payout)
    assert FOLLOWS in printed(payout)  # a copy before it is made
    first = new_checkpoint(house)
    house.press("t3")
    house.post()
    new_checkpoint(house)
    for _ in range(2):  # the first one that covers the payment, whatever the log has become
        copy = printed(payout)
        assert "COPY" in copy
        assert words(first) in copy
        assert FOLLOWS not in copy
        assert "jackpot.example/meter/main/block/" in copy
    if language:
        assert f"Protokoll mit {first.size} Blöcken" in copy
    original = SlipPrint.objects.get(copy=0).content
    assert original is not None
    assert (original["log_size"], original["log_follows"]) == (0, True)


def test_a_print_does_not_wait_for_a_log_that_is_late_or_is_none(
    house: ConfirmedHouse, payout: Payout, settings: Settings, waits: list[Callable[[], object]]
) -> None:
    waits.append(lambda: pytest.fail("a page waits for a log that nobody makes"))
    settings.CHECKPOINT_EVERY_S = 0  # then any block without one is late
    assert FOLLOWS in printed(payout)
    # A system without any checkpoint has no log.
    other = type(house.system).objects.create(
        casino=house.system.casino, code="bare", name="Bare floor"
    )
    assert not log_state.wait_for(other, 1)


def test_the_wait_has_a_bound(
    payout: Payout, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However rarely checkpoints are made, a page answers."""
    spans: list[float] = []
    now = [0.0]

    def wait(seconds: float) -> None:
        spans.append(seconds)
        now[0] += seconds

    clock = SimpleNamespace(sleep=wait, monotonic=lambda: now[0])
    monkeypatch.setattr(log_state, "time", clock)
    for every, longest in ((5.0, 6.0), (600.0, 6.0), (1.0, 2.0)):
        spans.clear()
        settings.CHECKPOINT_EVERY_S = every
        assert not log_state.wait_for(payout.claim.system, 10**6)
        assert longest - 0.2 <= sum(spans) <= longest + 0.2
