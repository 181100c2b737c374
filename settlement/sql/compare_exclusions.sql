-- How many entries of a new list of excluded persons are new, how many stand already, and how many
-- of those that stand it lacks; for whoever may import it. It gives nothing of a person away.
CREATE FUNCTION compare_exclusions(of_casino bigint, list_name text, who bigint, entries jsonb)
RETURNS TABLE (added bigint, known bigint, missing bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT may_in_casino(who, 'import_exclusions', of_casino) THEN
        RAISE EXCEPTION 'exclusions: person % may not import', who
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN QUERY SELECT
        (SELECT count(DISTINCT each.entry) FROM jsonb_array_elements(entries) AS each (entry))
            - count(DISTINCT l.entry),
        count(DISTINCT l.entry), count(*) FILTER (WHERE l.entry IS NULL)
    FROM entries_of_list(of_casino, list_name, entries) AS l;
END
$$;
REVOKE EXECUTE ON FUNCTION compare_exclusions(bigint, text, bigint, jsonb) FROM PUBLIC;
