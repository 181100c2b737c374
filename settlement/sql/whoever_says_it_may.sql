-- Refuses a suspension or its end by somebody whose role does not allow it: one person's word
-- at once, which has no row besides the command. Promise: nobody acts beyond their role.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION whoever_says_it_may() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF is_asked_by_owner(TG_RELID) THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock_shared(hashtext('roles'));
    IF NOT EXISTS (
        SELECT FROM auth_user u
        WHERE u.username = NEW.first AND has_permission(u.id, TG_ARGV[0], NEW.system_id)
    ) THEN
        RAISE EXCEPTION 'permission: % may not % in system %', NEW.first, NEW.kind, NEW.system_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER whoever_says_it_may AFTER INSERT ON jackpot_command
    FOR EACH ROW WHEN (NEW.kind IN ('suspend', 'resume'))
    EXECUTE FUNCTION whoever_says_it_may('suspend_jackpot');
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER whoever_says_it_may;
