-- Refuses a watermark that falls: units forget what it covers. Promise: no event is lost.
CREATE FUNCTION watermark_never_falls() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'the watermark of boot % falls from %/% to %/%', OLD.boot,
        OLD.committed_seq, OLD.last_seq, NEW.committed_seq, NEW.last_seq
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER watermark_never_falls BEFORE UPDATE ON tables_stream FOR EACH ROW
    WHEN (NEW.committed_seq < OLD.committed_seq OR NEW.last_seq < OLD.last_seq)
    EXECUTE FUNCTION watermark_never_falls();
ALTER TABLE tables_stream ENABLE ALWAYS TRIGGER watermark_never_falls;
