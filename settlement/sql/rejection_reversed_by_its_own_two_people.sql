-- Refuses a rejection reversed by somebody who proposed it or agreed to it.
CREATE FUNCTION rejection_reversed_by_its_own_two_people() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    claim bigint;
    proposer bigint;
BEGIN
    SELECT k.id, p.person_id INTO claim, proposer FROM settlement_proposal p
    JOIN settlement_claim k ON k.system_id = p.system_id AND to_jsonb(k.number) = p.body -> 'hit'
    WHERE p.id = NEW.proposal_id AND p.kind = 'reverse_rejection';
    IF NOT NEW.agreed OR claim IS NULL THEN
        RETURN NEW;
    END IF;
    -- A rejection and its reversal at the same moment meet here one after the other.
    PERFORM FROM settlement_claim WHERE id = claim FOR UPDATE;
    IF EXISTS (
        SELECT FROM settlement_action a WHERE a.claim_id = claim
          AND a.kind IN ('propose_rejection', 'second_rejection')
          AND a.person_id IN (proposer, NEW.person_id)
    ) THEN
        RAISE EXCEPTION 'two_people: one of them proposed or agreed to reject claim %', claim
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER rejection_reversed_by_its_own_two_people
    BEFORE INSERT ON settlement_proposaldecision
    FOR EACH ROW EXECUTE FUNCTION rejection_reversed_by_its_own_two_people();
ALTER TABLE settlement_proposaldecision
    ENABLE ALWAYS TRIGGER rejection_reversed_by_its_own_two_people;
