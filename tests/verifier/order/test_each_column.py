"""Whichever column of the order and of what is made of it is changed: what is said of it is known,
and where nothing is said the column is one that no promise is about.
"""

import pytest
from django.apps import apps

from tests.support.proof import sentences
from tests.support.proof.evening_hands import Hands
from tests.support.proof.tampering import otherwise, unchecked

TABLES = (
    *(f"jackpot_{name}" for name in ("entry", "transfer", "block", "account", "head", "hit")),
    *(f"jackpot_{name}" for name in ("tier", "tierstep", "terms", "command", "setaside")),
    *(f"jackpot_{name}" for name in ("displaymessage", "commandqueue")),
    *(f"tables_{name}" for name in ("stream", "closedgap", "quarantine", "tableevent")),
    *(f"settlement_{name}" for name in ("payout", "action", "proposal", "proposaldecision")),
)
COLUMNS = [
    (model._meta.db_table, field.column)
    for model in apps.get_models()
    if model._meta.db_table in TABLES
    for field in model._meta.concrete_fields
    if not field.primary_key
]
KEYS = {
    model._meta.db_table: [field.column for field in model._meta.pk_fields]
    for model in apps.get_models()
    if model._meta.db_table in TABLES
} | {  # whose numbers are given in no order
    "jackpot_tier": ["code"],
    "jackpot_tierstep": ["(SELECT code FROM jackpot_tier WHERE id = tier_id)", "place"],
    "jackpot_account": ["code"],
    "tables_stream": ["table_id", "boot"],
}
OTHER_TIER = "(SELECT id FROM jackpot_tier t WHERE t.id <> tier_id ORDER BY code LIMIT 1)"
# What takes a row away from its system or its key, and what the evening leaves empty.
ELSEWHERE = {
    *((table, "system_id") for table in TABLES),
    ("jackpot_hit", "number"),
    *(("jackpot_head", f"halted_{what}") for what in ("at", "command", "event")),
    *(("jackpot_hit", column) for column in ("closing", "strength")),
    *(("jackpot_tierstep", column) for column in ("shown", "shown_at")),
    ("jackpot_tier", "period_from"),
}


@pytest.mark.parametrize(
    ("table", "column"), [each for each in COLUMNS if each not in ELSEWHERE], ids="{}".format
)
def test_what_is_said_of_a_changed_column_is_known(hands: Hands, table: str, column: str) -> None:
    # By its key: where a row lies depends on what the server cleaned up meanwhile.
    newest = ", ".join(f"{name} DESC" for name in KEYS[table])
    last = f"SELECT ctid FROM {table} WHERE {column} IS NOT NULL ORDER BY {newest} LIMIT 1"
    value = OTHER_TIER if column == "tier_id" else otherwise(hands, table, column)
    hands.tamper(unchecked(table), f"UPDATE {table} SET {column} = {value} WHERE ctid = ({last})")
    sentences.agree(hands.test, hands.look())
