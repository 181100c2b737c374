"""What counts as evidence for a confirmation, and what just does not."""

import json
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.support.proof.rows_by_hand import decision, rows
from verifier.database.report import Report, Scope
from verifier.database.rows import System
from verifier.fold.books.state import State
from verifier.people import evidence as checked

SYSTEM = System(7, "main", 2, era=1)
PAYEES = [{"seat": 3, "role": "winner"}, {"seat": 9, "role": "table"}]
RECORDS = [(1, "footage", 5, None), (1, "attachments", 6, None), (1, "tick", 7, None),
           (1, "identifications", 8, 3), (1, "identifications", 9, 4),
           (2, "footage", 10, None)]  # fmt: skip


def answer(item: str, shows: Any = None, reply: str = "yes", note: str = "",
           command: int | None = 1, hit: int = 1) -> tuple[Any, ...]:  # fmt: skip
    """`command`: the one that rests on it, None while none does."""
    return (hit, item, reply, note, json.dumps({} if shows is None else shows), command)


def lacking(
    thing: str, *answers: tuple[Any, ...], above: int = 0, confirmed: tuple[int, ...] = (1,),
    are_there: bool = True,
) -> list[str]:  # fmt: skip
    """What is said of confirmations of so much, where the terms ask for that thing above this."""
    terms = [
        SimpleNamespace(tiers=[SimpleNamespace(code="other")], evidence=[("nothing", 0)]),
        SimpleNamespace(tiers=[SimpleNamespace(code="royal")], evidence=[(thing, above)]),
    ]
    hits = {1: SimpleNamespace(terms=2)}
    state = SimpleNamespace(hits=hits, in_effect=lambda number: terms if number == 2 else [])
    decisions = [
        decision(seq, "confirm_claim", {"hit": 1, "tier": "royal", "confirmed": amount},
                 payees=PAYEES)
        for seq, amount in enumerate(confirmed, 1)
    ]  # fmt: skip
    connection = rows({
        checked._ANSWERS: answers,
        checked._RECORDS: RECORDS,
        checked._COMMANDS: [(number,) for number in range(1, 9)] if are_there else [],
    })  # fmt: skip
    report = Report()
    checked.evidence(connection, Scope(report, "main"), SYSTEM, decisions, cast("State", state))
    return [sentence for _, sentence in report.findings]


def said_of(thing: str, entry: int = 1) -> list[str]:
    lacks = f"it was confirmed without what the terms ask for: {thing}"
    return [f"system main, entry {entry}: {lacks}"]


EVIDENCE: dict[str, tuple[str, Any]] = {
    "a bag": ("sealed", {"bag": "7"}),
    "a reading": ("display", {"reading": 12}),
    "a witness": ("witness", {"name": "N.", "capacity": "dealer"}),
    "a review": ("surveillance", {"footage": [5]}),
    "a photograph": ("photographed", {"attachments": [6]}),
    "suits": ("deck_counted", {"suits": dict.fromkeys("shdc", 13)}),
    "a deck": ("deck_counted", {"suits": dict.fromkeys("shdc", 13), "tick": 7}),
    "the winner": ("identity", {"identifications": [8]}),
    "the winner and more": ("identity", {"identifications": [9, 8]}),
}
NOT_GIVEN: dict[str, tuple[str, Any]] = {
    "no bag": ("sealed", {"bag": " "}),
    "another word": ("sealed", {"reading": "7"}),
    "no reading": ("display", {}),
    "a witness without a name": ("witness", {"capacity": "dealer"}),
    "a witness without a capacity": ("witness", {"name": "N.", "capacity": ""}),
    "a review of another claim": ("surveillance", {"footage": [10]}),
    "one of two reviews": ("surveillance", {"footage": [5, 6]}),
    "no review": ("surveillance", {"footage": []}),
    "a review that is no list": ("surveillance", {"footage": 5}),
    "a review by name": ("surveillance", {"footage": ["5"]}),
    "a photograph that is a review": ("photographed", {"attachments": [5]}),
    "three suits": ("deck_counted", {"suits": dict.fromkeys("shd", 13)}),
    "suits by a word": ("deck_counted", {"suits": dict.fromkeys("shdc", True)}),
    "no suits": ("deck_counted", {"suits": "all"}),
    "another deck": ("deck_counted", {"suits": dict.fromkeys("shdc", 13), "tick": 8}),
    "a deck alone": ("deck_counted", {"tick": 7}),
    "another player": ("identity", {"identifications": [9]}),
    "a player who is nobody": ("identity", {"identifications": [8, 99]}),
    "no player": ("identity", {"identifications": []}),
    "no object": ("sealed", ["bag"]),
}


@pytest.mark.parametrize("what", EVIDENCE)
def test_what_is_given(what: str) -> None:
    thing, shows = EVIDENCE[what]
    assert lacking(thing, answer(thing, shows)) == []


@pytest.mark.parametrize("what", NOT_GIVEN)
def test_what_is_not_given(what: str) -> None:
    thing, shows = NOT_GIVEN[what]
    assert lacking(thing, answer(thing, shows)) == said_of(thing)


def test_a_no_says_why() -> None:
    assert lacking("sealed", answer("sealed", reply="no", note="torn")) == []
    for reply, note in (("no", " "), ("na", "small"), ("na", "")):
        assert lacking("sealed", answer("sealed", {"bag": "7"}, reply, note)) == said_of("sealed")


def test_the_newest_answer_by_then_counts() -> None:
    good, bad = ({"bag": "7"}, {"bag": ""})
    assert lacking("sealed", answer("sealed", bad), answer("sealed", good)) == []
    assert lacking("sealed", answer("sealed", good), answer("sealed", bad)) == said_of("sealed")
    assert lacking("sealed", answer("sealed", good), answer("sealed", bad, command=2)) == []
    assert lacking("sealed", answer("sealed", good, hit=2)) == said_of("sealed")
    assert lacking("sealed", answer("display", {"reading": 1})) == said_of("sealed")
    assert lacking("sealed", answer("sealed", good, command=2)) == said_of("sealed")
    assert lacking("sealed", answer("sealed", good, command=None)) == said_of("sealed")


def test_it_is_asked_for_above_an_amount_in_all() -> None:
    assert lacking("sealed", above=5, confirmed=(5,)) == []
    assert lacking("sealed", above=5, confirmed=(6,)) == said_of("sealed")
    assert lacking("sealed", above=5, confirmed=(3, 2)) == []
    assert lacking("sealed", above=5, confirmed=(3, 3)) == said_of("sealed", 2)


def test_a_command_that_is_not_there_is_another_promise() -> None:
    assert lacking("sealed", are_there=False) == []
