-- Refuses more missed rounds of a table on a gaming day by one person than the casino allows.
-- The day is the database's.
CREATE FUNCTION missed_rounds_have_a_limit() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    -- Two at once meet here one after the other: the limit is of both together.
    PERFORM pg_advisory_xact_lock(hashtext('missed_rounds'), NEW.table_id::int);
    SELECT gaming_day_of(s.casino_id) INTO NEW.day
    FROM tables_gamingtable g JOIN tables_jackpotsystem s ON s.id = g.system_id
    WHERE g.id = NEW.table_id;
    -- By the limit of now, and by that on which the command rests, as the verifier does later.
    IF NEW.count > least(
        missed_rounds_left(NEW.table_id), missed_rounds_left(NEW.table_id, NEW.command))
    THEN
        RAISE EXCEPTION 'missed_limit: table % has had what one person credits on a day',
            NEW.table_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER missed_rounds_have_a_limit BEFORE INSERT ON settlement_ruling
    FOR EACH ROW WHEN (NEW.kind = 'missed_rounds')
    EXECUTE FUNCTION missed_rounds_have_a_limit();
ALTER TABLE settlement_ruling ENABLE ALWAYS TRIGGER missed_rounds_have_a_limit;
