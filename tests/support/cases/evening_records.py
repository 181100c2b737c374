"""What people of the evening record beside their decisions: a row of every kind."""

import datetime as dt
import uuid
from dataclasses import replace
from typing import Any

from django.core.management import call_command
from django.utils import timezone

from jackpot.terms.money import MICROS
from settlement.approvals import proposals
from settlement.claims import workbench
from settlement.core.gaming_day import DAY, today
from settlement.drop import counts, findings
from settlement.evidence import filed_files, identification, sharers
from settlement.evidence.assessment import examine
from settlement.exclusions import entries, release
from settlement.exclusions.entries import ExclusionList, Person
from settlement.floor import handover, incidents, missed_rounds, skipped_entries
from settlement.models import (
    BundleExport,
    Claim,
    CountingRule,
    ExclusionImport,
    ExclusionStop,
    FormFiling,
    JurisdictionChoice,
    OwnerEndorsement,
    Payout,
    Proposal,
    ProposalApproval,
    RetypedFigures,
    SecondFactor,
    SignaturePolicy,
)
from settlement.payments import remittances, slips
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated
from tables.alarms import clear_alarm, raise_alarm
from tables.models import Alarm, Casino, ClosedGap, EraBegun, GamingTable, JackpotSystem
from tests.support.cases.signing import give_key
from tests.support.people.access.soft_passkey import SoftPasskey

MINUTE = dt.timedelta(minutes=1)
A_N = identification.PlayerIdentity(
    3, "A. N.", dt.date(1970, 1, 1), "passport", "N 118", address="1 Elm Street"
)


def gather(house: Any, number: int) -> None:
    """On the claim of that number, which is open, and about the house."""
    sione, mere, david = (house.person(name) for name in ("sione", "mere", "david"))
    claim: Claim = house.claim(number)
    now = timezone.now()
    remaining_cards = [
        card for cards in examine(house.hit(number)).remaining.values() for card in cards
    ]
    workbench.count_deck(claim, sione, [str(card) for card in remaining_cards])
    footage: dict[str, Any] = {
        "camera": "12",
        "reference": "F-1",
        "finding": "Dealt and tabled in turn",
    }
    workbench.add_footage(claim, sione, reviewer="tane", since=now - MINUTE, until=now, **footage)
    workbench.add_note(claim, mere, "The player waits in the lounge")
    identification.identify(claim, sione, A_N)
    identification.look(claim, mere, "decide")
    _played(house, claim, number)
    _not_adjusted(house)
    _limited()
    _signing(house)
    table = GamingTable.objects.get(system=house.system, code="t8")
    missed_rounds.credit(table, sione, missed_rounds.MissedCredit(count=1, evidence="camera 4"))
    house.post()
    missed_rounds.countersign(missed_rounds.to_countersign().get(), david, "seen")
    report: dict[str, Any] = {"kind": "button", "note": "stuck", "happened_at": now}
    incidents.resolve(
        incidents.report(house.system, sione, incidents.IncidentReport(**report)), mere, "cleaned"
    )
    raise_alarm("silent", "t8", "Table 8 is silent.", house.system)
    clear_alarm(Alarm.objects.get(kind="silent"), "mere", "the cable was loose")
    casino = house.system.casino
    read = handover.digest(handover.gather(casino))
    handover.sign(casino, Reauthenticated(mere), Reauthenticated(sione), read=read, remarks="none")
    slips.print_slip(Payout.objects.earliest("id"), mere)
    BundleExport.objects.create(claim=claim, person=mere, sha256=b"0" * 32, size=1)
    _filed(house)
    _shared(house)
    ClosedGap.objects.create(
        system=house.system, table=table, boot=1, from_seq=1, to_seq=1, closed_by="mere", note="x"
    )
    EraBegun.objects.create(
        system=house.system, era=9, begun_at=now, begun_by="mere", reason="drill", known=[]
    )
    _counted(house)
    _excluded(house, claim)
    assert skipped_entries.halt_of(house.system) is None


def _filed(house: Any) -> None:
    """A form that was filed, with the file that was sent."""
    form = {"form": "A", "number": 1, "kind": "filed", "amount": 1, "reference": "7"}
    first, ines, key = Payout.objects.earliest("id"), house.person("ines"), uuid.uuid4()
    filing = FormFiling.objects.create(
        payout=first, person=ines, filed_on=timezone.now().date(), key=key, **form
    )
    filed_files.attach(filing, ines, b"<form/>")


def _shared(house: Any) -> None:
    """A prize of which a partner takes a part, who sat at no seat."""
    first, sione = Payout.objects.earliest("id"), house.person("sione")
    sharing = replace(A_N, seat=first.seat, name="Jo Falk", document_number="N 119")
    sharers.add(first.claim, sione, sharers.NewSharer(sharing, MICROS, reason="Said it too late"))


