-- By which identifications somebody is known under that number, with claim and seat: those by the
-- same document. `shares`: they sat nowhere and share what that seat won. Nothing where it is no
-- number of a player. It tells nothing of who it is.
CREATE FUNCTION identifications_of_player(of_number bigint)
RETURNS TABLE (identification bigint, claim bigint, seat smallint, shares boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH every AS MATERIALIZED (
        SELECT o.id, o.claim_id, coalesce(o.seat, o.shares) AS seat,
               o.shares IS NOT NULL AS shares
        FROM settlement_identification i
        JOIN settlement_claim c ON c.id = i.claim_id
        JOIN tables_jackpotsystem s ON s.id = c.system_id
        JOIN settlement_identification o ON o.document = i.document AND o.born = i.born
             AND document_key(o.document_number) = document_key(i.document_number)
        JOIN settlement_claim k ON k.id = o.claim_id
        JOIN tables_jackpotsystem t ON t.id = k.system_id
             AND starts_with(t.code, 'rehearsal-') = starts_with(s.code, 'rehearsal-')
        WHERE i.id = of_number
    )
    SELECT id, claim_id, seat, shares FROM every WHERE of_number = (SELECT min(id) FROM every) ORDER BY id
$$;
REVOKE EXECUTE ON FUNCTION identifications_of_player(bigint) FROM PUBLIC;
