"""The visitor's table unit, from its page through the real broker into the order, and back."""

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from demo import views
from demo.casino.seed_data import PAGE_TABLE, TERMINAL_TABLE
from demo.units.hand_unit import HandUnitError, HandUnits, hand_units
from jackpot.models import Entry, Hit
from jackpot.terms.money import MICROS
from settlement.approvals import second_manager
from settlement.evidence.assessment import payees
from tables.models import TableEvent
from tables.unit import receipts
from tests.support.pages.unit_page import PRESET, SEATS, Visitor, playing, visitor
from tests.support.suite.waiting import wait_until
from tests.support.units.demo_floor import Floor, floor

__all__ = ["floor", "playing", "visitor"]

pytestmark = pytest.mark.broker


def reported() -> dict[str, Any]:
    """The report of the only hit."""
    report = Hit.objects.get().report
    assert report
    return report


def types() -> list[str]:
    events = TableEvent.objects.filter(table__code=PAGE_TABLE).order_by("seq")
    return list(events.values_list("type", flat=True))


def test_from_the_press_to_recorded(playing: Visitor) -> None:
    entry = Entry.objects.get(type="round_started")
    assert f"ROUND STARTED RECORDED no. {entry.seq}" in playing.screen()
    assert "HOLD-EM · 4 SEATS" in playing.screen()
    assert "IN PLAY" in playing.screen()
    assert types() == ["session_opened", "round_started"]


def test_a_round_with_its_figures(playing: Visitor) -> None:
    playing.does("complete", pot="120.50", uncalled="", commission="6", jackpot_drop="2")
    assert "ROUND COMPLETED RECORDED no." in playing.screen()
    (event,) = TableEvent.objects.filter(type="round_completed")
    assert b'"pot":12050' in bytes(event.body)
    assert b"uncalled" not in bytes(event.body)


def test_a_royal_flush_takes_its_place(playing: Visitor) -> None:
    playing.does("call", tier="royal", seat="3")
    page = playing.reports("royal")
    hit = Hit.objects.get()
    assert (hit.number, hit.tier and hit.tier.code, hit.table.code) == (1, "royal", PAGE_TABLE)
    assert "CLAIM 1" in playing.screen()
    assert "Send the amended report" in page


@pytest.mark.parametrize(("game", "seats"), [("holdem", 2), ("omaha", 4)])
def test_a_bad_beat_has_its_share_plan_and_takes_two_managers(
    visitor: Visitor, game: str, seats: int
) -> None:
    """50,000.25: 25,001 for the beaten hand, 12,500 for the other, 12,500 for the table."""
    visitor.does("open", **{**SEATS, "game": game})
    visitor.does("press")
    visitor.reports("bad-beat", seat="3", seat2="2", **PRESET["bad-beat"].values(game))
    hit = Hit.objects.select_related("tier", "system__casino").get()
    assert hit.tier
    assert hit.tier.code == "bad-beat"
    assert [len(hand["hole"]) for hand in reported()["hands"]] == [seats] * 2
    paid = {(line["seat"], line["role"]): line["amount"] for line in payees(hit, hit.held)}
    assert sum(paid.values()) == hit.held == 50_001 * MICROS
    assert set(paid) == {(3, "loser"), (2, "winner"), (1, "table"), (4, "table")}
    assert paid[3, "loser"] == 25_001 * MICROS
    assert second_manager.is_required(hit, hit.held)


def test_the_hand_that_beat_it_sits_elsewhere(playing: Visitor) -> None:
    values = {**PRESET["bad-beat"].values("holdem"), "seat": "3", "seat2": "3"}
    answer = playing.client.post("/demo/unit/report/", {k: v for k, v in values.items() if v})
    assert answer.status_code == 422
    assert "at another seat" in answer.content.decode()


def test_a_mistyped_card_is_sent_as_typed_and_amended_at_its_place(playing: Visitor) -> None:
    playing.reports("mistyped")
    before = Hit.objects.get()
    assert before.tier is None
    assert before.report
    assert before.report["boards"] == [["Qs", "Js", "10s", "2d", "3c"]]
    playing.reports("royal")
    after = Hit.objects.get()
    assert (after.number, after.place) == (before.number, before.place)
    assert after.tier
    assert after.tier.code == "royal"


