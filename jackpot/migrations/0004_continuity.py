"""The database's own word on the order and the ledger, whatever the writer does.

The head moves only behind whole rows: entries and transfers without a gap, one block that
seals exactly them and follows the last, every running balance following from the one before.
A balance moves only by transfers that stand before it. Nothing stands beyond the head.

Set-based and once a batch: a trigger for each row would cost more than the posting itself.
A writer's transaction must therefore write entries and transfers, then each balance once, then
the block, then the head.
"""

from django.db import migrations

_TABLES = ("jackpot_entry", "jackpot_transfer", "jackpot_block")

# Plans are kept as long as a connection: one made while a table was empty must not read all of
# it later. Hence no plan that reads a whole table.
_PLANS = "SET enable_seqscan = off SET jit = off"

_BALANCES = f"""
CREATE FUNCTION balances_move_by_transfers() RETURNS trigger LANGUAGE plpgsql {_PLANS} AS $$
DECLARE wrong text;
BEGIN
    WITH pending AS (
        SELECT t.debit_id, t.credit_id, t.amount
        FROM jackpot_head h
        JOIN jackpot_transfer t ON t.system_id = h.system_id AND t.number > h.transfer_number
        WHERE h.system_id IN (SELECT system_id FROM now)
    ), moved AS (
        SELECT account, sum(change) AS change FROM (
            SELECT debit_id AS account, -amount AS change FROM pending
            UNION ALL SELECT credit_id, amount FROM pending
        ) AS legs GROUP BY account
    )
    SELECT now.code INTO wrong
    FROM now JOIN was USING (id) LEFT JOIN moved ON moved.account = id
    WHERE now.balance - was.balance <> coalesce(moved.change, 0) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'continuity: the balance of % does not follow from its transfers', wrong
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'A balance moves only by the transfers of the same transaction.';
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
    FOR EACH ROW WHEN (NEW.balance <> 0) EXECUTE FUNCTION account_opens_at_zero();
ALTER TABLE jackpot_account ENABLE ALWAYS TRIGGER account_opens_at_zero;
"""
_BALANCES_AWAY = """
DROP TRIGGER account_opens_at_zero ON jackpot_account;
DROP FUNCTION account_opens_at_zero();
DROP TRIGGER balances_move_by_transfers ON jackpot_account;
DROP FUNCTION balances_move_by_transfers();
"""

_MOVE = f"""
CREATE FUNCTION head_moves_behind_whole_rows() RETURNS trigger LANGUAGE plpgsql {_PLANS} AS $$
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
       OR s.next IS NULL AND a.balance IS DISTINCT FROM s.after
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
_MOVE_AWAY = """
DROP TRIGGER head_moves_behind_whole_rows ON jackpot_head;
DROP FUNCTION head_moves_behind_whole_rows();
"""

# What is written must be behind the head by the end of its transaction. A trigger that waits for
# that is one of rows, and one for each would be dear: so the statement touches the head's row.
_BEYOND = f"""
CREATE FUNCTION head_is_owed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE owed bigint;
BEGIN
    FOR owed IN SELECT DISTINCT system_id FROM fresh LOOP
        UPDATE jackpot_head SET seq = seq WHERE system_id = owed;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'continuity: system % has no head', owed
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;
CREATE FUNCTION nothing_beyond_the_head() RETURNS trigger LANGUAGE plpgsql {_PLANS} AS $$
BEGIN
    IF EXISTS (
        SELECT FROM jackpot_head h WHERE h.system_id = NEW.system_id AND (
            EXISTS (SELECT FROM jackpot_entry n
                    WHERE n.system_id = h.system_id AND n.seq > h.seq)
            OR EXISTS (SELECT FROM jackpot_transfer t
                       WHERE t.system_id = h.system_id AND t.number > h.transfer_number)
            OR EXISTS (SELECT FROM jackpot_block b
                       WHERE b.system_id = h.system_id AND b.number > h.block_number))
    ) THEN
        RAISE EXCEPTION 'continuity: rows of system % stand beyond its head', NEW.system_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER nothing_beyond_the_head AFTER UPDATE OF seq ON jackpot_head
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.seq = NEW.seq)
    EXECUTE FUNCTION nothing_beyond_the_head();
ALTER TABLE jackpot_head ENABLE ALWAYS TRIGGER nothing_beyond_the_head;
""" + "".join(
    f"""
CREATE TRIGGER head_is_owed AFTER INSERT ON {table} REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION head_is_owed();
ALTER TABLE {table} ENABLE ALWAYS TRIGGER head_is_owed;
"""
    for table in _TABLES
)
_BEYOND_AWAY = (
    "".join(f"DROP TRIGGER head_is_owed ON {table};" for table in _TABLES)
    + """
DROP TRIGGER nothing_beyond_the_head ON jackpot_head;
DROP FUNCTION nothing_beyond_the_head();
DROP FUNCTION head_is_owed();
"""
)


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0003_set_aside")]

    operations = [
        migrations.RunSQL(_BALANCES, _BALANCES_AWAY),
        migrations.RunSQL(_MOVE, _MOVE_AWAY),
        migrations.RunSQL(_BEYOND, _BEYOND_AWAY),
    ]
