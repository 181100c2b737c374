-- Counts a wrong PIN of a locked session, by the hash of its key: "wrong", or "ended" with the fifth,
-- which ends the session. The security log has it.
CREATE FUNCTION pin_is_wrong(of_session text) RETURNS text
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    it console_session%ROWTYPE;
BEGIN
    UPDATE console_session SET wrong_pins = wrong_pins + 1 WHERE session_key = of_session
    RETURNING * INTO STRICT it;
    IF it.wrong_pins < 5 THEN
        RETURN 'wrong';
    END IF;
    DELETE FROM console_session WHERE session_key = of_session;
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(), 'pin_guessed', username, session_user, ''
    FROM auth_user WHERE id = it.person_id;
    RETURN 'ended';
END
$$;
REVOKE EXECUTE ON FUNCTION pin_is_wrong(text) FROM PUBLIC;
