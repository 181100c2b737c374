-- The entries of a list of excluded persons that stand, each with whether a new list has it, too:
-- the same person, document, kind, days and reference. Asked by functions alone.
CREATE FUNCTION entries_of_list(of_casino bigint, list_name text, entries jsonb)
RETURNS TABLE (id bigint, entry jsonb)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT s.id, new.entry FROM standing_entries(of_casino, list_name) AS s
    LEFT JOIN (SELECT DISTINCT each.entry FROM jsonb_array_elements(entries) AS each (entry)) AS new
      ON new.entry = s.entry
$$;
REVOKE EXECUTE ON FUNCTION entries_of_list(bigint, text, jsonb) FROM PUBLIC;
