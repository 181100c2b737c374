-- Refuses a ruling countersigned by its own author, by somebody who is not active, or one of a
-- kind that takes no second person.
CREATE FUNCTION countersigned_by_another() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM settlement_ruling r
        JOIN auth_user other ON other.id = NEW.person_id AND other.is_active
        WHERE r.id = NEW.ruling_id AND r.kind IN ('missed_rounds', 'enter_hand')
          AND r.person_id <> other.id
    ) THEN
        RAISE EXCEPTION 'two_people: person % may not countersign ruling %',
            NEW.person_id, NEW.ruling_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER countersigned_by_another BEFORE INSERT ON settlement_countersignature
    FOR EACH ROW EXECUTE FUNCTION countersigned_by_another();
ALTER TABLE settlement_countersignature ENABLE ALWAYS TRIGGER countersigned_by_another;
