-- Refuses change of a record, and that it is taken into a command twice. A lock (SELECT ... FOR
-- UPDATE) is no update. Promise: tampering shows.
CREATE FUNCTION record_is_taken_in_once() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.command IS NOT NULL OR NEW.command IS NULL
       OR to_jsonb(NEW) - 'command' <> to_jsonb(OLD) - 'command'
    THEN
        RAISE EXCEPTION 'table settlement_record is append-only: % refused', TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER record_is_taken_in_once BEFORE UPDATE OR DELETE ON settlement_record
    FOR EACH ROW EXECUTE FUNCTION record_is_taken_in_once();
ALTER TABLE settlement_record ENABLE ALWAYS TRIGGER record_is_taken_in_once;

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON settlement_record
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE settlement_record ENABLE ALWAYS TRIGGER never_emptied;

-- Backwards:
-- DROP TRIGGER never_emptied ON settlement_record;
