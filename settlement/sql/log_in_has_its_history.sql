-- Writes down who may log in no longer, or again.
CREATE FUNCTION log_in_has_its_history() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO settlement_rolechange (person_id, granted, by)
    VALUES (NEW.id, NEW.is_active, role_given_by());
    RETURN NULL;
END
$$;

CREATE TRIGGER log_in_has_its_history AFTER UPDATE ON auth_user
    FOR EACH ROW WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION log_in_has_its_history();
ALTER TABLE auth_user ENABLE ALWAYS TRIGGER log_in_has_its_history;

CREATE TRIGGER log_in_begins_its_history AFTER INSERT ON auth_user
    FOR EACH ROW WHEN (NOT NEW.is_active) EXECUTE FUNCTION log_in_has_its_history();
ALTER TABLE auth_user ENABLE ALWAYS TRIGGER log_in_begins_its_history;
