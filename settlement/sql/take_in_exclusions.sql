-- One step of taking a long file of excluded persons in that its person confirmed: writes so many of
-- its entries, or fewer; once all stand, so many ends of what the list lacks, in the name of who
-- confirmed it. Each is a transaction: whoever comes after a worker that died goes on where it stood. While one works nobody is identified and nothing is paid. Gives the state of the file;
-- NULL where another process takes one in: nobody waits for it.
CREATE FUNCTION take_in_exclusions(of_file bigint, most integer) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    file settlement_exclusionfile;
    first_number integer;
    entries integer;
    ends integer;
    next_state text;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('exclusion_files')) THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('exclusions'));
    SELECT * INTO file FROM settlement_exclusionfile WHERE id = of_file FOR UPDATE;
    IF file.state <> 'running' THEN
        RETURN file.state;
    END IF;
    -- By a range of the index: a limit has all lines that are left read and sorted.
    SELECT min(number) INTO first_number FROM settlement_exclusionline WHERE file_id = of_file;
    WITH step AS (
        DELETE FROM settlement_exclusionline
        WHERE file_id = of_file AND number < first_number + most AND ends_id IS NULL
        RETURNING number, body
    )
    INSERT INTO settlement_exclusion
        (origin_id, casino_id, name, born, document, document_number, kind, since, until,
         reference, key)
    SELECT file.origin_id, file.casino_id, e.name, e.born, e.document, e.document_number, e.kind,
           e.since, e.until, e.reference, gen_random_uuid()
    FROM step CROSS JOIN LATERAL jsonb_to_record(step.body) AS e (
        name text, born date, document text, document_number text, kind text, since date,
        until date, reference text)
    ORDER BY step.number;
    GET DIAGNOSTICS entries = ROW_COUNT;
    WITH step AS (
        DELETE FROM settlement_exclusionline
        WHERE file_id = of_file AND number < first_number + most AND ends_id IS NOT NULL
        RETURNING number, ends_id
    ), written AS (
        INSERT INTO settlement_exclusionend
            (exclusion_id, last_day, reason, origin_id, person_id, at)
        SELECT step.ends_id, gaming_day_of(file.casino_id), '', o.id, o.person_id, clock_timestamp()
        FROM step JOIN settlement_exclusionimport o ON o.id = file.origin_id
        ORDER BY step.number
        ON CONFLICT (exclusion_id) DO NOTHING  -- somebody ended it meanwhile
    )
    SELECT count(*) INTO ends FROM step;
    next_state := CASE WHEN EXISTS (
        SELECT FROM settlement_exclusionline WHERE file_id = of_file) THEN 'running' ELSE 'done' END;
    UPDATE settlement_exclusionfile SET lines_done = lines_done + entries,
        ends_done = ends_done + ends, state = next_state, faults = 0
    WHERE id = of_file;
    RETURN next_state;
END
$$;
REVOKE EXECUTE ON FUNCTION take_in_exclusions(bigint, integer) FROM PUBLIC;
