-- Refuses a ruling on a round by somebody who was dealt in, known hand or not. Promise: nobody
-- decides on an own hand. It asks of this moment, and of what the ruling's command rests on, as
-- reconciliation and verifier do later.
CREATE FUNCTION nobody_rules_on_an_own_round() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('staff_play'), NEW.person_id);
    IF was_dealt_in_round(NEW.table_id, NEW.round, NEW.person_id)
        OR was_dealt_in_round(NEW.table_id, NEW.round, NEW.person_id, NEW.command)
    THEN
        RAISE EXCEPTION 'own_hand: person % was dealt in', NEW.person_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER nobody_rules_on_an_own_round BEFORE INSERT ON settlement_ruling
    FOR EACH ROW WHEN (NEW.round IS NOT NULL) EXECUTE FUNCTION nobody_rules_on_an_own_round();
ALTER TABLE settlement_ruling ENABLE ALWAYS TRIGGER nobody_rules_on_an_own_round;
