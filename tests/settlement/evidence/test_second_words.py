"""One colleague's word keeps somebody out for a shift; a second one for good, or not at all.

Malice: one click takes no manager out for longer than that, and anybody else can undo it.
Own hands: whoever was named decides nothing meanwhile, and does not clear themselves.
"""

import datetime as dt
import uuid
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from jackpot.models import Command
from settlement.audit.authorisation import without_actions
from settlement.claims import services as claims
from settlement.claims import workbench
from settlement.core.errors import BadReason, OwnHand, SamePerson, WrongState
from settlement.evidence import identification
from settlement.models import (
    Attachment,
    Claim,
    DeckTick,
    Footage,
    Identification,
    Note,
    StaffPlay,
    StaffPlayWord,
)
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated
from tables.models import GamingTable, JackpotSystem
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.people.cast import ALL_YES, ClaimHouse
from tests.support.people.permissions.authorisation import is_rested_on
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
HOUR = dt.timedelta(hours=1)


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    claims.catch_up(house.system)
    return house


house = kept_house(build_house)


def claim() -> Claim:
    return Claim.objects.select_related("system").get()


def play_of(who: str, by: str = "tane") -> StaffPlay:
    with acting_as("web"):
        return staff_play.name(claim(), person(who), person(by), note="Camera 4")


def word(play: StaffPlay, by: str, *, agrees: bool, note: str = "Camera 4, 22:14") -> None:
    with acting_as("web"):
        staff_play.give_word(play, person(by), agrees=agrees, note=note)


def is_out(who: str) -> bool:
    return staff_play.is_dealt_in(claim(), person(who))


def hours_pass(hours: float) -> None:
    with owner_without_guards("settlement_staffplay"):
        for play in StaffPlay.objects.all():
            StaffPlay.objects.filter(pk=play.pk).update(at=play.at - hours * HOUR)


def test_one_word_keeps_out_for_a_shift_and_no_longer(house: ClaimHouse) -> None:
    play = play_of("mere")
    assert is_out("mere")
    hours_pass(7.9)
    assert is_out("mere")
    hours_pass(0.2)
    assert not is_out("mere")
    assert list(staff_play.waiting()) == [play]  # it is not forgotten
    word(play, "sione", agrees=True)  # the footage was looked at the next morning
    assert is_out("mere")


@pytest.mark.parametrize("by", ["mere", "sione"])
def test_the_own_or_a_second_word_keeps_out_for_good(house: ClaimHouse, by: str) -> None:
    word(play_of("mere"), by, agrees=True, note="")
    hours_pass(100)
    assert is_out("mere")
    assert not staff_play.waiting().exists()


def test_a_second_word_lets_decide_again(house: ClaimHouse) -> None:
    """Surveillance names a manager by malice: anybody else who looked undoes it at once."""
    with acting_as("web"):
        claims.answer_checklist(claim(), person("sione"), ALL_YES, {})
        claims.verify(claim(), person("sione"))
    word(play_of("mere"), "anahera", agrees=False)
    assert not is_out("mere")
    with acting_as("web"):
        claims.confirm(claim(), Reauthenticated(person("mere")), house.hit(1).held)
    house.post()
    assert house.hit(1).state == "confirmed"
    assert without_actions(house.system.pk, 0) == []
    assert look(connection.connection, settled=False).findings == []


def test_nobody_names_twice_what_was_contradicted(house: ClaimHouse) -> None:
    word(play_of("mere"), "anahera", agrees=False)
    with pytest.raises(WrongState, match="You have already named mere for this time"):
        play_of("mere")
    assert not is_out("mere")
    play_of("mere", by="aroha")  # a third person may know better, and takes a second word again
    assert is_out("mere")


def test_nobody_prolongs_the_own_word(house: ClaimHouse) -> None:
    play_of("mere")
    hours_pass(9)
    with pytest.raises(WrongState, match="Somebody else must confirm it"):
        play_of("mere")


def test_who_gives_no_second_word(house: ClaimHouse) -> None:
    play = play_of("mere")
    with pytest.raises(SamePerson, match="You named your colleague"):
        word(play, "tane", agrees=True)
    with pytest.raises(SamePerson, match="You cannot clear yourself"):
        word(play, "mere", agrees=False)
    with pytest.raises(BadReason, match="Enter what was seen"):
        word(play, "sione", agrees=False, note=" ")
    play_of("david")  # he sat there too, as far as anybody says
    with pytest.raises(OwnHand, match="You are recorded as playing at this table"):
        word(play, "david", agrees=False)
    word(play, "sione", agrees=True)
    with pytest.raises(WrongState, match="just confirmed or contradicted it"):
        word(play, "sione", agrees=False)
    with acting_as("web"):
        own = staff_play.sit_down(
            person("aroha"), GamingTable.objects.get(code="t7"), person("aroha")
        )
    with pytest.raises(WrongState, match="no second person is needed"):
        word(own, "sione", agrees=False)


