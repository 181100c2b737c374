-- Writes each access token into the security log.
CREATE FUNCTION token_is_written_down() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(), 'token_issued', username, session_user, left(NEW.name, 200)
    FROM auth_user WHERE id = NEW.person_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER token_is_written_down AFTER INSERT ON settlement_accesstoken
    FOR EACH ROW EXECUTE FUNCTION token_is_written_down();
ALTER TABLE settlement_accesstoken ENABLE ALWAYS TRIGGER token_is_written_down;
