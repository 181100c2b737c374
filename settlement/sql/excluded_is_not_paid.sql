-- Refuses to pay a player who is on a list of excluded persons, until two people released it.
-- Promise: an excluded person is not paid before two people decided so.
-- Whoever pays waits while a list is taken in, and finds all of it. The gaming day is that of the
-- time which the command bears, as the verifier has it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION excluded_is_not_paid() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF is_asked_by_owner(TG_RELID) THEN
        RETURN NEW;
    END IF;
    PERFORM pg_advisory_xact_lock_shared(hashtext('exclusions'));
    IF EXISTS (
        SELECT FROM jackpot_hit h
        JOIN settlement_claim k ON k.system_id = h.system_id AND k.number = h.number
        CROSS JOIN jsonb_array_elements(h.payees) AS payee
        JOIN exclusions_in_force(k.id, (payee ->> 'seat')::integer, NEW.issued_at) AS f ON true
        WHERE h.system_id = NEW.system_id AND to_jsonb(h.number) = NEW.body -> 'hit'
          AND payee -> 'line' = NEW.body -> 'line'
    ) THEN
        RAISE EXCEPTION 'excluded: command % of system % pays an excluded person',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER excluded_is_not_paid BEFORE INSERT ON jackpot_command FOR EACH ROW
    WHEN (NEW.kind = 'pay') EXECUTE FUNCTION excluded_is_not_paid();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER excluded_is_not_paid;
