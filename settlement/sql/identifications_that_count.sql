-- Whose matches with lists stop a payment to a seat of a claim: of anybody who was ever identified
-- there, and of its player under every number that two people stated to be theirs.
CREATE FUNCTION identifications_that_count(of_claim bigint, of_seat integer)
RETURNS TABLE (identification bigint, seat smallint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT i.id, i.seat FROM settlement_identification i
    WHERE i.claim_id = of_claim AND (of_seat IS NULL OR i.seat = of_seat)
    UNION
    SELECT known.identification, own.seat
    FROM (
        SELECT DISTINCT i.seat, player_reference(of_claim, i.seat) AS number
        FROM settlement_identification i
        WHERE i.claim_id = of_claim AND (of_seat IS NULL OR i.seat = of_seat)
    ) AS own
    CROSS JOIN LATERAL players_as_one(own.number, 'infinity') AS each (number)
    CROSS JOIN LATERAL identifications_of_player(each.number) AS known
    WHERE each.number <> own.number
$$;
REVOKE EXECUTE ON FUNCTION identifications_that_count(bigint, integer) FROM PUBLIC;
