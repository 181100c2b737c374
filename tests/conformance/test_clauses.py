"""The clauses of the kit are those of the protocol, and each is tried or given to people."""

import re
from pathlib import Path

import pytest

from conformance import against_console, against_unit
from conformance.clauses import BOUND, Side, clauses
from tests.support.units import wrong_consoles, wrong_units

ROOT = Path(__file__).resolve().parents[2]
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text()
TRIED = {
    "unit": [scene.tries for scene in against_unit.SCENES],
    "console": [scene.tries for scene in against_console.SCENES],
}


def ids_of(text: str) -> set[str]:
    return set(re.findall(rf"\b[{''.join(BOUND)}]-\d\d\b", text))


def test_protocol_and_kit_name_the_same_clauses() -> None:
    numbered = set(re.findall(r"\[([A-Z]-\d\d)\]", PROTOCOL))
    assert numbered == {*clauses("unit"), *clauses("console")}


def test_clauses_are_numbered_without_gaps() -> None:
    numbered = ids_of(PROTOCOL)
    for letter in BOUND:
        own = sorted(id_ for id_ in numbered if id_[0] == letter)
        assert own == [f"{letter}-{number:02}" for number in range(1, len(own) + 1)]


@pytest.mark.parametrize("side", ["unit", "console"])
def test_every_clause_is_tried_by_the_kit_or_looked_at_by_people(side: Side) -> None:
    rows = clauses(side)
    assert all(clause.text and (clause.kit or clause.hand) for clause in rows.values())
    code = "".join(
        path.read_text() for path in (ROOT / "conformance" / f"against_{side}").glob("*.py")
    )
    assert ids_of(code) == {id_ for id_, clause in rows.items() if clause.kit}


def test_every_clause_that_the_kit_tries_is_seen_broken() -> None:
    broken = ids_of(" ".join(wrong_units.FAULTS.values()))
    broken |= ids_of(" ".join(wrong_consoles.CLAUSES.values()))
    rows = {**clauses("unit"), **clauses("console")}
    assert not [id_ for id_, clause in rows.items() if clause.kit and id_ not in broken]


def test_the_page_counts_the_clauses_of_a_console() -> None:
    page = (ROOT / "docs" / "conformance.md").read_text()
    words = r"(\d+) clauses: (\d+) holds, (\d+) does not hold, (\d+) not tried, (\d+) by hand\."
    ((total, *counts),) = [[int(each) for each in row] for row in re.findall(words, page)]
    rows = clauses("console")
    by_hand = [id_ for id_, clause in rows.items() if not clause.kit]
    assert (total, counts[-1]) == (len(rows), len(by_hand))
    assert sum(counts) == total


@pytest.mark.parametrize("side", ["unit", "console"])
def test_scenes_try_clauses_of_their_side(side: Side) -> None:
    tried = set(" ".join(TRIED[side]).split())
    assert tried <= set(clauses(side))
