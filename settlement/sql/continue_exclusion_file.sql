-- Has a file of excluded persons that was stopped taken in further, for whoever may import; what of
-- it stands by now is left out. Who says so again changes nothing. The list is held before the file,
-- as by who confirms another one.
CREATE FUNCTION continue_exclusion_file(of_file bigint, who bigint, of_key uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    file settlement_exclusionfile;
    matched integer;
BEGIN
    SELECT * INTO file FROM settlement_exclusionfile WHERE id = of_file;
    IF file.id IS NULL OR NOT may_in_casino(who, 'import_exclusions', file.casino_id) THEN
        RAISE EXCEPTION 'exclusions: person % may not continue file %', who, of_file
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF file.origin_id IS NOT NULL AND file.state IN ('running', 'done') THEN
        RETURN;
    END IF;
    PERFORM list_is_free(file.casino_id, file.name);
    SELECT * INTO file FROM settlement_exclusionfile WHERE id = of_file FOR UPDATE;
    IF file.state <> 'stopped' THEN
        RAISE EXCEPTION 'file_is_past: file % cannot be taken in', of_file
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    DELETE FROM settlement_exclusionline l USING standing_entries(file.casino_id, file.name) AS s
    WHERE l.file_id = of_file AND l.ends_id IS NULL AND l.body = s.entry;
    GET DIAGNOSTICS matched = ROW_COUNT;
    UPDATE settlement_exclusionfile SET state = 'running', lines_done = lines_done + matched,
        faults = 0 WHERE id = of_file;
    INSERT INTO settlement_exclusionstop
        (casino_id, origin_id, kind, lines_done, ends_done, person_id, at, key)
    VALUES (file.casino_id, file.origin_id, 'continue', file.lines_done, file.ends_done, who,
            clock_timestamp(), of_key);
END
$$;
REVOKE EXECUTE ON FUNCTION continue_exclusion_file(bigint, bigint, uuid) FROM PUBLIC;
