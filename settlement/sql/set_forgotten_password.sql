-- Sets a password that was forgotten, sealed, against the secret of a link that was mailed to its
-- person: once, within half an hour, while the person may log in. The web process drew its first half,
-- the worker the second (password_link_is_mailed). All log-ins of the person end; the second factor
-- is asked for as ever.
CREATE FUNCTION set_forgotten_password(secret text, sealed text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    whose integer;
BEGIN
    IF NOT is_sealed(sealed) THEN
        RAISE EXCEPTION 'password: the new one is not sealed'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    UPDATE settlement_passwordlink l SET used_at = clock_timestamp() FROM auth_user u
    WHERE l.digest = encode(sha256(convert_to(left(secret, 32), 'UTF8')), 'hex')
      AND l.mailed_digest = encode(sha256(convert_to(substr(secret, 33), 'UTF8')), 'hex')
      AND l.used_at IS NULL AND l.expires_at > clock_timestamp() AND u.id = l.person_id AND u.is_active
    RETURNING l.person_id INTO whose;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'password_link: it is used, or too old'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    UPDATE settlement_passwordlink SET used_at = clock_timestamp()
    WHERE person_id = whose AND used_at IS NULL;
    UPDATE auth_user SET password = sealed WHERE id = whose;
    DELETE FROM console_session WHERE person_id = whose;
    PERFORM end_pin(whose);
    RETURN whose;
END
$$;
REVOKE EXECUTE ON FUNCTION set_forgotten_password(text, text) FROM PUBLIC;
