-- The number of the player of a claim's seat: that of the first identification by the same
-- document, however its number was typed. It tells nothing of who it is.
CREATE FUNCTION player_reference(of_claim bigint, of_seat smallint) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT min(o.id) FROM (
        SELECT i.document, document_key(i.document_number) AS number, i.born
        FROM settlement_identification i
        WHERE i.claim_id = of_claim AND i.seat = of_seat ORDER BY i.id DESC LIMIT 1
    ) AS shown
    JOIN settlement_identification o ON o.document = shown.document AND o.born = shown.born
         AND document_key(o.document_number) = shown.number
$$;
REVOKE EXECUTE ON FUNCTION player_reference(bigint, smallint) FROM PUBLIC;
