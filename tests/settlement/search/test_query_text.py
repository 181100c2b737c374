"""How people of the floor name things: no database."""

import pytest

from settlement.help import glossary
from settlement.search.query_text import SlipNumber, Typed


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("main 14", ("main", 14)),
        ("MAIN-14", ("main", 14)),
        ("Main – 14", ("main", 14)),
        ("high-limit #2", ("high-limit", 2)),
        ("s2-14", ("s2", 14)),
        ("14", (None, 14)),
        ("claim 1,204", (None, 1204)),
        ("19.7", None),
        ("table", None),
        ("9" * 19, None),
    ],
)
def test_claims(text: str, claim: object) -> None:
    assert Typed(text).claim == claim


def test_slips_and_rounds_and_entries() -> None:
    assert Typed("MAIN-14-1-2").slip == SlipNumber("main", 14, 1, 2)
    assert Typed("slip high-limit 14 1").slip == SlipNumber("high-limit", 14, 1, None)
    assert Typed("main 14").slip is None
    for text in ("t3 1204", "T3  1,204", "t3 round 1204", "t3/1204"):
        assert Typed(text).round == ("t3", 1204)
    assert Typed("main table 3 1204").round == ("main table 3", 1204)
    for text in ("entry 109", "sequence no. 109", "Entry #109"):
        assert Typed(text).entry == (None, 109)
    assert Typed("main entry 109").entry == ("main", 109)
    assert Typed("109").entry is None


def test_what_is_no_name_is_nothing() -> None:
    assert not Typed(" \x00 ")
    assert len(Typed("x" * 1000).text) == 80
    odd = Typed("'; DROP TABLE -- ☃ & | ! :*")
    assert odd.words == ["drop", "table"]
    assert (odd.claim, odd.slip, odd.entry, odd.rule) == (None, None, None, "")
    assert Typed("bank").names("Drop and bank")
    assert Typed("drop ba").names("Drop and bank")
    assert not Typed("rop").names("Drop and bank")
    assert not Typed("").names("Drop and bank")


def test_rules_by_their_numbers() -> None:
    def numbers(text: str) -> list[str]:
        return [each.number for each in glossary.rules_by(Typed(text).rule)]

    assert numbers("19.7") == numbers("19.7(d)") == numbers("rule 19.7") == ["19.7"]
    assert numbers("19.14") == ["19.14(a)", "19.14(b)"]
    assert numbers("19.5") == ["19.4, 19.5"]
    assert numbers("19.1") == ["19.1"]
    assert len(numbers("19.")) > 15
    assert numbers("19.99") == numbers("rule") == []


def test_the_guide_is_that_of_the_documents() -> None:
    terms = {each.name: each for each in glossary.terms()}
    assert terms["gaming day"].elsewhere == "trading day"
    assert "`" not in "".join(each.meaning for each in glossary.terms())
    assert len({each.anchor for each in glossary.terms()}) > 150
    assert all(each.in_force and each.console for each in glossary.rules())
