-- The seals of a claim's players, for roles that do not read who they are: it gives nothing of
-- a player away.
CREATE FUNCTION seals_of_identifications(of_claim bigint)
RETURNS TABLE (id bigint, seal bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT i.id, sha256(convert_to(concat_ws(E'\n', i.key, i.seat, i.name,
               to_char(i.born, 'YYYY-MM-DD'), i.document, i.document_number, i.note,
               CASE WHEN concat(i.tax_number, i.address, i.country) <> ''
                   THEN concat_ws(E'\n', i.tax_number, i.address, nullif(i.country, '')) END), 'UTF8'))
    FROM settlement_identification i WHERE i.claim_id = of_claim
$$;
REVOKE EXECUTE ON FUNCTION seals_of_identifications(bigint) FROM PUBLIC;
