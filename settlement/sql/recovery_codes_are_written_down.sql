-- Writes each set of recovery codes and its end into the security log, and how many they are.
CREATE FUNCTION recovery_codes_are_written_down() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO settlement_securityevent (at, what, username, by, detail)
        SELECT clock_timestamp(), 'recovery_codes_ended', u.username, session_user, count(*)::text
        FROM made JOIN before ON before.id = made.id JOIN auth_user u ON u.id = made.person_id
        WHERE made.ended_at IS NOT NULL AND before.ended_at IS NULL GROUP BY u.username;
        RETURN NULL;
    END IF;
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(), 'recovery_codes_made', u.username, session_user, count(*)::text
    FROM made JOIN auth_user u ON u.id = made.person_id GROUP BY u.username;
    RETURN NULL;
END
$$;

CREATE TRIGGER recovery_codes_are_written_down AFTER INSERT ON settlement_recoverycode
    REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION recovery_codes_are_written_down();
ALTER TABLE settlement_recoverycode ENABLE ALWAYS TRIGGER recovery_codes_are_written_down;

CREATE TRIGGER recovery_codes_end_written_down AFTER UPDATE ON settlement_recoverycode
    REFERENCING OLD TABLE AS before NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION recovery_codes_are_written_down();
ALTER TABLE settlement_recoverycode ENABLE ALWAYS TRIGGER recovery_codes_end_written_down;
