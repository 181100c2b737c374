-- Refuses a person's own change of the mail address that does not come over a connection that shows the
-- person, with the proof of the password or of the log-in provider, which is not kept.
-- Its link is guarded beside it (link_is_mailed).
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION mail_change_is_confirmed() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    shown bytea := NEW.proof;
BEGIN
    NEW.proof := NULL;
    IF TG_OP = 'UPDATE'
       OR pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NEW;
    END IF;
    IF NOT is_there(NEW.person_id) THEN
        RAISE EXCEPTION 'log-in: person %, whose mail address it is, is not there', NEW.person_id
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM hold_person(NEW.person_id);
    IF NOT EXISTS (
        SELECT FROM auth_user
        WHERE id = NEW.person_id AND is_active
          AND (proves(password, shown) OR provider_confirmed(id, shown)))
    THEN
        RAISE EXCEPTION 'mail_change: the password of person % was not shown', NEW.person_id
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER mail_change_is_confirmed BEFORE INSERT OR UPDATE ON settlement_mailchange
    FOR EACH ROW EXECUTE FUNCTION mail_change_is_confirmed();
ALTER TABLE settlement_mailchange ENABLE ALWAYS TRIGGER mail_change_is_confirmed;
