-- Refuses a watermark that opens above zero: it would cover what was never heard. Promise: no
-- event is lost.
CREATE FUNCTION watermark_opens_at_zero() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'the watermark of boot % opens at %/%, not at zero',
        NEW.boot, NEW.committed_seq, NEW.last_seq
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER watermark_opens_at_zero BEFORE INSERT ON tables_stream FOR EACH ROW
    WHEN ((NEW.committed_seq, NEW.last_seq) <> (0, 0))
    EXECUTE FUNCTION watermark_opens_at_zero();
ALTER TABLE tables_stream ENABLE ALWAYS TRIGGER watermark_opens_at_zero;
