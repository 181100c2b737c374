-- Gives the end of a play the time of the database.
CREATE FUNCTION staff_play_ends_now() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    NEW.at := clock_timestamp();
    RETURN NEW;
END
$$;

CREATE TRIGGER staff_play_ends_now BEFORE INSERT ON settlement_staffplayend
    FOR EACH ROW EXECUTE FUNCTION staff_play_ends_now();
ALTER TABLE settlement_staffplayend ENABLE ALWAYS TRIGGER staff_play_ends_now;
