"""What the database checks of a batch reads that batch, whatever a planner thinks of the tables.

Transfers behind a head are found by their number, not among all that its system ever had; and an
account is looked up where its last transfer of the batch stands, not for each transfer. What is
checked stays the same.
"""

from importlib import import_module

from django.db import migrations

from tables.guards import pin_search_path

_continuity = import_module("jackpot.migrations.0004_continuity")
_firmer = import_module("jackpot.migrations.0006_firmer_guards")


def _function(statements: str) -> str:
    """The first function of these statements, to stand in its own place."""
    text, _, _ = statements.partition("CREATE TRIGGER")
    return text.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION", 1)


def _with(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise ValueError(f"It stands there {text.count(old)} times: {old}")
    return text.replace(old, new)


_BALANCES_BEFORE = _function(_firmer._BALANCES)
_BALANCES = _with(
    _BALANCES_BEFORE,
    """pending AS (
        SELECT t.system_id, t.number, t.debit_id, t.credit_id, t.amount
        FROM jackpot_head h
        JOIN jackpot_transfer t ON t.system_id = h.system_id AND t.number > h.transfer_number
        WHERE h.system_id IN (SELECT system_id FROM now)
    )""",
    """pending AS (
        SELECT t.* FROM jackpot_head h CROSS JOIN LATERAL (
            SELECT system_id, number, debit_id, credit_id, amount FROM jackpot_transfer
            WHERE system_id = h.system_id AND number > h.transfer_number OFFSET 0
        ) t
        WHERE h.system_id IN (SELECT system_id FROM now)
    )""",
)
_MOVE_BEFORE = _function(_continuity._MOVE.replace(_firmer._LAST_LEG, _firmer._MOVED))
_MOVE = _with(
    _MOVE_BEFORE,
    f"""FROM steps s
    LEFT JOIN jackpot_account a
      ON s.next IS NULL AND a.id = s.account AND a.system_id = NEW.system_id
    WHERE s.after <> s.before + s.change
       OR {_firmer._MOVED}
""",
    """FROM steps s
    WHERE s.after <> s.before + s.change
       OR s.next IS NULL AND NOT EXISTS (
           SELECT FROM jackpot_account a
           WHERE a.id = s.account AND a.system_id = NEW.system_id
             AND a.balance = s.after AND a.moved_through = NEW.transfer_number)
""",
)


# To replace a function takes its search path off, forwards and backwards.
_PINNED = str(pin_search_path("balances_move_by_transfers", "head_moves_behind_whole_rows").sql)


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0020_newest_session")]

    operations = [
        migrations.RunSQL(_BALANCES + _MOVE + _PINNED, _BALANCES_BEFORE + _MOVE_BEFORE + _PINNED),
    ]
