-- Refuses that whoever entered a hand verifies, approves, confirms or pays it: they are its
-- recorder. Promise: nobody pays alone.
CREATE FUNCTION recorder_is_somebody_else() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM settlement_claim k
        JOIN jackpot_hit h ON (h.system_id, h.number) = (k.system_id, k.number)
        JOIN auth_user u ON u.username = h.pairing ->> 'who'
        WHERE k.id = NEW.claim_id AND u.id = NEW.person_id
    ) THEN
        RAISE EXCEPTION 'two_people: person % entered the hand of claim %',
            NEW.person_id, NEW.claim_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER recorder_is_somebody_else BEFORE INSERT ON settlement_action
    FOR EACH ROW WHEN (NEW.kind IN ('verify', 'approve', 'confirm', 'pay'))
    EXECUTE FUNCTION recorder_is_somebody_else();
ALTER TABLE settlement_action ENABLE ALWAYS TRIGGER recorder_is_somebody_else;
