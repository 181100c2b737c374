-- Ends a person's PIN, where there is one; the security log has it. Asked where what the PIN was set with
-- is no longer the person's: the password, the factors, the right to log in.
CREATE FUNCTION end_pin(whose integer) RETURNS void
LANGUAGE sql SET search_path = public, pg_temp AS $$
    WITH gone AS (DELETE FROM settlement_pin WHERE person_id = whose RETURNING person_id)
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(), 'pin_ended', u.username, session_user, ''
    FROM gone JOIN auth_user u ON u.id = gone.person_id
$$;
REVOKE EXECUTE ON FUNCTION end_pin(integer) FROM PUBLIC;
