"""Tables in test mode on the console: said everywhere, their events separate."""

from typing import Any

from jackpot.models import Entry, Hit, Transfer
from settlement.floor.rulings import ON_ROUNDS, open_requests
from tables.protocol import messages
from tests.support.pages.page_staff import logged_in, page_of, words
from tests.support.people.cast import ROYAL, ClaimHouse
from tests.support.suite.kept_house import kept_house


def build_house() -> ClaimHouse:
    """Table 3 plays; at table 7 everything that a unit can say is said in test mode."""
    house = ClaimHouse()
    house.open("t3")
    house.open("t7")
    house.press("t3")
    house.post()
    before = Transfer.objects.count()
    events: list[tuple[type, dict[str, Any]]] = [
        (messages.RoundStarted, {"round": 1}),
        (messages.HandCalled, {"round": 1, "seats": [3], "tier": "royal"}),
        (messages.RoundCompleted, {"round": 1, "pot": 9000}),
        (messages.VoidRequested, {"round": 1, "reason": "wrong_count"}),
        (messages.RoundsMissed, {"count": 2}),
        (messages.SessionChanged, {"game": "omaha", "deck": 52, "seats_in_play": [1]}),
    ]
    for type_, fields in events:
        dealer = {"dealer": "d"} if type_ is messages.SessionChanged else {}
        house.say("t7", type_, test=True, **fields, **dealer)
    house.post()
    assert Transfer.objects.count() == before
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def test_nothing_that_is_said_in_test_mode_counts(house: ClaimHouse) -> None:
    flagged = Entry.objects.filter(outcome__flags__contains=["test"])
    assert flagged.count() == 6
    assert not Hit.objects.exists()
    assert open_requests(*ON_ROUNDS) == []
    house.hit_royal()
    assert Hit.objects.count() == 1


def test_pages_say_which_tables_are_in_test_mode(house: ClaimHouse) -> None:
    assert "t7 in test mode." in page_of("sione", "/")
    assert "Test mode" in page_of("sione", "/tables/")
    assert "Test mode" in page_of("sione", "/tables/main/t7/")
    assert "Test mode" not in page_of("sione", "/tables/main/t3/")
    house.press("t7")  # play again
    house.post()
    assert "t7 in test mode." not in page_of("sione", "/")
    assert "Test mode" not in page_of("sione", "/tables/main/t7/")


def test_test_events_have_a_list_of_their_own(house: ClaimHouse) -> None:
    answer = logged_in("sione").get("/tables/main/t7/", {"test": "1"})
    assert "They moved no money, opened no claim" in words(answer)
    assert all(event.row["test"] for event in answer.context["events"])
    assert len(answer.context["events"]) == 6
    everything = logged_in("sione").get("/tables/main/t7/").context["events"]
    assert len(everything) == 7
    none = words(logged_in("sione").get("/tables/main/t3/", {"test": "1"}))
    assert "No test events" in none
    assert ROYAL[0] not in none
