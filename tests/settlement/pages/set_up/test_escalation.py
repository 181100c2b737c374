"""Who is notified of waiting claims: two people decide it on the page of the rules."""

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from settlement.models import EscalationPolicy, Occasion, SetUpChange, SetUpProposal
from settlement.notifications import occasions
from settlement.set_up import change_log, escalation
from settlement.set_up.escalation import Level
from tests.support.pages.page_staff import page_of, post
from tests.support.people.cast import PASSWORD, ClaimHouse
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
