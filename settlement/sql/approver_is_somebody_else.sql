-- Refuses a second manager who has acted on the claim, and an action of whoever approved it.
-- Promise: nobody pays alone.
CREATE FUNCTION approver_is_somebody_else() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM settlement_claim WHERE id = NEW.claim_id FOR UPDATE;
    IF EXISTS (
        SELECT FROM settlement_action a
        WHERE a.claim_id = NEW.claim_id AND a.person_id = NEW.person_id AND a.kind <> NEW.kind
          AND 'approve' IN (a.kind, NEW.kind)
          AND a.kind IN ('amend', 'verify', 'approve', 'confirm', 'pay')
    ) THEN
        RAISE EXCEPTION 'two_people: person % has already acted on claim %',
            NEW.person_id, NEW.claim_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER approver_is_somebody_else BEFORE INSERT ON settlement_action
    FOR EACH ROW WHEN (NEW.kind IN ('amend', 'verify', 'approve', 'confirm', 'pay'))
    EXECUTE FUNCTION approver_is_somebody_else();
ALTER TABLE settlement_action ENABLE ALWAYS TRIGGER approver_is_somebody_else;
