-- Refuses nothing: a mail address that a person had is told that it is no more theirs, whoever changed it; the
-- worker mails it.
CREATE FUNCTION old_address_is_told() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO settlement_addressnotice (person_id, email) VALUES (NEW.id, OLD.email);
    RETURN NULL;
END
$$;

CREATE TRIGGER old_address_is_told AFTER UPDATE OF email ON auth_user
    FOR EACH ROW WHEN (OLD.email <> '' AND lower(OLD.email) <> lower(NEW.email))
    EXECUTE FUNCTION old_address_is_told();
ALTER TABLE auth_user ENABLE ALWAYS TRIGGER old_address_is_told;
