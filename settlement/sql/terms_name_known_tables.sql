-- Refuses terms for a table that does not exist: the order keeps what is put there.
CREATE FUNCTION terms_name_known_tables() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    unknown text;
BEGIN
    SELECT named.code INTO unknown
    FROM jsonb_array_elements_text(NEW.body #> '{terms,tables}') AS named (code)
    WHERE NOT EXISTS (
        SELECT FROM tables_gamingtable g WHERE (g.system_id, g.code) = (NEW.system_id, named.code))
    ORDER BY named.code LIMIT 1;
    IF unknown IS NOT NULL THEN
        RAISE EXCEPTION 'unknown_table: command % of system % posts terms for the table %, which'
            ' does not exist', NEW.number, NEW.system_id, unknown
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER terms_name_known_tables BEFORE INSERT ON jackpot_command
    FOR EACH ROW WHEN (
        NEW.kind = 'put_terms' AND jsonb_typeof(NEW.body #> '{terms,tables}') = 'array')
    EXECUTE FUNCTION terms_name_known_tables();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER terms_name_known_tables;
