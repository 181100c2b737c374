"""Hands in question by their clocks: rows, services, the database, the API and the bundle."""

import datetime as dt
import io
import json
import uuid
import zipfile
from collections.abc import Generator
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings

from jackpot.models import Command, Entry
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.audit import file_keys
from settlement.audit.authorisation import without_actions
from settlement.audit.reconciliation import reconcile
from settlement.bundles import bundle
from settlement.claims import services as claims
from settlement.claims.decisions import stops
from settlement.claims.nearby import nearby
from settlement.core import signing
from settlement.core.errors import NotPermitted, RuleBroken, SamePerson, Stopped, WrongState
from settlement.models import Claim, Payout, Proposal
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import person
from tests.support.cases.hands.clocked_hands import ClockHouse, two_in_question
from tests.support.people.at_once import claims_of, people, writing
from tests.support.people.cast import ALL_YES, REASON, action, as_, read, rows_of
from tests.support.people.permissions.authorisation import refused
from tests.support.people.roles import acting_as
from tests.support.suite.databases import FreshDatabase, administer, url_of
from tests.support.suite.kept_house import kept_house
from verifier import verify
from verifier.bundle import findings
from verifier.check import look

SECOND = 10**6


def build_house() -> ClockHouse:
    house = ClockHouse()
    two_in_question(house)
    claims.catch_up(house.system)
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def claim(house: ClockHouse, number: int = 1) -> Claim:
    return Claim.objects.select_related("system").get(system=house.system, number=number)


def beside(entry: Entry) -> dict[str, int]:
    """What the writer measured of the clock."""
    assert entry.body is not None
    clock: dict[str, int] = entry.body["clock"]
    return clock


def settle(house: ClockHouse, number: int, by: tuple[str, str] = ("mere", "ines")) -> None:
    stop = house.hit(number).stops[0]["entry"]
    with acting_as("web"):
        proposal = stops.propose_end(claim(house, number), person(by[0]), stop, "The place stays")
        stops.agree_end(proposal, Reauthenticated(person(by[1])))
    house.post()


def test_the_measured_clock_stands_beside_the_hand_and_the_fold_sees_only_that(
    house: ClockHouse,
) -> None:
    one, other = (Entry.objects.get(seq=house.hit(number).place) for number in (1, 2))
    assert (one.event.table.code, other.event.table.code) == ("t3", "t7")  # type: ignore[union-attr]
    for entry in (one, other):
        clock = beside(entry)
        assert (clock["margin_us"], clock["behind_us"], clock["events"]) == (0, 0, 15)
    assert beside(one)["at_us"] - beside(other)["at_us"] == 2 * SECOND
    assert other.outcome["in_question"] == [[1, 2]]
    assert house.hit(1).clock == {"at_us": beside(one)["at_us"], "margin_us": 0}
    presses = Entry.objects.filter(type="round_started")
    assert not presses.exclude(body=None).exists()
    for number, with_ in ((1, 2), (2, 1)):
        stop = {"entry": other.seq, "kind": "order", "lifted": None, "with": [with_]}
        assert house.hit(number).stops == [stop]


def test_another_writer_reconciliation_and_the_verifier_say_the_same(house: ClockHouse) -> None:
    assert reconcile(house.system, whole=True).differences == []
    house.poster.give_up()
    house.poster = type(house.poster)("another writer")  # which reads the books from the rows
    house.cut_off("t8")
    house.warm_up("t8")
    house.now -= dt.timedelta(seconds=12)  # the third hand was before both, and comes last
    house.press("t8")
    house.now -= dt.timedelta(seconds=30)
    house.call("t8")
    house.now += dt.timedelta(seconds=60)
    house.is_back("t8")
    house.post()
    # Its clock was set back on the way: how sure it is nobody says better than that.
    assert house.hit(3).stops == []
    clock = house.hit(3).clock
    assert clock is not None
    assert clock["margin_us"] >= 30 * SECOND
    assert reconcile(house.system).differences == []  # from the checkpoint
    assert reconcile(house.system, whole=True).differences == []
    report = look(connection.connection)
    assert report.ok, report.lines()


