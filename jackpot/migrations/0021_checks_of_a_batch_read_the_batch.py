"""What the database checks of a batch reads that batch, whatever a planner thinks of the tables.

Transfers behind a head are found by their number, not among all that its system ever had; and an
account is looked up where its last transfer of the batch stands, not for each transfer. What is
checked stays the same.
"""

from django.db import migrations

from tables.guards import pin_search_path

_BALANCES = """
CREATE OR REPLACE FUNCTION balances_move_by_transfers() RETURNS trigger
LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
DECLARE wrong text;
BEGIN
    WITH pending AS (
        SELECT t.* FROM jackpot_head h CROSS JOIN LATERAL (
            SELECT system_id, number, debit_id, credit_id, amount FROM jackpot_transfer
            WHERE system_id = h.system_id AND number > h.transfer_number OFFSET 0
        ) t
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
"""
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
               lead(after) OVER one AS next
        FROM legs WINDOW one AS (PARTITION BY account ORDER BY number)
    )
    SELECT s.number INTO wrong FROM steps s
    WHERE s.after <> s.before + s.change
       OR s.next IS NULL AND NOT EXISTS (
           SELECT FROM jackpot_account a
           WHERE a.id = s.account AND a.system_id = NEW.system_id
             AND a.balance = s.after AND a.moved_through = NEW.transfer_number)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'continuity: a balance after transfer % does not follow', wrong
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
"""
# As of 0006.
_BALANCES_BEFORE = """
CREATE OR REPLACE FUNCTION balances_move_by_transfers() RETURNS trigger
LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
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
"""
_MOVE_BEFORE = """
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
"""

# To replace a function takes its search path off, forwards and backwards.
_PINNED = str(pin_search_path("balances_move_by_transfers", "head_moves_behind_whole_rows").sql)


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0020_newest_session")]

    operations = [
        migrations.RunSQL(_BALANCES + _MOVE + _PINNED, _BALANCES_BEFORE + _MOVE_BEFORE + _PINNED),
    ]
