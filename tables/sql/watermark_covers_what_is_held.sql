-- Refuses a watermark that rises over a seq that is neither recorded nor held in quarantine nor
-- given up: a unit forgets what it covers. Promise: no event is lost. Not asked of the intake,
-- which writes what is held in the same transaction, for every stream of every batch. Plans are
-- kept as long as a connection, so none may read a whole table.
CREATE FUNCTION watermark_covers_what_is_held() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp SET enable_seqscan = off SET jit = off AS $$
DECLARE held int8multirange;
BEGIN
    SELECT range_agg(int8range(first, last, '[]')) INTO held FROM (
        SELECT seq, seq FROM tables_tableevent
        WHERE system_id = NEW.system_id AND table_id = NEW.table_id AND boot = NEW.boot
          AND seq > OLD.committed_seq AND seq <= NEW.last_seq
        UNION ALL
        SELECT seq, seq FROM tables_quarantine
        WHERE table_id = NEW.table_id AND boot = NEW.boot
          AND reason NOT IN ('wrong_mac', 'implausible_boot')
          AND seq > OLD.committed_seq AND seq <= NEW.last_seq
        UNION ALL
        SELECT from_seq, to_seq FROM tables_closedgap
        WHERE table_id = NEW.table_id AND boot = NEW.boot AND to_seq > OLD.committed_seq
    ) AS each (first, last);
    IF (int8range(OLD.committed_seq, NEW.committed_seq, '(]') <@ held
        AND (NEW.last_seq = OLD.last_seq OR NEW.last_seq <@ held)) IS NOT TRUE
    THEN
        RAISE EXCEPTION 'the watermark of boot % rises from %/% to %/% over what is not held',
            NEW.boot, OLD.committed_seq, OLD.last_seq, NEW.committed_seq, NEW.last_seq
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'Record the events, or close the gap with a note first.';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER watermark_covers_what_is_held AFTER UPDATE ON tables_stream FOR EACH ROW
    WHEN ((NEW.committed_seq > OLD.committed_seq OR NEW.last_seq > OLD.last_seq)
          AND current_user <> 'jackpot_intake')
    EXECUTE FUNCTION watermark_covers_what_is_held();
ALTER TABLE tables_stream ENABLE ALWAYS TRIGGER watermark_covers_what_is_held;
