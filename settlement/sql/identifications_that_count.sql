-- Whose matches with lists stop a payment to a seat of a claim: of anybody who was ever identified
-- there or as a sharer of what it won, and of its player and sharers under every number that two
-- people stated to be theirs.
CREATE FUNCTION identifications_that_count(of_claim bigint, of_seat integer)
RETURNS TABLE (identification bigint, seat smallint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH here AS MATERIALIZED (
        SELECT i.id, i.seat AS sat, i.shares, coalesce(i.seat, i.shares) AS seat
        FROM settlement_identification i
        WHERE i.claim_id = of_claim AND (of_seat IS NULL OR coalesce(i.seat, i.shares) = of_seat)
    )
    SELECT id, seat FROM here
    UNION
    SELECT known.identification, own.seat
    FROM (
        SELECT DISTINCT here.seat, number_of_player(here.id) AS number FROM here
        WHERE here.shares IS NOT NULL OR NOT EXISTS (
            SELECT FROM here AS later WHERE later.sat = here.sat AND later.id > here.id)
    ) AS own
    CROSS JOIN LATERAL players_as_one(own.number, 'infinity') AS each (number)
    CROSS JOIN LATERAL identifications_of_player(each.number) AS known
    WHERE each.number <> own.number
$$;
REVOKE EXECUTE ON FUNCTION identifications_that_count(bigint, integer) FROM PUBLIC;
