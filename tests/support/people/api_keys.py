"""Bodies of requests of the API that carry an Idempotency-Key."""

from jackpot.terms.money import MICROS

VOID = {"kind": "void_round", "round": 1, "reason": "wrong_count", "note": "Two cards short"}


HAND = {"game": "holdem", "seats": [4], "tier": "royal", "seen": 2, "note": "The unit is dark"}


ADJUST = {"source": "drop", "amount_micros": MICROS, "reason": "A06", "evidence": "Count sheet 17"}


WEBHOOK = {
    "casino": "harbour",
    "name": "x",
    "url": "https://receiver.example/",
    "events": ["claim.held"],
}