YEARS = 56 * 365.25 * 86_400.0


@pytest.mark.parametrize("when", ["before", "at the hand", "after"])
def test_a_clock_wrong_by_years_does_not_switch_it_off(
    db: None, no_writer: None, when: str
) -> None:
    """The clock of table 7's unit stands in 1970, at its hand, or for some rounds beside it."""
    house = ClockHouse()
    house.warm_up("t3", "t7")
    wrong = {"t7": YEARS}
    if when == "before":
        house.behind |= wrong
        for _ in range(5):
            house.press("t7")
        house.behind["t7"] = 0.0
    for _ in range(3):
        house.press("t7")
    house.cut_off("t7")
    house.press("t7")
    house.behind |= wrong if when == "at the hand" else {}
    house.call("t7")
    house.behind["t7"] = 0.0
    house.press("t7")
    house.behind |= wrong if when == "after" else {}
    for _ in range(3):
        house.press("t7")
    house.now += dt.timedelta(seconds=30)
    house.press("t3")
    house.call("t3")
    house.post()
    house.is_back("t7")
    house.post()
    assert [stop["with"] for stop in house.hit(1).stops + house.hit(2).stops] == [[2], [1]]
    clock = house.hit(2).clock
    assert clock is not None
    assert clock["margin_us"] == (SECOND if when == "at the hand" else 0), (
        "between the rounds beside it"
    )
    assert look(connection.connection).ok


def test_nothing_is_confirmed_or_paid_until_a_manager_and_compliance_have_looked(
    house: ClockHouse,
) -> None:
    amounts = [house.hit(number).held for number in (1, 2)]
    for number in (1, 2):
        disputed = claim(house, number)
        claims.answer_checklist(disputed, person("sione"), ALL_YES, {})
        claims.verify(disputed, person("sione"))
        with pytest.raises(Stopped, match="The order in question stops this claim"):
            claims.confirm(disputed, Reauthenticated(person("mere")), amounts[number - 1])
        settle(house, number)
        claims.confirm(disputed, Reauthenticated(person("mere")), amounts[number - 1])
        house.post()
        claims.pay(disputed, Reauthenticated(person("aroha")), 1, {"cash": amounts[number - 1]})
        house.post()
    claims.catch_up(house.system)
    assert [house.hit(number).held for number in (1, 2)] == amounts  # the order stands
    assert Payout.objects.count() == 2
    assert without_actions(house.system.pk, 0) == []
    assert reconcile(house.system, whole=True).differences == []


def test_who_may_propose_and_who_may_decide(house: ClockHouse) -> None:
    stop = house.hit(1).stops[0]["entry"]
    for name in ("sione", "ines", "aroha", "tane"):
        with pytest.raises(NotPermitted):
            stops.propose_end(claim(house), person(name), stop, "The place stays")
    proposal = stops.propose_end(claim(house), person("mere"), stop, "The place stays")
    with pytest.raises(WrongState, match="proposed already"):
        stops.propose_end(claim(house), person("david"), stop, "Me too")
    for name in ("david", "sione"):  # of another manager nobody asks
        with pytest.raises(NotPermitted):
            stops.agree_end(proposal, Reauthenticated(person(name)))
    with acting_as("web"):
        proposals.withdraw(proposal, person("mere"), "The footage is still to come")
    settle(house, 1)
    assert not house.hit(1).open_stops
    assert house.hit(2).open_stops


