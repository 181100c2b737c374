-- Stops a file of excluded persons that the worker takes in, for whoever may import: what it wrote
-- stays, and its other lines wait until somebody continues it. Who says so again changes nothing. It
-- waits for the step that is under way.
CREATE FUNCTION stop_exclusion_file(of_file bigint, who bigint, of_key uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    file settlement_exclusionfile;
BEGIN
    SELECT * INTO file FROM settlement_exclusionfile WHERE id = of_file FOR UPDATE;
    IF file.id IS NULL OR NOT may_in_casino(who, 'import_exclusions', file.casino_id) THEN
        RAISE EXCEPTION 'exclusions: person % may not stop file %', who, of_file
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF file.state = 'stopped' THEN
        RETURN;
    END IF;
    IF file.state <> 'running' THEN
        RAISE EXCEPTION 'file_is_in: file % is not taken in now', of_file
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    UPDATE settlement_exclusionfile SET state = 'stopped' WHERE id = of_file;
    INSERT INTO settlement_exclusionstop
        (casino_id, origin_id, kind, lines_done, ends_done, person_id, at, key)
    VALUES (file.casino_id, file.origin_id, 'stop', file.lines_done, file.ends_done, who,
            clock_timestamp(), of_key);
END
$$;
REVOKE EXECUTE ON FUNCTION stop_exclusion_file(bigint, bigint, uuid) FROM PUBLIC;
