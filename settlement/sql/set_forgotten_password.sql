-- Sets a password that was forgotten, sealed, against the secret of a link that was mailed to its
-- person: once, within half an hour, while the person may log in. The web process drew its first half,
-- the worker the second (link_is_mailed). All log-ins and access tokens of the person end; the
-- second factor is asked for as ever. Not for who has no password yet, or awaits a code after a reset.
CREATE FUNCTION set_forgotten_password(secret text, sealed text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    whose integer;
BEGIN
    IF NOT is_sealed(sealed) THEN
        RAISE EXCEPTION 'password: the new one is not sealed'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    PERFORM hold_person(l.person_id) FROM settlement_passwordlink l
    WHERE l.digest = encode(sha256(convert_to(left(secret, 32), 'UTF8')), 'hex');
    UPDATE settlement_passwordlink l SET used_at = clock_timestamp() FROM auth_user u
    WHERE l.digest = encode(sha256(convert_to(left(secret, 32), 'UTF8')), 'hex')
      AND l.mailed_digest = encode(sha256(convert_to(substr(secret, 33), 'UTF8')), 'hex')
      AND l.used_at IS NULL AND l.expires_at > clock_timestamp() AND u.id = l.person_id AND u.is_active
      AND u.password NOT LIKE '!%' AND NOT awaits_code(u.id)
    RETURNING l.person_id INTO whose;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'password_link: it is used, or too old'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    PERFORM put_new_password(whose, sealed);
    RETURN whose;
END
$$;
REVOKE EXECUTE ON FUNCTION set_forgotten_password(text, text) FROM PUBLIC;
