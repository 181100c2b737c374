-- Writes each log-in into the security log, with the time of the database.
CREATE FUNCTION log_in_is_written_down() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.person_id IS NOT NULL
       AND (TG_OP = 'INSERT' OR NEW.person_id IS DISTINCT FROM OLD.person_id)
    THEN
        INSERT INTO settlement_securityevent (at, what, username, by, detail)
        SELECT clock_timestamp(), 'logged_in', username, session_user, ''
        FROM auth_user WHERE id = NEW.person_id;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER log_in_is_written_down AFTER INSERT OR UPDATE OF person_id ON console_session
    FOR EACH ROW EXECUTE FUNCTION log_in_is_written_down();
ALTER TABLE console_session ENABLE ALWAYS TRIGGER log_in_is_written_down;
