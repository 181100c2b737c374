"""The table unit in a terminal: what may be typed, and what comes of it."""

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from demo.casino.seed_data import TERMINAL_TABLE
from demo.management.commands import table_unit
from demo.management.commands.table_unit import obey, obey_alone
from demo.servers.installation import PROJECT
from demo.units.actions import tiers_of
from demo.units.hand_unit import HandUnit, hand_units
from demo.units.terminal_input import TypedError, parse
from jackpot.models import Hit
from tables.models import TableEvent
from tests.support.suite.waiting import wait_until
from tests.support.units.demo_floor import Floor, floor

__all__ = ["floor"]


@pytest.fixture
def hand(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> HandUnit:
    monkeypatch.setattr(table_unit, "_RECEIPT_S", 60.0)
    hand = hand_units.at(TERMINAL_TABLE)
    assert hand.unit.wait_ready(60)
    wait_until(lambda: tiers_of(hand), what="the first terms to be posted")
    return hand


def types(hand: HandUnit, *lines: str) -> str:
    """What the terminal shows for these lines."""
    screen = io.StringIO()
    console = Console(file=screen, width=200)
    for line in lines:
        obey(hand, line, console)
    return screen.getvalue()


@pytest.mark.broker
def test_a_whole_hand_in_a_terminal(hand: HandUnit) -> None:
    screen = types(
        hand,
        "open omaha seats=1,3,5 dealer=Tom",
        "press",
        "call royal 3",
        "report As Ks 8d 4h | Qs Js 10s 2d 3c seat=3",
        "amend As Ks 8d 4h | Qs Js Ts 2d 3c",
        "complete pot=120 drop=2",
        "close",
    )
    assert screen.count("RECORDED no.") == 7
    assert "claim 1" in screen
    hit = Hit.objects.get()
    assert hit.tier
    assert hit.tier.code == "royal"
    assert hit.report
    assert hit.report["seats_dealt"] == [1, 3, 5]
    (event,) = TableEvent.objects.filter(type="round_completed")
    assert b"commission" not in bytes(event.body)


@pytest.mark.broker
def test_a_bad_beat_in_a_terminal(hand: HandUnit) -> None:
    screen = types(
        hand,
        "open holdem seats=1,2,4,6 dealer=Tom",
        "press",
        "call bad-beat 2",
        "report As Ad | Ah Kh Ks 7d 7c seat=2 beaten-by=Kd,Qc seat2=4",
        "amend As Ad | Ah Kh Ks 7d 7c beaten-by=Kd,Kc",
    )
    assert screen.count("RECORDED no.") == 5
    hit = Hit.objects.get()
    assert hit.tier
    assert hit.tier.code == "bad-beat"
    assert hit.report
    hands = [(each["seat"], each["hole"], each["won_pot"]) for each in hit.report["hands"]]
    assert hands == [(2, ["As", "Ad"], False), (4, ["Kd", "Kc"], True)]


@pytest.mark.broker
def test_what_cannot_be_done_is_said(hand: HandUnit) -> None:
    assert "press the jackpot button first" in types(hand, "call royal 3")
    assert "seat: " in types(hand, "open", "press", "call royal 77")
    assert "reason: " in types(hand, "void bad_mood")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("dance", "Type help"),
        ("open bridge", "Games: holdem"),
        ("complete all", "Write pot="),
        ("report", "Write the hole cards"),
        ("report As | Ks | Qs | Js", "Write the hole cards"),
        ("void", "Say the reason first"),
        ("press hard", "Nothing follows"),
    ],
)
def test_what_cannot_be_read_is_said(line: str, complaint: str) -> None:
    with pytest.raises(TypedError, match=complaint):
        parse(line)


def test_a_second_board_and_words_about_the_hand() -> None:
    name, body = parse("report As Ks | Qh 9s 5d 2c 7h | Qs Js Ts 2d 3c seat=5 folded refused")
    assert name == "report"
    assert body == {
        "hole": "As Ks",
        "board": "Qh 9s 5d 2c 7h",
        "board2": "Qs Js Ts 2d 3c",
        "seat": "5",
        "folded": True,
        "won_pot": False,
        "exposed": "refused",
    }


def alone(hand: HandUnit, *lines: str) -> str:
    """What the terminal shows for commands of one line each."""
    screen = io.StringIO()
    console = Console(file=screen, width=200)
    for line in lines:
        # Each would be a process of its own.
        hand.unit._settings = replace(hand.unit._settings, guard_s=0)
        assert obey_alone(hand, line, console), screen.getvalue()
    return screen.getvalue()


@pytest.mark.broker
def test_the_documented_commands_work_at_a_closed_table(hand: HandUnit) -> None:
    guide = (PROJECT / "docs" / "demo.md").read_text()
    documented = re.findall(r'-m demo unit (report) "([^"]+)"', guide)
    assert len(documented) == 2
    alone(hand, *(" ".join(each) for each in documented))
    assert [event.type for event in TableEvent.objects.order_by("seq")] == [
        *("session_opened", "round_started", "hand_reported"),
        *("round_completed", "round_started", "hand_reported"),
    ]
    tiers = [hit.tier.code for hit in Hit.objects.order_by("number") if hit.tier]
    assert tiers == ["bad-beat", "royal"]


@pytest.mark.broker
def test_a_line_by_itself_does_no_more_than_it_must(hand: HandUnit) -> None:
    alone(hand, "call bad-beat 3", "report As Ks | Qs Js Ts 2d 4c", "amend As Ks | Qs Js Ts 2d 3c")
    alone(hand, "complete", "press", "close")
    assert [event.type for event in TableEvent.objects.order_by("seq")] == [
        *("session_opened", "round_started", "hand_called", "hand_reported", "hand_reported"),
        *("round_completed", "round_started", "session_closed"),
    ]
