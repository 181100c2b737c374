"""What an order that is recorded folds to belongs to a version of fold and rules."""

import hashlib
from typing import Any

import msgspec

from jackpot.domain.state.blocks import canonical
from jackpot.domain.versions import PRESENT
from jackpot.terms.money import MICROS
from tests.support.cases.hands.bad_beats import ACES_FULL, BOARD, KINGS, bad_beat
from tests.support.play.books import Floor
from tests.support.play.rules.division import hand

ROYAL_BOARD = "Qs Js Ts 2d 3c"
# The digest of each version, of the fold and of the rules: added to, never changed.
FOLDED = {
    (4, 2): "9298f9c2f111a862e92aa3e5e4aea5d0d597806e76af88219440bde7b17f697d",
}


class RecordedFloor(Floor):
    """A floor that keeps the outcome of every entry."""

    def __init__(self, *terms: dict[str, Any]) -> None:
        self.outcomes: list[Any] = []
        super().__init__(*terms)

    def decide(self, *arguments: Any, **body: Any) -> Any:
        self.outcomes.append(super().decide(*arguments, **body))
        return self.outcomes[-1]

    def say(self, *arguments: Any, **fields: Any) -> Any:
        self.outcomes.append(super().say(*arguments, **fields))
        return self.outcomes[-1]


def evening() -> RecordedFloor:
    """Two claims of one prize of which the first is rejected, a bad beat, and what goes wrong."""
    floor = RecordedFloor(bad_beat())
    for table in ("t3", "t7"):
        floor.open(table)
        floor.press(table)
    floor.complete("t3", pot=12_000, uncalled=500, commission=600, jackpot_drop=200)
    floor.press("t3")
    floor.call("t3")
    for _ in range(3):
        floor.press("t7")
    floor.report("t7", "As Ks", ROYAL_BOARD)
    floor.report("t3", "As As", ROYAL_BOARD)  # mistyped
    floor.decide("reject_claim", hit=1, reason="R04", evidence="cctv", affected=True)
    due = floor.held(2)
    payees = [{"seat": 3, "role": "winner", "amount": due}]
    floor.decide("confirm_claim", hit=2, amount=due, payees=payees)
    parts = {"chips": 500 * MICROS, "cash": due - 500 * MICROS, "equivalent": 0}
    floor.decide("pay", second=None, hit=2, line=1, parts=parts)
    floor.press("t3")
    floor.call("t3", tier="beat", seat=2)
    report = {
        "boards": [BOARD.split()],
        "hands": [hand(2, ACES_FULL), hand(4, KINGS, won_pot=True)],
        "seats_dealt": [1, 2, 3, 4, 5, 6],
        "button_seat": 5,
    }
    floor.decide("amend_hand", second=None, hit=3, report=report)
    floor.decide("confirm_claim", hit=3, amount=floor.held(3), payees=[])  # refused
    floor.press("t7", how="late")
    return floor


def test_a_recorded_order_folds_as_it_did() -> None:
    """Where this fails, entries on record would fold to something else than they say: raise
    FOLD_VERSION or RULES_VERSION, keep the fold of before in `jackpot.domain.versions`, and add
    the new digest here. What is new and in no order yet leaves it as it is."""
    floor = evening()
    assert sum(floor.books.balances.values()) == 0
    kinds = {transfer.reason for transfer in floor.books.transfers}
    assert kinds >= {"opening", "contribution", "hold", "release", "confirm", "payment"}
    folded = canonical([floor.outcomes, msgspec.to_builtins(floor.books.transfers)])
    assert hashlib.sha256(folded).hexdigest() == FOLDED[PRESENT]
