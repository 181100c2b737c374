-- The entries of a list of excluded persons that stand, each as a new list would have it: person,
-- document, kind, days and reference. Asked by functions alone.
CREATE FUNCTION standing_entries(of_casino bigint, list_name text)
RETURNS TABLE (id bigint, entry jsonb)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT x.id, jsonb_build_object(
        'name', x.name, 'born', x.born, 'document', x.document,
        'document_number', x.document_number, 'kind', x.kind, 'since', x.since,
        'until', x.until, 'reference', x.reference)
    FROM settlement_exclusion x
    JOIN settlement_exclusionimport o ON o.id = x.origin_id AND o.name = list_name
    WHERE x.casino_id = of_casino
      AND NOT EXISTS (SELECT FROM settlement_exclusionend e WHERE e.exclusion_id = x.id)
      AND coalesce(x.until >= gaming_day_of(of_casino), true)
$$;
REVOKE EXECUTE ON FUNCTION standing_entries(bigint, text) FROM PUBLIC;
