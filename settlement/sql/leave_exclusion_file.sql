-- Leaves out the rest of a file of excluded persons that was stopped, for whoever may import: what it
-- wrote stays, and its other lines go. Who says so again changes nothing.
CREATE FUNCTION leave_exclusion_file(of_file bigint, who bigint, of_key uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    file settlement_exclusionfile;
    why text := 'Somebody left out the rest of this file: choose a file again to add it.';
BEGIN
    SELECT * INTO file FROM settlement_exclusionfile WHERE id = of_file FOR UPDATE;
    IF file.id IS NULL OR NOT may_in_casino(who, 'import_exclusions', file.casino_id) THEN
        RAISE EXCEPTION 'exclusions: person % may not leave out the rest of file %', who, of_file
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF file.state = 'failed' AND file.fault = why THEN
        RETURN;
    END IF;
    IF NOT drop_exclusion_file(of_file, 'stopped', why) THEN
        RAISE EXCEPTION 'file_not_stopped: file % is not stopped', of_file
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    INSERT INTO settlement_exclusionstop
        (casino_id, origin_id, kind, lines_done, ends_done, person_id, at, key)
    VALUES (file.casino_id, file.origin_id, 'leave', file.lines_done, file.ends_done, who,
            clock_timestamp(), of_key);
END
$$;
REVOKE EXECUTE ON FUNCTION leave_exclusion_file(bigint, bigint, uuid) FROM PUBLIC;
