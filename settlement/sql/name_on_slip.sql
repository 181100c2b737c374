-- Gives the name of a payee for the slip, and nothing else; look_at_identification says who may
-- look, and writes the look down.
CREATE FUNCTION name_on_slip(shown bigint, looker bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    of_claim bigint;
    found text;
BEGIN
    SELECT i.claim_id, i.name INTO STRICT of_claim, found
        FROM settlement_identification i WHERE i.id = shown;
    PERFORM look_at_identification(of_claim, looker, 'pay');
    RETURN found;
END
$$;
REVOKE EXECUTE ON FUNCTION name_on_slip(bigint, bigint) FROM PUBLIC;
