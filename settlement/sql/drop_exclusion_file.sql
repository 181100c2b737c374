-- Lets the lines of a long file of excluded persons go that is not taken in any more, and says why:
-- it failed, or nobody confirmed it within a day.
CREATE FUNCTION drop_exclusion_file(of_file bigint, why text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE settlement_exclusionfile SET state = 'failed', fault = why
    WHERE id = of_file AND state <> 'done';
    DELETE FROM settlement_exclusionline l USING settlement_exclusionfile f
    WHERE f.id = of_file AND l.file_id = f.id AND f.state = 'failed';
END
$$;
REVOKE EXECUTE ON FUNCTION drop_exclusion_file(bigint, text) FROM PUBLIC;
