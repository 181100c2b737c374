-- Gives excluded persons of a casino to somebody whose role allows it, and writes down the look in
-- the same transaction. `sought`: beginnings of the words of a name, the number of a document, a
-- date of birth or a reference; empty: everybody. The newest first, 51 at most.
CREATE FUNCTION look_at_exclusions(of_casino bigint, looker bigint, sought text)
RETURNS TABLE (
    id bigint, name text, born date, document text, document_number text, kind text, since date,
    until date, reference text, list text, ended date
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    words text[] := name_words(sought);
    wanted text := document_key(sought);
BEGIN
    IF NOT may_in_casino(looker, 'view_exclusions', of_casino) THEN
        RAISE EXCEPTION 'exclusions: person % may not look', looker
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO settlement_exclusionlook (casino_id, person_id, at)
        VALUES (of_casino, looker, clock_timestamp());
    RETURN QUERY SELECT x.id, x.name::text, x.born, x.document::text, x.document_number::text,
            x.kind::text, x.since, x.until, x.reference::text, o.name::text, e.last_day
        FROM settlement_exclusion x
        JOIN settlement_exclusionimport o ON o.id = x.origin_id
        LEFT JOIN settlement_exclusionend e ON e.exclusion_id = x.id
        WHERE x.casino_id = of_casino AND (
            wanted = ''
            OR document_key(x.document_number) = wanted OR document_key(x.reference) = wanted
            OR x.born::text = btrim(sought)
            OR words <> '{}' AND NOT EXISTS (
                SELECT FROM unnest(words) AS word WHERE NOT EXISTS (
                    SELECT FROM unnest(name_words(x.name)) AS own WHERE starts_with(own, word))))
        ORDER BY x.id DESC LIMIT 51;
END
$$;
REVOKE EXECUTE ON FUNCTION look_at_exclusions(bigint, bigint, text) FROM PUBLIC;
