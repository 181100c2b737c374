"""A forger who can write anything, hashes included, is found by the fold."""

import json

from jackpot.domain.state import blocks
from tests.support.proof.evening_hands import Hands
from tests.support.proof.forger import rehash


def test_the_forger_knows_the_canonical_bytes(hands: Hands) -> None:
    hands.tamper()
    rehash(hands)
    assert hands.look().ok


def test_an_amount_that_was_changed_everywhere_is_found(hands: Hands) -> None:
    """One contribution is doubled, with every balance after it and every hash."""
    hands.tamper(
        """CREATE TEMPORARY TABLE forged AS SELECT number, credit_id AS pool, debit_id AS source,
               amount FROM jackpot_transfer WHERE reason = 'contribution' ORDER BY number DESC
               LIMIT 1""",
        "UPDATE jackpot_transfer t SET amount = 2 * t.amount FROM forged f"
        " WHERE t.number = f.number",
        *(
            f"UPDATE jackpot_transfer t SET {side}_after = {side}_after {sign} f.amount"
            f" FROM forged f WHERE t.number >= f.number AND t.{side}_id = f.{account}"
            for side, sign, account in (
                ("credit", "+", "pool"),
                ("debit", "+", "pool"),
                ("debit", "-", "source"),
            )
        ),
        "UPDATE jackpot_account a SET balance = balance + f.amount FROM forged f WHERE id = f.pool",
        "UPDATE jackpot_account a SET balance = balance - f.amount FROM forged f"
        " WHERE id = f.source",
    )
    rehash(hands)
    report = hands.look()
    assert set(report.counts_by_kind) == {"fold"}, report.lines()
    assert any("by rules, terms and decisions" in says for _, says in report.findings)


def test_terms_that_were_changed_everywhere_are_found(hands: Hands) -> None:
    """The reset of the first terms is made smaller in the decision, its hash and its copy."""
    ask = hands.connection.execute
    ((number, *columns, body),) = ask(
        "SELECT number, kind, first, second, basis, body FROM jackpot_command WHERE number = 1"
    ).fetchall()
    hands.tamper()
    body["terms"]["tiers"][0]["reset"] //= 2
    kind, first, second, basis = columns
    digest = blocks.body_hash(blocks.command_source(kind, body, first, second, basis))
    ask("UPDATE jackpot_command SET body = %s WHERE number = 1", [json.dumps(body)])
    ask("UPDATE jackpot_entry SET body_hash = %s WHERE command = %s", [digest, number])
    ask("UPDATE jackpot_terms SET document = jsonb_set(document, '{tiers,0,reset}', '500000000')"
        " WHERE number = 1")  # fmt: skip
    rehash(hands)
    report = hands.look()
    assert "fold" in report.counts_by_kind
    assert "hash chain" not in report.counts_by_kind
    assert any(says.startswith("system main, entry 1: after it") for _, says in report.findings)
