-- Refuses a recovery code over a connection that does not show its person, the use of one that was
-- used or has ended, and its end while the person has a second factor and is not there. Times are the database's. The use of one is in the security log.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION recovery_code_is_used_once() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NOT is_asked_by_owner(TG_RELID) AND NOT is_there(NEW.person_id) THEN
            RAISE EXCEPTION 'log-in: person %, whose recovery code it is, is not there',
                NEW.person_id USING ERRCODE = 'insufficient_privilege';
        END IF;
        NEW.made_at := clock_timestamp();
        NEW.used_at := NULL;
        NEW.ended_at := NULL;
        RETURN NEW;
    END IF;
    IF OLD.used_at IS NOT NULL OR OLD.ended_at IS NOT NULL THEN
        RAISE EXCEPTION 'recovery code: % was used or has ended', OLD.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.used_at IS NOT NULL THEN
        NEW.used_at := clock_timestamp();
        INSERT INTO settlement_securityevent (at, what, username, by, detail)
        SELECT clock_timestamp(), 'recovery_code_used', username, session_user, ''
        FROM auth_user WHERE id = NEW.person_id;
    END IF;
    IF NEW.ended_at IS NOT NULL THEN
        IF NOT is_asked_by_owner(TG_RELID) AND NOT is_there(NEW.person_id) AND EXISTS (
            SELECT FROM settlement_secondfactor
            WHERE person_id = NEW.person_id AND ended_at IS NULL)
        THEN
            RAISE EXCEPTION 'log-in: person %, whose recovery code ends, is not there',
                NEW.person_id USING ERRCODE = 'insufficient_privilege';
        END IF;
        NEW.ended_at := clock_timestamp();
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER recovery_code_is_used_once BEFORE INSERT OR UPDATE ON settlement_recoverycode
    FOR EACH ROW EXECUTE FUNCTION recovery_code_is_used_once();
ALTER TABLE settlement_recoverycode ENABLE ALWAYS TRIGGER recovery_code_is_used_once;
