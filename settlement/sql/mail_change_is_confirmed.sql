-- Keeps a person's own change of the mail address to what two processes do apart, as links for forgotten
-- passwords (password_link_is_mailed): the web process draws half of its secret, over a connection that
-- shows the person and with the proof of the password or of the log-in provider, which is not kept; the
-- worker draws the other half, once, and mails both to the new address. Times are the database's.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION mail_change_is_confirmed() RETURNS trigger
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
        IF NOT is_there(NEW.person_id) THEN
            RAISE EXCEPTION 'log-in: person %, whose mail address it is, is not there',
                NEW.person_id USING ERRCODE = 'insufficient_privilege';
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
        NEW.made_at := clock_timestamp();
        NEW.mailed_digest := '';
        NEW.expires_at := NULL;
        NEW.used_at := NULL;
        RETURN NEW;
    END IF;
    IF OLD.mailed_digest <> '' OR OLD.used_at IS NOT NULL THEN
        RAISE EXCEPTION 'mail_change: % was drawn before', OLD.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    NEW.expires_at := clock_timestamp() + interval '30 minutes';
    RETURN NEW;
END
$$;

CREATE TRIGGER mail_change_is_confirmed BEFORE INSERT OR UPDATE ON settlement_mailchange
    FOR EACH ROW EXECUTE FUNCTION mail_change_is_confirmed();
ALTER TABLE settlement_mailchange ENABLE ALWAYS TRIGGER mail_change_is_confirmed;
