-- The entries of a list of excluded persons that stand, each with whether a new list has it, too:
-- the same person, document, kind, days and reference. Asked by functions alone.
CREATE FUNCTION entries_of_list(of_casino bigint, list_name text, entries jsonb)
RETURNS TABLE (id bigint, entry jsonb)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT x.id, new.entry FROM settlement_exclusion x
    JOIN settlement_exclusionimport o ON o.id = x.origin_id AND o.name = list_name
    LEFT JOIN (SELECT DISTINCT each.entry FROM jsonb_array_elements(entries) AS each (entry)) AS new
      ON new.entry = jsonb_build_object(
            'name', x.name, 'born', x.born, 'document', x.document,
            'document_number', x.document_number, 'kind', x.kind, 'since', x.since,
            'until', x.until, 'reference', x.reference)
    WHERE x.casino_id = of_casino
      AND NOT EXISTS (SELECT FROM settlement_exclusionend e WHERE e.exclusion_id = x.id)
      AND coalesce(x.until >= gaming_day_of(of_casino), true)
$$;
REVOKE EXECUTE ON FUNCTION entries_of_list(bigint, text, jsonb) FROM PUBLIC;
