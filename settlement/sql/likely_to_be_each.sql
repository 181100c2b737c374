-- The numbers of players who may be whoever was identified by each of these: by another document
-- under the same name (same_name) and date of birth. It tells nothing of who they are. Whoever was
-- identified in a rehearsal is nobody elsewhere, and the other way round. All are asked for at once,
-- and of two names it is asked once whether they are the same.
CREATE FUNCTION likely_to_be_each(of_identifications bigint[])
RETURNS TABLE (identification bigint, person bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH shown AS MATERIALIZED (
        SELECT DISTINCT i.id, i.name, i.born, i.document, i.document_number,
               starts_with(s.code, 'rehearsal-') AS is_rehearsal
        FROM unnest(of_identifications) AS each (id)
        JOIN settlement_identification i ON i.id = each.id
        JOIN settlement_claim c ON c.id = i.claim_id
        JOIN tables_jackpotsystem s ON s.id = c.system_id
    ), other AS MATERIALIZED (  -- by the same document it is the same number, however it was typed
        SELECT shown.id AS asked, shown.name AS one, shown.is_rehearsal,
               o.id, o.claim_id, o.seat, o.name AS other
        FROM shown JOIN settlement_identification o ON o.born = shown.born
        WHERE o.document <> shown.document OR o.document_number <> shown.document_number
    ), pair AS MATERIALIZED (
        SELECT DISTINCT least(other.one, other.other) AS one,
                        greatest(other.one, other.other) AS other
        FROM other
    ), named AS MATERIALIZED (
        SELECT pair.one, pair.other FROM pair WHERE same_name(pair.one, pair.other)
    ), alike AS MATERIALIZED (
        SELECT other.asked, other.id FROM other
        JOIN named ON named.one = least(other.one, other.other)
             AND named.other = greatest(other.one, other.other)
        JOIN settlement_claim c ON c.id = other.claim_id
        JOIN tables_jackpotsystem s ON s.id = c.system_id
             AND starts_with(s.code, 'rehearsal-') = other.is_rehearsal
        WHERE NOT EXISTS (  -- the newest of a seat counts, and everybody who sat nowhere
            SELECT FROM settlement_identification l
            WHERE l.claim_id = other.claim_id AND l.seat = other.seat AND l.id > other.id)
    ), known AS MATERIALIZED (
        SELECT * FROM numbers_of_players(
            (SELECT array_agg(asked) FROM alike) || (SELECT array_agg(id) FROM alike))
    )
    SELECT DISTINCT alike.asked, likely.number FROM alike
    JOIN known AS likely ON likely.identification = alike.id
    JOIN known AS own ON own.identification = alike.asked
    WHERE likely.number <> own.number
$$;
REVOKE EXECUTE ON FUNCTION likely_to_be_each(bigint[]) FROM PUBLIC;
