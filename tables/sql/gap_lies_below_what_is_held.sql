-- Refuses a gap given up above all that was heard of its boot: intake would go past it later,
-- and drop events that the console never had. Promise: no event is lost. Plans are kept as long
-- as a connection, so none may read a whole table.
CREATE FUNCTION gap_lies_below_what_is_held() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp SET enable_seqscan = off SET jit = off AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM tables_stream
        WHERE system_id = NEW.system_id AND table_id = NEW.table_id AND boot = NEW.boot
          AND last_seq > NEW.to_seq
    ) AND NOT EXISTS (
        SELECT FROM tables_tableevent
        WHERE system_id = NEW.system_id AND table_id = NEW.table_id AND boot = NEW.boot
          AND seq > NEW.to_seq
    ) THEN
        RAISE EXCEPTION 'no gap of boot % ends at %: nothing is held above it',
            NEW.boot, NEW.to_seq USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER gap_lies_below_what_is_held BEFORE INSERT ON tables_closedgap
    FOR EACH ROW EXECUTE FUNCTION gap_lies_below_what_is_held();
ALTER TABLE tables_closedgap ENABLE ALWAYS TRIGGER gap_lies_below_what_is_held;
