-- Refuses that anything but what halted the system is skipped, and that it is without the
-- proposal of another active person, for the same reason.
CREATE FUNCTION set_aside_by_two_people() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM jackpot_head h
        WHERE h.system_id = NEW.system_id AND h.halted_at IS NOT NULL
          AND (h.halted_event = NEW.event_id OR h.halted_command = NEW.command)
    ) THEN
        RAISE EXCEPTION 'the system is not halted on this'
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'Only what halted a system is set aside.';
    END IF;
    IF NOT EXISTS (
        SELECT FROM settlement_asideproposal p
        JOIN auth_user u ON u.id = p.person_id
        JOIN auth_user other ON other.username = NEW.second
        WHERE p.system_id = NEW.system_id AND p.reason = NEW.reason
          AND (p.event = NEW.event_id OR p.command = NEW.command)
          AND u.username = NEW.first AND u.is_active
          AND other.is_active AND other.id <> u.id
    ) THEN
        RAISE EXCEPTION 'two_people: % has not proposed this, or % may not agree',
            NEW.first, NEW.second USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER set_aside_by_two_people BEFORE INSERT ON jackpot_setaside
    FOR EACH ROW EXECUTE FUNCTION set_aside_by_two_people();
ALTER TABLE jackpot_setaside ENABLE ALWAYS TRIGGER set_aside_by_two_people;
