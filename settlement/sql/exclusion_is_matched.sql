-- Refuses nothing: it holds whoever is identified against the casino's excluded persons, and each
-- new entry against everybody who was identified, and writes down who is both. Promise: an excluded
-- person is not paid before two people decided so.
-- By the number of the document, where the entry has one, and its kind where it names it; else by
-- name and date of birth (same_name).
CREATE FUNCTION exclusion_is_matched() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    EXECUTE format($query$
        WITH player AS (
            SELECT i.*, s.casino_id FROM %1$s AS i
            JOIN settlement_claim k ON k.id = i.claim_id
            JOIN tables_jackpotsystem s ON s.id = k.system_id
        )
        INSERT INTO settlement_exclusionmatch (identification_id, exclusion_id, rule, at)
        SELECT i.id, x.id, min(rule), clock_timestamp() FROM (
            SELECT i.id AS player, x.id AS entry, 'document' AS rule FROM player i
            JOIN %2$s AS x ON document_key(x.document_number) = document_key(i.document_number)
            WHERE x.document_number <> '' AND x.document IN ('', i.document)
            UNION ALL
            SELECT i.id, x.id, 'name' FROM player i
            JOIN %2$s AS x ON x.born = i.born AND same_name(x.name, i.name)
        ) AS pair
        JOIN player i ON i.id = pair.player
        JOIN %2$s AS x ON x.id = pair.entry AND x.casino_id = i.casino_id
        GROUP BY i.id, x.id ORDER BY i.id, x.id
        ON CONFLICT DO NOTHING$query$,
        CASE TG_TABLE_NAME WHEN 'settlement_identification' THEN 'fresh'
            ELSE 'settlement_identification' END,
        CASE TG_TABLE_NAME WHEN 'settlement_exclusion' THEN 'fresh'
            ELSE 'settlement_exclusion' END);
    RETURN NULL;
END
$$;

CREATE TRIGGER exclusion_is_matched AFTER INSERT ON settlement_identification
    REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION exclusion_is_matched();
ALTER TABLE settlement_identification ENABLE ALWAYS TRIGGER exclusion_is_matched;

CREATE TRIGGER exclusion_is_matched AFTER INSERT ON settlement_exclusion
    REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION exclusion_is_matched();
ALTER TABLE settlement_exclusion ENABLE ALWAYS TRIGGER exclusion_is_matched;
