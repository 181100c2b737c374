-- Has a long file of excluded persons taken in, as its person, who is there, saw it: compares it with
-- what stands and writes the import down; its entries follow step by step, and behind all of them
-- the ends of what a whole list lacks (take_in_exclusions). Who says so again changes nothing. Refused
-- while another file of the list is taken in. One that was stopped makes way for a whole list; one
-- that adds to it goes in beside it.
CREATE FUNCTION confirm_exclusion_file(
    of_file bigint, who bigint, is_whole boolean, of_key uuid
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    file settlement_exclusionfile;
    missing bigint[];
    again bigint[];
    matched integer;
    import bigint;
BEGIN
    file := own_exclusion_file(of_file, who);
    IF file.state IN ('running', 'done') AND file.replaces = is_whole THEN
        RETURN;
    END IF;
    IF file.state <> 'preview' OR file.problems > 0 THEN
        RAISE EXCEPTION 'file_is_past: file % cannot be taken in', of_file
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    PERFORM list_is_free(file.casino_id, file.name);
    IF is_whole THEN
        PERFORM stopped_file_makes_way(file.casino_id, file.name);
    END IF;
    SELECT coalesce(array_agg(s.id) FILTER (WHERE l.id IS NULL AND is_whole), '{}'),
           coalesce(array_agg(s.id) FILTER (WHERE l.id IS NOT NULL), '{}')
    INTO missing, again FROM standing_entries(file.casino_id, file.name) AS s
    LEFT JOIN settlement_exclusionline l ON l.file_id = of_file AND l.body = s.entry;
    PERFORM entered_again_stays(file.casino_id, file.name, again);
    DELETE FROM settlement_exclusionline l USING standing_entries(file.casino_id, file.name) AS s
    WHERE l.file_id = of_file AND l.body = s.entry;
    GET DIAGNOSTICS matched = ROW_COUNT;
    INSERT INTO settlement_exclusionimport
        (casino_id, name, replaces, file, added, known, ended, person_id, at, key)
    VALUES (file.casino_id, file.name, is_whole, file.digest, file.lines - matched, matched,
            cardinality(missing), who, clock_timestamp(), file.key)
    RETURNING id INTO import;
    PERFORM ends_wait(of_file, missing);
    UPDATE settlement_exclusionfile SET state = 'running', replaces = is_whole, origin_id = import,
        lines_done = matched, confirmation_key = of_key WHERE id = of_file;
END
$$;
REVOKE EXECUTE ON FUNCTION confirm_exclusion_file(bigint, bigint, boolean, uuid) FROM PUBLIC;
