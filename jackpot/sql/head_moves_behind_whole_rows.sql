-- Refuses a head that moves past a missing entry or transfer, without the one block that seals
-- exactly them and follows the last, past a running balance that does not follow from the one
-- before, or past a pool below zero after any transfer. Promises: one order; books balance. A
-- writer's transaction must write entries and transfers, then each balance once, then the
-- block, then the head. What is checked of a batch reads that batch, whatever a planner thinks
-- of the tables: rows are found by pairs, which fit the primary keys alone; the lowest balance of
-- an account is found along its transfers, and the account is looked up once.
CREATE FUNCTION head_moves_behind_whole_rows() RETURNS trigger
LANGUAGE plpgsql SET enable_seqscan = off SET jit = off
SET search_path = public, pg_temp AS $$
DECLARE
    entries bigint;
    transfers bigint;
    wrong bigint;
BEGIN
    SELECT count(*) INTO entries FROM jackpot_entry
    WHERE (system_id, seq) > (NEW.system_id, OLD.seq) AND (system_id, seq) <= (NEW.system_id, NEW.seq);
    SELECT count(*) INTO transfers FROM jackpot_transfer
    WHERE (system_id, number) > (NEW.system_id, OLD.transfer_number)
      AND (system_id, number) <= (NEW.system_id, NEW.transfer_number)
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
        WHERE (system_id, number) > (NEW.system_id, OLD.transfer_number)
          AND (system_id, number) <= (NEW.system_id, NEW.transfer_number)
        UNION ALL
        SELECT number, credit_id, credit_after, amount
        FROM jackpot_transfer
        WHERE (system_id, number) > (NEW.system_id, OLD.transfer_number)
          AND (system_id, number) <= (NEW.system_id, NEW.transfer_number)
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

CREATE TRIGGER head_moves_behind_whole_rows
    AFTER UPDATE OF seq, transfer_number, block_number, block_hash ON jackpot_head
    FOR EACH ROW WHEN (
        (OLD.seq, OLD.transfer_number, OLD.block_number, OLD.block_hash)
        IS DISTINCT FROM (NEW.seq, NEW.transfer_number, NEW.block_number, NEW.block_hash)
    ) EXECUTE FUNCTION head_moves_behind_whole_rows();
ALTER TABLE jackpot_head ENABLE ALWAYS TRIGGER head_moves_behind_whole_rows;
