-- The numbers of players who may be the player of a claim's seat: identified by another document
-- under the same name (same_name) and date of birth. It tells nothing of who they are. Whoever was
-- identified in a rehearsal is nobody elsewhere, and the other way round.
CREATE FUNCTION likely_players(of_claim bigint, of_seat smallint) RETURNS SETOF bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT DISTINCT likely.person
    FROM (
        SELECT i.name, i.born, starts_with(s.code, 'rehearsal-') AS is_rehearsal,
               player_reference(of_claim, of_seat) AS person
        FROM settlement_identification i
        JOIN settlement_claim c ON c.id = i.claim_id
        JOIN tables_jackpotsystem s ON s.id = c.system_id
        WHERE i.claim_id = of_claim AND i.seat = of_seat ORDER BY i.id DESC LIMIT 1
    ) AS shown
    JOIN settlement_identification o ON o.born = shown.born AND same_name(o.name, shown.name)
    JOIN settlement_claim c ON c.id = o.claim_id
    JOIN tables_jackpotsystem s ON s.id = c.system_id
         AND starts_with(s.code, 'rehearsal-') = shown.is_rehearsal
    CROSS JOIN LATERAL (SELECT player_reference(o.claim_id, o.seat) AS person) AS likely
    WHERE likely.person <> shown.person AND NOT EXISTS (  -- the newest of a seat counts
        SELECT FROM settlement_identification l
        WHERE l.claim_id = o.claim_id AND l.seat = o.seat AND l.id > o.id)
$$;
REVOKE EXECUTE ON FUNCTION likely_players(bigint, smallint) FROM PUBLIC;
