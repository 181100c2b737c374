-- Gives the word on who plays the time of the database, read under the lock that actions of this
-- person take, too; it reaches into no future.
CREATE FUNCTION staff_play_is_said_now() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('staff_play'), NEW.person_id);
    NEW.at := clock_timestamp();
    NEW.since := least(NEW.since, NEW.at);
    NEW.until := least(NEW.until, CASE WHEN NEW.until IS NOT NULL THEN NEW.at END);
    RETURN NEW;
END
$$;

CREATE TRIGGER staff_play_is_said_now BEFORE INSERT ON settlement_staffplay
    FOR EACH ROW EXECUTE FUNCTION staff_play_is_said_now();
ALTER TABLE settlement_staffplay ENABLE ALWAYS TRIGGER staff_play_is_said_now;
