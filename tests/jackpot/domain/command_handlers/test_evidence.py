"""Terms post what a claim must show, above which amount."""

import json
from typing import Any

import pytest

from jackpot.terms.document import to_json
from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import notices, parse
from jackpot.terms.required_evidence import BY_DEFAULT, required_evidence_of
from rules.terms import TermsError
from tests.support.play.books import royal_terms
from verifier.fold.terms.shapes import Refusal
from verifier.fold.terms.terms import read


def test_small_prizes_stay_quick_and_large_ones_show_everything() -> None:
    posted = parse(royal_terms()).evidence
    assert posted == BY_DEFAULT
    assert required_evidence_of(posted, 500 * MICROS) == frozenset()
    assert required_evidence_of(posted, 500 * MICROS + 1) == {
        "surveillance",
        "deck_counted",
        "identity",
    }
    assert required_evidence_of(posted, 5_000 * MICROS + 1) == BY_DEFAULT.keys()


def test_what_is_not_named_is_never_asked_for() -> None:
    terms = parse(royal_terms() | {"evidence": {"sealed": 0}})
    assert required_evidence_of(terms.evidence, 10**15) == {"sealed"}
    assert required_evidence_of(terms.evidence, 0) == frozenset()


def test_a_document_that_says_nothing_is_written_out_in_full() -> None:
    document = json.loads(json.dumps(to_json(parse(royal_terms()))))
    assert document["evidence"] == BY_DEFAULT
    assert parse(document) == parse(royal_terms())
    assert read(document) == read(royal_terms())  # the verifier reads the same usual list
    assert dict(read(royal_terms()).evidence) == BY_DEFAULT
    assert to_json(parse(royal_terms() | {"evidence": {}}))["evidence"] == {}


@pytest.mark.parametrize("evidence", [{"oath": 0}, {"sealed": -1}, {"sealed": None}, [], None])
def test_what_cannot_be_asked_for_is_refused(evidence: Any) -> None:
    document = royal_terms() | {"evidence": evidence}
    with pytest.raises(TermsError, match="cannot be read"):
        parse(document)
    with pytest.raises(Refusal):
        read(document)


def test_players_read_that_winners_are_identified_and_no_more() -> None:
    notice = " ".join(notices(parse(royal_terms()), 2, "NZD"))
    assert "Winners of more than NZD 500.00 show a document with a photograph." in notice
    assert "bag" not in notice
    nobody = royal_terms() | {"evidence": {"sealed": 0}}
    assert "photograph" not in " ".join(notices(parse(nobody), 2, "NZD"))
    everybody = royal_terms() | {"evidence": {"identity": 0}}
    assert "Winners show a document" in " ".join(notices(parse(everybody), 2, "NZD"))
