"""A halt names what people can set aside."""

import pytest
from django.db import IntegrityError
from django.test import override_settings

from jackpot import writing

from .books import royal_terms
from .house import House

pytestmark = pytest.mark.django_db


@override_settings(GAP_WAIT_S=0.0)
def test_what_the_database_refuses_behind_a_gap_can_be_set_aside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The event is named, not the release of the gap before it, which nobody can set aside."""
    house = House(royal_terms())
    house.open("t3")
    house.post()
    house.seqs["t3"] += 1
    house.press("t3")
    honest = writing._entries

    def refused(batches):
        if any(row.event_seq == 3 for batch in batches for row in batch.rows):
            raise IntegrityError("no")
        honest(batches)

    with monkeypatch.context() as broken:
        broken.setattr(writing, "_entries", refused)
        house.post()
    assert house.head.halted_on == "round_started (t3, boot 1, seq 3)"
    assert house.head.halted_event is not None
