-- Lets the lines of a long file of excluded persons go that is not taken in any more, and says why:
-- it failed, or nobody confirmed it within a day. One that is not in that state any more, as
-- somebody confirmed it meanwhile, stays. Gives whether it went.
CREATE FUNCTION drop_exclusion_file(of_file bigint, of_state text, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE settlement_exclusionfile SET state = 'failed', fault = why
    WHERE id = of_file AND state = of_state AND state <> 'done';
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    DELETE FROM settlement_exclusionline WHERE file_id = of_file;
    RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION drop_exclusion_file(bigint, text, text) FROM PUBLIC;
