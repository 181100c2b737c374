-- Refuses a command that skips numbers of its system: what a decision rests on is what commands up
-- to its own took in, so a number ahead of all would take rows from those that come. Promise: one
-- order.
CREATE FUNCTION command_takes_the_next_number() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
    next bigint;
BEGIN
    SELECT coalesce(max(c.number), 0) + 1 INTO next FROM jackpot_command c
    WHERE c.system_id = NEW.system_id;
    IF NEW.number > next THEN
        RAISE EXCEPTION 'continuity: command % of system % would be the next one, and not %',
            next, NEW.system_id, NEW.number
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER command_takes_the_next_number BEFORE INSERT ON jackpot_command
    FOR EACH ROW EXECUTE FUNCTION command_takes_the_next_number();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER command_takes_the_next_number;
