"""Every state has words: a template that asks for one that is missing would not be drawn."""

from enum import StrEnum
from typing import get_args

import pytest

from jackpot.hits.states import HitState, StopKind
from jackpot.models import Hit
from rules.report import Exposed
from settlement.claims.labels import amount_caption, no_amount
from settlement.core.words.state_labels import LABELS, PILLS
from settlement.devices.unit_states import UnitState
from settlement.floor.missed_rounds import SHOWN_BY, Signal
from settlement.pools.adjustments import AdjustmentState
from tables.models import GamingTable

ENDED_BY_PEOPLE = set(StopKind) - {StopKind.VERDICT}  # a report that is judged ends that one
OF_CLAIMS = {
    "over": set(HitState),
    "remedy": set(HitState),
    "stop_alert": {StopKind.HOLD, StopKind.DISPUTE},  # the others have boxes of their own
    "stop_ends": set(StopKind),
    "stop_propose": ENDED_BY_PEOPLE,
    "stop_decides": ENDED_BY_PEOPLE,
    "stop_begin": {StopKind.HOLD, StopKind.DISPUTE},  # what people may begin
    "stop_reason": {StopKind.HOLD, StopKind.DISPUTE},
}


def test_every_state_has_a_label() -> None:
    assert {subject: set(labels) for subject, labels in LABELS.items()} == OF_CLAIMS


def test_every_way_to_expose_has_a_pill() -> None:
    assert set(PILLS["exposed"]) == set(get_args(Exposed))


@pytest.mark.parametrize(
    ("subject", "states"), [("adjustment", AdjustmentState), ("unit", UnitState)]
)
def test_every_state_has_a_pill(subject: str, states: type[StrEnum]) -> None:
    assert set(PILLS[subject]) == set(states)


@pytest.mark.parametrize("state", HitState)
@pytest.mark.parametrize(("held", "confirmed"), [(5, 0), (0, 0), (5, 5), (7, 5)])
def test_the_amount_of_every_claim_has_a_caption(
    state: HitState, held: int, confirmed: int
) -> None:
    hit = Hit(state=state.value, held=held, confirmed=confirmed)
    assert str(amount_caption(hit, has_forfeited=False))


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (HitState.REJECTED, "No payment"),
        (HitState.WITHDRAWN, "No payment"),
        (HitState.HELD, "Prize not known yet"),
        (HitState.CONFIRMED, ""),
    ],
)
def test_what_stands_in_place_of_an_amount(state: HitState, words: str) -> None:
    assert no_amount(Hit(state=state.value)) == words


@pytest.mark.parametrize(
    ("what", "missing", "words"),
    [
        ("gap", 1, "1 missing event"),
        ("gap", 1200, "1,200 missing events"),
        ("held", 2, "2 rounds held: button pressed too often"),
        *((what, 0, str(label)) for what, label in SHOWN_BY.items()),
    ],
)
def test_what_shows_a_missed_round(what: str, missing: int, words: str) -> None:
    assert Signal(GamingTable(), None, what, None, missing).words == words
