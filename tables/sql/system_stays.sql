-- A jackpot system stays what it was made: its code, which stands in the hash of every block and says
-- whether it is a rehearsal, its casino and its number. Nobody changes them, the owner included.
CREATE FUNCTION system_stays() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'system: % stays what it was made', OLD.code
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER system_stays BEFORE UPDATE ON tables_jackpotsystem
    FOR EACH ROW WHEN ((NEW.id, NEW.code, NEW.casino_id)
                       IS DISTINCT FROM (OLD.id, OLD.code, OLD.casino_id))
    EXECUTE FUNCTION system_stays();
ALTER TABLE tables_jackpotsystem ENABLE ALWAYS TRIGGER system_stays;
