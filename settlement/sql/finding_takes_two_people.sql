-- Refuses a step on a finding out of turn: its owner explains it, somebody else signs that or sends
-- it back, and what is signed stays. Promise: nobody signs off an own explanation.
-- Two steps at once wait for each other.
CREATE FUNCTION finding_takes_two_people() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    newest settlement_findingstep;
    owned_by integer;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('finding'), NEW.finding_id::integer);
    SELECT * INTO newest FROM settlement_findingstep
    WHERE finding_id = NEW.finding_id ORDER BY id DESC LIMIT 1;
    SELECT person_id INTO owned_by FROM settlement_findingstep
    WHERE finding_id = NEW.finding_id AND kind = 'take' ORDER BY id DESC LIMIT 1;
    IF NEW.kind IN ('sign', 'return') AND newest.kind = 'explain' AND newest.person_id <> NEW.person_id
       OR NEW.kind = 'explain' AND newest.kind <> 'sign' AND owned_by = NEW.person_id
       OR NEW.kind = 'take' AND (newest.id IS NULL OR newest.kind IN ('take', 'return'))
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'actions: finding % takes two people in their order: % is not next',
        NEW.finding_id, NEW.kind USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER finding_takes_two_people BEFORE INSERT ON settlement_findingstep
    FOR EACH ROW EXECUTE FUNCTION finding_takes_two_people();
ALTER TABLE settlement_findingstep ENABLE ALWAYS TRIGGER finding_takes_two_people;
