-- Clears an alarm by the row that names the person: for a process the only way, since alarms
-- are append-only for all of them.
CREATE FUNCTION alarm_is_cleared_by_its_action() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE tables_alarm
    SET cleared_at = NEW.at, cleared_by = NEW.cleared_by, cleared_note = NEW.note
    WHERE id = NEW.alarm_id AND cleared_at IS NULL;
    RETURN NULL;
END
$$;

CREATE TRIGGER alarm_is_cleared_by_its_action AFTER INSERT ON tables_alarmclearing
    FOR EACH ROW EXECUTE FUNCTION alarm_is_cleared_by_its_action();
ALTER TABLE tables_alarmclearing ENABLE ALWAYS TRIGGER alarm_is_cleared_by_its_action;
