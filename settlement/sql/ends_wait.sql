-- Puts entries that are to end behind the lines of a file of excluded persons: the worker ends them
-- once all lines are entries, so that nobody who is under a new entry there is on no list meanwhile.
-- Asked by functions alone.
CREATE FUNCTION ends_wait(of_file bigint, missing bigint[]) RETURNS void
LANGUAGE sql SET search_path = public, pg_temp AS $$
    INSERT INTO settlement_exclusionline (file_id, number, body, problem, ends_id)
    SELECT of_file, place + coalesce(
        (SELECT max(number) FROM settlement_exclusionline WHERE file_id = of_file), 0), '{}', '', each
    FROM unnest(missing) WITH ORDINALITY AS e (each, place)
$$;
REVOKE EXECUTE ON FUNCTION ends_wait(bigint, bigint[]) FROM PUBLIC;
