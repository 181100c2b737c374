-- Lets a file of a list of excluded persons go that was stopped, as a later whole list is taken in:
-- whoever continued it would put back what the later one lacks. Asked by functions that hold the list
-- (list_is_free).
CREATE FUNCTION stopped_file_makes_way(of_casino bigint, list_name text) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM drop_exclusion_file(id, 'stopped', 'Another file of this list was imported.')
    FROM settlement_exclusionfile
    WHERE casino_id = of_casino AND name = list_name AND state = 'stopped';
END
$$;
REVOKE EXECUTE ON FUNCTION stopped_file_makes_way(bigint, text) FROM PUBLIC;
