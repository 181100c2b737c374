-- Writes into the security log where files of a schedule went, or that they did not arrive: each
-- address and the folder, in the name of whoever made the schedule.
CREATE FUNCTION delivery_is_written_down() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(),
           CASE WHEN NEW.delivered_at IS NULL THEN 'report_undelivered'
                ELSE 'report_delivered' END,
           u.username, session_user,
           left(concat(s.report, s.of_return, ' #', NEW.id, ' of schedule ', s.id, ': ', place,
                       '; ' || nullif(NEW.fault, '')), 200)
    FROM settlement_reportschedule s JOIN auth_user u ON u.id = s.person_id,
         LATERAL (
             SELECT 'mail to ' || one FROM regexp_split_to_table(s.mail_to, '\s+') AS one
             WHERE one <> ''
             UNION ALL SELECT 'folder ' || s.folder WHERE s.folder <> '') AS places (place)
    WHERE s.id = NEW.schedule_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER delivery_is_written_down AFTER UPDATE ON settlement_reportexport
    FOR EACH ROW WHEN (NEW.schedule_id IS NOT NULL AND (
        NEW.delivered_at IS DISTINCT FROM OLD.delivered_at
        OR NEW.deliver_at IS DISTINCT FROM OLD.deliver_at))
    EXECUTE FUNCTION delivery_is_written_down();
ALTER TABLE settlement_reportexport ENABLE ALWAYS TRIGGER delivery_is_written_down;
