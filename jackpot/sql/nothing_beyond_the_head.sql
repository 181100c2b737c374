-- Refuses entries, transfers and blocks that stand beyond the head at the end of their
-- transaction. Promise: one order.
CREATE FUNCTION nothing_beyond_the_head() RETURNS trigger
LANGUAGE plpgsql SET enable_seqscan = off SET jit = off
SET search_path = public, pg_temp AS $$
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
