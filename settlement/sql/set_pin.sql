-- Gives somebody who is there another PIN, or none (NULL), and asks for the proof of the password,
-- or for what was confirmed at the log-in provider; the security log has it.
CREATE FUNCTION set_pin(who integer, shown bytea, of_material bytea, of_seal text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT is_there(who)
       OR NOT EXISTS (SELECT FROM auth_user WHERE id = who AND proves(password, shown))
       AND NOT provider_confirmed(who, shown)
    THEN
        RAISE EXCEPTION 'pin: the password of person % was not shown', who
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    DELETE FROM settlement_pin WHERE person_id = who;
    IF of_seal IS NOT NULL THEN
        INSERT INTO settlement_pin (person_id, material, seal) VALUES (who, of_material, of_seal);
    END IF;
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(), CASE WHEN of_seal IS NULL THEN 'pin_ended' ELSE 'pin_set' END,
           username, session_user, ''
    FROM auth_user WHERE id = who;
END
$$;
REVOKE EXECUTE ON FUNCTION set_pin(integer, bytea, bytea, text) FROM PUBLIC;
