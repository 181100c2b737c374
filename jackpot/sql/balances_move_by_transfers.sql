-- Refuses a balance that moves by anything but all transfers of its transaction, or twice.
-- Promise: books balance. `moved_through` is what a check of rows cannot know otherwise: the
-- balance at the head. Whoever writes a balance twice, or adds transfers behind it, would move
-- it unseen. Set-based: a trigger for each row would cost more than the posting itself.
-- Transfers behind a head are found by their number, and no plan reads a whole table, though it
-- was made while that was empty: the pair of columns fits the primary key alone. Both ends are
-- pairs: beside `system_id = ...` a pair is no beginning for the search, which would then pass all
-- transfers that the system ever had.
CREATE FUNCTION balances_move_by_transfers() RETURNS trigger
LANGUAGE plpgsql SET enable_seqscan = off SET jit = off
SET search_path = public, pg_temp AS $$
DECLARE wrong text;
BEGIN
    WITH pending AS (
        SELECT t.* FROM jackpot_head h CROSS JOIN LATERAL (
            SELECT system_id, number, debit_id, credit_id, amount FROM jackpot_transfer
            WHERE (system_id, number) > (h.system_id, h.transfer_number)
              AND (system_id, number) <= (h.system_id, 9223372036854775807) OFFSET 0
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

CREATE TRIGGER balances_move_by_transfers AFTER UPDATE ON jackpot_account
    REFERENCING OLD TABLE AS was NEW TABLE AS now
    FOR EACH STATEMENT EXECUTE FUNCTION balances_move_by_transfers();
ALTER TABLE jackpot_account ENABLE ALWAYS TRIGGER balances_move_by_transfers;
