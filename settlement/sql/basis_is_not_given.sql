-- Refuses a command that brings a basis of its own: only the owner does, who replays an order.
-- Promise: tampering shows.
CREATE FUNCTION basis_is_not_given() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT pg_has_role(
        current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RAISE EXCEPTION 'basis: command % of system % brings one of its own',
            NEW.number, NEW.system_id USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER basis_is_not_given BEFORE INSERT ON jackpot_command
    FOR EACH ROW WHEN (NEW.basis IS NOT NULL) EXECUTE FUNCTION basis_is_not_given();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER basis_is_not_given;
