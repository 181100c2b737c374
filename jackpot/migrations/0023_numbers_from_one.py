"""Numbers begin at one, and no pool is below zero between the transfers of a batch either.

What stands beyond a head is refused, and numbers up to it are taken; those below one were free: a
transfer numbered 0 belonged to no block. A balance was asked for its sign once a batch, in the
row of its account (`only_sources_below_zero`); now also after each transfer. The lowest balance of
an account in a batch is found on the way along its transfers, so the account is looked up once, as
before.
"""

from importlib import import_module

from django.db import migrations
from django.db.models import CheckConstraint, F, Q

from tables.guards import pin_search_path

_before = import_module("jackpot.migrations.0021_checks_of_a_batch_read_the_batch")

_MOVE = """
CREATE OR REPLACE FUNCTION head_moves_behind_whole_rows() RETURNS trigger
LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
DECLARE
    entries bigint;
    transfers bigint;
    wrong bigint;
BEGIN
    SELECT count(*) INTO entries FROM jackpot_entry
    WHERE system_id = NEW.system_id AND seq > OLD.seq AND seq <= NEW.seq;
    SELECT count(*) INTO transfers FROM jackpot_transfer
    WHERE system_id = NEW.system_id
      AND number > OLD.transfer_number AND number <= NEW.transfer_number
      AND entry_seq > OLD.seq AND entry_seq <= NEW.seq;
    IF entries <> NEW.seq - OLD.seq OR transfers <> NEW.transfer_number - OLD.transfer_number THEN
        RAISE EXCEPTION 'continuity: entries %..% or transfers %..% are not whole',
            OLD.seq + 1, NEW.seq, OLD.transfer_number + 1, NEW.transfer_number
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NOT EXISTS (
        SELECT FROM jackpot_block b
        WHERE b.system_id = NEW.system_id AND b.number = NEW.block_number
          AND b.number = OLD.block_number + 1
          AND b.first_seq = OLD.seq + 1 AND b.last_seq = NEW.seq
          AND b.first_transfer = OLD.transfer_number + 1
          AND b.last_transfer = NEW.transfer_number
          AND b.previous = OLD.block_hash AND b.hash = NEW.block_hash
    ) THEN
        RAISE EXCEPTION 'continuity: no block seals entries %..% behind block %',
            OLD.seq + 1, NEW.seq, OLD.block_number
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    WITH legs AS (
        SELECT number, debit_id AS account, debit_after AS after, -amount AS change
        FROM jackpot_transfer
        WHERE system_id = NEW.system_id
          AND number > OLD.transfer_number AND number <= NEW.transfer_number
        UNION ALL
        SELECT number, credit_id, credit_after, amount
        FROM jackpot_transfer
        WHERE system_id = NEW.system_id
          AND number > OLD.transfer_number AND number <= NEW.transfer_number
    ), steps AS (
        SELECT number, account, after, change, lag(after) OVER one AS before,
               lead(after) OVER one AS next, min(after) OVER one AS lowest
        FROM legs WINDOW one AS (PARTITION BY account ORDER BY number)
    )
    SELECT s.number INTO wrong FROM steps s
    WHERE s.after <> s.before + s.change
       OR s.next IS NULL AND NOT EXISTS (
           SELECT FROM jackpot_account a
           WHERE a.id = s.account AND a.system_id = NEW.system_id
             AND a.balance = s.after AND a.moved_through = NEW.transfer_number
             AND (s.lowest >= 0 OR a.code IN ('operator', 'pot', 'commission', 'drop', 'rounding')))
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'continuity: a balance after transfer % does not follow', wrong
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'Each follows from the one before, and only sources go below zero.';
    END IF;
    RETURN NULL;
END
$$;
"""
# To replace a function takes its search path off, forwards and backwards.
_PINNED = str(pin_search_path("head_moves_behind_whole_rows").sql)


def _check(model: str, name: str, condition: Q) -> migrations.AddConstraint:
    return migrations.AddConstraint(model, CheckConstraint(condition=condition, name=name))


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0022_gaps_by_stream")]

    operations = [
        migrations.RunSQL(_MOVE + _PINNED, _before._MOVE + _PINNED),
        _check("transfer", "transfer_from_one", Q(number__gte=1, entry_seq__gte=1)),
        _check(
            "block",
            "block_from_one",
            Q(number__gte=1, first_seq__gte=1, last_seq__gte=F("first_seq"))
            & Q(first_transfer__gte=1, last_transfer__gte=F("first_transfer") - 1),
        ),
        _check("terms", "terms_from_one", Q(number__gte=1, effective_seq__gte=1)),
        _check("hit", "hit_from_one", Q(number__gte=1, place__gte=1, acts_at__gte=1)),
        _check("tierstep", "step_from_one", Q(place__gte=1)),
        _check("command", "command_from_one", Q(number__gte=1)),
        _check("commandqueue", "queue_order", Q(taken__gte=0, last_number__gte=F("taken"))),
        _check("cursor", "cursor_from_zero", Q(boot__gte=1, through__gte=0)),
        _check(
            "gap",
            "gap_from_one",
            Q(boot__gte=1, from_seq__gte=1, to_seq__gte=F("from_seq"))
            & Q(entry_seq__gte=1, arrived__gte=0),
        ),
    ]
