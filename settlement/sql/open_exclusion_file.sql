-- Begins a long file of excluded persons for whoever may import it; its lines follow. Its number.
CREATE FUNCTION open_exclusion_file(of_casino bigint, list_name text, who bigint, of_key uuid)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    file bigint;
BEGIN
    IF NOT may_in_casino(who, 'import_exclusions', of_casino) THEN
        RAISE EXCEPTION 'exclusions: person % may not import', who
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO settlement_exclusionfile (casino_id, name, digest, person_id, at, key, state,
        lines, problems, added, standing, missing, replaces, lines_done, ends_done, ends_cancelled,
        fault, faults)
    VALUES (of_casino, list_name, '', who, clock_timestamp(), of_key, 'read',
        0, 0, 0, 0, 0, false, 0, 0, 0, '', 0) RETURNING id INTO file;
    RETURN file;
END
$$;
REVOKE EXECUTE ON FUNCTION open_exclusion_file(bigint, text, bigint, uuid) FROM PUBLIC;
