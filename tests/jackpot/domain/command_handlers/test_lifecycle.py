"""Terms while claims are open, suspending, resuming, closing: what counts meanwhile, in numbers."""

import json
from typing import Any

import pytest

from jackpot.audit.checkpoint import Checkpoint, pack, unpack
from jackpot.terms.document import to_json
from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import parse
from tables.protocol.messages import SessionClosed
from tests.support.cases.terms.lifecycle import GRAND, two_tiers
from tests.support.play.books import Floor, royal_terms

WHY = "displays are dark"


def play(floor: Floor, pot: int = 10_000, **figures: int) -> None:
    floor.press("t3")
    floor.complete("t3", pot=pot, **figures)


def test_terms_wait_for_a_claim_unless_forced_with_a_reason() -> None:
    floor = Floor(two_tiers())
    floor.open("t3")
    floor.press("t3")
    hit = floor.call("t3", "royal")["hit"]
    other = two_tiers()
    other["tiers"][1] = GRAND | {"reset": 60 * MICROS}
    assert floor.decide("put_terms", terms=other) == {"terms": 2}  # the claim is on another tier
    other["tiers"][0] = other["tiers"][0] | {"reset": 2000 * MICROS}
    refused = floor.decide("put_terms", terms=other)["refused"]
    assert refused.startswith(f"Claim {hit} on a prize that changes is open")
    renamed = floor.decide("put_terms", terms=two_tiers() | {"name": "Another name"})
    assert "refused" in renamed
    outcome = floor.decide("put_terms", terms=other, force="the poster was misprinted")
    assert outcome == {
        "terms": 3,
        "forced": {"reason": "the poster was misprinted", "hits": [hit]},
    }
    assert floor.held(hit) == 1001 * MICROS  # 1,000.50 rounded up: its own round's terms
    floor.decide("reject_claim", hit=hit, reason="R01", evidence="x", affected=False)
    assert floor.decide("put_terms", terms=two_tiers() | {"name": "Another"}) == {"terms": 4}


def test_a_hand_that_nobody_can_read_yet_stands_in_the_way_too() -> None:
    floor = Floor(two_tiers())
    floor.open("t3")
    floor.press("t3")
    floor.call("t3", tier=None)
    other = two_tiers()
    other["tiers"][1] = GRAND | {"reset": 60 * MICROS}
    assert "refused" in floor.decide("put_terms", terms=other)


def test_rounds_in_play_finish_under_their_own_terms() -> None:
    floor = Floor(royal_terms())
    floor.open("t3")
    floor.open("t7")
    floor.press("t3")
    floor.decide("put_terms", terms=royal_terms(share=5000, payable_unit=10 * MICROS))
    assert floor.held(floor.call("t3")["hit"]) == 1001 * MICROS
    floor.press("t7")
    # 1,000.50: half of what is rounded up to 1,010, rounded up to tens again
    assert floor.held(floor.call("t7")["hit"]) == 510 * MICROS


def test_a_suspended_tier_gets_nothing_but_its_part_of_the_drop() -> None:
    floor = Floor(two_tiers(drop=True))
    floor.open("t3")
    floor.press("t3")  # begun before: finishes as it began
    assert floor.decide("suspend", second=None, jackpot="house", tier="royal", reason=WHY) == {
        "terms": 2
    }
    before = floor.pool(), floor.pool("grand")
    floor.complete("t3", pot=10_000, jackpot_drop=200)
    assert floor.pool() == before[0] + MICROS
    assert floor.pool("grand") == before[1] + MICROS + 1_200_000
    before = floor.pool(), floor.pool("grand")
    play(floor, jackpot_drop=200)
    assert floor.pool() == before[0]
    assert floor.books.balances["royal:reserve"] == 2 * 800_000
    assert floor.pool("grand") == before[1] + MICROS + 1_200_000
    floor.decide("resume", second=None, jackpot="house", tier="royal", reason="mended")
    play(floor, jackpot_drop=200)
    assert floor.pool() == before[0] + MICROS + MICROS // 2


def test_a_hand_in_a_suspended_round_holds_its_prize_and_is_flagged() -> None:
    floor = Floor(two_tiers())
    floor.open("t3")
    floor.press("t3")
    floor.decide("suspend", second=None, jackpot="house", reason=WHY)  # all its tiers
    assert "flags" not in floor.call("t3")
    floor.press("t3")
    called = floor.call("t3")
    assert called["flags"] == ["suspended"]
    assert floor.held(called["hit"]) == 1000 * MICROS


def test_rounds_of_a_suspended_table_do_not_take_part() -> None:
    floor = Floor(two_tiers())
    floor.open("t3")
    floor.open("t7")
    floor.decide("suspend", second=None, jackpot="house", table="t3", reason=WHY)
    before = floor.pool()
    assert floor.press("t3") == {"flags": ["not_participating"]}
    assert floor.complete("t3", pot=10_000) == {"flags": ["not_participating"]}
    assert floor.pool() == before
    assert floor.press("t7") == {}
    assert floor.pool() == before + MICROS // 2
    assert floor.call("t3")["flags"] == ["suspended"]
    assert (
        floor.decide("resume", second=None, jackpot="house", table="t3", reason=WHY)["terms"] == 3
    )
    assert floor.press("t3") == {}


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ({"jackpot": "moon"}, "There is no jackpot moon"),
        ({"tier": "moon"}, "has no tier moon"),
        ({"tier": "royal", "table": "t3"}, "Name a prize of the jackpot, or one of its tables."),
        ({"reason": ""}, "The command cannot be read"),
    ],
)
def test_what_cannot_be_suspended(body: dict[str, Any], refusal: str) -> None:
    floor = Floor(two_tiers())
    fields = {"jackpot": "house", "reason": WHY} | body
    assert refusal in floor.decide("suspend", second=None, **fields)["refused"]


