"""Who is notified of waiting claims: two people decide it for a casino."""

import datetime as dt

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from settlement.core.errors import BadSetUp, NotPermitted
from settlement.models import EscalationPolicy, Occasion, SetUpProposal
from settlement.notifications import occasions
from settlement.set_up import proposals
from settlement.set_up.escalation import Level
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import logged_in, post, words
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

house = kept_house(ClaimHouse, CLAIM_WAIT_S=0, ESCALATION=["10:verify_claim"])


def test_nobody_is_told_where_two_people_decided_so(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    with acting_as("web"):
        proposals.propose_escalation(person("mere"), house.system.casino, [])
    proposal = SetUpProposal.objects.get()
    assert proposals.in_words(proposal) == "Notified of waiting claims: nobody"
    post("david", f"/house-rules/proposals/{proposal.pk}/agree/", password=PASSWORD)
    house.hit_royal()
    later = timezone.now() + dt.timedelta(days=1)
    monkeypatch.setattr(timezone, "now", lambda: later)
    occasions.watch()
    assert not Occasion.objects.filter(kind="claim.late").exists()


def test_what_is_no_policy_is_refused(house: ClaimHouse) -> None:
    casino = house.system.casino
    verify = Level(5, "verify_claim")
    for levels in (
        [Level(0, "verify_claim")],
        [Level(1441, "verify_claim")],
        [Level(5, "withhold_payment")],
        [verify, verify],
        [Level(minutes, "verify_claim") for minutes in range(1, 7)],
    ):
        with pytest.raises(BadSetUp):
            proposals.propose_escalation(person("mere"), casino, levels)
    with pytest.raises(NotPermitted):
        proposals.propose_escalation(person("sione"), casino, [verify])
    people = {"first": "a", "second": "b", "at": timezone.now(), "casino": casino}
    for text in ("0:verify_claim", "5:withhold_payment", "5:verify_claim,"):
        with pytest.raises(IntegrityError), transaction.atomic():
            EscalationPolicy.objects.create(levels=text, **people)
    assert "Enter the new value" in words(
        logged_in("mere").post(
            "/house-rules/",
            {"kind": "escalation", "minutes": "soon", "whom": "verify_claim"},
            follow=True,
        )
    )