def test_nobody_settles_it_twice_over_or_alone(house: ClockHouse) -> None:
    mere = person("mere")
    mere.groups.add(*person("ines").groups.all())  # a manager who is compliance too
    stop = house.hit(1).stops[0]["entry"]
    proposal = stops.propose_end(claim(house), mere, stop, "The place stays")
    with pytest.raises(SamePerson):
        stops.agree_end(proposal, Reauthenticated(person("mere")))
    body: dict[str, Any] = {"hit": 1, "stop": stop, "finding": "x"}
    with acting_as("web"), refused("stands no proposal"):
        commands.queue(house.system, "settle_order", body, first="mere", second="ines")
    with acting_as("web"), refused("command_takes_two_people"):
        commands.queue(house.system, "settle_order", body, first="mere")


def test_plain_sql_of_the_web_role_cannot_take_it_away(house: ClockHouse) -> None:
    with acting_as("web"), refused("stopped: pay of a claim"):
        body = {"hit": 1, "line": 1, "parts": {"cash": 1}}
        commands.queue(house.system, "pay", body, first="aroha")
    assert not Command.objects.filter(kind="pay").exists()


def test_a_rejection_of_the_other_leaves_it_to_people(house: ClockHouse) -> None:
    other = claim(house, 2)
    claims.propose_rejection(other, person("sione"), **REASON)
    claims.second_rejection(other, Reauthenticated(person("mere")))
    house.post()
    assert house.hit(2).state == "rejected"
    assert house.hit(1).open_stops
    settle(house, 1)
    assert not house.hit(1).open_stops


def test_the_api_lists_it_and_ends_it(house: ClockHouse) -> None:
    stop = house.hit(1).stops[0]["entry"]
    rows = rows_of("/api/stops/")
    row = {"kind": "order", "system": "main", "entry": stop}
    assert rows == [
        {**row, "claim": 1, "in_question_with": [2]},
        {**row, "claim": 2, "in_question_with": [1]},
    ]
    assert read("/api/claims/main-1/")["flags"] == ["order_in_question"]
    address = f"/api/claims/main-1/stops/{stop}/propose-end/"
    answer = as_("mere").post(address, {"finding": "The place stays"}, format="json")
    assert answer.status_code == 201, answer.content
    number = Proposal.objects.get().pk
    agree = f"/api/proposals/{number}/agree/"
    password = {"password": "tablet-counter-seven"}
    assert as_("david").post(agree, password, format="json").status_code == 403
    assert as_("ines").post(agree, password, format="json").status_code in (200, 202)
    house.post()
    assert [each["claim"] for each in rows_of("/api/stops/")] == [2]
    opened = action("ines", "stop", kind="order", reason="x")
    assert opened.status_code == 422  # only clocks put an order in question


def test_the_dispute_bundle_has_both_hands_with_their_clocks(
    house: ClockHouse, settings: Settings
) -> None:
    settings.BUNDLE_SIGNING_KEY = "33" * 32
    file_keys.begin()
    settle(house, 1)
    archive = io.BytesIO()
    bundle.export(claim(house), person("ines"), archive)
    assert findings(archive, bytes.fromhex(signing.public_key())) == []
    with zipfile.ZipFile(archive) as opened:
        document = json.loads(opened.read("claim.json"))
        lines = [
            json.loads(line)
            for name in opened.namelist()
            if name.startswith("blocks/")
            for line in opened.read(name).split(b"\n")
        ]
    assert document["clock"] == house.hit(1).clock
    assert {house.hit(1).place, house.hit(2).place} <= {*document["entries"]}
    clocks = {line[1]: line[12] for line in lines if line[0] == "entry" and line[12]}
    assert {house.hit(1).place, house.hit(2).place} <= clocks.keys()


def test_what_people_read_of_hands_near_by_is_what_the_fold_saw(house: ClockHouse) -> None:
    own, (other,) = nearby(house.hit(1))
    assert other.in_question
    assert other.clocks_disagree
    assert other.apart == dt.timedelta(seconds=-2)
    assert own.margin == dt.timedelta(0)
    settle(house, 1)
    _, (other,) = nearby(house.hit(1))
    assert (other.in_question, other.clocks_disagree) == (False, True)


