-- Sets a password that was forgotten, sealed, against the code that two people gave: once, within an
-- hour, while its person may log in. All log-ins and access tokens end; the second factor is asked for as
-- ever. Gives the person.
CREATE FUNCTION set_password_by_code(login text, typed text, sealed text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    whose integer := (SELECT id FROM auth_user WHERE username = login);
BEGIN
    IF NOT is_sealed(sealed) THEN
        RAISE EXCEPTION 'password: the new one is not sealed'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    PERFORM hold_person(whose);
    UPDATE settlement_passwordcode SET used_at = clock_timestamp()
    WHERE person_id = whose AND used_at IS NULL AND ended_at IS NULL
      AND expires_at > clock_timestamp() AND may_set_by_code(whose)
      AND digest = encode(sha256(convert_to(concat(whose, ':', typed), 'UTF8')), 'hex');
    IF NOT FOUND THEN
        RAISE EXCEPTION 'password_code: it is wrong, used, or too old'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    PERFORM put_new_password(whose, sealed);
    RETURN whose;
END
$$;
REVOKE EXECUTE ON FUNCTION set_password_by_code(text, text, text) FROM PUBLIC;