def test_two_boards_and_a_folded_hand_reach_the_console(playing: Visitor) -> None:
    playing.reports("two-boards")
    assert len(reported()["boards"]) == 2
    playing.reports("folded")
    assert reported()["hands"][0]["folded"]


def test_requests_to_the_supervisor(playing: Visitor) -> None:
    playing.does("call", tier="", seat="2")
    playing.does("withdraw", reason="Wrong seat")
    playing.does("void", reason="defective_deck", note="two kings of hearts")
    playing.does("missed", count="2", note="busy")
    playing.does("close")
    assert types()[2:] == [
        "hand_called",
        "hand_withdrawn",
        "void_requested",
        "rounds_missed",
        "session_closed",
    ]


def test_a_second_press_is_ignored(playing: Visitor) -> None:
    unit = hand_units.at(PAGE_TABLE).unit
    # However long the first press took.
    unit._settings = replace(unit._settings, guard_s=3600)
    assert "Second press ignored" in playing.does("press")
    assert types().count("round_started") == 1


def test_without_a_round_the_page_says_what_to_do_first(visitor: Visitor) -> None:
    answer = visitor.client.post("/demo/unit/complete/", {"pot": "10"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "press the jackpot button first" in page
    assert types() == []
    assert 'value="10"' in page  # as it was typed


def test_without_a_receipt_the_handset_calls_the_supervisor(
    playing: Visitor, floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receipts, "NO_RECEIPT_AFTER_S", 0.1)
    floor.stop()
    monkeypatch.setattr(views, "RECEIPT_WAIT_S", 0.1)
    playing.does("complete", pot="10")
    wait_until(
        lambda: "NOT RECORDED, CALL SUPERVISOR" in playing.screen(), what="the handset's alarm"
    )
    assert types().count("round_completed") == 0


def test_a_unit_that_was_switched_off_goes_on_with_its_round(playing: Visitor) -> None:
    number = hand_units.at(PAGE_TABLE).unit.round
    hand_units.stop()
    playing.does("complete", pot="10")
    (event,) = TableEvent.objects.filter(type="round_completed")
    assert event.round == number


def test_two_processes_do_not_share_a_unit(playing: Visitor) -> None:
    other = HandUnits()
    with pytest.raises(HandUnitError, match="in use elsewhere"):
        other.at(PAGE_TABLE)
    try:
        assert other.at(TERMINAL_TABLE).unit.wait_ready(60)
    finally:
        other.stop()


def test_a_script_gets_parts_and_faults_at_their_field(playing: Visitor) -> None:
    fetch = {"headers": {"X-Requested-With": "fetch"}}
    data = {**PRESET["royal"].values("holdem"), "seat": "3", "board": "2s " * 11}
    answer = playing.client.post("/demo/unit/report/", data, **fetch)  # type: ignore[arg-type]
    assert answer.status_code == 422
    assert "10 cards at most" in answer.content.decode()
    assert "<html" not in answer.content.decode()
    assert "hand_reported" not in types()


def test_forms_are_protected(floor: Floor) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/demo/unit/press/").status_code == 403


@pytest.mark.parametrize("path", ["/demo/", "/demo/unit/"])
def test_pages_carry_no_inline_script_or_style(visitor: Visitor, path: str) -> None:
    answer = visitor.client.get(path)
    page = answer.content.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=", page)
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


def test_the_start_page_names_people_and_displays(visitor: Visitor) -> None:
    page = visitor.client.get("/demo/").content.decode()
    for words in ("Mere Tane", "Anna Berg", "harbour-demo-2026", "Table 12", "Salon privé"):
        assert words in page


def test_a_casino_has_none_of_it(visitor: Visitor, settings: Settings) -> None:
    settings.DEMO = False
    for path in ("/demo/", "/demo/unit/", "/demo/unit/screen/"):
        assert visitor.client.get(path).status_code == 404
    assert visitor.client.post("/demo/unit/press/").status_code == 404
