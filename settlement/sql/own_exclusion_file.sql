-- The long file of a list of excluded persons that somebody may work on: their own, in a casino where
-- they may import. Locked until the end of the transaction. Asked by functions alone.
CREATE FUNCTION own_exclusion_file(of_file bigint, who bigint) RETURNS settlement_exclusionfile
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    file settlement_exclusionfile;
BEGIN
    SELECT * INTO file FROM settlement_exclusionfile f
    WHERE f.id = of_file AND f.person_id = who FOR UPDATE;
    IF file.id IS NULL OR NOT may_in_casino(who, 'import_exclusions', file.casino_id) THEN
        RAISE EXCEPTION 'exclusions: person % may not work on file %', who, of_file
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN file;
END
$$;
REVOKE EXECUTE ON FUNCTION own_exclusion_file(bigint, bigint) FROM PUBLIC;
