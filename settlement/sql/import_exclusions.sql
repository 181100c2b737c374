-- Takes in a list of excluded persons for whoever may: writes the entries that do not stand yet
-- and, where the list is whole, ends those that it lacks. While it works nobody is identified and
-- nothing is paid: who comes after it finds all entries. So of many ends it writes none: they wait
-- for the worker as those of a long file do (take_in_exclusions).
-- Gives the number of the import.
CREATE FUNCTION import_exclusions(
    of_casino bigint, list_name text, is_whole boolean, of_file text, who bigint, of_key uuid,
    entries jsonb
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    standing bigint[];
    missing bigint[];
    fresh jsonb;
    import bigint;
    file bigint;
BEGIN
    IF NOT may_in_casino(who, 'import_exclusions', of_casino) THEN
        RAISE EXCEPTION 'exclusions: person % may not import', who
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM list_is_free(of_casino, list_name);
    IF is_whole THEN
        PERFORM stopped_file_makes_way(of_casino, list_name);
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('exclusions'));
    SELECT coalesce(array_agg(l.id) FILTER (WHERE l.entry IS NOT NULL), '{}'),
           coalesce(array_agg(l.id) FILTER (WHERE l.entry IS NULL AND is_whole), '{}')
    INTO standing, missing FROM entries_of_list(of_casino, list_name, entries) AS l;
    PERFORM entered_again_stays(of_casino, list_name, standing);
    SELECT coalesce(jsonb_agg(entry ORDER BY place), '[]') INTO fresh FROM (
        SELECT entry, min(place) AS place
        FROM jsonb_array_elements(entries) WITH ORDINALITY AS each (entry, place)
        WHERE entry NOT IN (
            SELECT l.entry FROM entries_of_list(of_casino, list_name, entries) AS l
            WHERE l.entry IS NOT NULL)
        GROUP BY entry) AS new;
    INSERT INTO settlement_exclusionimport
        (casino_id, name, replaces, file, added, known, ended, person_id, at, key)
    VALUES (of_casino, list_name, is_whole, of_file, jsonb_array_length(fresh),
            cardinality(standing), cardinality(missing), who, clock_timestamp(), of_key)
    RETURNING id INTO import;
    INSERT INTO settlement_exclusion
        (origin_id, casino_id, name, born, document, document_number, kind, since, until,
         reference, key)
    SELECT import, of_casino, e.name, e.born, e.document, e.document_number, e.kind, e.since,
           e.until, e.reference, gen_random_uuid()
    FROM jsonb_to_recordset(fresh) AS e (
        name text, born date, document text, document_number text, kind text, since date,
        until date, reference text);
    IF cardinality(missing) <= 5000 THEN
        INSERT INTO settlement_exclusionend
            (exclusion_id, last_day, reason, origin_id, person_id, at)
        SELECT each, gaming_day_of(of_casino), '', import, who, clock_timestamp()
        FROM unnest(missing) AS each;
        RETURN import;
    END IF;
    INSERT INTO settlement_exclusionfile (casino_id, name, digest, person_id, at, key, state,
        lines, problems, added, standing, missing, replaces, lines_done, ends_done, ends_cancelled,
        origin_id, fault, faults)
    SELECT of_casino, list_name, of_file, who, clock_timestamp(), of_key, 'running',
        o.added + o.known, 0, o.added, o.known, o.ended, true, o.added + o.known, 0, 0, o.id, '', 0
    FROM settlement_exclusionimport o WHERE o.id = import RETURNING id INTO file;
    PERFORM ends_wait(file, missing);
    RETURN import;
END
$$;
REVOKE EXECUTE ON FUNCTION
    import_exclusions(bigint, text, boolean, text, bigint, uuid, jsonb) FROM PUBLIC;
