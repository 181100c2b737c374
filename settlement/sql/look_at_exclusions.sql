-- Gives excluded persons of a casino to somebody whose role allows it, and writes down the look in
-- the same transaction. `sought`: beginnings of the words of a name, the number of a document, a
-- date of birth or a reference; empty: everybody. The newest first, 51 at most. Each way in has its
-- index (exclusions_are_found), so that a list may be as long as a country's.
CREATE FUNCTION look_at_exclusions(of_casino bigint, looker bigint, sought text)
RETURNS TABLE (
    id bigint, name text, born date, document text, document_number text, kind text, since date,
    until date, reference text, list text, ended date
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    wanted text := document_key(sought);
    beginnings tsquery := (  -- words have no quotes
        SELECT string_agg(format('''%s'':*', replace(word, '\', '\\')), ' & ')
        FROM unnest(name_words(sought)) AS word);
    day date;
BEGIN
    IF NOT may_in_casino(looker, 'view_exclusions', of_casino) THEN
        RAISE EXCEPTION 'exclusions: person % may not look', looker
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO settlement_exclusionlook (casino_id, person_id, at)
        VALUES (of_casino, looker, clock_timestamp());
    IF btrim(sought) ~ '^\d{4}-\d\d-\d\d$' THEN
        BEGIN
            day := btrim(sought);
        EXCEPTION WHEN datetime_field_overflow THEN
            NULL;  -- no day, and perhaps a reference
        END;
    END IF;
    RETURN QUERY
        WITH own AS NOT MATERIALIZED (
            SELECT * FROM settlement_exclusion e WHERE e.casino_id = of_casino
        ), found AS (
            (SELECT f.id FROM own f WHERE wanted = '' ORDER BY f.id DESC LIMIT 51)
            UNION
            SELECT f.id FROM own f
            WHERE f.document_number <> '' AND document_key(f.document_number) = wanted
            UNION
            SELECT f.id FROM own f WHERE f.reference <> '' AND document_key(f.reference) = wanted
            UNION
            SELECT f.id FROM own f WHERE f.born = day
            UNION
            SELECT f.id FROM own f WHERE array_to_tsvector(name_words(f.name)) @@ beginnings
            ORDER BY id DESC LIMIT 51
        )
        SELECT x.id, x.name::text, x.born, x.document::text, x.document_number::text,
            x.kind::text, x.since, x.until, x.reference::text, o.name::text, e.last_day
        FROM found
        JOIN settlement_exclusion x ON x.id = found.id
        JOIN settlement_exclusionimport o ON o.id = x.origin_id
        LEFT JOIN settlement_exclusionend e ON e.exclusion_id = x.id
        ORDER BY x.id DESC;
END
$$;
REVOKE EXECUTE ON FUNCTION look_at_exclusions(bigint, bigint, text) FROM PUBLIC;