def _limited() -> None:
    for limit, value in (
        ("set_second_manager", "1000000"),
        ("set_missed_rounds", "12"),
        ("set_terms_factor", "9"),
    ):
        call_command(limit, "harbour", value, "--first=mere", "--second=david")
    casino = Casino.objects.get(code="harbour")
    people = {"first": "hana", "second": "mere", "at": timezone.now()}
    JurisdictionChoice.objects.create(
        casino=casino, pack="neutral", since=today(casino) + DAY, **people
    )
    CountingRule.objects.create(
        casino=casino, kind="enter_balance", is_counted=False, since=today(casino) + DAY, **people
    )


def _signing(house: Any) -> None:
    """Two people have keys that sign, one of them ended; the house wants nothing signed."""
    SignaturePolicy.objects.create(
        casino=house.system.casino, acts="none", first="mere", second="david", at=timezone.now()
    )
    first = SoftPasskey()
    give_key("hana", first)
    key = give_key("mere", SoftPasskey(), ("hana", first))
    SecondFactor.objects.filter(pk=key.factor).update(
        ended_at=timezone.now(), ended_by=house.person("mere")
    )
    waits = give_key("david", SoftPasskey())
    OwnerEndorsement.objects.create(key=waits, by="anna and david", note="Nobody else was there")


def _not_adjusted(house: Any) -> None:
    """A manager approved an adjustment that was withdrawn then."""
    body = {"tier": "royal", "into": "pool", "source": "operator", "amount": MICROS}
    body |= {"reason": "A02", "evidence": "Incident 17"}
    sione = house.person("sione")
    proposal = proposals.propose(house.system, Proposal.Kind.ADJUST_POOL, "royal", body, sione)
    ProposalApproval.objects.create(proposal=proposal, person=house.person("mere"))
    RetypedFigures.objects.create(proposal=proposal, person=sione, figures={"amount": "1"})
    proposals.withdraw(proposal, sione, "The count was right")


def _played(house: Any, claim: Claim, number: int) -> None:
    """A cashier was at another table; somebody else was named for this hand, by mistake."""
    aroha, tane, ines = (house.person(name) for name in ("aroha", "tane", "ines"))
    elsewhere = GamingTable.objects.exclude(pk=house.hit(number).table_id).latest("id")
    staff_play.leave(staff_play.sit_down(tane, elsewhere, tane), tane)
    play = staff_play.name(claim, tane, ines, note="a tall man")
    staff_play.give_word(play, aroha, agrees=False, note="He was at the cage with me")


def _excluded(house: Any, claim: Claim) -> None:
    """The player is on a list, and two people release the payment; somebody else's entry ends."""
    mere, ines = house.person("mere"), house.person("ines")
    day = dt.date(2025, 3, 1)
    one = Person("A. N.", dt.date(1970, 1, 1), "self", day, "SE-1", "passport", "N 118")
    other = Person("B. M.", dt.date(1971, 1, 1), "operator", day, "O-2")
    casino = JackpotSystem.objects.select_related("casino").get(pk=house.system.pk).casino
    for persons in ((one, other), (one,)):
        entries.take_in(casino, ines, ExclusionList("House", persons, is_whole=True))
    entries.look(casino, ines, "n")
    imported = ExclusionImport.objects.latest("pk")
    ExclusionStop.objects.create(
        casino=casino, origin=imported, kind="stop", lines_done=1, ends_done=0, person=ines
    )
    release.agree(release.propose(claim, mere, 3, "Another A. N."), Reauthenticated(ines))
    house.post()


def _counted(house: Any) -> None:
    """Drop of a day without play: above the limit, explained and signed."""
    call_command("set_variance_limit", "harbour", "drop", "1.00", "--first=mere", "--second=david")
    system = JackpotSystem.objects.select_related("casino").get(pk=house.system.pk)
    table = GamingTable.objects.get(system=system, code="t3")
    day, note = today(system.casino) - 3 * DAY, "a box of the week before"
    figure = counts.Figure(day, 5 * MICROS, table, note=note)
    counts.record(system, house.person("aroha"), [figure])
    findings.explain(findings.open_findings().get(), house.person("mere"), "put into the wrong box")
    findings.sign(findings.open_findings().get(), house.person("david"))


def remit(house: Any) -> None:
    """Of 6.00 withheld 2.00 are remitted; 3.00 by a slip, taken back; 5.00 are refused."""
    ines = house.person("ines")
    for units in (2, 3):
        row = remittances.remit(house.system, ines, units * MICROS, f"transfer {units}")
        house.post()
    remittances.reverse(row, ines, "entered twice")
    house.post()
    assert house.decide("remit_tax", second=None, amount=5 * MICROS, reference="x").refused
    balances = [house.balance(name) for name in ("withheld_tax", "remitted_tax")]
    assert balances == [4 * MICROS, 2 * MICROS]