def test_a_clock_by_few_events_has_no_margin(db: None, no_writer: None) -> None:
    house = ClockHouse()
    house.behind["t7"] = 60.0  # by its clock table 7 was a minute before
    house.hit_royal("t3")
    house.hit_royal("t7")
    assert [house.hit(number).clock for number in (1, 2)] == [None, None]
    assert house.hit(2).stops == []
    own, (other,) = nearby(house.hit(1))
    assert (own.margin, other.clocks.margin, other.clocks_disagree) == (None, None, False)
    clock = beside(Entry.objects.get(seq=house.hit(2).place))
    assert (clock["behind_us"], clock["events"]) == (60 * SECOND, 4)


# --- two people at the same instant ---------------------------------------------------------


@pytest.fixture
def room(fresh_database: FreshDatabase, settings: Settings) -> Generator[ClockHouse]:
    settings.CLAIM_WAIT_S = 60
    house = ClockHouse()
    two_in_question(house)
    house.poster.give_up()
    claims.catch_up(house.system)
    with writing():
        yield house
    with acting_as("worker"):
        assert reconcile(house.system).differences == []
    report = verify(fresh_database.url)
    assert report.ok, report.lines()


def test_two_of_compliance_agree_at_once(room: ClockHouse) -> None:
    priya = person("tane")
    priya.groups.set(person("ines").groups.all())
    stop = room.hit(1).stops[0]["entry"]
    proposal = stops.propose_end(claim(room), person("mere"), stop, "The place stays")
    with people(2) as both:
        outcomes = both.press(
            Proposal.objects.filter(pk=proposal.pk),
            *(
                lambda name=name: stops.agree_end(
                    Proposal.objects.get(pk=proposal.pk), Reauthenticated(person(name))
                )
                for name in ("ines", "tane")
            ),
        )
    lost = [each for each in outcomes if isinstance(each, RuleBroken)]
    assert len(lost) == 1, outcomes
    assert Command.objects.filter(kind="settle_order").count() == 1
    (ended,) = room.hit(1).stops
    assert ended["lifted"] == Entry.objects.get(type="settle_order").seq


def test_one_settles_it_while_another_confirms(room: ClockHouse) -> None:
    """Whoever is first, nothing is confirmed before it is settled."""
    disputed = claim(room)
    claims.answer_checklist(disputed, person("sione"), ALL_YES, {})
    claims.verify(disputed, person("sione"))
    stop, amount = room.hit(1).stops[0]["entry"], room.hit(1).held
    proposal = stops.propose_end(disputed, person("mere"), stop, "The place stays")
    with people(2) as both:
        settled, confirmed = both.press(
            claims_of(room.system),
            lambda: stops.agree_end(proposal, Reauthenticated(person("ines"))),
            lambda: claims.confirm(disputed, Reauthenticated(person("david")), amount),
        )
    assert not isinstance(settled, RuleBroken)
    if isinstance(confirmed, RuleBroken):
        assert isinstance(confirmed, Stopped)
        claims.confirm(disputed, Reauthenticated(person("david")), amount)
    order = Entry.objects.filter(type__in=("settle_order", "confirm_claim")).order_by("seq")
    assert [each.type for each in order] == ["settle_order", "confirm_claim"]


def test_the_order_is_replayed_with_its_clocks_and_stops(fresh_database: FreshDatabase) -> None:
    house = ClockHouse()
    two_in_question(house)
    stop = house.hit(1).stops[0]["entry"]
    assert not house.decide("settle_order", hit=1, stop=stop, finding="so").refused
    name = f"replay_{uuid.uuid4().hex}"
    output = StringIO()
    try:
        call_command("replay", "--into", url_of(name), "--system", "main", stdout=output)
    finally:
        administer("DROP DATABASE IF EXISTS {}", name)
    sentence = f"main: replayed, the same hashes and rows: {house.head.seq} entries"
    assert sentence in output.getvalue()
