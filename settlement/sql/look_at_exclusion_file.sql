-- Gives the first lines of a long file of excluded persons to whoever chose it: those with a problem
-- where there are any. It is not written down: it is what they have just read.
CREATE FUNCTION look_at_exclusion_file(of_file bigint, who bigint, most integer)
RETURNS TABLE (number integer, body jsonb, problem text, same_as integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    file settlement_exclusionfile := own_exclusion_file(of_file, who);
BEGIN
    RETURN QUERY SELECT l.number, l.body, l.problem::text, l.same_as
    FROM settlement_exclusionline l
    WHERE l.file_id = of_file AND file.state = 'preview'
      AND (file.problems = 0 OR l.problem <> '' OR l.same_as IS NOT NULL)
    ORDER BY l.number LIMIT most;
END
$$;
REVOKE EXECUTE ON FUNCTION look_at_exclusion_file(bigint, bigint, integer) FROM PUBLIC;
