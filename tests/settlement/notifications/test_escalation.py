"""Who is notified of waiting claims: two people decide it for a casino, by pages."""

import datetime as dt
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from settlement.core.errors import BadSetUp, NotPermitted
from settlement.models import EscalationPolicy, Occasion, SetUpChange, SetUpProposal
from settlement.notifications import occasions
from settlement.set_up import change_log, escalation, proposals
from settlement.set_up.escalation import Level
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import logged_in, page_of, post, words
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

house = kept_house(ClaimHouse, CLAIM_WAIT_S=0, ESCALATION=["10:verify_claim"])


def test_two_people_decide_it_on_the_page(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "/house-rules/"
    assert "anyone who may verify after 10 min" in page_of("mere", page)
    form: dict[str, Any] = {
        "kind": "escalation",
        "minutes": ["25", "5", "", "", ""],
        "whom": ["confirm_claim", "verify_claim", *["verify_claim"] * 3],
    }
    post("mere", page, **form)
    text = "anyone who may verify after 5 min, anyone who may confirm after 25 min"
    assert f"Notified of waiting claims: {text}" in page_of("david", page)
    assert escalation.levels_of(house.system.casino) == [Level(10, "verify_claim")]
    agree = f"/house-rules/proposals/{SetUpProposal.objects.get().pk}/agree/"
    post("mere", agree, password=PASSWORD)
    assert not EscalationPolicy.objects.exists()  # not by the same person
    post("david", agree, password=PASSWORD)
    policy = EscalationPolicy.objects.get()
    assert (policy.levels, policy.first, policy.second) == (
        "5:verify_claim,25:confirm_claim",
        "mere",
        "david",
    )
    assert f"{text} mere and david" in page_of("mere", page)
    change = SetUpChange.objects.filter(kind="rule").latest("id")
    fields = change_log.fields_of(change.kind, change.before, change.after, {})
    assert f"levels: {text}" in [each.words for each in fields]
    assert "rule: Who is notified of waiting claims" in [each.words for each in fields]
    house.hit_royal()
    hit_at = timezone.now()
    for minutes, late in ((6, 1), (24, 1), (26, 2)):
        later = hit_at + dt.timedelta(minutes=minutes)
        monkeypatch.setattr(timezone, "now", lambda at=later: at)
        occasions.watch()
        assert Occasion.objects.filter(kind="claim.late").count() == late


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
