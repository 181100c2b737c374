-- Takes the keys of a unit, which the intake alone reads, along when its table moves to another
-- system; sealed as they are, they open for the place that the table came from.
CREATE FUNCTION key_goes_along() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO tables_unitkey (
        table_id, sealed_key, key_digest, sealed_other, other_digest, other_until)
    SELECT NEW.moved_to_id, sealed_key, key_digest, sealed_other, other_digest, other_until
    FROM tables_unitkey WHERE table_id = NEW.id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER key_goes_along AFTER UPDATE OF moved_to_id ON tables_gamingtable
    FOR EACH ROW WHEN (NEW.moved_to_id IS NOT NULL) EXECUTE FUNCTION key_goes_along();
ALTER TABLE tables_gamingtable ENABLE ALWAYS TRIGGER key_goes_along;
