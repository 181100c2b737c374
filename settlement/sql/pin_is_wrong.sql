-- Counts a wrong PIN of a session, by the hash of its key; a right one takes nothing away. The fifth ends
-- a session that is locked: "ended". One that is open is locked, and from then on the password or a
-- passkey alone opens it. Else "wrong". The security log has the fifth.
CREATE FUNCTION pin_is_wrong(of_session text) RETURNS text
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    it console_session%ROWTYPE;
BEGIN
    SELECT * INTO STRICT it FROM console_session WHERE session_key = of_session FOR UPDATE;
    IF it.wrong_pins >= 5 THEN
        RETURN 'wrong';
    END IF;
    UPDATE console_session SET wrong_pins = wrong_pins + 1 WHERE session_key = of_session;
    IF it.wrong_pins < 4 THEN
        RETURN 'wrong';
    END IF;
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(), 'pin_guessed', username, session_user, ''
    FROM auth_user WHERE id = it.person_id;
    IF it.locked_at IS NULL THEN
        UPDATE console_session SET locked_at = clock_timestamp() WHERE session_key = of_session;
        RETURN 'wrong';
    END IF;
    DELETE FROM console_session WHERE session_key = of_session;
    RETURN 'ended';
END
$$;
REVOKE EXECUTE ON FUNCTION pin_is_wrong(text) FROM PUBLIC;
