"""Page, list, API, slip, derivation and bundle say the same of one claim."""

import io
import json
import zipfile
from typing import Any

import pytest
from pytest_django import Settings

from jackpot.hits.states import PayeeState, StopKind
from settlement.api.claims.detail import sheet
from settlement.api.claims.serializers import ClaimSerializer
from settlement.approvals import second_manager
from settlement.bundles import bundle
from settlement.claims import services as claims
from settlement.claims.claim_sources import confirmations
from settlement.claims.decisions import stops
from settlement.claims.derivation import line_steps
from settlement.claims.detail import ClaimDetail, detail_of
from settlement.claims.status import hits
from settlement.core.errors import Stopped
from settlement.models import Payout
from settlement.pages.claims.detail import claim_context
from settlement.pages.claims.queue.rows import claim_rows
from settlement.payments import slips
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.people.cast import ALL_YES, ClaimHouse
from tests.support.people.second_manager import limit
from tests.support.proof.bundles import KEY, write_key_down
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
_OF_A_SHARE = ("line", "seat", "amount", "state")


class DisputedHouse(ConfirmedHouse):
    """A claim confirmed, paid in part, then disputed."""

    def __init__(self) -> None:
        super().__init__()
        claims.pay(self.claim, Reauthenticated(person("aroha")), 1, {"cash": 600_000_000})
        self.post()
        claims.catch_up(self.system)
        stops.open_stop(self.claim, person("sione"), StopKind.DISPUTE, "Seat 4 says it was folded")
        self.post()


house = kept_house(DisputedHouse, CLAIM_WAIT_S=0, BUNDLE_SIGNING_KEY=KEY)


def in_the_bundle(detail: ClaimDetail, name: str) -> Any:
    out = io.BytesIO()
    write_key_down()
    bundle.build(detail.claim, out)
    return json.loads(zipfile.ZipFile(out).read(name))


def test_of_its_state_and_amounts(house: DisputedHouse) -> None:
    detail = detail_of(house.claim)
    page, api = claim_context(house.claim, person("mere")), sheet(house.claim)
    row = claim_rows([hits().get()], person("mere"))[0]
    document = in_the_bundle(detail, "claim.json")
    reserved = next(step for step in detail.steps() if step.text == "Amount reserved")

    assert page["status"].standing == api["standing"] == row.state == "confirmed"
    amounts = {page["hit"].held, api["held"], row.amount_micros, document["held"], reserved.amount}
    assert amounts == {page["derived"]["whole"]} == {house.amount}
    steps = {step.text: step.amount for step in detail.steps()}
    assert steps["Prize pool before the hit"] == page["derived"]["pool"]
    from_operator = steps["Of it from the operator, by rounding and display"]
    assert from_operator == page["derived"]["operator"]
    assert page["bounds"].due == api["due"] == page["status"].due == detail.due == 0
    assert detail.prize == page["prize"] == row.tier_name
    assert slips.slip_of(Payout.objects.get()).prize == detail.prize


def test_of_its_payees(house: DisputedHouse) -> None:
    detail = detail_of(house.claim)
    page, api = claim_context(house.claim, person("mere")), sheet(house.claim)
    (share,) = detail.shares
    slip = slips.slip_of(Payout.objects.get())
    (line,) = in_the_bundle(detail, "claim.json")["payees"]

    facts = {name: getattr(share, name) for name in _OF_A_SHARE}
    assert facts == {"line": 1, "seat": 3, "amount": house.amount, "state": PayeeState.PART_PAID}
    assert [{name: each[name] for name in _OF_A_SHARE} for each in page["shares"]] == [facts]
    (payee,) = ClaimSerializer(api).data["payees"]
    assert (payee["amount_micros"], payee["state"]) == (line["amount"], line["state"])
    assert (payee["paid_micros"], line["parts"]["cash"]) == (share.paid, 600_000_000)
    assert page["shares"][0]["rest"] == share.rest == house.amount - share.paid
    assert (slip.line_amount, slip.paid_before + slip.amount) == (share.amount, share.paid)
    (step,) = line_steps(detail.hit.payee_lines[0], confirmations(detail.hit))
    assert step.amount == share.amount
    assert step in slip.steps


def test_of_what_stops_it(house: DisputedHouse) -> None:
    detail = detail_of(house.claim)
    page, api = claim_context(house.claim, person("mere")), sheet(house.claim)
    (stop,) = detail.hit.open_stops

    assert [(each["kind"], each["entry"]) for each in page["stops"]] == [("dispute", stop.entry)]
    (entry,) = in_the_bundle(detail, "claim.json")["stops"]
    assert entry == {"entry": stop.entry, "kind": "dispute", "lifted": None}
    assert "disputed" in api["flags"]
    assert "disputed" in [flag["name"] for flag in page["flags"]]
    with pytest.raises(Stopped) as refusal:
        claims.pay(house.claim, Reauthenticated(person("aroha")), 1, {"cash": 1_000_000})
    assert str(refusal.value) == detail.stopped == page["status"].stopped
    assert page["options"]["pay"].blocked_reason  # mere is no cashier
    assert claim_context(house.claim, person("aroha"))["options"]["pay"].blocked_reason


def test_of_the_second_manager(settings: Settings) -> None:
    """Page, list and service ask one function; who approves is nobody who confirms."""
    settings.CLAIM_WAIT_S = 0
    house = ClaimHouse()
    house.hit_royal()
    claims.catch_up(house.system)
    claim = house.system.claims.get()
    claims.answer_checklist(claim, person("sione"), ALL_YES, {})
    claims.verify(claim, person("sione"))
    limit("1,000")
    amount = house.hit(1).held

    detail = detail_of(claim)
    assert detail.needs_approval
    assert second_manager.is_required(detail.hit, amount)
    assert second_manager.approval_of(claim, detail.hit, amount) is detail.approval(amount) is None
    assert "approve" in claim_context(claim, person("mere"))["options"]

    action = claims.approve(claim, Reauthenticated(person("mere")), amount)
    after = detail_of(claim)
    assert not after.needs_approval
    assert after.approval(amount) == second_manager.approval_of(claim, after.hit, amount) == action
    assert "confirm" in claim_context(claim, person("david"))["options"]
