-- Makes the first administrator of an empty installation, against the one-time code that its
-- owner was shown (manage.py setup). Refuses a second one, and a code that is used or too old.
CREATE FUNCTION begin_set_up(
    code text, login text, first_name text, last_name text, email text, sealed text
) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    made integer;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    UPDATE settlement_setupcode SET used_at = clock_timestamp()
    WHERE digest = encode(sha256(convert_to(code, 'UTF8')), 'hex') AND used_at IS NULL
      AND expires_at > clock_timestamp();
    IF NOT FOUND THEN
        RAISE EXCEPTION 'code: it is wrong, used or too old'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF EXISTS (SELECT FROM settlement_rolechange WHERE role_id IS NOT NULL) THEN
        RAISE EXCEPTION 'first_run: somebody has a role already'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    PERFORM set_config('jackpot.given_by', login, true);
    IF NOT is_sealed(sealed) THEN
        RAISE EXCEPTION 'password: the new one is not sealed'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    made := add_person(login, first_name, last_name, email, sealed);
    PERFORM put_role(
        made, (SELECT id FROM auth_group WHERE name = 'Administrator'), NULL, NULL, true);
    RETURN made;
END
$$;
REVOKE EXECUTE ON FUNCTION begin_set_up(text, text, text, text, text, text) FROM PUBLIC;
