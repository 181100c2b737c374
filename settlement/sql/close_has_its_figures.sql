-- Refuses the close of a gaming day or month that was not over a minute before, that is not cut at its
-- last entry and transfer, whose figures are not the running balances there, that leaves out the
-- first day, or in which a round is held of which nobody said whether it was played.
CREATE FUNCTION close_has_its_figures() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    day date;
    begins timestamptz;
    ends timestamptz;
    seq_through bigint := (NEW.body->>'through_seq')::bigint;
    through bigint := (NEW.body->>'through_transfer')::bigint;
BEGIN
    day := CASE NEW.kind WHEN 'close_day' THEN (NEW.body->>'day')::date
        ELSE ((NEW.body->>'month') || '-01')::date + interval '1 month' - interval '1 day' END;
    SELECT (day + c.day_starts) AT TIME ZONE c.timezone,
           (day + 1 + c.day_starts) AT TIME ZONE c.timezone INTO begins, ends
    FROM tables_jackpotsystem s JOIN tables_casino c ON c.id = s.casino_id
    WHERE s.id = NEW.system_id;
    IF ends > NEW.issued_at - interval '1 minute' THEN  -- the writer's clock may be behind
        RAISE EXCEPTION 'closing: the gaming day % is not over', day
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.kind = 'close_day' AND NOT EXISTS (
        SELECT FROM jackpot_entry WHERE system_id = NEW.system_id AND type = 'close_day'
        AND type IN ('close_day', 'close_month') AND NOT outcome ? 'refused'
    ) AND EXISTS (
        SELECT FROM jackpot_entry WHERE system_id = NEW.system_id AND seq = 1 AND at < begins
    ) THEN
        RAISE EXCEPTION 'closing: % is not the first gaming day of system %', day, NEW.system_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NOT EXISTS (
        SELECT FROM jackpot_entry
        WHERE system_id = NEW.system_id AND seq = seq_through AND at < ends
    ) OR EXISTS (
        SELECT FROM jackpot_entry
        WHERE system_id = NEW.system_id AND seq = seq_through + 1 AND at < ends
    ) OR through > 0 AND NOT EXISTS (
        SELECT FROM jackpot_transfer
        WHERE system_id = NEW.system_id AND number = through AND entry_seq <= seq_through
    ) OR EXISTS (
        SELECT FROM jackpot_transfer
        WHERE system_id = NEW.system_id AND number = through + 1 AND entry_seq <= seq_through
    ) THEN
        RAISE EXCEPTION 'closing: entry % and transfer % are not the last of %',
            seq_through, through, day USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.body->'figures' IS DISTINCT FROM figures_through(NEW.system_id, through) THEN
        RAISE EXCEPTION 'closing: the figures of % are not the running balances after transfer %',
            day, through USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF EXISTS (
        SELECT FROM jackpot_roundstate
        WHERE system_id = NEW.system_id AND started <= seq_through
          AND pace IS NOT NULL AND accepted IS NULL AND cancelled IS NULL
    ) THEN
        RAISE EXCEPTION 'closing: held rounds of % or before are not decided', day
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER close_has_its_figures BEFORE INSERT ON jackpot_command
    FOR EACH ROW WHEN (NEW.kind IN ('close_day', 'close_month'))
    EXECUTE FUNCTION close_has_its_figures();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER close_has_its_figures;
