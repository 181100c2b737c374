-- A jurisdiction pack holds from a later gaming day than that on which two people chose it, once
-- anything is posted: what was paid, reported and drafted before keeps the pack of its day. The
-- day is that of this moment: an agreement may have waited for a lock while another day began.
-- Promise: nothing is rewritten.
CREATE FUNCTION pack_begins_later() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.since <= gaming_day_of(NEW.casino_id, clock_timestamp()) AND NOT is_unposted(NEW.casino_id) THEN
        RAISE EXCEPTION 'pack_day: % has begun in casino %', NEW.since, NEW.casino_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER pack_begins_later BEFORE INSERT ON settlement_jurisdictionchoice
    FOR EACH ROW EXECUTE FUNCTION pack_begins_later();
ALTER TABLE settlement_jurisdictionchoice ENABLE ALWAYS TRIGGER pack_begins_later;
