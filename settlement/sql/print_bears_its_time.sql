-- Refuses a slip printed at another time than stands on it: that one is held against the clock.
-- The owner, who replays and simulates, gives times.
CREATE FUNCTION print_bears_its_time() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NEW;
    END IF;
    IF NEW.at NOT BETWEEN clock_timestamp() - interval '1 minute'
                      AND clock_timestamp() + interval '1 minute'
    THEN
        RAISE EXCEPTION 'times: a slip is printed now, and not at %', NEW.at
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER print_bears_its_time BEFORE INSERT ON settlement_slipprint
    FOR EACH ROW EXECUTE FUNCTION print_bears_its_time();
ALTER TABLE settlement_slipprint ENABLE ALWAYS TRIGGER print_bears_its_time;
