-- Ends the reading of a long file of excluded persons: of two lines that say the same the second has
-- a problem, and where none has one the file is compared with what stands of the list. What its
-- person chose for the list before, and did not confirm, goes: here, as nobody waits for it long.
CREATE FUNCTION show_exclusion_file(of_file bigint, who bigint, of_digest text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    file settlement_exclusionfile := own_exclusion_file(of_file, who);
    before bigint;
BEGIN
    IF file.state <> 'read' THEN
        RAISE EXCEPTION 'file_is_past: file % was read', of_file
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    UPDATE settlement_exclusionline l SET same_as = twice.first FROM (
        SELECT id, first_value(number) OVER same AS first, row_number() OVER same AS place
        FROM settlement_exclusionline WHERE file_id = of_file AND problem = ''
        WINDOW same AS (PARTITION BY body ORDER BY number)
    ) AS twice WHERE twice.id = l.id AND twice.place > 1;
    UPDATE settlement_exclusionfile f SET state = 'preview', digest = of_digest, lines = counted.lines,
        problems = counted.problems
    FROM (SELECT count(*) AS lines,
                 count(*) FILTER (WHERE problem <> '' OR same_as IS NOT NULL) AS problems
          FROM settlement_exclusionline WHERE file_id = of_file) AS counted
    WHERE f.id = of_file;
    UPDATE settlement_exclusionfile f SET added = f.lines - compared.standing,
        standing = compared.standing, missing = compared.missing
    FROM (SELECT count(DISTINCT l.id) AS standing, count(*) FILTER (WHERE l.id IS NULL) AS missing
          FROM standing_entries(file.casino_id, file.name) AS s
          LEFT JOIN settlement_exclusionline l ON l.file_id = of_file AND l.body = s.entry
         ) AS compared
    WHERE f.id = of_file AND f.problems = 0;
    FOR before IN
        SELECT id FROM settlement_exclusionfile f
        WHERE f.casino_id = file.casino_id AND f.name = file.name AND f.person_id = who
          AND f.state = 'preview' AND f.id < of_file
    LOOP
        PERFORM drop_exclusion_file(before, 'preview', 'You chose another file of this list.');
    END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION show_exclusion_file(bigint, bigint, text) FROM PUBLIC;
