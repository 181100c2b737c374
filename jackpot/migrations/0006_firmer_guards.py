"""A balance moves once behind each head, and for all transfers at once; the head only rises.

`moved_through` is what a check of rows cannot know otherwise: the balance at the head. Whoever
writes a balance twice, or adds transfers behind it, would move it unseen.
"""

from importlib import import_module

from django.db import migrations, models

from tables.guards import pin_search_path

_before = import_module("jackpot.migrations.0004_continuity")

_BALANCES = """
CREATE FUNCTION balances_move_by_transfers() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off AS $$
DECLARE wrong text;
BEGIN
    WITH pending AS (
        SELECT t.system_id, t.number, t.debit_id, t.credit_id, t.amount
        FROM jackpot_head h
        JOIN jackpot_transfer t ON t.system_id = h.system_id AND t.number > h.transfer_number
        WHERE h.system_id IN (SELECT system_id FROM now)
    ), ends AS (
        SELECT h.system_id, h.transfer_number AS head,
               h.transfer_number + count(p.number) AS whole,
               coalesce(max(p.number), h.transfer_number) AS last
        FROM jackpot_head h LEFT JOIN pending p USING (system_id)
        WHERE h.system_id IN (SELECT system_id FROM now) GROUP BY h.system_id
    ), moved AS (
        SELECT account, sum(change) AS change FROM (
            SELECT debit_id AS account, -amount AS change FROM pending
            UNION ALL SELECT credit_id, amount FROM pending
        ) AS legs GROUP BY account
    )
    SELECT now.code INTO wrong
    FROM now JOIN was USING (id)
    LEFT JOIN ends ON ends.system_id = now.system_id
    LEFT JOIN moved ON moved.account = id
    WHERE (now.balance, now.moved_through) IS DISTINCT FROM (was.balance, was.moved_through)
      AND (now.balance - was.balance = coalesce(moved.change, 0)
           AND was.moved_through <= ends.head
           AND now.moved_through = ends.last AND ends.last = ends.whole) IS NOT TRUE
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'continuity: the balance of % does not follow from its transfers', wrong
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'A balance moves once, by all transfers of the same transaction.';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER balances_move_by_transfers AFTER UPDATE ON jackpot_account
    REFERENCING OLD TABLE AS was NEW TABLE AS now
    FOR EACH STATEMENT EXECUTE FUNCTION balances_move_by_transfers();
ALTER TABLE jackpot_account ENABLE ALWAYS TRIGGER balances_move_by_transfers;

CREATE FUNCTION account_opens_at_zero() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'continuity: the account % does not open at zero', NEW.code
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;
CREATE TRIGGER account_opens_at_zero BEFORE INSERT ON jackpot_account
    FOR EACH ROW WHEN ((NEW.balance, NEW.moved_through) <> (0, 0))
    EXECUTE FUNCTION account_opens_at_zero();
ALTER TABLE jackpot_account ENABLE ALWAYS TRIGGER account_opens_at_zero;
"""

# Every account that a transfer behind the head names was moved through the last of them.
_MOVE = """
CREATE FUNCTION head_moves_behind_whole_rows() RETURNS trigger
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
               lead(after) OVER one AS next
        FROM legs WINDOW one AS (PARTITION BY account ORDER BY number)
    )
    SELECT s.number INTO wrong FROM steps s
    LEFT JOIN jackpot_account a
      ON s.next IS NULL AND a.id = s.account AND a.system_id = NEW.system_id
    WHERE s.after <> s.before + s.change
       OR s.next IS NULL AND (a.balance, a.moved_through) IS DISTINCT FROM (s.after, NEW.transfer_number)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'continuity: a balance after transfer % does not follow', wrong
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER head_moves_behind_whole_rows
    AFTER UPDATE OF seq, transfer_number, block_number, block_hash ON jackpot_head
    FOR EACH ROW WHEN (
        (OLD.seq, OLD.transfer_number, OLD.block_number, OLD.block_hash)
        IS DISTINCT FROM (NEW.seq, NEW.transfer_number, NEW.block_number, NEW.block_hash)
    ) EXECUTE FUNCTION head_moves_behind_whole_rows();
ALTER TABLE jackpot_head ENABLE ALWAYS TRIGGER head_moves_behind_whole_rows;
"""

_HEAD = """
CREATE FUNCTION head_only_rises() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'continuity: the head of system % opens at zero and only rises', NEW.system_id
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;
CREATE TRIGGER head_opens_at_zero BEFORE INSERT ON jackpot_head FOR EACH ROW WHEN (
    (NEW.seq, NEW.transfer_number, NEW.hit_number, NEW.terms_number, NEW.block_number, NEW.epoch)
        <> (0, 0, 0, 0, 0, 0)
    OR NEW.block_hash <> decode(repeat('00', 32), 'hex')
) EXECUTE FUNCTION head_only_rises();
CREATE TRIGGER head_only_rises BEFORE UPDATE ON jackpot_head FOR EACH ROW WHEN (
    NEW.system_id <> OLD.system_id OR NEW.epoch < OLD.epoch OR NEW.seq < OLD.seq
    OR NEW.transfer_number < OLD.transfer_number OR NEW.block_number < OLD.block_number
    OR NEW.hit_number < OLD.hit_number OR NEW.terms_number < OLD.terms_number
) EXECUTE FUNCTION head_only_rises();
ALTER TABLE jackpot_head ENABLE ALWAYS TRIGGER head_opens_at_zero;
ALTER TABLE jackpot_head ENABLE ALWAYS TRIGGER head_only_rises;
"""
_HEAD_AWAY = """
DROP TRIGGER head_opens_at_zero ON jackpot_head;
DROP TRIGGER head_only_rises ON jackpot_head;
DROP FUNCTION head_only_rises();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0005_lighter_rows"),
        ("tables", "0006_firmer_guards"),
    ]

    operations = [
        migrations.AddField("account", "moved_through", models.BigIntegerField(db_default=0)),
        migrations.RunSQL(
            _before._BALANCES_AWAY + _BALANCES, _before._BALANCES_AWAY + _before._BALANCES
        ),
        migrations.RunSQL(
            _before._MOVE_AWAY + _MOVE,
            _before._MOVE_AWAY + _before._MOVE,
        ),
        migrations.RunSQL(_HEAD, _HEAD_AWAY),
        pin_search_path(
            "balances_move_by_transfers",
            "account_opens_at_zero",
            "head_moves_behind_whole_rows",
            "head_is_owed",
            "nothing_beyond_the_head",
            "head_only_rises",
        ),
    ]
