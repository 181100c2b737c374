-- Writes each change of who may log in, and each changed password, into the security log, with
-- the time of the database.
CREATE FUNCTION person_is_written_down() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    was jsonb := '{}';
    now_is jsonb := '{}';
BEGIN
    IF TG_OP <> 'INSERT' THEN was := to_jsonb(OLD); END IF;
    IF TG_OP <> 'DELETE' THEN now_is := to_jsonb(NEW); END IF;
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(),
           CASE WHEN TG_OP = 'UPDATE' AND name = 'password' THEN 'password_changed'
                ELSE 'person_' || lower(TG_OP) END,
           coalesce(now_is ->> 'username', was ->> 'username'), session_user,
           CASE WHEN name = 'password' THEN ''
                ELSE left(concat(name, ': ', was ->> name, ' -> ', now_is ->> name), 200) END
    FROM unnest(ARRAY['username', 'password', 'is_active', 'is_superuser', 'is_staff']) AS name
    WHERE was ->> name IS DISTINCT FROM now_is ->> name
      AND (TG_OP = 'UPDATE' OR name = 'username');
    RETURN NULL;
END
$$;

CREATE TRIGGER person_is_written_down AFTER INSERT OR DELETE
    OR UPDATE OF username, password, is_active, is_superuser, is_staff ON auth_user
    FOR EACH ROW EXECUTE FUNCTION person_is_written_down();
ALTER TABLE auth_user ENABLE ALWAYS TRIGGER person_is_written_down;
