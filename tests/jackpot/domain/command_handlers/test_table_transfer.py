"""A table leaves its system: when it may, and what counts of it afterwards."""

import json
from typing import Any

import pytest

from jackpot.audit.checkpoint import Checkpoint, pack, unpack
from jackpot.terms.document import to_json
from jackpot.terms.money import MICROS
from tables.protocol.messages import SessionClosed
from tests.support.play.books import Floor, royal_terms
from tests.support.play.table_transfer import MOVE


def closed(*terms: dict[str, Any]) -> Floor:
    """Table 3 played a round and closed."""
    floor = Floor(*(terms or [royal_terms()]))
    floor.open("t3")
    floor.press("t3")
    floor.say("t3", SessionClosed)
    return floor


def test_a_closed_table_leaves_and_the_jackpot_is_none_of_its_own() -> None:
    floor = closed()
    before = floor.pool()
    assert floor.decide("move_table", **MOVE) == {"moved": "high/h1", "terms": 2}
    assert floor.pool() == before
    assert not floor.books.terms[2].is_at("t3")
    assert floor.books.terms[2].is_at("t7")
    assert to_json(floor.books.terms[2])["moved"] == {"t3": "high/h1"}


def test_a_round_that_began_before_finishes_as_it_began() -> None:
    pot = royal_terms(increments=[{"source": "pot", "basis_points": 100}])
    floor = closed(pot | {"funding": "players"})
    floor.decide("move_table", **MOVE)
    before = floor.pool()
    assert floor.complete("t3", pot=10_000) == {"flags": ["moved"]}
    assert floor.pool() == before + MICROS


def test_what_is_sent_afterwards_keeps_its_place_and_moves_nothing() -> None:
    floor = closed()
    floor.decide("move_table", **MOVE)
    before = floor.pool()
    assert floor.open("t3") == {"flags": ["moved"]}
    assert floor.press("t3") == {"flags": ["not_participating", "moved"]}
    called = floor.call("t3")
    assert (called["tier"], called["held"]) == (None, 0)
    assert called["flags"] == ["unknown_tier", "moved"]
    assert floor.press("t3", test=True) == {"flags": ["test", "moved"]}
    floor.open("t7")
    assert floor.press("t7") == {}
    assert floor.pool() == before + MICROS // 2


def test_every_jackpot_of_the_system_knows_it() -> None:
    first = royal_terms() | {"tables": ["t3"]}
    other = royal_terms(code="other", name="Other") | {"code": "second", "tables": ["t7"]}
    floor = closed(first, other)
    floor.decide("suspend", second=None, jackpot="house", table="t3", reason="dark")
    assert floor.decide("move_table", **MOVE)["terms"] == 5
    newest = floor.books.terms_at(5)
    assert [(t.moved, t.suspended_tables) for t in newest] == [({"t3": "high/h1"}, ())] * 2
    # new terms, and a new jackpot, keep it
    assert floor.decide("put_terms", terms=first | {"name": "Another"})["terms"] == 6
    third = royal_terms(code="third", name="Third") | {"code": "third", "tables": ["t9"]}
    assert floor.decide("put_terms", terms=third)["terms"] == 7
    for number in (6, 7):
        assert floor.books.terms[number].moved == {"t3": "high/h1"}


def test_only_a_closed_table_without_an_open_claim() -> None:
    floor = Floor(royal_terms())
    floor.open("t3")
    refused = floor.decide("move_table", **MOVE)["refused"]
    assert refused == "Table t3 is open: close its session on the handset first."
    floor.press("t3")
    hit = floor.call("t3")["hit"]
    floor.say("t3", SessionClosed)
    refused = floor.decide("move_table", **MOVE)["refused"]
    assert refused == f"Claim {hit} of table t3 is open: decide it first."
    floor.decide("reject_claim", hit=hit, reason="R01", evidence="x", affected=False)
    assert "moved" in floor.decide("move_table", **MOVE)
    refused = floor.decide("move_table", **MOVE)["refused"]
    assert refused == "Table t3 has moved to high/h1 already."


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"second": None}, "two different people"),
        ({"second": "mere"}, "two different people"),
        ({"to_system": "main"}, "of this system"),
        ({"reason": ""}, "cannot be read"),
        ({"receipted": [[0, 1]]}, "cannot be read"),
    ],
)
def test_what_cannot_be_is_refused(changed: dict[str, Any], why: str) -> None:
    floor = closed()
    assert why in floor.decide("move_table", **MOVE | changed)["refused"]
    assert floor.books.moved == {}


def test_where_every_jackpot_is_closed_their_terms_remember_it() -> None:
    floor = closed()
    floor.decide("close_tier", jackpot="house", tier="royal", to_account="operator", reason="over")
    assert floor.decide("move_table", **MOVE) == {"moved": "high/h1", "terms": 3}
    checkpoint = unpack(json.loads(json.dumps(pack(Checkpoint(floor.books)))))
    assert checkpoint.books.moved == {"t3": "high/h1"}


def test_no_table_leaves_before_there_are_terms_to_remember_it() -> None:
    floor = Floor()
    floor.open("t3")
    floor.say("t3", SessionClosed)
    assert "put terms into effect" in floor.decide("move_table", **MOVE)["refused"]
    assert floor.books.moved == {}


def test_nobody_posts_terms_with_a_table_moved() -> None:
    floor = closed()
    outcome = floor.decide("put_terms", terms=royal_terms() | {"moved": {"t3": "high/h1"}})
    assert "decisions of their own" in outcome["refused"]


def test_the_other_order_says_where_it_came_from() -> None:
    floor = Floor(royal_terms())
    body: dict[str, Any] = {"table": "t8", "from_system": "low", "from_table": "t3", "entry": 7}
    assert floor.decide("receive_table", **body) == {"received": "low/t3", "entry": 7}
    assert "two different" in floor.decide("receive_table", second=None, **body)["refused"]
    same = body | {"from_system": "main"}
    assert "from this system" in floor.decide("receive_table", **same)["refused"]


def test_a_checkpoint_remembers_it() -> None:
    floor = closed()
    floor.decide("move_table", **MOVE)
    checkpoint = unpack(json.loads(json.dumps(pack(Checkpoint(floor.books)))))
    assert checkpoint.books.moved == {"t3": "high/h1"}


def test_no_hand_is_entered_at_a_table_that_left() -> None:
    floor = closed()
    assert "moved" in floor.decide("move_table", **MOVE)
    hand: dict[str, Any] = {"game": "holdem", "seats": [3], "note": "dark", "seen": 0}
    refused = floor.decide("enter_hand", second=None, table="t3", **hand)["refused"]
    assert refused == "This table was moved to another system: enter the hand there."
