-- Gives a person a new password, sealed, and asks for the proof of the present one: its Argon2
-- hash, whose SHA-256 stands in auth_user (settlement.people.passwords). The PIN ends.
CREATE FUNCTION change_password(whose integer, shown bytea, sealed text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT is_sealed(sealed) THEN
        RAISE EXCEPTION 'password: the new one is not sealed'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    UPDATE auth_user SET password = sealed
    WHERE id = whose AND is_active AND proves(password, shown);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'password: the present one of person % was not shown', whose
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM end_pin(whose);
END
$$;
REVOKE ALL ON FUNCTION change_password(integer, bytea, text) FROM PUBLIC;
