-- Writes each access token into the security log with its scopes, and the end that somebody gave
-- it, with who that was.
CREATE FUNCTION token_is_written_down() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(), CASE TG_OP WHEN 'INSERT' THEN 'token_issued' ELSE 'token_ended' END,
           p.username, session_user,
           left(NEW.name || ': ' || concat_ws(', ', i.username,
                coalesce(e.username, array_to_string(NEW.scopes, ' '))), 200)
    FROM auth_user p LEFT JOIN auth_user e ON e.id = NEW.ended_by_id
    LEFT JOIN auth_user i ON i.id = NEW.issued_by_id AND TG_OP = 'INSERT' WHERE p.id = NEW.person_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER token_is_written_down AFTER INSERT ON settlement_accesstoken
    FOR EACH ROW EXECUTE FUNCTION token_is_written_down();
ALTER TABLE settlement_accesstoken ENABLE ALWAYS TRIGGER token_is_written_down;

CREATE TRIGGER token_end_is_written_down AFTER UPDATE ON settlement_accesstoken
    FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
    EXECUTE FUNCTION token_is_written_down();
ALTER TABLE settlement_accesstoken ENABLE ALWAYS TRIGGER token_end_is_written_down;
