-- Refuses actions of one person that take several: recorder or amender, verifier, confirmer and
-- payer of one claim are four people; who proposed a rejection does not agree to it; a
-- confirmation stands on somebody else's verification of the same report. Promise: nobody pays
-- alone.
CREATE FUNCTION action_takes_two_people() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
    -- Two actions of one person at the same moment meet here one after the other.
    PERFORM FROM settlement_claim WHERE id = NEW.claim_id FOR UPDATE;
    IF NEW.kind IN ('amend', 'verify', 'confirm', 'pay') AND EXISTS (
        SELECT FROM settlement_action a
        WHERE a.claim_id = NEW.claim_id AND a.person_id = NEW.person_id
          AND a.kind <> NEW.kind AND a.kind IN ('amend', 'verify', 'confirm', 'pay')
    ) OR NEW.kind = 'second_rejection' AND EXISTS (
        SELECT FROM settlement_action a
        WHERE a.claim_id = NEW.claim_id AND a.person_id = NEW.person_id
          AND a.kind = 'propose_rejection'
    ) THEN
        RAISE EXCEPTION 'two_people: person % has already acted on claim %',
            NEW.person_id, NEW.claim_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.kind = 'confirm' AND NOT EXISTS (
        SELECT FROM settlement_action a
        WHERE a.claim_id = NEW.claim_id AND a.kind = 'verify'
          AND a.report_entry = NEW.report_entry AND a.person_id <> NEW.person_id
    ) THEN
        RAISE EXCEPTION 'two_people: claim % is not verified by another person', NEW.claim_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER action_takes_two_people BEFORE INSERT ON settlement_action
    FOR EACH ROW EXECUTE FUNCTION action_takes_two_people();
ALTER TABLE settlement_action ENABLE ALWAYS TRIGGER action_takes_two_people;
