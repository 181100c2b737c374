"""A season of a house: a prize is added, suspended with a table, resumed, closed; and what comes
late for it."""

from typing import Any

from jackpot.terms.money import MICROS
from tables.protocol import messages
from tests.support.play.house import House

QUADS: dict[str, Any] = {
    "code": "quads",
    "name": "Quads",
    "rank": 2,
    "reset": 50 * MICROS,
    "payable_unit": MICROS,
    "limit": 52 * MICROS,
    "increments": [
        {"source": "pot", "basis_points": 100},
        {"source": "commission", "basis_points": 500, "into": "reserve"},
    ],
    "qualifying": {"weakest": {"category": "four_of_a_kind"}, "games": ["holdem"]},
}


def season(house: House, terms: dict[str, Any]) -> None:
    """No claim is open, tables t3 and t7 are; so it is in the end."""

    def decide(kind: str, second: str | None = "david", **body: Any) -> None:
        answer = house.decide(kind, second=second, with_actions=kind == "reject_claim", **body)
        assert not answer.refused, answer.refused

    def play(*tables: str) -> None:
        for table in tables:
            house.press(table)
            figures = {"pot": 9000, "commission": 450, "jackpot_drop": 100}
            house.say(table, messages.RoundCompleted, round=house.rounds[table], **figures)
        house.post()

    decide("put_terms", terms={**terms, "tiers": [*terms["tiers"], QUADS]})
    play("t3", "t7", "t3", "t7")
    assert house.balance("quads:overflow") > 0
    royal = {"jackpot": "house", "tier": "royal", "reason": "dark displays"}
    table = {"jackpot": "house", "table": "t7", "reason": "no dealer"}
    decide("suspend", second=None, **royal)
    play("t3")
    decide("suspend", second=None, **table)
    before = house.balance("quads:overflow")
    play("t7")
    assert house.balance("quads:overflow") == before
    house.press("t7")
    house.call("t7", tier="quads")
    house.post()
    hit = house.head.hit_number
    assert house.decide("put_terms", terms={**terms, "name": "Other"}).refused
    decide("reject_claim", hit=hit, reason="R03", evidence="suspended", affected=True)
    decide("resume", second=None, **royal)
    decide("resume", second=None, **table)
    house.press("t3")
    ended: dict[str, Any] = {"jackpot": "house", "tier": "quads", "reason": "end of the season"}
    assert house.decide("close_tier", **ended, to_tier="royal").refused
    for each in ("t3", "t7"):
        house.say(each, messages.SessionClosed)
    house.post()
    assert house.decide("close_tier", **ended, to_account="operator").refused
    decide("close_tier", **ended, to_tier="royal")
    before = house.balance("royal:pool")
    house.say("t3", messages.RoundCompleted, round=house.rounds["t3"], pot=9000, commission=450)
    house.post()
    assert house.balance("royal:pool") > before
    assert house.balance("quads:pool") == house.balance("quads:reserve") == 0
    for each in ("t3", "t7"):
        house.open(each)
    house.post()
