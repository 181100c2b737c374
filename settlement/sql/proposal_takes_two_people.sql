-- Refuses a proposal agreed to by its own proposer, or by or of somebody who is not active.
CREATE FUNCTION proposal_takes_two_people() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.agreed AND NOT EXISTS (
        SELECT FROM settlement_proposal p
        JOIN auth_user proposer ON proposer.id = p.person_id AND proposer.is_active
        JOIN auth_user other ON other.id = NEW.person_id AND other.is_active
        WHERE p.id = NEW.proposal_id AND proposer.id <> other.id
    ) THEN
        RAISE EXCEPTION 'two_people: person % may not agree to proposal %',
            NEW.person_id, NEW.proposal_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER proposal_takes_two_people BEFORE INSERT ON settlement_proposaldecision
    FOR EACH ROW EXECUTE FUNCTION proposal_takes_two_people();
ALTER TABLE settlement_proposaldecision ENABLE ALWAYS TRIGGER proposal_takes_two_people;
