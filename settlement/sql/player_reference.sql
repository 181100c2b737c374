-- The number of the player of a claim's seat (number_of_player), by the newest identification.
CREATE FUNCTION player_reference(of_claim bigint, of_seat smallint) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT number_of_player((
        SELECT i.id FROM settlement_identification i
        WHERE i.claim_id = of_claim AND i.seat = of_seat ORDER BY i.id DESC LIMIT 1))
$$;
REVOKE EXECUTE ON FUNCTION player_reference(bigint, smallint) FROM PUBLIC;
