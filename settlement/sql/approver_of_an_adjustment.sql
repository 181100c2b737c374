-- Refuses the approval of an adjustment by whoever proposed it, or by somebody who may not
-- agree to one.
CREATE FUNCTION approver_of_an_adjustment() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM settlement_proposal p
        WHERE p.id = NEW.proposal_id AND p.kind = 'adjust_pool' AND p.person_id <> NEW.person_id
    ) OR NOT may_agree_to_adjust(NEW.person_id) THEN
        RAISE EXCEPTION 'two_people: person % may not approve proposal %',
            NEW.person_id, NEW.proposal_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER approver_of_an_adjustment BEFORE INSERT ON settlement_proposalapproval
    FOR EACH ROW EXECUTE FUNCTION approver_of_an_adjustment();
ALTER TABLE settlement_proposalapproval ENABLE ALWAYS TRIGGER approver_of_an_adjustment;
