-- Refuses actions, answers on the checklist and evidence by somebody who was dealt in. Promise:
-- nobody decides on an own hand. A play of the same person that is said at this moment waits.
CREATE FUNCTION nobody_acts_on_an_own_hand() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('staff_play'), NEW.person_id);
    IF was_dealt_in(NEW.claim_id, NEW.person_id) THEN
        RAISE EXCEPTION 'own_hand: person % was dealt in', NEW.person_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER nobody_acts_on_an_own_hand BEFORE INSERT ON settlement_action
    FOR EACH ROW EXECUTE FUNCTION nobody_acts_on_an_own_hand();
ALTER TABLE settlement_action ENABLE ALWAYS TRIGGER nobody_acts_on_an_own_hand;

CREATE TRIGGER nobody_acts_on_an_own_hand BEFORE INSERT ON settlement_checkanswer
    FOR EACH ROW EXECUTE FUNCTION nobody_acts_on_an_own_hand();
ALTER TABLE settlement_checkanswer ENABLE ALWAYS TRIGGER nobody_acts_on_an_own_hand;

CREATE TRIGGER nobody_acts_on_an_own_hand BEFORE INSERT ON settlement_decktick
    FOR EACH ROW EXECUTE FUNCTION nobody_acts_on_an_own_hand();
ALTER TABLE settlement_decktick ENABLE ALWAYS TRIGGER nobody_acts_on_an_own_hand;

CREATE TRIGGER nobody_acts_on_an_own_hand BEFORE INSERT ON settlement_footage
    FOR EACH ROW EXECUTE FUNCTION nobody_acts_on_an_own_hand();
ALTER TABLE settlement_footage ENABLE ALWAYS TRIGGER nobody_acts_on_an_own_hand;

CREATE TRIGGER nobody_acts_on_an_own_hand BEFORE INSERT ON settlement_note
    FOR EACH ROW EXECUTE FUNCTION nobody_acts_on_an_own_hand();
ALTER TABLE settlement_note ENABLE ALWAYS TRIGGER nobody_acts_on_an_own_hand;

CREATE TRIGGER nobody_acts_on_an_own_hand BEFORE INSERT ON settlement_identification
    FOR EACH ROW EXECUTE FUNCTION nobody_acts_on_an_own_hand();
ALTER TABLE settlement_identification ENABLE ALWAYS TRIGGER nobody_acts_on_an_own_hand;

CREATE TRIGGER nobody_acts_on_an_own_hand BEFORE INSERT ON settlement_sharer
    FOR EACH ROW EXECUTE FUNCTION nobody_acts_on_an_own_hand();
ALTER TABLE settlement_sharer ENABLE ALWAYS TRIGGER nobody_acts_on_an_own_hand;

CREATE TRIGGER nobody_acts_on_an_own_hand BEFORE INSERT ON settlement_attachment
    FOR EACH ROW EXECUTE FUNCTION nobody_acts_on_an_own_hand();
ALTER TABLE settlement_attachment ENABLE ALWAYS TRIGGER nobody_acts_on_an_own_hand;
