-- Keeps a link that is mailed to what two processes do apart: the web process draws half of its secret,
-- the worker the other one, once, for half an hour, and mails both. So neither role's password alone
-- sets a password or a mail address of somebody. Times are the database's.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION link_is_mailed() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NEW;
    END IF;
    IF TG_OP = 'INSERT' THEN
        NEW.made_at := clock_timestamp();
        NEW.mailed_digest := '';
        NEW.expires_at := NULL;
        NEW.used_at := NULL;
        RETURN NEW;
    END IF;
    IF OLD.mailed_digest <> '' OR OLD.used_at IS NOT NULL THEN
        RAISE EXCEPTION '%: % was drawn before', TG_ARGV[0], OLD.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    NEW.expires_at := clock_timestamp() + interval '30 minutes';
    RETURN NEW;
END
$$;

CREATE TRIGGER link_is_mailed BEFORE INSERT OR UPDATE ON settlement_passwordlink
    FOR EACH ROW EXECUTE FUNCTION link_is_mailed('password_link');
ALTER TABLE settlement_passwordlink ENABLE ALWAYS TRIGGER link_is_mailed;

CREATE TRIGGER link_is_mailed BEFORE INSERT OR UPDATE ON settlement_mailchange
    FOR EACH ROW EXECUTE FUNCTION link_is_mailed('mail_change');
ALTER TABLE settlement_mailchange ENABLE ALWAYS TRIGGER link_is_mailed;
