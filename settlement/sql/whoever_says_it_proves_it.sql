-- Refuses a suspension or its end, one person's word at once, over a connection that shows
-- neither the key of a session of that person nor the proof of the password.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION whoever_says_it_proves_it() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT is_asked_by_owner(TG_RELID) AND NOT EXISTS (
        SELECT FROM auth_user u WHERE u.username = NEW.first AND is_there(u.id))
    THEN
        RAISE EXCEPTION 'log-in: %, who says %, is not there', NEW.first, NEW.kind
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER whoever_says_it_proves_it AFTER INSERT ON jackpot_command
    FOR EACH ROW WHEN (NEW.kind IN ('suspend', 'resume'))
    EXECUTE FUNCTION whoever_says_it_proves_it();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER whoever_says_it_proves_it;
