-- Makes a jackpot system of a casino, or renames one, for whoever may set it up.
CREATE FUNCTION set_up_system(
    who integer, of_casino bigint, of_system bigint, of_code text, named text
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    made bigint;
BEGIN
    IF starts_with(of_code, 'rehearsal-') AND NOT starts_with(named, 'REHEARSAL ')
       OR NOT starts_with(of_code, 'rehearsal-') AND starts_with(upper(named), 'REHEARSAL') THEN
        RAISE EXCEPTION 'rehearsal name: % as the name of %', named, of_code
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    PERFORM set_config(
        'jackpot.given_by', require_set_up(who, 'set_up_casino', of_casino), true);
    IF of_system IS NULL THEN
        INSERT INTO tables_jackpotsystem (casino_id, code, name, era)
        VALUES (of_casino, of_code, named, 1) RETURNING id INTO made;
        RETURN made;
    END IF;
    UPDATE tables_jackpotsystem SET name = named
    WHERE id = of_system AND casino_id = of_casino AND code = of_code;
    RETURN of_system;
END
$$;
REVOKE EXECUTE ON FUNCTION set_up_system(integer, bigint, bigint, text, text) FROM PUBLIC;
