"""Whoever changes what was confirmed in parts, corrected or limited is found and named."""

import pytest

from tests.support.proof.evening_hands import Hands
from tests.support.proof.tampering import Tampered, assert_found, command

ADJUSTED = "(SELECT min(seq) FROM jackpot_entry WHERE type = 'adjust_pool')"
REVERSED = "(SELECT min(seq) FROM jackpot_entry WHERE type = 'reverse_claim')"
SUPPLEMENT = """(SELECT max(seq) FROM jackpot_entry WHERE type = 'confirm_claim' AND hit = 10)"""
PART = "(SELECT min(seq) FROM jackpot_entry WHERE type = 'pay' AND hit = 10)"
FORFEITED = "(SELECT min(seq) FROM jackpot_entry WHERE type = 'forfeit')"
INSIDE = """(SELECT max(n.seq) FROM jackpot_entry n WHERE n.type = 'pay' AND n.outcome ? 'refused'
             AND n.hit = 10)"""
A_STEP = "(SELECT min(place) FROM jackpot_tierstep WHERE kind = 'correction')"
A_LIMIT = "(SELECT min(place) FROM jackpot_tierstep WHERE kind = 'limit')"
LINE = "UPDATE jackpot_hit SET payees = jsonb_set(payees, '{0,%s}', '%s') WHERE number = 10"


def outcome(where: str, field: str, value: str) -> str:
    changed = f"jsonb_set(outcome, '{{{field}}}', '{value}')"
    return f"UPDATE jackpot_entry SET outcome = {changed} WHERE seq = {where}"


def body(where: str, field: str, value: str) -> str:
    return command(f"body = jsonb_set(body, '{{{field}}}', '{value}')", where)


def step(change: str, place: str) -> list[str]:
    return [f"UPDATE jackpot_tierstep SET {change} WHERE place = {place}"]


TAMPERED: Tampered = {
    "more was confirmed than was safe": (
        [body(SUPPLEMENT, "amount", "1"), body(SUPPLEMENT, "payees,0,amount", "1")],
        ["by the rules it is refused"],
    ),
    "a supplement is told otherwise": ([outcome(SUPPLEMENT, "confirmed", "1")], ["says 1"]),
    "what was confirmed of a hit": (
        ["UPDATE jackpot_hit SET confirmed = confirmed - 1 WHERE number = 10"],
        ["confirmed is"],
    ),
    "an amount of a line": ([LINE % ("amount", "1")], ["its payees are"]),
    "a role in a line": ([LINE % ("role", '"table"')], ["its payees are"]),
    "a part of a line": ([LINE % ("parts,cash", "1")], ["its payees are"]),
    "a payment of a line": ([LINE % ("payments", "[2]")], ["its payees are"]),
    "a state of a line": ([LINE % ("state", '"due"')], ["its payees are"]),
    "a stop is taken off": (
        ["UPDATE jackpot_hit SET stops = stops - 0 WHERE number = 10"],
        ["its stops are"],
    ),
    "a stop is ended earlier": (
        ["UPDATE jackpot_hit SET stops = jsonb_set(stops, '{0,lifted}', '1') WHERE number = 10"],
        ["its stops are"],
    ),
    "a payment inside a dispute is told as paid": (
        [
            f"UPDATE jackpot_entry SET outcome = jsonb_set(outcome - 'refused', '{{paid}}', '1')"
            f" WHERE seq = {INSIDE}"
        ],
        ["by the rules it is refused"],
    ),
    "a part payment is told of another line": ([outcome(PART, "line", "7")], ["line is 1 by"]),
    "a payment is told as another part": ([outcome(PART, "part", "7")], ["part is 1 by the rules"]),
    "a forfeited line is told otherwise": (
        [outcome(FORFEITED, "state", '"due"')],
        ["state is forfeited by the rules"],
    ),
    "a reversal recovers more": (
        [body(REVERSED, "recovered,cash", "2000000")],
        ["by rules, terms and decisions"],
    ),
    "a reversal is told otherwise": ([outcome(REVERSED, "reversed", "1")], ["says 1"]),
    "an adjustment is of another amount": (
        [body(ADJUSTED, "amount", "8000000")],
        ["adjusted is 8000000 by the rules", "by rules, terms and decisions", "its step at entry"],
    ),
    "an adjustment is told otherwise": (
        [outcome(ADJUSTED, "after", "[0, 0]")],
        ["the outcome says [0, 0]"],
    ),
    "an adjustment for no reason": (
        [body(ADJUSTED, "reason", '"A99"')],
        ["by the rules it is refused"],
    ),
    "a correction is changed": (step("pool = pool + 1", A_STEP), ["its step at entry"]),
    "a correction of the reserve is changed": (
        step("reserve = reserve + 1", A_STEP),
        ["its step at entry"],
    ),
    "the counters at a correction": (step("fed_pool = fed_pool + 1", A_STEP), ["its step at"]),
    "a limit is changed": (step("pool_limit = pool_limit + 1", A_LIMIT), ["its step at entry"]),
    "a limit becomes a correction": (step("kind = 'correction'", A_LIMIT), ["its step at entry"]),
    "a step is moved": (step("place = 2", A_STEP), ["its step at entry 2 is", "is None, by"]),
    "a step is taken away": (
        [f"DELETE FROM jackpot_tierstep WHERE place = {A_STEP}"],
        ["is None, by the order it is"],
    ),
    "the limit in terms": (
        [
            "UPDATE jackpot_terms SET document = jsonb_set(document, '{tiers,0,limit}', 'null')"
            " WHERE number = 3"
        ],
        ["the document is not what was put into effect"],
    ),
    "what did not fit under a limit went to the pool": (
        [
            """UPDATE jackpot_transfer SET credit_id =
            (SELECT id FROM jackpot_account WHERE code = 'royal:pool') WHERE number =
            (SELECT min(t.number) FROM jackpot_transfer t JOIN jackpot_account a
             ON a.id = t.credit_id WHERE a.code = 'royal:overflow' AND reason = 'contribution')"""
        ],
        ["by rules, terms and decisions"],
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_tampering_with_decisions_is_found_and_named(hands: Hands, what: str) -> None:
    assert_found(hands, *TAMPERED[what])


def test_terms_without_a_limit_are_those_with_none(hands: Hands) -> None:
    """Documents from before there were limits do not name it."""
    hands.tamper(
        "UPDATE jackpot_terms SET document = jsonb_set(document, '{tiers}',"
        " (SELECT jsonb_agg(CASE tier->'limit' WHEN 'null' THEN tier - 'limit' ELSE tier END"
        " ORDER BY n) FROM jsonb_array_elements(document->'tiers') WITH ORDINALITY t (tier, n)))"
    )
    report = hands.look()
    assert report.ok, report.lines()
