-- Refuses an alarm that comes cleared; raised again it counts on the open one. What the web
-- process raises again counts once and keeps the words that are there: its password alone must
-- not be enough to write over what an alarm says, nor to raise it so often that the count of
-- the next process overflows and takes down all that stands in its transaction.
CREATE FUNCTION alarm_counts_on() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.cleared_at IS NOT NULL THEN
        RAISE EXCEPTION 'alarm % of % comes cleared', NEW.kind, NEW.subject
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    NEW.count := CASE TG_ARGV[0] WHEN 'new words' THEN greatest(NEW.count, 1) ELSE 1 END;
    -- Two raising at once: the second waits, and counts on.
    PERFORM pg_advisory_xact_lock(hashtext('alarm'), hashtext(NEW.kind || ' ' || NEW.subject));
    UPDATE tables_alarm
    SET count = least(2147483647, count::bigint + NEW.count), last_at = NEW.last_at,
        message = CASE TG_ARGV[0] WHEN 'new words' THEN NEW.message ELSE message END
    WHERE kind = NEW.kind AND subject = NEW.subject AND cleared_at IS NULL;
    RETURN CASE WHEN FOUND THEN NULL ELSE NEW END;
END
$$;

CREATE TRIGGER alarm_counts_on BEFORE INSERT ON tables_alarm
    FOR EACH ROW WHEN (current_user <> 'jackpot_web')
    EXECUTE FUNCTION alarm_counts_on('new words');
ALTER TABLE tables_alarm ENABLE ALWAYS TRIGGER alarm_counts_on;

CREATE TRIGGER alarm_counts_on_for_web BEFORE INSERT ON tables_alarm
    FOR EACH ROW WHEN (current_user = 'jackpot_web')
    EXECUTE FUNCTION alarm_counts_on('old words');
ALTER TABLE tables_alarm ENABLE ALWAYS TRIGGER alarm_counts_on_for_web;
