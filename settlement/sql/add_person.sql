-- A new person with a sealed password, or none ('!'), where whoever asks may write one: a function of set-up does.
CREATE FUNCTION add_person(
    login text, first_name text, last_name text, email text, sealed text
) RETURNS integer
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    made integer;
BEGIN
    IF sealed <> '!' AND NOT is_sealed(sealed) THEN
        RAISE EXCEPTION 'password: the new one is not sealed'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    INSERT INTO auth_user (username, first_name, last_name, email, password, is_superuser,
                           is_staff, is_active, date_joined)
    VALUES (login, first_name, last_name, email, sealed, false, false, true, clock_timestamp())
    RETURNING id INTO made;
    RETURN made;
END
$$;
