-- The inbox, the quarantine, readings, closed gaps, eras, cleared alarms and credentials of devices
-- are never rewritten. Promise: nothing is rewritten.
-- A row trigger never sees TRUNCATE, so that has a statement trigger of its own. Both are ENABLE
-- ALWAYS: a session that says session_replication_role = replica is refused too.
DO $$
DECLARE
    recorded text;
BEGIN
    FOREACH recorded IN ARRAY ARRAY[
        'tables_alarmclearing', 'tables_closedgap', 'tables_devicecredential', 'tables_deviceend',
        'tables_displayreading', 'tables_erabegun', 'tables_quarantine', 'tables_tableevent'
    ] LOOP
        EXECUTE format('CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON %I'
            ' FOR EACH ROW EXECUTE FUNCTION refuse_change()', recorded);
        EXECUTE format('CREATE TRIGGER append_only_table BEFORE TRUNCATE ON %I'
            ' FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', recorded);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER append_only_rows,'
            ' ENABLE ALWAYS TRIGGER append_only_table', recorded);
    END LOOP;
END
$$;

-- Backwards:
-- DO $$
-- DECLARE
--     recorded regclass;
-- BEGIN
--     FOR recorded IN
--         SELECT tgrelid FROM pg_trigger
--         WHERE tgname = 'append_only_rows' AND tgrelid::regclass::text LIKE 'tables\_%'
--     LOOP
--         EXECUTE format('DROP TRIGGER append_only_rows ON %s', recorded);
--         EXECUTE format('DROP TRIGGER append_only_table ON %s', recorded);
--     END LOOP;
-- END
-- $$;