def test_what_is_suspended_stays_so_under_new_terms() -> None:
    floor = Floor(two_tiers())
    body = {"jackpot": "house", "tier": "royal", "reason": WHY}
    floor.decide("suspend", second=None, **body)
    assert "stands so already" in floor.decide("suspend", second=None, **body)["refused"]
    assert floor.decide("put_terms", terms=two_tiers() | {"name": "Other"}) == {"terms": 3}
    assert floor.books.terms[3].suspended == ("royal",)
    document = to_json(floor.books.terms[3])
    assert parse(document) == floor.books.terms[3]
    assert "decisions of their own" in floor.decide("put_terms", terms=document)["refused"]


def close(floor: Floor, tier: str, **to: str) -> Any:
    return floor.decide("close_tier", jackpot="house", tier=tier, reason="end of season", **to)


def test_a_closed_tier_gives_all_it_has_to_another() -> None:
    floor = Floor(two_tiers())
    floor.open("t3")
    play(floor)
    floor.decide(
        "adjust_pool", tier="royal", into="reserve", amount=7 * MICROS, source="drop", reason="A06",
        evidence="count",
    )  # fmt: skip
    floor.press("t3")
    assert "Table t3 is open" in close(floor, "royal", to_tier="grand")["refused"]
    floor.say("t3", SessionClosed)
    assert (
        "two different people"
        in floor.decide(
            "close_tier", second="mere", jackpot="house", tier="royal", to_tier="grand", reason="x"
        )["refused"]
    )
    pool, grand = floor.pool(), floor.pool("grand")
    assert close(floor, "royal", to_tier="grand") == {
        "terms": 2,
        "tier": "royal",
        "before": [pool, 7 * MICROS, 0],
    }
    assert floor.pool("grand") == grand + pool
    assert floor.books.balances["grand:reserve"] == 7 * MICROS
    assert floor.pool() == floor.books.balances["royal:reserve"] == 0
    # A completion that comes late belongs to a round of the old terms: its money follows the pool.
    grand = floor.pool("grand")
    floor.complete("t3", pot=10_000)
    assert (floor.pool(), floor.pool("grand")) == (0, grand + 2 * MICROS)
    assert floor.call("t3", "royal")["flags"] == ["unknown_tier"]
    assert (
        "was closed"
        in floor.decide(
            "adjust_pool", tier="royal", amount=1, source="drop", reason="A06", evidence="x"
        )["refused"]
    )
    assert (
        "was closed: choose another code" in floor.decide("put_terms", terms=two_tiers())["refused"]
    )
    assert sum(floor.books.balances.values()) == 0
    checkpoint = json.loads(json.dumps(pack(Checkpoint(floor.books))))
    assert unpack(checkpoint).books.closed == floor.books.closed == {"royal": "grand:pool"}


def test_the_last_tier_closes_the_jackpot_and_players_money_is_not_the_operators() -> None:
    floor = Floor(
        royal_terms(increments=[{"source": "pot", "basis_points": 100}]) | {"funding": "players"}
    )
    floor.open("t3")
    floor.press("t3")
    hit = floor.call("t3")["hit"]
    floor.say("t3", SessionClosed)
    assert "is open: decide it first" in close(floor, "royal", to_account="adjustments")["refused"]
    floor.decide(
        "confirm_claim",
        hit=hit,
        amount=1000 * MICROS,
        payees=[{"seat": 3, "amount": 1000 * MICROS}],
    )
    assert "does not go to the operator" in close(floor, "royal", to_account="operator")["refused"]
    assert "Say where" in close(floor, "royal")["refused"]
    assert close(floor, "royal", to_account="adjustments")["before"] == [1000 * MICROS, 0, 0]
    assert floor.books.balances["adjustments"] == 1000 * MICROS
    # A reversal finds no pool any more: its money follows where that went.
    floor.decide("reverse_claim", hit=hit, reason="R13", evidence="camera 4")
    assert floor.books.balances["adjustments"] == 2000 * MICROS
    assert "was closed" in close(floor, "royal", to_account="adjustments")["refused"]
    assert parse(to_json(floor.books.terms[2])).tiers == ()
    floor.open("t3")
    assert floor.press("t3") == {"flags": ["not_participating"]}
    floor.decide("put_terms", terms=royal_terms(code="new") | {"code": "second"})
    floor.open("t3")
    assert floor.press("t3") == {}
    assert floor.pool("new") == 1000 * MICROS + MICROS // 2


def test_a_tier_with_a_part_of_the_drop_is_closed_after_new_terms() -> None:
    floor = Floor(two_tiers(drop=True))
    assert "part of the drop" in close(floor, "royal", to_tier="grand")["refused"]
