-- Gives the file of a filed form, which says who the player is, to somebody whose role allows to see
-- that and to file forms, and writes the look down in the same transaction. Nobody reads it from the table.
CREATE FUNCTION give_filing_file(of_file bigint, looker bigint) RETURNS bytea
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    claim settlement_claim;
BEGIN
    SELECT k.* INTO claim FROM settlement_filingfile f
    JOIN settlement_formfiling n ON n.id = f.filing_id
    JOIN settlement_payout p ON p.id = n.payout_id
    JOIN settlement_claim k ON k.id = p.claim_id WHERE f.id = of_file;
    IF claim.id IS NULL
       OR NOT has_permission(looker::integer, 'view_identification', claim.system_id)
       OR NOT has_permission(looker::integer, 'file_form', claim.system_id)
    THEN
        RAISE EXCEPTION 'identification: person % may not look', looker
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO settlement_identificationlook (claim_id, person_id, purpose, at)
    VALUES (claim.id, looker, 'filed', now());
    RETURN (SELECT content FROM settlement_filingfile WHERE id = of_file);
END
$$;
REVOKE EXECUTE ON FUNCTION give_filing_file(bigint, bigint) FROM PUBLIC;
