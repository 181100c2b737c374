-- Refuses change of an alarm after it was cleared, change of what it is, and its removal.
CREATE FUNCTION alarm_is_cleared_once() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.cleared_at IS NOT NULL
       OR (NEW.id, NEW.kind, NEW.subject, NEW.raised_at) <>
          (OLD.id, OLD.kind, OLD.subject, OLD.raised_at)
       OR NEW.system_id IS DISTINCT FROM OLD.system_id
    THEN
        RAISE EXCEPTION 'alarm % stays as it is: % refused', OLD.id, TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER alarm_is_cleared_once BEFORE UPDATE OR DELETE ON tables_alarm
    FOR EACH ROW EXECUTE FUNCTION alarm_is_cleared_once();
ALTER TABLE tables_alarm ENABLE ALWAYS TRIGGER alarm_is_cleared_once;

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON tables_alarm
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE tables_alarm ENABLE ALWAYS TRIGGER never_emptied;

-- Backwards:
-- DROP TRIGGER never_emptied ON tables_alarm;
