-- Whether the player of a claim's seat lives in a country (ISO 3166-1, two letters) or abroad, by
-- the newest identification; empty where nobody identified them, or asked where they live. It tells
-- nothing else of who it is.
CREATE FUNCTION residence_of_player(of_claim bigint, of_seat smallint, home text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT coalesce((
        SELECT CASE i.country WHEN '' THEN '' WHEN home THEN 'resident' ELSE 'foreign' END
        FROM settlement_identification i
        WHERE i.claim_id = of_claim AND i.seat = of_seat ORDER BY i.id DESC LIMIT 1
    ), '')
$$;
REVOKE EXECUTE ON FUNCTION residence_of_player(bigint, smallint, text) FROM PUBLIC;
