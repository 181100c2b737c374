-- Refuses nothing: open links for a forgotten password, or for another mail address, and codes for a new
-- password end with the password, the mail address and the right to log in that were there when they
-- were asked for.
CREATE FUNCTION password_links_end() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE settlement_passwordlink SET used_at = clock_timestamp()
    WHERE person_id = NEW.id AND used_at IS NULL;
    UPDATE settlement_mailchange SET used_at = clock_timestamp()
    WHERE person_id = NEW.id AND used_at IS NULL;
    UPDATE settlement_passwordcode SET ended_at = clock_timestamp()
    WHERE person_id = NEW.id AND used_at IS NULL AND ended_at IS NULL;
    RETURN NULL;
END
$$;

CREATE TRIGGER password_links_end AFTER UPDATE OF password, email, is_active ON auth_user
    FOR EACH ROW
    WHEN ((OLD.password, OLD.email, OLD.is_active)
          IS DISTINCT FROM (NEW.password, NEW.email, NEW.is_active))
    EXECUTE FUNCTION password_links_end();
ALTER TABLE auth_user ENABLE ALWAYS TRIGGER password_links_end;
