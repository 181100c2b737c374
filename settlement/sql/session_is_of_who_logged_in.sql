-- Refuses a session that names a person without the proof of the password, or both halves of a log-in at
-- the provider (take_provider_log_in), and keeps no proof. What is locked stays so until unlock_session opens it, and its time is the database's.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION session_is_of_who_logged_in() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    shown bytea := NEW.proof;
BEGIN
    NEW.proof := NULL;
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NEW;
    END IF;
    IF TG_OP = 'INSERT' THEN
        NEW.tablet_id := NULL;
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.locked_at IS NOT NULL THEN
        NEW.locked_at := OLD.locked_at;
    ELSIF NEW.locked_at IS NOT NULL THEN
        NEW.locked_at := clock_timestamp();
    END IF;
    IF NEW.person_id IS NULL OR (TG_OP = 'UPDATE' AND NEW.person_id = OLD.person_id) THEN
        RETURN NEW;
    END IF;
    PERFORM require_now();
    PERFORM hold_person(NEW.person_id);
    IF NOT EXISTS (
        SELECT FROM auth_user
        WHERE id = NEW.person_id AND is_active AND proves(password, shown)
    ) AND NOT take_provider_log_in(NEW.person_id, shown, 'log_in') THEN
        RAISE EXCEPTION 'session: the password of person % was not shown', NEW.person_id
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER session_is_of_who_logged_in BEFORE INSERT OR UPDATE ON console_session
    FOR EACH ROW EXECUTE FUNCTION session_is_of_who_logged_in();
ALTER TABLE console_session ENABLE ALWAYS TRIGGER session_is_of_who_logged_in;
