-- Refuses an event of a table that is not one of its system. Two foreign keys would be asked
-- for every event, with a lock on the row of the system and of the table each time, more than
-- half of what a batch costs; this asks for each table once a batch, and for more. A table with
-- events cannot go while its streams are there, and their keys stay.
CREATE FUNCTION events_of_known_tables() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE unknown record;
BEGIN
    SELECT f.system_id, f.table_id INTO unknown
    FROM (SELECT DISTINCT system_id, table_id FROM fresh) AS f
    WHERE NOT EXISTS (SELECT FROM tables_gamingtable g
                      WHERE g.id = f.table_id AND g.system_id = f.system_id)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'an event of table %, which is not one of system %',
            unknown.table_id, unknown.system_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER events_of_known_tables AFTER INSERT ON tables_tableevent
    REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION events_of_known_tables();
ALTER TABLE tables_tableevent ENABLE ALWAYS TRIGGER events_of_known_tables;
