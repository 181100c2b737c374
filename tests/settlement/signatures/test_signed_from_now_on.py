"""A house decides that acts are signed while somebody is about to carry one out without."""

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from settlement.approvals import proposals
from settlement.core.errors import BadSignature
from settlement.models import ProposalDecision, SetUpDecision, SetUpProposal, SignaturePolicy
from settlement.people.rights.permissions import Reauthenticated
from settlement.pools import adjustments
from settlement.set_up import proposals as set_up
from settlement.signatures import signing
from tests.support.people.at_once import after_look
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as


@pytest.fixture
def house(fresh_database: None, monkeypatch: pytest.MonkeyPatch) -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    house.poster.give_up()
    all_acts = {"casino": house.system.casino, "acts": "all", "at": timezone.now()}
    after_look(
        monkeypatch,
        signing,
        "take_up",
        lambda: SignaturePolicy.objects.create(**all_acts, first="hana", second="mere"),
    )
    return house


def test_of_the_house(house: ClaimHouse) -> None:
    hana, mere = (User.objects.get(username=name) for name in ("hana", "mere"))
    with acting_as("web"):
        set_up.propose_variance(hana, house.system.casino, "count_drop", 1)
        with pytest.raises(BadSignature, match="sign it with your passkey"):
            set_up.agree(SetUpProposal.objects.get(), Reauthenticated(mere))
    assert not SetUpDecision.objects.exists()


def test_of_a_pool(house: ClaimHouse) -> None:
    sione, mere = (User.objects.get(username=name) for name in ("sione", "mere"))
    tier = house.hit(1).tier
    assert tier is not None
    adjustment = adjustments.PoolAdjustment(
        tier, into="pool", source="drop", amount=1, reason="A06", evidence="Sheet 17"
    )
    with acting_as("web"):
        proposal = adjustments.propose(adjustment, sione)
        with pytest.raises(BadSignature, match="sign it with your passkey"):
            adjustments.agree(proposal, Reauthenticated(mere))
    assert proposals.open_proposals().count() == 1
    assert not ProposalDecision.objects.exists()
