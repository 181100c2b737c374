-- Refuses any command of the worker but that a table came, or that records are sealed: people
-- decide.
CREATE FUNCTION worker_decides_nothing() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF current_user = 'jackpot_worker' THEN
        RAISE EXCEPTION 'actions: the worker queues no %: people decide', NEW.kind
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER worker_decides_nothing BEFORE INSERT ON jackpot_command
    FOR EACH ROW WHEN (NEW.kind NOT IN ('receive_table', 'seal_records'))
    EXECUTE FUNCTION worker_decides_nothing();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER worker_decides_nothing;