@pytest.mark.parametrize(("by", "agrees"), [("tane", True), ("mere", False), ("david", False)])
def test_the_database_refuses_such_a_word(house: ClaimHouse, by: str, agrees: bool) -> None:
    play = play_of("mere")
    play_of("david")
    with (
        acting_as("web"),
        pytest.raises(IntegrityError, match=r"second_word|own_hand"),
        transaction.atomic(),
    ):
        StaffPlayWord.objects.create(
            play=play, agrees=agrees, person=person(by), note="x", at=timezone.now()
        )


def test_a_word_is_never_dated_back(house: ClaimHouse) -> None:
    play = play_of("mere")
    with acting_as("web"):
        word = StaffPlayWord.objects.create(
            play=play, agrees=False, person=person("sione"), note="x", at=play.at - HOUR
        )
    word.refresh_from_db()
    assert word.at > play.at


def take_seat(at: dt.datetime, word: tuple[str, bool] | None = None) -> None:
    """Tane named mere at that time, and somebody else spoke after that: both before mere
    confirmed."""
    hit = ConfirmedHouse().hit(1).at
    with owner_without_guards("settlement_staffplay"):
        play = StaffPlay.objects.create(
            person=person("mere"),
            table=GamingTable.objects.get(code="t3"),
            since=hit - HOUR,
            until=hit,
            said_by=person("tane"),
            at=at,
        )
    if word is not None:
        with owner_without_guards("settlement_staffplayword"):
            StaffPlayWord.objects.create(
                play=play, agrees=word[1], person=person(word[0]), note="x", at=hit - HOUR / 2
            )
    command = Command.objects.get(kind="confirm_claim").number
    for source in ("settlement_staffplay", "settlement_staffplayword"):
        is_rested_on(source, command)


@pytest.mark.parametrize(
    ("hours", "word", "count"),
    [
        (7.0, None, 1),
        (9.0, None, 0),
        (9.0, ("sione", True), 1),
        (9.0, ("mere", True), 1),
        (1.0, ("sione", False), 0),
    ],
)
def test_reconciliation_and_verifier_know_what_counted_then(
    hours: float, word: tuple[str, bool] | None, count: int
) -> None:
    take_seat(timezone.now() - hours * HOUR, word)
    report = str(look(connection.connection, settled=False).lines())
    assert report.count("mere was dealt in, and decided: confirm_claim") == count
    assert len(without_actions(JackpotSystem.objects.get().pk, 0)) == count


@pytest.mark.parametrize("by", ["mere", "tane"])
def test_the_verifier_takes_no_contradiction_by_who_may_not(by: str) -> None:
    take_seat(timezone.now() - HOUR, (by, False))
    report = str(look(connection.connection, settled=False).lines())
    assert "mere was dealt in, and decided: confirm_claim" in report


def test_who_was_dealt_in_gathers_nothing(house: ClaimHouse) -> None:
    """A tick of the deck, a review of footage, a note, a player's name, a file."""
    play_of("sione")
    fields: dict[str, Any] = {
        "reviewer": "Tane",
        "camera": "4",
        "since": timezone.now() - HOUR,
        "until": timezone.now(),
        "reference": "F-1",
        "finding": "clear",
    }
    paper: dict[str, Any] = {
        "seat": 3,
        "name": "A. Player",
        "born": dt.date(1980, 1, 1),
        "document": "passport",
        "document_number": "X1",
    }
    with acting_as("web"):
        for attempt in (
            lambda: workbench.count_deck(claim(), person("sione"), ["2s"]),
            lambda: workbench.add_footage(claim(), person("sione"), **fields),
            lambda: workbench.add_note(claim(), person("sione"), "All clear"),
            lambda: identification.identify(
                claim(), person("sione"), identification.PlayerIdentity(**paper)
            ),
        ):
            with pytest.raises(OwnHand, match="sione was dealt in"):
                attempt()
        workbench.count_deck(claim(), person("anahera"), ["2s"])
        workbench.add_footage(claim(), person("anahera"), **fields)
        workbench.add_note(claim(), person("anahera"), "All clear")
        identification.identify(claim(), person("anahera"), identification.PlayerIdentity(**paper))


def test_the_database_refuses_what_they_gather(house: ClaimHouse) -> None:
    play_of("sione")
    now, key = timezone.now(), uuid.uuid4()
    rows = (
        DeckTick(card="2s", found=True),
        Footage(
            reviewer="T", reference="F", camera="4", since=now, until=now, finding="-", key=key
        ),
        Note(text="clear", key=key),
        Identification(
            seat=3,
            name="A",
            born=dt.date(1980, 1, 1),
            document="passport",
            document_number="X",
            at=now,
            key=key,
        ),
        Attachment(caption="x", kind="png", size=1, sha256=b"x", content=b"x", key=key),
    )
    for row in rows:
        row.claim, row.person = claim(), person("sione")
        with (
            acting_as("web"),
            pytest.raises(IntegrityError, match="own_hand"),
            transaction.atomic(),
        ):
            row.save(force_insert=True)
