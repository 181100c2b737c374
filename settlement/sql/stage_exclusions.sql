-- Puts lines of a long file of excluded persons where they wait: each with its number, what it says
-- and what is wrong with it. Nothing counts yet.
CREATE FUNCTION stage_exclusions(of_file bigint, who bigint, of_lines jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF (own_exclusion_file(of_file, who)).state <> 'read' THEN
        RAISE EXCEPTION 'file_is_past: file % was read', of_file
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    INSERT INTO settlement_exclusionline (file_id, number, body, problem)
    SELECT of_file, (each ->> 'number')::integer, each -> 'body', each ->> 'problem'
    FROM jsonb_array_elements(of_lines) AS each;
END
$$;
REVOKE EXECUTE ON FUNCTION stage_exclusions(bigint, bigint, jsonb) FROM PUBLIC;
