-- Ends the credentials of a table's devices when it moves to another system: their accounts speak for
-- the place that it left. The new place is given its own.
CREATE FUNCTION credentials_end_with_a_move() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO tables_deviceend (credential_id, kind, by, reason)
    SELECT id, 'moved', session_user, '' FROM tables_devicecredential
    WHERE table_id = NEW.id AND device_holds(id)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER credentials_end_with_a_move AFTER UPDATE OF moved_to_id ON tables_gamingtable
    FOR EACH ROW WHEN (NEW.moved_to_id IS NOT NULL) EXECUTE FUNCTION credentials_end_with_a_move();
ALTER TABLE tables_gamingtable ENABLE ALWAYS TRIGGER credentials_end_with_a_move;
