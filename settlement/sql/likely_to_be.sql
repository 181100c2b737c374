-- The numbers of players who may be whoever was identified: by another document under the same name
-- (same_name) and date of birth. It tells nothing of who they are. Whoever was identified in a
-- rehearsal is nobody elsewhere, and the other way round.
CREATE FUNCTION likely_to_be(of_identification bigint) RETURNS SETOF bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH shown AS MATERIALIZED (
        SELECT i.name, i.born, i.document, document_key(i.document_number) AS number,
               starts_with(s.code, 'rehearsal-') AS is_rehearsal
        FROM settlement_identification i
        JOIN settlement_claim c ON c.id = i.claim_id
        JOIN tables_jackpotsystem s ON s.id = c.system_id
        WHERE i.id = of_identification
    ), other AS MATERIALIZED (  -- by the same document it is the same number
        SELECT o.id, o.claim_id, o.seat, o.name
        FROM shown JOIN settlement_identification o ON o.born = shown.born
        WHERE o.document <> shown.document OR document_key(o.document_number) <> shown.number
    ), alike AS MATERIALIZED (  -- names and numbers are looked at last: they take longest
        SELECT other.* FROM shown JOIN other ON same_name(other.name, shown.name)
        JOIN settlement_claim c ON c.id = other.claim_id
        JOIN tables_jackpotsystem s ON s.id = c.system_id
             AND starts_with(s.code, 'rehearsal-') = shown.is_rehearsal
        WHERE NOT EXISTS (  -- the newest of a seat counts, and everybody who sat nowhere
            SELECT FROM settlement_identification l
            WHERE l.claim_id = other.claim_id AND l.seat = other.seat AND l.id > other.id)
    )
    SELECT DISTINCT likely.person FROM alike
    CROSS JOIN LATERAL (SELECT number_of_player(alike.id) AS person) AS likely
    WHERE likely.person <> number_of_player(of_identification)
$$;
REVOKE EXECUTE ON FUNCTION likely_to_be(bigint) FROM PUBLIC;
