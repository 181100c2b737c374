-- Asks that whatever is written stands behind the head by the end of its transaction. A trigger
-- that waits for that is one of rows, and one for each would be dear: so the statement touches
-- the head's row, and nothing_beyond_the_head waits there. Promise: one order.
CREATE FUNCTION head_is_owed() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
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

CREATE TRIGGER head_is_owed AFTER INSERT ON jackpot_entry REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION head_is_owed();
ALTER TABLE jackpot_entry ENABLE ALWAYS TRIGGER head_is_owed;

CREATE TRIGGER head_is_owed AFTER INSERT ON jackpot_transfer REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION head_is_owed();
ALTER TABLE jackpot_transfer ENABLE ALWAYS TRIGGER head_is_owed;

CREATE TRIGGER head_is_owed AFTER INSERT ON jackpot_block REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION head_is_owed();
ALTER TABLE jackpot_block ENABLE ALWAYS TRIGGER head_is_owed;
