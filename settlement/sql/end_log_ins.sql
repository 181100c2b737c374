-- Ends one log-in of somebody, by the hash of its key, or all (NULL), for whoever administers that
-- person, and writes it down; open links for a forgotten password or another mail address end with it. Gives how many
-- log-ins ended.
CREATE FUNCTION end_log_ins(who integer, whose integer, of_session text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    name text := require_person(who, whose);
    ended integer;
BEGIN
    PERFORM hold_person(whose);
    UPDATE settlement_passwordlink SET used_at = clock_timestamp()
    WHERE person_id = whose AND used_at IS NULL;
    UPDATE settlement_mailchange SET used_at = clock_timestamp()
    WHERE person_id = whose AND used_at IS NULL;
    DELETE FROM console_session
    WHERE person_id = whose AND (of_session IS NULL OR session_key = of_session);
    GET DIAGNOSTICS ended = ROW_COUNT;
    IF ended > 0 THEN
        INSERT INTO settlement_setupchange (by, kind, subject, what, before, after)
        SELECT name, 'person', username, 'log_ins_ended', '{}',
               jsonb_build_object('log_ins_ended', ended)
        FROM auth_user WHERE id = whose;
    END IF;
    RETURN ended;
END
$$;
REVOKE EXECUTE ON FUNCTION end_log_ins(integer, integer, text) FROM PUBLIC;
