-- Lets whoever is identified while a list of excluded persons is taken in wait, and be held against
-- all of it; and the other way round.
CREATE FUNCTION list_is_taken_in_alone() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_TABLE_NAME = 'settlement_exclusion' THEN
        PERFORM pg_advisory_xact_lock(hashtext('exclusions'));
    ELSE
        PERFORM pg_advisory_xact_lock_shared(hashtext('exclusions'));
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER list_is_taken_in_alone BEFORE INSERT ON settlement_exclusion
    FOR EACH STATEMENT EXECUTE FUNCTION list_is_taken_in_alone();
ALTER TABLE settlement_exclusion ENABLE ALWAYS TRIGGER list_is_taken_in_alone;

CREATE TRIGGER list_is_taken_in_alone BEFORE INSERT ON settlement_identification
    FOR EACH STATEMENT EXECUTE FUNCTION list_is_taken_in_alone();
ALTER TABLE settlement_identification ENABLE ALWAYS TRIGGER list_is_taken_in_alone;
