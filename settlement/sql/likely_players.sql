-- The numbers of players who may be the player of a claim's seat (likely_to_be), by the newest
-- identification.
CREATE FUNCTION likely_players(of_claim bigint, of_seat smallint) RETURNS SETOF bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT likely_to_be((
        SELECT i.id FROM settlement_identification i
        WHERE i.claim_id = of_claim AND i.seat = of_seat ORDER BY i.id DESC LIMIT 1))
$$;
REVOKE EXECUTE ON FUNCTION likely_players(bigint, smallint) FROM PUBLIC;
