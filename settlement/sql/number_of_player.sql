-- The number of a player by an identification: that of the first one by the same document, however
-- its number was typed. It tells nothing of who it is. Whoever was identified in a rehearsal is nobody
-- elsewhere, and the other way round.
CREATE FUNCTION number_of_player(of_identification bigint) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT min(o.id) FROM (
        SELECT i.document, document_key(i.document_number) AS number, i.born,
               starts_with(s.code, 'rehearsal-') AS is_rehearsal
        FROM settlement_identification i
        JOIN settlement_claim c ON c.id = i.claim_id
        JOIN tables_jackpotsystem s ON s.id = c.system_id
        WHERE i.id = of_identification
    ) AS shown
    JOIN settlement_identification o ON o.document = shown.document AND o.born = shown.born
         AND document_key(o.document_number) = shown.number
    JOIN settlement_claim c ON c.id = o.claim_id
    JOIN tables_jackpotsystem s ON s.id = c.system_id
         AND starts_with(s.code, 'rehearsal-') = shown.is_rehearsal
$$;
REVOKE EXECUTE ON FUNCTION number_of_player(bigint) FROM PUBLIC;
