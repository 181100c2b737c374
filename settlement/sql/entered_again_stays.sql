-- Of the stopped files of a list of excluded persons, lets the ends go of entries that somebody has
-- just entered again: whoever continued the file would end them. Asked by functions that hold the
-- list (list_is_free).
CREATE FUNCTION entered_again_stays(of_casino bigint, list_name text, again bigint[]) RETURNS void
LANGUAGE sql SET search_path = public, pg_temp AS $$
    WITH let_go AS (
        DELETE FROM settlement_exclusionline l USING settlement_exclusionfile f
        WHERE f.id = l.file_id AND f.casino_id = of_casino AND f.name = list_name
          AND f.state = 'stopped' AND l.ends_id = ANY(again)
        RETURNING l.file_id
    )
    UPDATE settlement_exclusionfile f SET ends_cancelled = f.ends_cancelled + counted.ends
    FROM (SELECT file_id, count(*) AS ends FROM let_go GROUP BY file_id) AS counted
    WHERE f.id = counted.file_id
$$;
REVOKE EXECUTE ON FUNCTION entered_again_stays(bigint, text, bigint[]) FROM PUBLIC;
