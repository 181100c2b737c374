-- Ends the link of a person to the log-in provider, for that person, who is there and has a password,
-- or for whoever administers that person; their log-ins end. Gives whether there was one.
CREATE FUNCTION end_provider_link(who integer, whose integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF who <> whose THEN
        PERFORM require_person(who, whose);
    ELSIF NOT is_there(who) THEN
        RAISE EXCEPTION 'log-in: person % is not there', who USING ERRCODE = 'insufficient_privilege';
    ELSIF EXISTS (SELECT FROM auth_user WHERE id = who AND password LIKE '!%') THEN
        RAISE EXCEPTION 'only_way: person % has no password', who
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    PERFORM hold_person(whose);
    UPDATE settlement_providerlink SET ended_at = clock_timestamp()
    WHERE person_id = whose AND ended_at IS NULL;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF who <> whose THEN
        DELETE FROM console_session WHERE person_id = whose;
    END IF;
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(), 'provider_unlinked', username, session_user,
           CASE WHEN who <> whose THEN 'by ' || (SELECT username FROM auth_user WHERE id = who)
                ELSE '' END
    FROM auth_user WHERE id = whose;
    RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION end_provider_link(integer, integer) FROM PUBLIC;
